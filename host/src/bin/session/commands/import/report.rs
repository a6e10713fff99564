//! What became of a file.

use serde::Serialize;

use super::limits;

/// So many lines are told of one by one.
const MOST: usize = 1_000;
/// No reason is longer: those of others may quote what a file says.
const LONGEST: usize = 500;

/// What was read, and what was not.
#[derive(Default)]
pub struct Report {
    /// Lines that are not in the session.
    pub skipped: Notes,
    /// What is in the session otherwise than in the file.
    pub mended: Notes,
    /// What makes a model get to see something else than in pi.
    pub context: Notes,
}

/// What is to be said of lines; of very many the first ones.
#[derive(Default, Serialize)]
pub struct Notes {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub notes: Vec<Note>,
}

/// What is to be said of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Which one; the first is 1. None if it is said of the whole file.
    pub line: Option<u64>,
    /// What.
    pub reason: String,
}

impl Notes {
    /// One more.
    pub fn add(&mut self, line: impl Into<Option<u64>>, reason: impl AsRef<str>) {
        self.count += 1;
        if self.notes.len() < MOST {
            let reason = limits::cut(reason.as_ref(), LONGEST).into_owned();
            self.notes.push(Note { line: line.into(), reason });
        }
    }
}
