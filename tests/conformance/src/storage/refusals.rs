//! A claim changes hands by acquiring, publishing, releasing and removing that succeed, and by nothing else.

use super::{append, content, copy, log_is, other, publish, put, stat, store};
use crate::Case;
use crate::bindings::agent::session::storage::{Order, StorageError};
use crate::check::{Must, Outcome, count, equal, fails};

pub const CASES: &[Case] = &[
    ("what is refused while another holds the log leaves the other its claim", anothers),
    ("what is refused on a log that nobody holds claims nothing", nobodys),
    ("what is refused to the holder of the log leaves it its claim", own),
    ("publishing that fails holds nothing", failed_publish),
    ("publishing leaves the claim on the log that it copies from as it was", source),
    ("what needs no claim changes none", no_claim),
];

/// A call that is refused to who does not hold the log of that id, and its name.
type Refused = (&'static str, fn(&str) -> Outcome);

/// On every log that the caller does not hold. Each log is the header of its id.
const NOT_HELD: &[Refused] = &[
    ("an append", |id| fails!("appending", store::append(id, end(id), b"mine\n"), StorageError::Moved(_))),
    ("an append of no bytes", |id| fails!("appending none", store::append(id, end(id), b""), StorageError::Moved(_))),
    ("a sync", |id| fails!("syncing", store::sync(id), StorageError::Moved(_))),
    ("a cut", |id| fails!("setting aside", store::set_aside(id, 4), StorageError::Moved(_))),
    ("a checkpoint", |id| fails!("saving a checkpoint", store::save_checkpoint(id, b"mine"), StorageError::Moved(_))),
    ("a publication", |id| fails!("publishing", store::publish(id, &[content("mine")]), StorageError::AlreadyExists)),
];

/// On every log that another holds.
const BUSY: &[Refused] = &[
    ("an acquisition", |id| fails!("acquiring", store::acquire(id), StorageError::Busy(_))),
    ("a removal", |id| fails!("removing", store::remove(id), StorageError::Busy(_))),
];

fn end(id: &str) -> u64 {
    other::header(id).len() as u64
}

/// The other holder has it still.
fn is_the_others(id: &str, after: &str) -> Outcome {
    let still = || {
        equal("whether the log is held", stat(id)?.held, true)?;
        fails!("acquiring what the other holds", store::acquire(id), StorageError::Busy(_))?;
        other::appends(id)
    };
    still().map_err(|error| format!("after {after}: {error}"))
}

/// Nobody has it.
fn is_nobodys(id: &str, after: &str) -> Outcome {
    let still = || {
        equal("whether the log is held", stat(id)?.held, false)?;
        other::claims(id)
    };
    still().map_err(|error| format!("after {after}: {error}"))
}

/// This holder has it still.
fn is_ours(id: &str, after: &str) -> Outcome {
    let still = || {
        equal("whether the log is held", stat(id)?.held, true)?;
        other::is_kept_out(id)?;
        append(id, "more")
    };
    still().map_err(|error| format!("after {after}: {error}"))
}

fn anothers() -> Outcome {
    for (n, (name, call)) in NOT_HELD.iter().chain(BUSY).enumerate() {
        let id = format!("x{n}");
        let header = other::makes(&id)?;
        call(&id)?;
        log_is(&id, header)?;
        is_the_others(&id, &format!("{name} was refused"))?;
    }
    Ok(())
}

fn nobodys() -> Outcome {
    for (n, (name, call)) in NOT_HELD.iter().enumerate() {
        let id = format!("x{n}");
        put(&id, other::header(&id))?;
        call(&id)?;
        log_is(&id, other::header(&id))?;
        is_nobodys(&id, &format!("{name} was refused"))?;
    }
    Ok(())
}

fn own() -> Outcome {
    publish("x", other::header("x"))?;
    fails!("publishing again", store::publish("x", &[]), StorageError::AlreadyExists)?;
    is_ours("x", "a publication was refused")?;

    // After `moved` the claim has to be renewed, but nobody gets in meanwhile.
    let end = stat("x")?.length;
    fails!("appending behind the end", store::append("x", end + 1, b"lost"), StorageError::Moved(_))?;
    other::is_kept_out("x")?;
    store::acquire("x").must("acquiring again")?;
    is_ours("x", "an append was refused")?;

    let end = stat("x")?.length;
    fails!("setting aside at the end", store::set_aside("x", end), StorageError::Moved(_))?;
    other::is_kept_out("x")?;
    store::acquire("x").must("acquiring again")?;
    is_ours("x", "a cut was refused")
}

fn failed_publish() -> Outcome {
    put("source", "0123456789")?;
    fails!("copying 11 bytes of 10", store::publish("x", &[copy("source", 0, 11)]))?;
    other::makes("x")?;
    is_the_others("x", "a publication failed")
}

fn source() -> Outcome {
    other::makes("theirs")?;
    put("nobodys", other::header("nobodys"))?;
    publish("ours", other::header("ours"))?;
    let parts = [copy("theirs", 0, 9), copy("nobodys", 0, 9), copy("ours", 0, 9)];
    store::publish("x", &parts).must("copying from three logs")?;
    is_the_others("theirs", "it was copied from")?;
    is_nobodys("nobodys", "it was copied from")?;
    is_ours("ours", "it was copied from")
}

fn no_claim() -> Outcome {
    other::makes("theirs")?;
    put("nobodys", other::header("nobodys"))?;
    publish("ours", other::header("ours") + "torn")?;
    let aside = store::set_aside("ours", end("ours")).must("setting aside")?;
    for id in ["theirs", "nobodys", "ours"] {
        stat(id)?;
        store::read(id, 0, 9).must("reading")?;
        store::asides(id).must("listing the pieces")?;
        store::load_checkpoint(id).must("loading a checkpoint")?;
    }
    store::read_aside("ours", &aside.name, 0, 9).must("reading a piece")?;
    for order in [Order::ById, Order::Recent] {
        count("the logs in the list", &store::list(order, None, 9).must("listing")?, 3)?;
    }
    is_the_others("theirs", "it was looked at")?;
    is_nobodys("nobodys", "it was looked at")?;
    is_ours("ours", "it was looked at")
}
