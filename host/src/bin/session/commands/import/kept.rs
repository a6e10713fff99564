//! What compactions kept: copies of messages that are in the session already. A file names only the first of them, so they may take
//! far more than the file; then those that a model is likely to see come first.

use std::collections::{HashMap, HashSet};

use super::known::Known;

/// The copies of a file take at most so many times its bytes, and these.
const TIMES: u64 = 4;
const FEW: u64 = 16 * 1024 * 1024;

/// What each compaction kept.
#[derive(Default)]
pub struct Kept {
    compactions: Vec<Compaction>,
    /// Where each is among them.
    ids: HashMap<String, usize>,
    bytes: u64,
    /// Whether they take too much.
    is_much: bool,
}

/// A compaction that names the first line that it kept.
pub struct Compaction {
    /// Its line.
    pub line: u64,
    /// The last line that it kept.
    last: Option<String>,
    first: String,
    bytes: u64,
}

impl Kept {
    /// The entries that a compaction kept, the oldest first; none for now if there is too much of it all. `room` is how much it can hold, and
    /// `read` how much of the file was read.
    ///
    /// # Errors
    /// If no compaction can keep that, with the reason.
    pub fn add(
        &mut self,
        known: &Known,
        (line, id): (u64, &str),
        (last, first): (Option<&str>, &str),
        (room, read): (u64, u64),
    ) -> Result<Vec<String>, String> {
        let Some(bytes) = known.said(last, first) else {
            return Err(format!("it kept all from {} on, which is not on its branch", super::limits::quoted(first)));
        };
        if bytes > room {
            return Err("the messages that it kept take more than the 16 MiB that a line of a log may have".to_owned());
        }
        self.ids.insert(id.to_owned(), self.compactions.len());
        self.compactions.push(Compaction { line, last: last.map(str::to_owned), first: first.to_owned(), bytes });
        self.bytes += bytes;
        if self.bytes > allowed(read) {
            self.is_much = true;
            return Ok(Vec::new());
        }
        Ok(known.path(last, first))
    }

    /// Whether some of it has to be left out.
    pub fn is_much(&self) -> bool {
        self.is_much
    }

    /// The compaction of this id.
    pub fn get(&self, id: &str) -> Option<&Compaction> {
        self.compactions.get(*self.ids.get(id)?)
    }

    /// The lines of those that keep nothing: as many as it takes. First comes the one that a model sees where the session stands, then the newest.
    pub fn left_out(&self, known: &Known, read: u64) -> HashSet<u64> {
        let current = known.back_from(known.tip()).find_map(|(id, _)| self.get(id));
        let mut left = allowed(read);
        let mut is_too_much = |compaction: &&Compaction| {
            let rest = left.checked_sub(compaction.bytes);
            left = rest.unwrap_or(left);
            rest.is_none()
        };
        let others = self.compactions.iter().rev().filter(|other| current.is_none_or(|seen| seen.line != other.line));
        current.into_iter().chain(others).filter(&mut is_too_much).map(|compaction| compaction.line).collect()
    }
}

impl Compaction {
    /// The entries that it kept, the oldest first.
    pub fn path(&self, known: &Known) -> Vec<String> {
        known.path(self.last.as_deref(), &self.first)
    }
}

fn allowed(read: u64) -> u64 {
    FEW + TIMES.saturating_mul(read)
}
