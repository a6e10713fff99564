//! What a model is to see of a branch.

use super::pages::ITEM;
use super::read::payloads;
use super::{Result, Store};
use crate::bindings::exports::agent::session::session_tree::*;
use crate::store::Host;
use crate::tree::{self, context};

/// How many bytes of messages one page holds at most, unless a single message has more.
const CONTEXT_BYTES: u32 = 4 << 20;
/// How much memory one page takes at most, about.
const CONTEXT_WEIGHT: usize = 8 << 20;
/// How many bytes of entries are read at once.
const BATCH_BYTES: usize = 512 << 10;

impl<H: Host> Store<H> {
    /// The messages of a branch from its last compaction on, a page of them.
    pub fn get_context(
        &mut self,
        id: &str,
        branch: &str,
        from: Option<ContextPlace>,
        max_bytes: u32,
    ) -> Result<ContextPage> {
        let tip = self.tip(id, branch)?;
        let from = from.unwrap_or(ContextPlace { number: 0, index: 0 });
        let most = max_bytes.min(CONTEXT_BYTES) as usize;
        self.read_tree(id, |tree, writes| {
            let start = match &tip {
                Some(tip) => Some(tree.find(tip).ok_or_else(|| TreeError::UnknownTarget(tip.clone()))?),
                None => None,
            };
            let mut seen: Vec<&tree::Entry> = Vec::new();
            for entry in tree.path(start).take_while(|entry| entry.number >= from.number) {
                if entry.kind != EntryType::Custom {
                    seen.push(entry);
                }
                if entry.kind == EntryType::Compaction {
                    break;
                }
            }
            seen.reverse();
            let mut page = Page { messages: Vec::new(), bytes: 0, most, weight: 0 };
            let mut rest = seen.as_slice();
            while !rest.is_empty() {
                let mut bytes = 0;
                let batch = rest.iter().take_while(|entry| {
                    let first = bytes == 0;
                    bytes += entry.write.length as usize;
                    first || bytes <= BATCH_BYTES
                });
                let (batch, behind) = rest.split_at(batch.count());
                rest = behind;
                let Some(payloads) = payloads(tree, writes, batch)? else { return Ok(None) };
                for (entry, payload) in batch.iter().zip(payloads) {
                    let skipped = if entry.number == from.number { from.index } else { 0 };
                    let (mut index, mut next) = (0, None);
                    context::messages(entry.kind, entry.timestamp, &payload, |message| {
                        if index >= skipped && !page.take(tree.id(entry), message) {
                            next = Some(ContextPlace { number: entry.number, index });
                        }
                        index += 1;
                        next.is_none()
                    });
                    if next.is_some() {
                        return Ok(Some(ContextPage { messages: page.messages, next }));
                    }
                }
            }
            Ok(Some(ContextPage { messages: page.messages, next: None }))
        })
    }
}

/// Messages, as many as fit.
struct Page {
    messages: Vec<ContextMessage>,
    bytes: usize,
    most: usize,
    /// How much memory they take, about.
    weight: usize,
}

impl Page {
    /// Takes a message, if it fits or is the first.
    fn take(&mut self, entry: &str, message: &str) -> bool {
        self.bytes += message.len();
        self.weight += ITEM + entry.len() + message.len();
        let fits = self.bytes <= self.most && self.weight <= CONTEXT_WEIGHT || self.messages.is_empty();
        if fits {
            self.messages.push(ContextMessage { entry: entry.into(), message: message.into() });
        }
        fits
    }
}
