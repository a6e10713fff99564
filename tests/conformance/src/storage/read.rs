use super::{log_is, publish, put, stat, store};
use crate::Case;
use crate::bindings::agent::session::storage::StorageError;
use crate::check::{Must, Outcome, equal, fails, holds, same_bytes};

pub const CASES: &[Case] = &[
    ("reading gives just the bytes asked for", just_those),
    ("reading gives fewer bytes at the end alone", never_short),
    ("reading at the end or behind it gives no bytes", behind),
    ("reading no bytes gives none", none),
    ("reading needs no claim", no_claim),
    ("reading a log that is not there is not found", absent),
    ("looking at a log that is not there is not found", stat_absent),
    ("looking at a log tells its length as it grows", length_grows),
    ("looking at a log tells a later time once it has grown", time_goes_on),
    ("looking at a log tells a later time once it has been cut", time_of_a_cut),
    ("looking at a log tells the same identity however it grows or is held", identity_stays),
    ("looking at a log that was removed and made anew tells another identity", identity_changes),
];

fn just_those() -> Outcome {
    put("x", "0123456789")?;
    for (at, max, expected) in [(0, 1, "0"), (0, 10, "0123456789"), (3, 4, "3456"), (9, 1, "9"), (8, 100, "89")] {
        let found = store::read("x", at, max).must("reading")?;
        same_bytes(&format!("at most {max} bytes from {at}"), &found, expected.as_bytes())?;
    }
    Ok(())
}

fn never_short() -> Outcome {
    const LENGTH: usize = 2_000_003;
    let content: Vec<u8> = (0..LENGTH).map(|n| (n % 253) as u8).collect();
    put("x", &content)?;
    for max in [LENGTH - 1, LENGTH, 1 << 20, 65_537, 4096] {
        let found = store::read("x", 1, max as u32).must("reading")?;
        same_bytes(&format!("at most {max} bytes from 1"), &found, &content[1..=max.min(LENGTH - 1)])?;
    }
    Ok(())
}

fn behind() -> Outcome {
    put("x", "0123456789")?;
    for at in [10, 11, 1 << 40, u64::MAX] {
        same_bytes(&format!("from {at} of 10"), &store::read("x", at, u32::MAX).must("reading")?, b"")?;
    }
    Ok(())
}

fn none() -> Outcome {
    put("x", "0123456789")?;
    same_bytes("no bytes", &store::read("x", 3, 0).must("reading")?, b"")
}

fn no_claim() -> Outcome {
    let header = super::other::makes("x")?;
    log_is("x", &header)?;
    equal("who holds it, by `held`", stat("x")?.held, true)
}

fn absent() -> Outcome {
    fails!("reading", store::read("x", 0, 1), StorageError::NotFound)?;
    fails!("reading no bytes", store::read("x", 0, 0), StorageError::NotFound)
}

fn stat_absent() -> Outcome {
    fails!("looking", store::stat("x"), StorageError::NotFound)?;
    publish("y", "")?;
    fails!("looking again", store::stat("x"), StorageError::NotFound)
}

fn length_grows() -> Outcome {
    publish("x", "one\n")?;
    for (at, length) in [(4u64, 8), (8, 12)] {
        store::append("x", at, b"more").must("appending")?;
        equal("the length", stat("x")?.length, length)?;
    }
    store::set_aside("x", 6).must("cutting")?;
    equal("the length", stat("x")?.length, 6u64)
}

/// How often a log is grown until its time must have gone on; a coarse clock takes some milliseconds.
pub const PATIENCE: u32 = 500_000;

fn time_goes_on() -> Outcome {
    let first = publish("x", "")?.modified;
    for at in 0..PATIENCE {
        store::append("x", at.into(), b".").must("appending")?;
        if stat("x")?.modified != first {
            return holds("the time goes on, and not back", stat("x")?.modified > first);
        }
    }
    Err(format!("the time: expected a later one after {PATIENCE} appends, found {first} still"))
}

fn time_of_a_cut() -> Outcome {
    let before = publish("x", "one\ntorn")?.modified;
    publish("y", "")?;
    // Another log shows that the time has gone on.
    for at in 0..PATIENCE {
        store::append("y", at.into(), b".").must("appending")?;
        if stat("y")?.modified > before {
            equal("the time before the cut", stat("x")?.modified, before)?;
            store::set_aside("x", 4).must("cutting")?;
            return holds("the time after the cut is a later one", stat("x")?.modified > before);
        }
    }
    Err(format!("the time: expected a later one after {PATIENCE} appends, found {before} still"))
}

fn identity_stays() -> Outcome {
    let first = publish("x", "one\n")?.identity;
    let same = |when: &str| equal(&format!("the identity {when}"), stat("x")?.identity, &first[..]);
    store::append("x", 4, b"two\n").must("appending")?;
    same("after growing")?;
    store::sync("x").must("syncing")?;
    store::set_aside("x", 4).must("cutting")?;
    same("after a cut")?;
    store::release("x");
    same("after a release")?;
    let acquired = store::acquire("x").must("acquiring")?;
    equal("the identity when acquired", acquired.identity, first)
}

fn identity_changes() -> Outcome {
    let mut seen = Vec::new();
    for _ in 0..4 {
        let identity = publish("x", "one\n")?.identity;
        holds(&format!("{identity:?} is none of the earlier {seen:?}"), !seen.contains(&identity))?;
        seen.push(identity);
        store::remove("x").must("removing")?;
    }
    Ok(())
}
