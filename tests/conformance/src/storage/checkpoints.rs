//! A store may lose a checkpoint at any time, so each of these takes none for an answer.

use super::{append, log_is, other, publish, put, stat, store};
use crate::Case;
use crate::bindings::agent::session::storage::{Order, StorageError};
use crate::check::{Must, Outcome, count, equal, fails, same_bytes};

pub const CASES: &[Case] = &[
    ("a checkpoint is read back whole or not at all", whole),
    ("a checkpoint is replaced whole, also by a shorter one", replaced),
    ("a checkpoint of one log is none of another's", of_one_log),
    ("a log that has no checkpoint, or is not there, answers an empty one", none),
    ("saving a checkpoint of a log that is not held is refused as moved", not_held),
    ("saving a checkpoint changes nothing of the log, and adds none to the list", log_untouched),
];

fn save(id: &str, content: &[u8]) -> Outcome {
    store::save_checkpoint(id, content).must(&format!("saving a checkpoint of {id:?}"))
}

/// It is this one, or lost.
fn checkpoint_is(id: &str, expected: &[u8]) -> Outcome {
    let found = store::load_checkpoint(id).must(&format!("loading the checkpoint of {id:?}"))?;
    if found.is_empty() { Ok(()) } else { same_bytes("the checkpoint", &found, expected) }
}

fn whole() -> Outcome {
    let all: Vec<u8> = (0..=255).cycle().take(70_000).collect();
    publish("x", "one\n")?;
    for content in [b"note".as_slice(), &all, b"\0\n\xff"] {
        save("x", content)?;
        checkpoint_is("x", content)?;
        append("x", "more")?;
        checkpoint_is("x", content)?;
    }
    store::release("x");
    checkpoint_is("x", b"\0\n\xff")
}

fn replaced() -> Outcome {
    publish("x", "one\n")?;
    for content in ["a long first note", "short", "", "and a longer one again"] {
        save("x", content.as_bytes())?;
        checkpoint_is("x", content.as_bytes())?;
    }
    Ok(())
}

fn of_one_log() -> Outcome {
    publish("x", "one\n")?;
    publish("y", "one\n")?;
    save("x", b"of x")?;
    same_bytes("the checkpoint of the other", &store::load_checkpoint("y").must("loading")?, b"")?;
    save("y", b"of y")?;
    checkpoint_is("x", b"of x")?;
    checkpoint_is("y", b"of y")
}

fn none() -> Outcome {
    publish("x", "one\n")?;
    same_bytes("the checkpoint of a log that has none", &store::load_checkpoint("x").must("loading")?, b"")?;
    same_bytes("the checkpoint of no log", &store::load_checkpoint("absent").must("loading that of no log")?, b"")
}

fn not_held() -> Outcome {
    publish("x", "one\n")?;
    save("x", b"before")?;
    store::release("x");
    fails!("saving what is not held", store::save_checkpoint("x", b"after"), StorageError::Moved(_))?;
    checkpoint_is("x", b"before")?;
    other::makes("y")?;
    fails!("saving what another holds", store::save_checkpoint("y", b"mine"), StorageError::Moved(_))?;
    same_bytes("the checkpoint of what another holds", &store::load_checkpoint("y").must("loading")?, b"")?;
    fails!("saving that of no log", store::save_checkpoint("z", b"mine"), StorageError::Moved(_))?;
    same_bytes("the checkpoint of no log", &store::load_checkpoint("z").must("loading")?, b"")
}

fn log_untouched() -> Outcome {
    put("other", "")?;
    let before = publish("x", "one\n")?;
    save("x", b"note")?;
    log_is("x", "one\n")?;
    equal("what is known of the log", stat("x")?, before)?;
    let listed = store::list(Order::ById, None, 10).must("listing")?;
    count("the logs in the list", &listed, 2)
}
