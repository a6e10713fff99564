use super::{append, log_is, other, publish, put, stat, store};
use crate::Case;
use crate::bindings::agent::session::storage::{Order, StorageError};
use crate::check::{Must, Outcome, equal, fails};

pub const CASES: &[Case] = &[
    ("acquiring makes its caller the only writer", only_writer),
    ("acquiring answers what the log is like then", answers_info),
    ("acquiring what another holds is busy", busy),
    ("acquiring again what is held already is no error", again),
    ("acquiring a log that is not there is not found, and makes none", absent),
    ("acquiring changes nothing that is stored", changes_nothing),
    ("acquiring one log holds up no other", others_go_on),
    ("releasing lets another in", lets_in),
    ("releasing what is not held does nothing", not_held),
    ("releasing what another holds leaves it held", held_by_another),
    ("a log that another has grown is acquired as it is now", grown_meanwhile),
    ("a log is told to be held, by `stat` and in lists, exactly while it is", told),
];

fn only_writer() -> Outcome {
    put("x", other::header("x"))?;
    store::acquire("x").must("acquiring")?;
    other::is_kept_out("x")?;
    append("x", "mine\n")?;
    log_is("x", other::header("x") + "mine\n")
}

fn answers_info() -> Outcome {
    put("x", "12345")?;
    let info = store::acquire("x").must("acquiring")?;
    equal("the length", info.length, 5u64)?;
    equal("whether it is held", info.held, true)?;
    equal("what `stat` says", stat("x")?, info)
}

fn busy() -> Outcome {
    let header = other::makes("x")?;
    fails!("acquiring", store::acquire("x"), StorageError::Busy(_))?;
    fails!("appending all the same", store::append("x", header.len() as u64, b"mine\n"), StorageError::Moved(_))?;
    log_is("x", header)
}

fn again() -> Outcome {
    publish("x", other::header("x"))?;
    append("x", "more")?;
    let info = store::acquire("x").must("acquiring what is held")?;
    equal("the length", info.length, stat("x")?.length)?;
    store::acquire("x").must("acquiring once more")?;
    other::is_kept_out("x")?;
    append("x", "!")?;
    // However often it was acquired, one release is enough.
    store::release("x");
    fails!("appending", store::append("x", stat("x")?.length, b"?"), StorageError::Moved(_))
}

fn absent() -> Outcome {
    fails!("acquiring", store::acquire("x"), StorageError::NotFound)?;
    fails!("looking", store::stat("x"), StorageError::NotFound)
}

fn changes_nothing() -> Outcome {
    put("x", "one\ntorn")?;
    let before = stat("x")?;
    store::acquire("x").must("acquiring")?;
    store::release("x");
    log_is("x", "one\ntorn")?;
    equal("what is known of it", stat("x")?, before)
}

fn others_go_on() -> Outcome {
    other::makes("x")?;
    publish("y", "one\n")?;
    append("y", "two\n")?;
    other::makes("z")?;
    put("a", "one\n")?;
    store::acquire("a").must("acquiring another log")?;
    log_is("y", "one\ntwo\n")
}

fn lets_in() -> Outcome {
    publish("x", other::header("x"))?;
    other::is_kept_out("x")?;
    store::release("x");
    other::claims("x")?;
    fails!("acquiring what the other holds now", store::acquire("x"), StorageError::Busy(_))?;
    other::releases("x")?;
    store::acquire("x").must("acquiring what the other has released").map(drop)
}

fn not_held() -> Outcome {
    store::release("never there");
    put("x", "one\n")?;
    store::release("x");
    store::release("x");
    log_is("x", "one\n")?;
    fails!("looking at what was never there", store::stat("never there"), StorageError::NotFound)
}

fn held_by_another() -> Outcome {
    other::makes("x")?;
    store::release("x");
    fails!("acquiring", store::acquire("x"), StorageError::Busy(_))
}

fn grown_meanwhile() -> Outcome {
    publish("x", other::header("x"))?;
    store::release("x");
    let line = "{\"type\":\"a\",\"seq\":0,\"time\":1,\"data\":{}}\n";
    let sessions = crate::bindings::agent::session::session_persistence::append_lines("x", line);
    sessions.must("the other holder's appending")?;
    other::releases("x")?;
    let info = store::acquire("x").must("acquiring")?;
    let expected = other::header("x") + line;
    equal("the length", info.length, expected.len() as u64)?;
    store::append("x", info.length, b"mine\n").must("appending at that length")?;
    log_is("x", expected + "mine\n")
}

fn told() -> Outcome {
    let told = |when: &str, expected: bool| {
        equal(&format!("`held` of `stat`, {when}"), stat("x")?.held, expected)?;
        let listed = store::list(Order::ById, None, 10).must("listing")?;
        let listed: Vec<_> = listed.iter().map(|log| log.held).collect();
        equal(&format!("`held` of `list`, {when}"), listed, [expected])
    };
    publish("x", other::header("x"))?;
    told("held by publishing", true)?;
    store::release("x");
    told("released", false)?;
    store::acquire("x").must("acquiring")?;
    told("acquired", true)?;
    store::release("x");
    other::claims("x")?;
    told("held by another", true)?;
    other::releases("x")?;
    told("released by another", false)
}
