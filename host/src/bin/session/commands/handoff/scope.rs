//! The calls of one scope by their ids: calls and results are matched inside one alone, and each id is one call.

use std::collections::HashMap;

use super::call::Outcome;

/// So many ids are followed, and so many bytes of them.
const MOST_IDS: usize = 400_000;
const MOST_BYTES: usize = 32 << 20;

/// The ids of the present scope.
#[derive(Debug, Default)]
pub struct Scope {
    known: HashMap<String, Known>,
    bytes: usize,
}

/// What messages, calls and results say of an id.
#[derive(Debug, Default)]
pub struct Known {
    /// Where its call stands, if a message made one.
    pub place: Option<u64>,
    /// How far it came.
    pub outcome: Outcome,
}

impl Scope {
    /// What is known of an id; none if too many are followed already.
    pub fn entry(&mut self, id: String) -> Option<&mut Known> {
        if !self.known.contains_key(&id) {
            if self.known.len() == MOST_IDS || self.bytes + id.len() > MOST_BYTES {
                return None;
            }
            self.bytes += id.len();
        }
        Some(self.known.entry(id).or_default())
    }
}
