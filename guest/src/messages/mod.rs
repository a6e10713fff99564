//! The conversation that a log amounts to.
//!
//! Two passes: a plan says which events become messages and in which order, without their contents; then the contents of
//! the messages asked for are read. So the memory used grows with the number of messages, never with their size.

mod content;
mod plan;
mod shadow;

use crate::line;
use crate::log::Source;
use crate::types::{Error, Message, MessagePage};

pub use plan::Plan;

impl Plan {
    /// The messages from index `start`: at most `max_bytes` of content, but never less than one message while there is one.
    pub fn page<S: Source + ?Sized>(&self, source: &S, start: u64, max_bytes: u32) -> Result<MessagePage, Error> {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let mut messages: Vec<Message> = Vec::new();
        let mut bytes = 0;
        for (index, item) in self.items.iter().enumerate().skip(start) {
            let line = source.read(item.offset, item.length)?;
            let line = line.strip_suffix(b"\n").unwrap_or(&line);
            let message = line::decode_record(line).ok().and_then(|record| item.message(&record));
            let message =
                message.ok_or_else(|| Error::Moved("the log was changed while its messages were read".into()))?;
            bytes += message.content.len();
            if bytes > max_bytes as usize && !messages.is_empty() {
                return Ok(MessagePage { messages, next: Some(index as u64) });
            }
            messages.push(message);
        }
        Ok(MessagePage { messages, next: None })
    }
}

#[cfg(test)]
mod tests;
