//! Which events become messages, and in which order.

use std::collections::VecDeque;

use super::content::{has_blocks, is_empty};
use super::shadow;
use crate::line::{self, Record};
use crate::log::{Calls, Lines, Sound, Source, call_id, for_each_call, matters};
use crate::types::{Error, Pairing};

/// How many messages one conversation may have: a log can't use up the memory.
const MOST_MESSAGES: usize = 400_000;

/// What a message is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    Context,
    Steering,
    Result,
    Summary,
    /// The result of a call that has none: which of the assistant message's ids, and whether it was started.
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
        let length = length.unwrap_or(u64::MAX);
        'read: for (start, end) in sound.conversation.stretches() {
            let mut lines = Lines::new(source, *start, *end);
            while let Some(line) = lines.next()? {
                if !line::written_type(line.bytes).is_none_or(matters) {
                    continue;
                }
                let record = line.record().map_err(|_| super::changed())?;
                if record.seq >= length {
                    break 'read;
                }
                let length = u32::try_from(line.length).unwrap_or(u32::MAX);
                planner.apply(&record, line.offset, length)?;
            }
            if lines.offset() != *end {
                return Err(super::changed());
            }
        }
        planner.leave_scope();
        Ok(Self { items: shadow::shadowed(planner.items, &planner.ranges) })
    }
}

/// Goes through a log. Where results are paired, a scope is kept back until it ends: only then is known what answers what.
#[derive(Default)]
struct Planner {
    pairing: bool,
    items: Vec<Item>,
    /// What each summary replaces, in log order.
    ranges: Vec<shadow::Range>,
    scope: Vec<Item>,
    /// What is known of each id of the scope, and how many results wait there.
    calls: Calls<Call>,
    results: usize,
    /// The calls that messages made, in order.
    made: Vec<Made>,
}

/// What a scope says of one id.
#[derive(Default)]
struct Call {
    /// The message that called it last, by its `seq`: of calls with the same id in one message, the first alone is answered.
    message: Option<u64>,
    started: bool,
    results: VecDeque<Item>,
}

/// A call that a message made: the message's `seq`, which of its calls it is, and the place of its id.
struct Made {
    message: u64,
    index: u32,
    place: usize,
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
                    let mut index = 0;
                    for_each_call(record.data, |id| {
                        if let Some((place, call)) = self.calls.entry(id)
                            && call.message.replace(seq) != Some(seq)
                        {
                            self.made.push(Made { message: seq, index, place });
                            index += 1;
                        }
                    });
                }
            }
            "tool/call" if self.pairing => {
                if let Some((_, call)) = call_id(record).and_then(|id| self.calls.entry(id)) {
                    call.started = true;
                }
            }
            "tool/result" if self.pairing => {
                if let Some((_, call)) = call_id(record).and_then(|id| self.calls.entry(id))
                    && has("content")
                {
                    call.results.push_back(item(Kind::Result));
                    self.results += 1;
                }
            }
            "tool/result" if has("content") && call_id(record).is_some() => self.scope.push(item(Kind::Result)),
            "compact/summary" if has("summary") => {
                if let Some(range) = shadow::Range::of(record) {
                    self.scope.push(Item { place: range.start, ..item(Kind::Summary) });
                    self.ranges.push(range);
                }
            }
            _ => {}
        }
        if let Some(excess) = self.calls.excess() {
            return Err(Error::TooLarge(format!(
                "at seq {seq} a scope holds {excess}, too much to pair their results; derive from fewer events, or as recorded"
            )));
        }
        // Each call makes one message; results past them are kept until the scope ends.
        let paired = self.made.len().max(self.results);
        if self.items.len() + self.scope.len() + paired + self.ranges.len() > MOST_MESSAGES {
            return Err(Error::TooLarge(format!(
                "at seq {seq} the conversation has more than {MOST_MESSAGES} messages; derive from fewer events, or fork the session"
            )));
        }
        Ok(())
    }

    /// Lets the scope's messages go on, each followed by the results of its calls.
    fn leave_scope(&mut self) {
        let mut calls = std::mem::take(&mut self.calls);
        let mut made = std::mem::take(&mut self.made).into_iter().peekable();
        self.items.reserve(self.scope.len() + made.len());
        for item in self.scope.drain(..) {
            self.items.push(item);
            while let Some(Made { index, place, .. }) = made.next_if(|made| made.message == item.source) {
                let Some(call) = calls.get_mut(place) else { continue };
                let missing = Kind::Missing { call: index, started: call.started };
                let result = call.results.pop_front().unwrap_or(Item { kind: missing, ..item });
                self.items.push(Item { place: item.place, ..result });
            }
        }
        self.results = 0;
    }
}
