//! Which events become messages, and in which order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::content::{has_blocks, is_empty};
use super::shadow;
use crate::json;
use crate::line::{self, Reason, Record};
use crate::log::{Lines, Sound, Source, call_id, for_each_call};
use crate::types::{Error, Pairing};

/// How many messages one conversation may have, and how many bytes the ids of one scope's tool calls: a log can't use up
/// the memory.
const MOST_MESSAGES: usize = 400_000;
const MOST_ID_BYTES: usize = 4 << 20;

/// What a message is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    Context,
    Steering,
    Result,
    Summary,
    /// The result of a call that has none: which call of the assistant message, and whether it was started.
    Missing {
        call: u32,
        started: bool,
    },
}

/// A message to be: the event that it comes from, and where that lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub kind: Kind,
    pub offset: u64,
    pub length: u32,
    pub source: u64,
    /// Where it stands in the conversation: a summary where what it replaces began, a paired result with its call.
    pub place: u64,
}

impl Item {
    /// From which event on it was there to be replaced: a paired result from its call on.
    pub fn since(&self) -> u64 {
        if self.kind == Kind::Summary { self.source } else { self.place }
    }
}

/// The messages of a log, in order.
#[derive(Debug)]
pub struct Plan {
    pub(super) items: Vec<Item>,
}

impl Plan {
    /// Reads the sound events of a log, or the first `length` of them.
    pub fn new<S: Source + ?Sized>(
        source: &S,
        sound: &Sound,
        length: Option<u64>,
        pairing: Pairing,
    ) -> Result<Self, Error> {
        let mut planner = Planner { pairing: pairing == Pairing::Paired, ..Planner::default() };
        let mut lines = Lines::new(source, sound.body, sound.end);
        for _ in 0..length.unwrap_or(u64::MAX).min(sound.events) {
            let moved = |_| Error::Moved("the log was changed while its messages were read".into());
            let Some(line) = lines.next()? else { return Err(moved(Reason::default())) };
            // Most of a log is chunks, and nothing of them is needed.
            if !line::written_type(line.bytes).is_none_or(matters) {
                continue;
            }
            let record = line::decode_record(line.bytes).map_err(moved)?;
            let length = u32::try_from(line.length).unwrap_or(u32::MAX);
            planner.apply(&record, line.offset, length)?;
        }
        planner.leave_scope();
        Ok(Self { items: shadow::shadowed(planner.items, &planner.ranges) })
    }
}

fn matters(kind: &str) -> bool {
    matches!(
        kind,
        "turn/start"
            | "turn/end"
            | "step/end"
            | "user/message"
            | "assistant/message"
            | "tool/call"
            | "tool/result"
            | "context/message"
            | "steering/message"
            | "compact/summary"
    )
}

/// Goes through a log. Where results are paired, a scope is kept back until it ends: only then is known what answers what.
#[derive(Default)]
struct Planner {
    pairing: bool,
    items: Vec<Item>,
    /// What each summary replaces, in log order.
    ranges: Vec<shadow::Range>,
    scope: Vec<Item>,
    calls: Vec<Call>,
    results: BTreeMap<Vec<u8>, VecDeque<Item>>,
    started: BTreeSet<Vec<u8>>,
    id_bytes: usize,
}

/// A tool call: the message that made it, by its `seq`, and which of the message's calls it is.
struct Call {
    key: Vec<u8>,
    message: u64,
    index: u32,
}

impl Planner {
    fn apply(&mut self, record: &Record<'_>, offset: u64, length: u32) -> Result<(), Error> {
        let seq = record.seq;
        let item = |kind| Item { kind, offset, length, source: seq, place: seq };
        let has = |name| has_blocks(record.data, name);
        match &*record.kind {
            "turn/start" | "turn/end" | "step/end" => self.leave_scope(),
            "user/message" if has("content") => self.scope.push(item(Kind::User)),
            "context/message" if has("content") => self.scope.push(item(Kind::Context)),
            "steering/message" if has("content") => self.scope.push(item(Kind::Steering)),
            "assistant/message" if has("content") && !is_empty(record.data) => {
                self.scope.push(item(Kind::Assistant));
                if self.pairing {
                    let first = self.calls.len();
                    let mut index = 0;
                    for_each_call(record.data, |id| {
                        if self.id_bytes > MOST_ID_BYTES {
                            return;
                        }
                        let key = json::meaning(id).unwrap_or_default();
                        self.id_bytes += key.len() + size_of::<Call>();
                        self.calls.push(Call { key, message: seq, index });
                        index += 1;
                    });
                    once_each(&mut self.calls, first);
                }
            }
            "tool/call" if self.pairing => {
                if let Some(key) = call_id(record).and_then(json::meaning) {
                    self.id_bytes += key.len();
                    self.started.insert(key);
                }
            }
            "tool/result" if has("content") => match call_id(record).and_then(json::meaning) {
                Some(key) if self.pairing => {
                    self.id_bytes += key.len() + size_of::<Item>();
                    self.results.entry(key).or_default().push_back(item(Kind::Result));
                }
                Some(_) => self.scope.push(item(Kind::Result)),
                None => {}
            },
            "compact/summary" if has("summary") => {
                if let Some(range) = shadow::Range::of(record) {
                    self.scope.push(Item { place: range.start, ..item(Kind::Summary) });
                    self.ranges.push(range);
                }
            }
            _ => {}
        }
        if self.items.len() + self.scope.len() + self.ranges.len() > MOST_MESSAGES {
            return Err(Error::TooLarge(format!(
                "at seq {seq} the conversation has more than {MOST_MESSAGES} messages; derive from fewer events, or fork the session"
            )));
        }
        if self.id_bytes > MOST_ID_BYTES {
            return Err(Error::TooLarge(format!(
                "at seq {seq} the ids of the open scope's tool calls have more than {MOST_ID_BYTES} bytes; derive them as recorded"
            )));
        }
        Ok(())
    }

    /// Lets the scope's messages go on, each followed by the results of its calls.
    fn leave_scope(&mut self) {
        let mut calls = std::mem::take(&mut self.calls).into_iter().peekable();
        for item in self.scope.drain(..) {
            self.items.push(item);
            while let Some(call) = calls.next_if(|call| call.message == item.source) {
                let answer = self.results.get_mut(&call.key).and_then(VecDeque::pop_front);
                let missing = Kind::Missing { call: call.index, started: self.started.contains(&call.key) };
                let result = answer.unwrap_or(Item { kind: missing, ..item });
                self.items.push(Item { place: item.place, ..result });
            }
        }
        self.results.clear();
        self.started.clear();
        self.id_bytes = 0;
    }
}

/// Of calls with the same id in one message, the first alone is answered.
fn once_each(calls: &mut Vec<Call>, first: usize) {
    let mut seen = BTreeSet::new();
    let mut at = 0;
    calls.retain(|call| {
        at += 1;
        at <= first || seen.insert(call.key.clone())
    });
}
