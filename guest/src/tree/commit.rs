//! One `tree/commit` event: what it says, and why it may not count.

use std::borrow::Cow;
use std::fmt;

use super::read::{self, Change};

/// How many writes one commit may have: a log can't use up the memory.
pub const MOST_WRITES: usize = 1 << 16;

/// The data of a `tree/commit` event, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit<'a> {
    /// The number of the first write. Without writes, what the next one's number will be.
    pub first: u64,
    /// When the entries came to be.
    pub timestamp: u64,
    /// What changes, in order, each with how it is written.
    pub changes: Vec<(Change<'a>, &'a str)>,
}

/// Why a commit changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// An entry or a row of usage has that id already.
    Duplicate(String),
    /// The parent is no entry, or comes later.
    MissingParent(String),
    /// The message of that entry is still being written.
    Pending(String),
    /// That write can't be; what it is or has.
    Write(u32, Cow<'static, str>),
    /// The whole can't be; why.
    Whole(Cow<'static, str>),
    /// It is no JSON, as no record's data is.
    Broken,
    /// The tree would take more memory than there is for it.
    Full,
}

impl<'a> Commit<'a> {
    /// Reads the data of an event. The tree alone knows whether what it says can be.
    pub fn read(data: &'a str) -> Result<Self, Refusal> {
        read::commit(data)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate(id) => write!(f, "the id {} is taken", shown(id)),
            Self::MissingParent(id) => write!(f, "the parent {} is no entry before it", shown(id)),
            Self::Pending(id) => write!(f, "the message of entry {} is still being written", shown(id)),
            Self::Write(index, reason) => write!(f, "write {index} {reason}"),
            Self::Whole(reason) => f.write_str(reason),
            Self::Broken => f.write_str("the data is no JSON"),
            Self::Full => f.write_str("the tree would take more than the 22 MiB that one may have, some 150,000 entries; go on in a session of its own, forked from a branch"),
        }
    }
}

/// An id in a text for people, not at any length.
fn shown(id: &str) -> String {
    const SHOWN: usize = 80;
    match id.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &id[..end]),
        None => format!("{id:?}"),
    }
}
