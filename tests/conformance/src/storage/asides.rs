use super::{append, log_is, other, publish, put, store};
use crate::Case;
use crate::bindings::agent::session::storage::{Aside, StorageError};
use crate::bindings::agent::session::types::Error;
use crate::check::{Must, Outcome, equal, fails, holds, same_bytes};

pub const CASES: &[Case] = &[
    ("setting aside cuts the log and keeps what was cut", cuts_and_keeps),
    ("setting aside leaves what precedes, and the log goes on from there", goes_on),
    ("setting aside from the first byte on empties the log", whole),
    ("setting aside keeps every byte there is", all_bytes),
    ("setting aside several times keeps each piece", several),
    ("setting the same bytes aside again at the same place makes no second copy", no_second_copy),
    ("setting aside at the end or behind it is refused as moved, and keeps nothing", nothing_to_cut),
    ("setting aside on a log that is not held is refused as moved, and nothing is cut", not_held),
    ("what was set aside is listed by name, with lengths", listed),
    ("what was set aside is read in pieces, fewer bytes at its end alone", read_in_pieces),
    ("what was set aside stays when the log grows and is released", stays),
    ("what was set aside of one log is none of another's", of_one_log),
    ("what was never set aside is not found, whatever its name", unknown_name),
    ("a log that is not there has nothing set aside", absent),
];

fn set_aside(id: &str, at: u64) -> Outcome<Aside> {
    store::set_aside(id, at).must(&format!("setting aside from {at} on"))
}

fn aside_is(id: &str, aside: &Aside, expected: impl AsRef<[u8]>) -> Outcome {
    let found = store::read_aside(id, &aside.name, 0, u32::MAX).must("reading what was set aside")?;
    same_bytes(&format!("what was set aside as {:?}", aside.name), &found, expected.as_ref())
}

fn asides(id: &str) -> Outcome<Vec<Aside>> {
    store::asides(id).must(&format!("listing the asides of {id:?}"))
}

fn cuts_and_keeps() -> Outcome {
    publish("x", "one\ntorn")?;
    let aside = set_aside("x", 4)?;
    equal("the length of the piece", aside.length, 4u64)?;
    log_is("x", "one\n")?;
    aside_is("x", &aside, "torn")
}

fn goes_on() -> Outcome {
    publish("x", "one\ntorn")?;
    set_aside("x", 4)?;
    store::append("x", 4, b"two\n").must("appending where the log was cut")?;
    store::sync("x").must("syncing")?;
    log_is("x", "one\ntwo\n")
}

fn whole() -> Outcome {
    publish("x", "all of it")?;
    let aside = set_aside("x", 0)?;
    log_is("x", "")?;
    aside_is("x", &aside, "all of it")
}

fn all_bytes() -> Outcome {
    let all: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    publish("x", "head")?;
    append("x", &all)?;
    let aside = set_aside("x", 4)?;
    equal("the length of the piece", aside.length, all.len() as u64)?;
    aside_is("x", &aside, &all)
}

fn several() -> Outcome {
    publish("x", "one\nfirst")?;
    let first = set_aside("x", 4)?;
    append("x", "second")?;
    let second = set_aside("x", 4)?;
    append("x", "two\nthird")?;
    let third = set_aside("x", 8)?;
    log_is("x", "one\ntwo\n")?;
    let mut all = [first.clone(), second.clone(), third.clone()];
    all.sort_by(|a, b| a.name.cmp(&b.name));
    equal("all pieces", asides("x")?, all)?;
    aside_is("x", &first, "first")?;
    aside_is("x", &second, "second")?;
    aside_is("x", &third, "third")
}

fn no_second_copy() -> Outcome {
    publish("x", "one\ntorn")?;
    let first = set_aside("x", 4)?;
    append("x", "torn")?;
    let second = set_aside("x", 4)?;
    equal("the second piece", &second, &first)?;
    equal("all pieces", asides("x")?, [first])?;
    log_is("x", "one\n")
}

fn nothing_to_cut() -> Outcome {
    for at in [4, 5, u64::MAX] {
        let id = format!("x{at}");
        publish(&id, "one\n")?;
        fails!(format!("setting aside from {at} of 4"), store::set_aside(&id, at), StorageError::Moved(_))?;
        log_is(&id, "one\n")?;
        equal("all pieces", asides(&id)?, [])?;
    }
    Ok(())
}

fn not_held() -> Outcome {
    put("x", "one\ntorn")?;
    fails!("setting aside what is not held", store::set_aside("x", 4), StorageError::Moved(_))?;
    log_is("x", "one\ntorn")?;
    let header = other::makes("y")?;
    fails!("setting aside what another holds", store::set_aside("y", 4), StorageError::Moved(_))?;
    log_is("y", header)?;
    equal("all pieces", asides("x")?, [])?;
    equal("all pieces", asides("y")?, [])
}

fn listed() -> Outcome {
    publish("x", "0123456789")?;
    let mut cut = Vec::new();
    for at in [9, 7, 4, 2] {
        cut.push(set_aside("x", at)?);
        append("x", format!("again {at}"))?;
    }
    cut.sort_by(|a, b| a.name.cmp(&b.name));
    equal("all pieces, by name", asides("x")?, cut)
}

fn read_in_pieces() -> Outcome {
    publish("x", "0123456789")?;
    let name = set_aside("x", 0)?.name;
    for (at, max, expected) in [(0, 4, "0123"), (4, 100, "456789"), (9, 1, "9"), (3, 0, ""), (10, 1, ""), (99, 9, "")] {
        let found = store::read_aside("x", &name, at, max).must("reading a piece")?;
        same_bytes(&format!("at most {max} bytes from {at}"), &found, expected.as_bytes())?;
    }
    Ok(())
}

fn stays() -> Outcome {
    publish("x", "one\ntorn")?;
    let aside = set_aside("x", 4)?;
    append("x", "two\n")?;
    store::release("x");
    store::acquire("x").must("acquiring")?;
    equal("all pieces", asides("x")?, [aside.clone()])?;
    aside_is("x", &aside, "torn")
}

fn of_one_log() -> Outcome {
    publish("x", "one\ntorn")?;
    publish("x.y", "")?;
    let aside = set_aside("x", 4)?;
    equal("all pieces of the other", asides("x.y")?, [])?;
    let read = store::read_aside("x.y", &aside.name, 0, 9);
    fails!("reading it as the other's", read, StorageError::NotFound)
}

fn unknown_name() -> Outcome {
    publish("x", "one\ntorn")?;
    publish("y", "secret")?;
    let aside = set_aside("x", 4)?;
    let (longer, shorter) = (format!("{}0", aside.name), &aside.name[..aside.name.len() - 1]);
    for name in ["", "x", "y", "../y", "../y.jsonl", "/", ".", "a\0b", &longer, shorter] {
        let read = store::read_aside("x", name, 0, 9);
        fails!(format!("reading the piece {name:?}"), read, StorageError::NotFound)?;
    }
    Ok(())
}

fn absent() -> Outcome {
    equal("all pieces", asides("x")?, [])?;
    fails!("reading one", store::read_aside("x", "0", 0, 9), StorageError::NotFound)?;
    fails!("setting aside", store::set_aside("x", 0), StorageError::Moved(_))?;
    holds("no log was made", store::stat("x") == Err(StorageError::NotFound))?;
    let seen = crate::bindings::agent::session::session_persistence::inspect("x");
    fails!("the other holder's looking", seen, Error::NotFound(_))
}
