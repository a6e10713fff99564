//! The rules of turn and step enclosure, and which of them a log breaks.

use crate::line::Record;
use crate::log::{Calls, Said, Sound, Source, call_id};
use crate::types::Error;

/// How many broken rules are told one by one.
const TOLD: usize = 1000;

/// Every rule that the sound events of a log break, one line of text each; past a thousand, how many more.
pub fn check<S: Source + ?Sized>(source: &S, sound: &Sound) -> Result<Vec<String>, Error> {
    let mut check = Check::default();
    let mut read = Sound::new(sound.header.clone(), sound.body);
    read.extend_while(source, sound.end, |record| {
        check.apply(record);
        true
    })?;
    if read.end == sound.end {
        Ok(check.broken())
    } else {
        Err(Error::Moved("the log was changed while it was checked".into()))
    }
}

/// Goes through a log and notes what breaks a rule.
#[derive(Debug, Default)]
struct Check {
    told: Vec<String>,
    untold: u64,
    turn: Option<u64>,
    step: Option<u64>,
    calls: Calls<Call>,
}

/// What this scope has had of a tool call.
#[derive(Debug, Default)]
struct Call {
    made: bool,
    answered: bool,
}

impl Check {
    fn apply(&mut self, record: &Record<'_>) {
        let seq = record.seq;
        let followed = self.calls.excess().is_none();
        match &*record.kind {
            "turn/start" => {
                if let Some(open) = self.turn {
                    self.tell(seq, format_args!("turn/start while the turn opened at seq {open} is open"));
                }
                self.leave_scope(seq);
                (self.turn, self.step) = (Some(seq), None);
            }
            "turn/end" => {
                match (self.turn, self.step) {
                    (None, _) => self.tell(seq, format_args!("turn/end without a turn/start")),
                    (_, Some(open)) => {
                        self.tell(seq, format_args!("turn/end while the step opened at seq {open} is open"))
                    }
                    _ => {}
                }
                self.leave_scope(seq);
                (self.turn, self.step) = (None, None);
            }
            "step/start" => {
                match (self.turn, self.step) {
                    (None, _) => self.tell(seq, format_args!("step/start outside a turn")),
                    (_, Some(open)) => {
                        self.tell(seq, format_args!("step/start while the step opened at seq {open} is open"))
                    }
                    _ => {}
                }
                self.step = Some(seq);
            }
            "step/end" => {
                if self.step.is_none() {
                    self.tell(seq, format_args!("step/end without a step/start"));
                }
                self.leave_scope(seq);
                self.step = None;
            }
            "assistant/message" => {
                self.inside_a_turn(record);
                for id in Said::by(record.data).ids {
                    if let Some((_, call)) = self.calls.entry(id) {
                        call.made = true;
                    }
                }
            }
            "tool/call" => drop(self.call_of(record)),
            "tool/result" => {
                if let Some(call) = self.call_of(record)
                    && std::mem::replace(&mut call.answered, true)
                {
                    let id = call_id(record).unwrap_or_default();
                    self.tell(seq, format_args!("a second tool/result for call {}", shown(id)));
                }
            }
            "assistant/chunk" => self.inside_a_turn(record),
            _ => {}
        }
        if followed && let Some(excess) = self.calls.excess() {
            self.tell(seq, format_args!("the scope holds {excess}, which are not checked"));
        }
    }

    fn broken(mut self) -> Vec<String> {
        if self.untold > 0 {
            self.told.push(format!("and {} more", self.untold));
        }
        self.told
    }

    fn tell(&mut self, seq: u64, what: std::fmt::Arguments<'_>) {
        if self.told.len() < TOLD { self.told.push(format!("seq {seq}: {what}")) } else { self.untold += 1 }
    }

    fn inside_a_turn(&mut self, record: &Record<'_>) {
        if self.turn.is_none() {
            self.tell(record.seq, format_args!("{} outside a turn", record.kind));
        }
    }

    /// The call that a `tool/call` or `tool/result` belongs to, if the calls of its scope are followed.
    fn call_of(&mut self, record: &Record<'_>) -> Option<&mut Call> {
        self.inside_a_turn(record);
        let Some(id) = call_id(record) else {
            self.tell(record.seq, format_args!("{} without a callId", record.kind));
            return None;
        };
        if !self.calls.entry(id)?.1.made {
            let what =
                format_args!("{} for call {}, which no assistant/message of its scope made", record.kind, shown(id));
            self.tell(record.seq, what);
            return None;
        }
        self.calls.entry(id).map(|(_, call)| call)
    }

    fn leave_scope(&mut self, seq: u64) {
        let unanswered = self.calls.values().filter(|call| call.made && !call.answered).count();
        if unanswered > 0 {
            self.tell(seq, format_args!("the scope ends with {unanswered} tool calls unanswered"));
        }
        self.calls = Calls::default();
    }
}

/// An id as it is written, cut where it is long.
fn shown(id: &str) -> String {
    let mut shown: String = id.chars().take(80).collect();
    if shown.len() < id.len() {
        shown.push('…');
    }
    shown
}
