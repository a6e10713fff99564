use super::{append, content, copy, log_is, other, publish, put, stat, store};
use crate::Case;
use crate::bindings::agent::session::storage::{Order, StorageError};
use crate::check::{Must, Outcome, equal, fails, holds};

pub const CASES: &[Case] = &[
    ("publishing joins all parts in their order", joins_parts),
    ("publishing answers what the log is like then", answers_info),
    ("publishing copies a stretch out of another log", copies_a_stretch),
    ("publishing copies out of a log that another holds", copies_from_held),
    ("publishing leaves the log that it copies from as it was", leaves_the_source),
    ("publishing with no part makes an empty log", empty),
    ("publishing never replaces a log", never_replaces),
    ("publishing never replaces a log that another holds", never_replaces_held),
    ("publishing makes its caller the holder", holds_it),
    ("publishing a copy of more than there is makes no log", too_short_a_source),
    ("publishing a copy from behind the end makes no log, even of no bytes", behind_the_source),
    ("publishing a copy whose end no number can name makes no log", overflowing_stretch),
    ("publishing a copy of a log that is not there makes no log", no_source),
    ("publishing what failed can be tried again", try_again),
    ("publishing keeps every byte there is", all_bytes),
    ("publishing takes a log of several megabytes", large),
];

fn joins_parts() -> Outcome {
    put("source", "0123456789")?;
    let parts = [content("a"), copy("source", 3, 4), content(""), content("b"), copy("source", 0, 1), content("c")];
    store::publish("x", &parts).must("publishing six parts")?;
    log_is("x", "a3456b0c")
}

fn answers_info() -> Outcome {
    let info = publish("x", "12345")?;
    equal("the id", info.id.as_deref(), Some("x"))?;
    equal("the length", info.length, 5u64)?;
    equal("whether it is held", info.held, true)?;
    equal("what `stat` says", stat("x")?, info)
}

fn copies_a_stretch() -> Outcome {
    put("source", "0123456789")?;
    for (id, at, length, expected) in
        [("whole", 0, 10, "0123456789"), ("end", 9, 1, "9"), ("middle", 2, 3, "234"), ("none", 10, 0, "")]
    {
        store::publish(id, &[copy("source", at, length)]).must(&format!("copying {length} bytes from {at}"))?;
        log_is(id, expected)?;
    }
    Ok(())
}

fn copies_from_held() -> Outcome {
    let header = other::makes("source")?;
    store::publish("x", &[copy("source", 0, header.len() as u64)]).must("copying a log that another holds")?;
    log_is("x", header)
}

fn leaves_the_source() -> Outcome {
    put("source", "0123456789")?;
    let before = stat("source")?;
    store::publish("x", &[copy("source", 0, 10)]).must("copying")?;
    log_is("source", "0123456789")?;
    equal("what is known of the source", stat("source")?, before)
}

fn empty() -> Outcome {
    let info = store::publish("x", &[]).must("publishing no parts")?;
    equal("the length", info.length, 0u64)?;
    log_is("x", "")
}

fn never_replaces() -> Outcome {
    let first = publish("x", "first")?;
    fails!("publishing again", store::publish("x", &[content("second")]), StorageError::AlreadyExists)?;
    log_is("x", "first")?;
    store::release("x");
    fails!("publishing once more", store::publish("x", &[content("third")]), StorageError::AlreadyExists)?;
    log_is("x", "first")?;
    equal("the log's identity", stat("x")?.identity, first.identity)
}

fn never_replaces_held() -> Outcome {
    let header = other::makes("x")?;
    fails!("publishing", store::publish("x", &[content("mine")]), StorageError::AlreadyExists)?;
    log_is("x", header)?;
    fails!("appending without a claim", store::append("x", 0, b"mine"), StorageError::Moved(_))
}

fn holds_it() -> Outcome {
    publish("x", other::header("x"))?;
    other::is_kept_out("x")?;
    append("x", "more")?;
    log_is("x", other::header("x") + "more")
}

/// Nothing came of it: no log, not even an empty one.
fn nothing_made(id: &str) -> Outcome {
    fails!(format!("looking at {id:?}"), store::stat(id), StorageError::NotFound)?;
    let listed = store::list(Order::ById, None, 100).must("listing")?;
    holds(&format!("{id:?} is not listed"), listed.iter().all(|log| log.id.as_deref() != Some(id)))
}

fn too_short_a_source() -> Outcome {
    put("source", "0123456789")?;
    let parts = [content("whole part, then "), copy("source", 5, 6)];
    fails!("copying 6 bytes where 5 are", store::publish("x", &parts), StorageError::Failed(_))?;
    nothing_made("x")
}

fn behind_the_source() -> Outcome {
    put("source", "0123456789")?;
    let published = store::publish("x", &[copy("source", 11, 0)]);
    fails!("copying 0 bytes from byte 11 of 10", published, StorageError::Failed(_))?;
    nothing_made("x")
}

fn overflowing_stretch() -> Outcome {
    put("source", "0123456789")?;
    for (at, length) in [(1, u64::MAX), (u64::MAX, 1), (u64::MAX, u64::MAX)] {
        let what = format!("copying {length} bytes from byte {at} of 10");
        fails!(what, store::publish("x", &[copy("source", at, length)]), StorageError::Failed(_))?;
        nothing_made("x")?;
    }
    Ok(())
}

fn no_source() -> Outcome {
    let parts = [content("first"), copy("source", 0, 0)];
    fails!("copying what is not there", store::publish("x", &parts), StorageError::NotFound)?;
    nothing_made("x")?;
    nothing_made("source")
}

fn try_again() -> Outcome {
    put("source", "0123456789")?;
    fails!("copying 11 bytes of 10", store::publish("x", &[content("a"), copy("source", 0, 11)]))?;
    store::publish("x", &[content("b"), copy("source", 0, 10)]).must("publishing afterwards")?;
    log_is("x", "b0123456789")
}

fn all_bytes() -> Outcome {
    let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
    publish("x", &all)?;
    log_is("x", &all)
}

fn large() -> Outcome {
    let large: Vec<u8> = (0..5_000_000u32).map(|n| (n % 251) as u8).collect();
    publish("x", &large)?;
    store::publish("y", &[copy("x", 1_000_000, 3_000_000)]).must("copying three megabytes")?;
    log_is("x", &large)?;
    log_is("y", &large[1_000_000..4_000_000])
}
