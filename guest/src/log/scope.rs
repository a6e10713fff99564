//! What is open at the end of a log, and the events that close it.
//!
//! Enclosure alone decides: a scope begins at `turn/start`, and ends at the next `turn/start`, `turn/end` or `step/end`.
//! Numbers in the data are copied into closers and never compared.

use crate::json;
use crate::line::Record;
use crate::log::calls::{Calls, Said, call_id};
use crate::types::{Error, Event};

/// A turn's or a step's number is copied into closers up to this length.
const LONGEST_NUMBER: usize = 256;

/// The open turn, its open step, and the tool calls that wait in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    turn: Option<Opened>,
    step: Option<Opened>,
    calls: Calls<Call>,
    /// How many calls messages have made.
    made: usize,
}

/// What an opening event called its turn or step, as written; none if it did not, or at too great a length.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Opened {
    number: Option<Box<str>>,
}

impl Opened {
    fn by(record: &Record<'_>, name: &str) -> Self {
        let number = json::member(record.data, name).filter(|number| number.len() <= LONGEST_NUMBER);
        Self { number: number.map(Box::from) }
    }
}

/// A tool call of the scope, by what its messages, calls and results say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Call {
    /// Its place among the calls made by messages, and its id as the first of them wrote it.
    made: Option<(usize, Box<str>)>,
    started: bool,
    answered: bool,
}

impl Scope {
    /// Goes on by one event.
    pub fn apply(&mut self, record: &Record<'_>) {
        match &*record.kind {
            "turn/start" => *self = Self { turn: Some(Opened::by(record, "turn")), ..Self::default() },
            "turn/end" => *self = Self::default(),
            "step/start" => self.step = Some(Opened::by(record, "step")),
            "step/end" => *self = Self { turn: self.turn.take(), ..Self::default() },
            "assistant/message" => {
                for id in Said::by(record.data).ids {
                    let place = self.made;
                    if let Some((_, call)) = self.calls.entry(id)
                        && call.made.is_none()
                    {
                        call.made = Some((place, Box::from(id)));
                        self.made += 1;
                    }
                }
            }
            "tool/call" => self.mark(record, |call| call.started = true),
            "tool/result" => self.mark(record, |call| call.answered = true),
            _ => {}
        }
    }

    /// What the turn and the step are called that are open, empty where nothing; none while tool calls wait.
    pub(super) fn without_calls(&self) -> Option<[Option<&str>; 2]> {
        let names = [&self.turn, &self.step]
            .map(|opened| opened.as_ref().map(|opened| opened.number.as_deref().unwrap_or_default()));
        (self.calls == Calls::default()).then_some(names)
    }

    /// A scope without calls; none if these are the names of no turn and step.
    pub(super) fn at(names: [Option<&str>; 2]) -> Option<Self> {
        let fits =
            |name: &str| name.is_empty() || name.len() <= LONGEST_NUMBER && json::check(name, json::DEEPEST).is_ok();
        let opened = |name: &str| Opened { number: (!name.is_empty()).then(|| name.into()) };
        let [turn, step] = names.map(|name| name.map(opened));
        names.into_iter().flatten().all(fits).then(|| Self { turn, step, ..Self::default() })
    }

    /// Whether a turn is open.
    pub fn turn_is_open(&self) -> bool {
        self.turn.is_some()
    }

    /// The events that close the open turn, numbered from `seq` on; none if no turn is open. Too large if its calls are past
    /// the limits.
    pub fn closers(&self, seq: u64, time: u64) -> Result<Vec<Event>, Error> {
        let Some(turn) = &self.turn else { return Ok(Vec::new()) };
        if let Some(excess) = self.calls.excess() {
            return Err(Error::TooLarge(format!(
                "the open turn holds {excess} in one scope and can't be closed; wake it with its turn kept open, or fork fewer events"
            )));
        }
        let mut unanswered: Vec<&Call> =
            self.calls.values().filter(|call| call.made.is_some() && !call.answered).collect();
        unanswered.sort_by_key(|call| call.made.as_ref().map(|(place, _)| *place));

        let turn_and_step = |step: Option<&Opened>| {
            let mut data = String::from("{");
            for (name, opened) in [("turn", Some(turn)), ("step", step)] {
                if let Some(number) = opened.and_then(|opened| opened.number.as_deref()) {
                    data.push_str(&format!("\"{name}\":{number},"));
                }
            }
            data
        };
        let mut closers: Vec<(&str, String)> = Vec::new();
        for call in unanswered {
            let id = call.made.as_ref().map_or("", |(_, id)| id);
            let (code, text) = if call.started { OUTCOME_UNKNOWN } else { NOT_STARTED };
            let data = turn_and_step(self.step.as_ref())
                + &format!(
                    r#""callId":{id},"content":[{{"type":"text","text":"{text}"}}],"isError":true,"error":{{"code":"{code}"}}}}"#
                );
            closers.push(("tool/result", data));
        }
        if let Some(step) = &self.step {
            let data = turn_and_step(Some(step));
            closers.push(("step/end", data.strip_suffix(',').unwrap_or(&data).to_string() + "}"));
        }
        closers.push(("turn/end", turn_and_step(None) + r#""reason":{"kind":"interrupted"}}"#));
        Ok((seq..).zip(closers).map(|(seq, (kind, data))| Event { seq, time, type_: kind.into(), data }).collect())
    }

    fn mark(&mut self, record: &Record<'_>, mark: impl FnOnce(&mut Call)) {
        if let Some((_, call)) = call_id(record).and_then(|id| self.calls.entry(id)) {
            mark(call);
        }
    }
}

/// The code and the text of a result for a call that no tool began to serve.
pub const NOT_STARTED: (&str, &str) = (
    "TOOL_NOT_STARTED",
    "The turn was interrupted before this tool call was started. It did nothing; it is safe to call it again.",
);
/// The code and the text of a result for a call of which nobody knows how it ended.
pub const OUTCOME_UNKNOWN: (&str, &str) = (
    "TOOL_OUTCOME_UNKNOWN",
    "The turn was interrupted while this tool call ran. Its outcome is unknown; verify what it did before calling it again.",
);
