use super::{append, log_is, other, publish, put, store};
use crate::Case;
use crate::bindings::agent::session::storage::{Order, StorageError};
use crate::check::{Must, Outcome, equal, fails, same_bytes};

pub const CASES: &[Case] = &[
    ("removing a log leaves nothing of it to be read or listed", gone),
    ("removing a log removes what was set aside for it", with_asides),
    ("removing a log removes its checkpoint", with_checkpoint),
    ("removing a log ends the claim on it", with_claim),
    ("removing a log that is not there is no error", absent),
    ("removing a log that another holds is busy, and leaves it", held_by_another),
    ("removing a log that nobody holds needs no claim", needs_no_claim),
    ("removing a log leaves all others", others_stay),
    ("a log made anew under the name of a removed one is a fresh one", fresh),
];

fn gone() -> Outcome {
    publish("x", "one\n")?;
    store::remove("x").must("removing")?;
    fails!("looking", store::stat("x"), StorageError::NotFound)?;
    fails!("reading", store::read("x", 0, 9), StorageError::NotFound)?;
    fails!("acquiring", store::acquire("x"), StorageError::NotFound)?;
    equal("all logs", store::list(Order::ById, None, 10).must("listing")?, [])
}

fn with_asides() -> Outcome {
    publish("x", "one\ntorn")?;
    let aside = store::set_aside("x", 4).must("setting aside")?;
    store::remove("x").must("removing")?;
    equal("all pieces of a removed log", store::asides("x").must("listing the pieces")?, [])?;
    publish("x", "one\n")?;
    equal("all pieces of the new log", store::asides("x").must("listing the pieces")?, [])?;
    fails!("reading the old piece", store::read_aside("x", &aside.name, 0, 9), StorageError::NotFound)
}

fn with_checkpoint() -> Outcome {
    publish("x", "one\n")?;
    store::save_checkpoint("x", b"note").must("saving a checkpoint")?;
    store::remove("x").must("removing")?;
    same_bytes("the checkpoint of a removed log", &store::load_checkpoint("x").must("loading")?, b"")?;
    publish("x", "one\n")?;
    same_bytes("the checkpoint of the new log", &store::load_checkpoint("x").must("loading")?, b"")
}

fn with_claim() -> Outcome {
    publish("x", "one\n")?;
    store::remove("x").must("removing")?;
    fails!("appending", store::append("x", 4, b"two\n"), StorageError::Moved(_))?;
    let header = other::makes("x")?;
    let appended = store::append("x", header.len() as u64, b"two\n");
    fails!("appending to another's new log of that name", appended, StorageError::Moved(_))?;
    log_is("x", header)
}

fn absent() -> Outcome {
    store::remove("x").must("removing what was never there")?;
    put("x", "one\n")?;
    store::remove("x").must("removing")?;
    store::remove("x").must("removing what is gone")
}

fn held_by_another() -> Outcome {
    let header = other::makes("x")?;
    fails!("removing", store::remove("x"), StorageError::Busy(_))?;
    log_is("x", header)?;
    fails!("acquiring it then", store::acquire("x"), StorageError::Busy(_))?;
    other::releases("x")?;
    store::remove("x").must("removing what the other has released")
}

fn needs_no_claim() -> Outcome {
    put("x", "one\n")?;
    store::remove("x").must("removing")?;
    fails!("looking", store::stat("x"), StorageError::NotFound)
}

fn others_stay() -> Outcome {
    for id in ["x", "x.aside", "x.y", "y"] {
        publish(id, id)?;
    }
    store::remove("x").must("removing")?;
    for id in ["x.aside", "x.y", "y"] {
        log_is(id, id)?;
    }
    append("y", "!").map(drop)
}

fn fresh() -> Outcome {
    publish("x", "a long first log\n")?;
    store::remove("x").must("removing")?;
    let info = publish("x", "short")?;
    equal("the length", info.length, 5u64)?;
    append("x", "er")?;
    log_is("x", "shorter")
}
