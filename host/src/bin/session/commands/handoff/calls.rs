//! The last of many calls: a record does not grow with its log.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::call::Call;

/// So many calls are kept, and so many bytes of them. No event is longer, so the last call always is.
const MOST_CALLS: usize = 1_000;
const MOST_BYTES: usize = 16 << 20;

/// Calls in the order in which they came, each in a place of its own. Of too many the earliest are counted alone.
#[derive(Debug, Default)]
pub struct Calls {
    kept: BTreeMap<u64, Call>,
    bytes: usize,
    start: u64,
    end: u64,
    more: u64,
}

impl Calls {
    /// Adds one, and answers its place.
    pub fn push(&mut self, call: Call) -> u64 {
        let place = self.end;
        self.end += 1;
        self.bytes += call.size();
        self.kept.insert(place, call);
        while self.kept.len() > MOST_CALLS || self.bytes > MOST_BYTES {
            let Some((_, earliest)) = self.kept.pop_first() else { break };
            self.bytes -= earliest.size();
            self.more += 1;
        }
        place
    }

    /// The call in a place, if it is kept.
    pub fn get_mut(&mut self, place: u64) -> Option<&mut Call> {
        self.kept.get_mut(&place)
    }

    /// Takes out the call of a place, and hands it to `to` as it is made anew; one that is counted alone is counted there.
    pub fn hand_over(&mut self, place: u64, to: &mut Self, anew: impl FnOnce(Call) -> Call) {
        if let Some(call) = self.kept.remove(&place) {
            self.bytes -= call.size();
            to.push(anew(call));
        } else if place >= self.start {
            self.more -= 1;
            to.more += 1;
        }
    }

    /// Forgets all that came so far.
    pub fn clear(&mut self) {
        *self = Self { start: self.end, end: self.end, ..Self::default() };
    }

    /// Those that are kept.
    pub fn iter(&self) -> impl Iterator<Item = &Call> {
        self.kept.values()
    }

    /// How many came before those and are counted alone.
    pub fn more(&self) -> u64 {
        self.more
    }
}

impl Serialize for Calls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
