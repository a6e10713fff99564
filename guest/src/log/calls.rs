//! The tool calls of one scope, by their ids: so many are followed, and no log can use up the memory.

use std::collections::BTreeMap;

use crate::json::{self, Reader};
use crate::line::Record;

/// How many ids of one scope are followed, and how many bytes they may have together, each as it is written at the
/// longest, quotes included.
const MOST_CALLS: usize = 4096;
const MOST_ID_BYTES: usize = 512 << 10;
const TOO_MANY: &str = "more than 4096 tool calls";
const TOO_LONG: &str = "tool calls whose ids have more than 512 KiB together";

/// What is known of each call of a scope. Ids are the same if they mean the same, however they are escaped.
///
/// Closing a scope, checking it and pairing its results all go by these limits, so what is closed can be derived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calls<V> {
    places: BTreeMap<Box<[u8]>, usize>,
    calls: Vec<Call<V>>,
    id_bytes: usize,
    excess: Option<&'static str>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Call<V> {
    known: V,
    longest_id: usize,
}

impl<V: Default> Calls<V> {
    /// What is known of the call with that id, a JSON string, and its place among all. None if it is no string, or if the
    /// scope is past the limits: then nothing more is known of any call of it.
    pub fn entry(&mut self, id: &str) -> Option<(usize, &mut V)> {
        if self.excess.is_some() {
            return None;
        }
        // An id too long to be kept is not even unescaped.
        if id.len() > MOST_ID_BYTES {
            return self.exceed(TOO_LONG);
        }
        let key = json::meaning(id)?.into_boxed_slice();
        let place = self.places.get(&key).copied().unwrap_or(self.calls.len());
        let longest = self.calls.get(place).map_or(0, |call| call.longest_id);
        let more = id.len().saturating_sub(longest);
        if place == MOST_CALLS {
            return self.exceed(TOO_MANY);
        }
        if self.id_bytes + more > MOST_ID_BYTES {
            return self.exceed(TOO_LONG);
        }
        self.id_bytes += more;
        if place == self.calls.len() {
            self.places.insert(key, place);
            self.calls.push(Call::default());
        }
        let call = self.calls.get_mut(place)?;
        call.longest_id = longest + more;
        Some((place, &mut call.known))
    }

    fn exceed<T>(&mut self, excess: &'static str) -> Option<T> {
        *self = Self { excess: Some(excess), ..Self::default() };
        None
    }

    /// What is known of the call at that place.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut V> {
        self.calls.get_mut(place).map(|call| &mut call.known)
    }

    /// What is known of each call.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.calls.iter().map(|call| &call.known)
    }

    /// What the scope holds too much of, if it is past the limits: «more than 4096 tool calls».
    pub fn excess(&self) -> Option<&'static str> {
        self.excess
    }
}

/// The id, a JSON string as written, of the call that a `tool/call` or `tool/result` belongs to.
pub fn call_id<'a>(record: &Record<'a>) -> Option<&'a str> {
    json::member(record.data, "callId").filter(|id| json::is_string(id))
}

/// What an assistant message says, as it is written, and the id of every tool call in it, in block order.
#[derive(Debug, Default)]
pub struct Said<'a> {
    /// The member `content`; none if there is none.
    pub content: Option<&'a str>,
    /// JSON strings, as written.
    pub ids: Vec<&'a str>,
}

impl<'a> Said<'a> {
    /// Reads the data of an assistant message.
    pub fn by(data: &'a str) -> Self {
        let mut said = Self::default();
        // The data was checked when it was read.
        let _ = Reader::new(data, json::DEEPEST).members(|message, key| {
            if !key.is("content") {
                return message.value().map(drop);
            }
            // Of doubled members the last counts.
            said.ids.clear();
            let content = message.text_of(|content| {
                let blocks = content.elements(|block| {
                    said.ids.extend(id_of_call(block)?);
                    Ok(())
                })?;
                if blocks { Ok(()) } else { content.value().map(drop) }
            })?;
            said.content = Some(content);
            Ok(())
        });
        said
    }
}

/// Reads a content block; the id, if it is a tool call that has one.
fn id_of_call<'a>(block: &mut Reader<'a>) -> json::Result<Option<&'a str>> {
    let (mut is_call, mut id) = (false, None);
    let is_object = block.members(|block, key| {
        let value = block.value()?;
        if key.is("type") {
            is_call = json::text(value).as_deref() == Some("tool-call");
        } else if key.is("id") {
            id = Some(value);
        }
        Ok(())
    })?;
    if !is_object {
        block.value()?;
    }
    Ok(id.filter(|id| is_call && json::is_string(id)))
}
