//! The tool calls of one scope, by their ids: so many are followed, and no log can use up the memory.

use std::collections::BTreeMap;

use crate::json;
use crate::line::Record;

/// How many calls of one scope are followed, and how many bytes their ids may have together.
pub const MOST_CALLS: usize = 16_384;
const MOST_ID_BYTES: usize = 4 << 20;

/// What is known of each call of a scope. Ids are the same if they mean the same, however they are escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calls<V> {
    known: BTreeMap<Vec<u8>, V>,
    id_bytes: usize,
    overflowed: bool,
}

impl<V: Default> Calls<V> {
    /// What is known of the call with that id, a JSON string; none if it is no string, or too many are followed already.
    pub fn entry(&mut self, id: &str) -> Option<&mut V> {
        let key = json::meaning(id)?;
        if !self.known.contains_key(&key) {
            if self.known.len() == MOST_CALLS || self.id_bytes + key.len() > MOST_ID_BYTES {
                self.overflowed = true;
                return None;
            }
            self.id_bytes += key.len();
        }
        Some(self.known.entry(key).or_default())
    }

    /// What is known of the calls that are followed.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.known.values()
    }

    /// Whether there were more calls than are followed.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }
}

/// The id, a JSON string as written, of the call that a `tool/call` or `tool/result` belongs to.
pub fn call_id<'a>(record: &Record<'a>) -> Option<&'a str> {
    json::member(record.data, "callId").filter(|id| json::is_string(id))
}

/// Calls `each` with the id, a JSON string as written, of every tool call in an assistant message, in block order.
pub fn for_each_call<'a>(data: &'a str, mut each: impl FnMut(&'a str)) {
    let Some(content) = json::member(data, "content") else { return };
    // The data was checked when it was read.
    let _ = json::elements(content, json::DEEPEST, |block| {
        if json::member(block, "type").and_then(json::text).as_deref() == Some("tool-call")
            && let Some(id) = json::member(block, "id").filter(|id| json::is_string(id))
        {
            each(id);
        }
    });
}
