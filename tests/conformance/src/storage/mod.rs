//! What a store promises, whatever the bytes mean.

mod append;
mod asides;
mod checkpoints;
mod claims;
mod ids;
mod list;
mod other;
mod publish;
mod read;
mod refusals;
mod remove;

use crate::Case;
use crate::bindings::agent::session::storage::{self as store, LogInfo, Part, Stretch};
use crate::check::{Must, Outcome, holds, same_bytes};
pub use read::PATIENCE;

pub const THEMES: &[&[Case]] = &[
    publish::CASES,
    append::CASES,
    read::CASES,
    claims::CASES,
    refusals::CASES,
    asides::CASES,
    checkpoints::CASES,
    remove::CASES,
    list::CASES,
    ids::CASES,
];

pub fn content(text: impl AsRef<[u8]>) -> Part {
    Part::Content(text.as_ref().to_vec())
}

fn copy(id: &str, at: u64, length: u64) -> Part {
    Part::Copy(Stretch { id: id.into(), at, length })
}

/// A new log, held.
pub fn publish(id: &str, text: impl AsRef<[u8]>) -> Outcome<LogInfo> {
    store::publish(id, &[content(text)]).must(&format!("publishing {id:?}"))
}

/// The same, held by nobody.
pub fn put(id: &str, text: impl AsRef<[u8]>) -> Outcome {
    publish(id, text)?;
    store::release(id);
    Ok(())
}

pub fn append(id: &str, text: impl AsRef<[u8]>) -> Outcome {
    let at = stat(id)?.length;
    store::append(id, at, text.as_ref()).must(&format!("appending to {id:?} at its end"))
}

pub fn stat(id: &str) -> Outcome<LogInfo> {
    store::stat(id).must(&format!("looking at {id:?}"))
}

/// Every byte of a log.
pub fn bytes(id: &str) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let more = store::read(id, bytes.len() as u64, 1 << 20).must(&format!("reading {id:?}"))?;
        if more.is_empty() {
            return Ok(bytes);
        }
        bytes.extend(more);
        holds("the log has an end", bytes.len() < 64 << 20)?;
    }
}

/// What a log has to hold, to the byte, also by its length.
pub fn log_is(id: &str, expected: impl AsRef<[u8]>) -> Outcome {
    same_bytes(&format!("the log {id:?}"), &bytes(id)?, expected.as_ref())?;
    crate::check::equal(&format!("the length of {id:?}"), stat(id)?.length, expected.as_ref().len() as u64)
}
