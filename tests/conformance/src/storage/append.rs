use super::{append, log_is, other, publish, put, stat, store};
use crate::Case;
use crate::bindings::agent::session::storage::StorageError;
use crate::check::{Must, Outcome, equal, fails};

pub const CASES: &[Case] = &[
    ("appending adds at the end and changes nothing before", adds),
    ("appending keeps every byte there is", all_bytes),
    ("appending no bytes changes nothing", nothing),
    ("appending before the end is refused as moved, and nothing is written", too_early),
    ("appending behind the end is refused as moved, and leaves no hole", too_late),
    ("appending to a log that is not held is refused as moved", not_held),
    ("appending to a log that another holds is refused as moved", held_by_another),
    ("appending after a release is refused as moved", released),
    ("appending to a log that is not there is refused as moved, and makes none", absent),
    ("appending goes on after a refusal, once the log is acquired again", goes_on),
    ("appending shows to every reader when the call returns", shows),
    ("syncing what was appended succeeds, also twice and with nothing new", syncs),
    ("syncing a log that is not held is refused as moved", sync_not_held),
];

fn adds() -> Outcome {
    publish("x", "one\n")?;
    for (at, line) in [(4, "two\n"), (8, "three\n"), (14, "four")] {
        store::append("x", at, line.as_bytes()).must(&format!("appending at {at}"))?;
    }
    log_is("x", "one\ntwo\nthree\nfour")
}

fn all_bytes() -> Outcome {
    let all: Vec<u8> = (0..=255).chain([0, 0, 10, 13, 10, 0xff]).collect();
    publish("x", "")?;
    append("x", &all)?;
    append("x", &all)?;
    log_is("x", [&all[..], &all[..]].concat())
}

fn nothing() -> Outcome {
    publish("x", "one\n")?;
    store::append("x", 4, b"").must("appending nothing")?;
    log_is("x", "one\n")?;
    append("x", "two\n")?;
    log_is("x", "one\ntwo\n")
}

fn too_early() -> Outcome {
    for at in [0, 3] {
        let id = format!("x{at}");
        publish(&id, "one\n")?;
        fails!(format!("appending at {at} of 4"), store::append(&id, at, b"two\n"), StorageError::Moved(_))?;
        log_is(&id, "one\n")?;
    }
    Ok(())
}

fn too_late() -> Outcome {
    for at in [5, u64::MAX] {
        let id = format!("x{at}");
        publish(&id, "one\n")?;
        fails!(format!("appending at {at} of 4"), store::append(&id, at, b"two\n"), StorageError::Moved(_))?;
        log_is(&id, "one\n")?;
    }
    Ok(())
}

fn not_held() -> Outcome {
    put("x", "one\n")?;
    fails!("appending", store::append("x", 4, b"two\n"), StorageError::Moved(_))?;
    log_is("x", "one\n")
}

fn held_by_another() -> Outcome {
    let header = other::makes("x")?;
    fails!("appending", store::append("x", header.len() as u64, b"mine\n"), StorageError::Moved(_))?;
    log_is("x", header)
}

fn released() -> Outcome {
    publish("x", "one\n")?;
    append("x", "two\n")?;
    store::release("x");
    fails!("appending", store::append("x", 8, b"three\n"), StorageError::Moved(_))?;
    log_is("x", "one\ntwo\n")
}

fn absent() -> Outcome {
    fails!("appending", store::append("x", 0, b"one\n"), StorageError::Moved(_))?;
    fails!("syncing", store::sync("x"), StorageError::Moved(_))?;
    fails!("looking at it", store::stat("x"), StorageError::NotFound)
}

fn goes_on() -> Outcome {
    publish("x", "one\n")?;
    fails!("appending at 9 of 4", store::append("x", 9, b"lost\n"), StorageError::Moved(_))?;
    let info = store::acquire("x").must("acquiring again")?;
    equal("the length", info.length, 4u64)?;
    store::append("x", info.length, b"two\n").must("appending then")?;
    log_is("x", "one\ntwo\n")
}

fn shows() -> Outcome {
    let header = other::header("x");
    publish("x", &header)?;
    let line = "{\"type\":\"a\",\"seq\":0,\"time\":1,\"data\":{}}\n";
    append("x", line)?;
    let seen = crate::bindings::agent::session::session_persistence::get_lines("x", 0, 1000);
    equal("what another holder reads", seen.must("the other holder's reading")?, line)?;
    equal("the length", stat("x")?.length, (header.len() + line.len()) as u64)
}

fn syncs() -> Outcome {
    publish("x", "one\n")?;
    store::sync("x").must("syncing nothing new")?;
    append("x", "two\n")?;
    store::sync("x").must("syncing")?;
    store::sync("x").must("syncing again")?;
    append("x", "three\n")?;
    log_is("x", "one\ntwo\nthree\n")
}

fn sync_not_held() -> Outcome {
    put("x", "one\n")?;
    fails!("syncing", store::sync("x"), StorageError::Moved(_))?;
    other::makes("y")?;
    fails!("syncing what another holds", store::sync("y"), StorageError::Moved(_))
}
