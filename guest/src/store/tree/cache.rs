//! What was read of trees last. Harnesses ask for the same values and the newest entries again and again.

use std::collections::{BTreeMap, VecDeque};

/// How many bytes are kept of all trees together.
const MOST_BYTES: usize = 1 << 20;
/// What a text takes beside its bytes, about.
const EACH: usize = 96;

/// Texts by the reading of the log and the offset that they were found at: what was sound there stays so.
#[derive(Debug, Default)]
pub struct Cache {
    texts: BTreeMap<(u64, u64), Box<str>>,
    /// The oldest first.
    order: VecDeque<(u64, u64)>,
    bytes: usize,
}

impl Cache {
    /// Whether that many bytes leave room for others.
    pub fn has_room_for(&self, bytes: usize) -> bool {
        bytes <= MOST_BYTES / 4
    }

    /// The text of that reading and offset, if it is still there.
    pub fn get(&self, reading: u64, offset: u64) -> Option<&str> {
        self.texts.get(&(reading, offset)).map(|text| &**text)
    }

    /// Keeps a text, in place of the oldest ones.
    pub fn keep(&mut self, reading: u64, offset: u64, text: &str) {
        let key = (reading, offset);
        if self.texts.insert(key, text.into()).is_none() {
            self.order.push_back(key);
            self.bytes += EACH + text.len();
        }
        while self.bytes > MOST_BYTES {
            let Some(text) = self.order.pop_front().and_then(|oldest| self.texts.remove(&oldest)) else { break };
            self.bytes -= EACH + text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_by_its_reading_and_offset_alone() {
        let mut cache = Cache::default();
        cache.keep(1, 7, "seven");
        assert_eq!((cache.get(1, 7), cache.get(2, 7), cache.get(1, 8)), (Some("seven"), None, None));
    }

    #[test]
    fn the_oldest_make_room_and_the_rest_stay_within_the_limit() {
        let mut cache = Cache::default();
        let text = "x".repeat(1000);
        for offset in 0..5000 {
            cache.keep(1, offset, &text);
            cache.keep(1, offset, &text);
        }
        let kept = (0..5000).filter(|offset| cache.get(1, *offset).is_some()).count();
        assert_eq!(kept, MOST_BYTES / (EACH + text.len()));
        assert!(cache.get(1, 4999).is_some() && cache.get(1, 0).is_none());
        assert_eq!((cache.texts.len(), cache.order.len()), (kept, kept));
    }
}
