//! Which events become messages, and in which order.

use std::collections::VecDeque;

use super::content::{is_blocks, is_empty};
use super::shadow;
use crate::json;
use crate::line::{self, Record};
use crate::log::{Calls, Lines, Said, Sound, Source, call_id, matters};
use crate::types::{Error, Pairing};

/// How many messages one conversation may have: a log can't use up the memory.
const MOST_MESSAGES: usize = 400_000;
/// Up to how many a plan is kept in a way that it can go on: a megabyte or so.
const KEPT_MESSAGES: usize = 10_000;

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
    /// Up to where the log was read.
    end: u64,
    /// What goes on when the log has grown; none if that would take much memory.
    planner: Option<Planner>,
}

impl Plan {
    /// Reads the sound events of a log, or the first `length` of them.
    pub fn new<S: Source + ?Sized>(
        source: &S,
        sound: &Sound,
        length: Option<u64>,
        pairing: Pairing,
    ) -> Result<Self, Error> {
        Planner::new(length, pairing).read(source, sound, 0)
    }

    /// Whether it can go on, and is small enough to be kept for that.
    pub fn is_kept(&self) -> bool {
        self.planner.is_some()
    }

    /// The plan of the same log, which may have grown by now. None if all of it has to be read again.
    pub fn go_on<S: Source + ?Sized>(self, source: &S, sound: &Sound) -> Result<Option<Self>, Error> {
        if self.end == sound.end {
            return Ok(Some(self));
        }
        self.planner.map(|planner| planner.read(source, sound, self.end)).transpose()
    }
}

/// Goes through a log. Where results are paired, a scope is kept back until it ends: only then is known what answers what.
#[derive(Debug, Clone, Default)]
struct Planner {
    pairing: bool,
    /// How many events count.
    length: u64,
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
#[derive(Debug, Clone, Default)]
struct Call {
    /// The message that called it last, by its `seq`: of calls with the same id in one message, the first alone is answered.
    message: Option<u64>,
    started: bool,
    results: VecDeque<Item>,
}

/// A call that a message made: the message's `seq`, which of its calls it is, and the place of its id.
#[derive(Debug, Clone)]
struct Made {
    message: u64,
    index: u32,
    place: usize,
}

impl Planner {
    fn new(length: Option<u64>, pairing: Pairing) -> Self {
        Self { pairing: pairing == Pairing::Paired, length: length.unwrap_or(u64::MAX), ..Self::default() }
    }

    /// Reads on from `start`, where a line begins, and says what the messages are so far.
    fn read<S: Source + ?Sized>(mut self, source: &S, sound: &Sound, start: u64) -> Result<Plan, Error> {
        'read: for &(from, to) in sound.conversation.stretches().iter().filter(|(_, to)| *to > start) {
            let mut lines = Lines::new(source, from.max(start), to);
            while let Some(line) = lines.next()? {
                if !line::written_type(line.bytes).is_none_or(matters) {
                    continue;
                }
                let record = line.record().map_err(|_| super::changed())?;
                if record.seq >= self.length {
                    break 'read;
                }
                let length = u32::try_from(line.length).unwrap_or(u32::MAX);
                self.apply(&record, line.offset, length)?;
            }
            if lines.offset() != to {
                return Err(super::changed());
            }
        }
        let small = self.size() <= KEPT_MESSAGES;
        let planner = small.then(|| self.clone());
        self.leave_scope();
        Ok(Plan { items: shadow::shadowed(self.items, &self.ranges), end: sound.end, planner })
    }

    /// How many messages there are, or may be. Each call makes one; results past them are kept until the scope ends.
    fn size(&self) -> usize {
        self.items.len() + self.scope.len() + self.made.len().max(self.results) + self.ranges.len()
    }

    fn apply(&mut self, record: &Record<'_>, offset: u64, length: u32) -> Result<(), Error> {
        let seq = record.seq;
        let item = |kind| Item { kind, offset, length, source: seq, place: seq };
        let has_content = || json::member(record.data, "content").is_some_and(is_blocks);
        match &*record.kind {
            "turn/start" | "turn/end" | "step/end" => self.leave_scope(),
            "user/message" if has_content() => self.scope.push(item(Kind::User)),
            "context/message" if has_content() => self.scope.push(item(Kind::Context)),
            "steering/message" if has_content() => self.scope.push(item(Kind::Steering)),
            "assistant/message" => {
                let said = Said::by(record.data);
                if said.content.is_some_and(|content| is_blocks(content) && !is_empty(content)) {
                    self.scope.push(item(Kind::Assistant));
                    if self.pairing {
                        self.call(seq, said.ids);
                    }
                }
            }
            "tool/call" if self.pairing => {
                if let Some((_, call)) = call_id(record).and_then(|id| self.calls.entry(id)) {
                    call.started = true;
                }
            }
            "tool/result" => {
                let [id, content] = json::named(record.data, ["callId", "content"]);
                let id = id.filter(|id| json::is_string(id));
                let has_content = content.is_some_and(is_blocks);
                if self.pairing {
                    if let Some((_, call)) = id.and_then(|id| self.calls.entry(id))
                        && has_content
                    {
                        call.results.push_back(item(Kind::Result));
                        self.results += 1;
                    }
                } else if id.is_some() && has_content {
                    self.scope.push(item(Kind::Result));
                }
            }
            "compact/summary" => {
                let [summary, range] = json::named(record.data, ["summary", "shadowedRange"]);
                if let Some(range) = range.and_then(|range| shadow::Range::of(range, seq))
                    && summary.is_some_and(is_blocks)
                {
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
        if self.size() > MOST_MESSAGES {
            return Err(Error::TooLarge(format!(
                "at seq {seq} the conversation has more than {MOST_MESSAGES} messages; derive from fewer events, or fork the session"
            )));
        }
        Ok(())
    }

    /// Notes the calls that a message made.
    fn call(&mut self, message: u64, ids: Vec<&str>) {
        let mut index = 0;
        for id in ids {
            if let Some((place, call)) = self.calls.entry(id)
                && call.message.replace(message) != Some(message)
            {
                self.made.push(Made { message, index, place });
                index += 1;
            }
        }
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
