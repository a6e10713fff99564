//! The conversation that a log amounts to.
//!
//! Two passes: a plan says which events become messages and in which order, without their contents; then the contents of
//! the messages asked for are read. So the memory used grows with the number of messages, never with their size.

mod content;
mod plan;
mod shadow;

use crate::line::{self, Record};
use crate::log::{self, Said, Source};
use crate::types::{Error, Message, MessagePage};

pub use plan::Plan;
use plan::{Item, Kind};

impl Plan {
    /// The messages from index `start`: at most `max_bytes` of content, but never less than one message while there is one.
    pub fn page<S: Source + ?Sized>(&self, source: &S, start: u64, max_bytes: u32) -> Result<MessagePage, Error> {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let mut messages: Vec<Message> = Vec::new();
        let mut bytes = 0;
        let mut called = Called::default();
        for (index, item) in self.items.iter().enumerate().skip(start) {
            let message = match item.kind {
                Kind::Missing { call, started } => {
                    if called.offset != Some(item.offset) {
                        called = read(source, item, |record| Some(Called::by(record, item.offset)))?;
                    }
                    let id = called.ids.get(call as usize).ok_or_else(changed)?;
                    content::missing_result(id, started, item.source)
                }
                _ => read(source, item, |record| item.message(record))?,
            };
            bytes += message.content.len();
            if bytes > max_bytes as usize && !messages.is_empty() {
                return Ok(MessagePage { messages, next: Some(index as u64) });
            }
            messages.push(message);
        }
        Ok(MessagePage { messages, next: None })
    }
}

/// The ids that one message calls, each once: many may lack a result, and its line is read once for all of them.
#[derive(Default)]
struct Called {
    offset: Option<u64>,
    ids: Vec<String>,
}

impl Called {
    fn by(record: &Record<'_>, offset: u64) -> Self {
        let mut ids = Vec::new();
        let mut calls = log::Calls::<()>::default();
        for id in Said::by(record.data).ids {
            if calls.entry(id).is_some_and(|(place, ())| place == ids.len()) {
                ids.push(id.into());
            }
        }
        Self { offset: Some(offset), ids }
    }
}

/// Reads the event that an item comes from.
fn read<S: Source + ?Sized, T>(
    source: &S,
    item: &Item,
    take: impl FnOnce(&Record<'_>) -> Option<T>,
) -> Result<T, Error> {
    let line = source.read(item.offset, item.length)?;
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    line::decode_record(line).ok().and_then(|record| take(&record)).ok_or_else(changed)
}

fn changed() -> Error {
    Error::Moved("the log was changed while its messages were read".into())
}

#[cfg(test)]
mod tests;
