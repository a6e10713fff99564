//! The rules of turn and step enclosure, and which of them a log breaks.

use std::collections::BTreeMap;

use crate::json;
use crate::line::Record;
use crate::log::for_each_call;

/// How many broken rules are told one by one.
const TOLD: usize = 1000;
/// How many tool calls of a scope are followed.
const FOLLOWED: usize = 16_384;

/// Goes through a log and notes what breaks a rule.
#[derive(Debug, Default)]
pub struct Check {
    told: Vec<String>,
    untold: u64,
    turn: Option<u64>,
    step: Option<u64>,
    /// The tool calls that messages of this scope made, and whether they are answered.
    calls: BTreeMap<Vec<u8>, Answered>,
}

type Answered = bool;

impl Check {
    /// Goes on by one event.
    pub fn apply(&mut self, record: &Record<'_>) {
        let seq = record.seq;
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
                for_each_call(record.data, |id| {
                    if let Some(key) = json::meaning(id)
                        && self.calls.len() < FOLLOWED
                    {
                        self.calls.entry(key).or_default();
                    }
                });
            }
            "tool/call" => {
                self.inside_a_turn(record);
                self.call_of(record);
            }
            "tool/result" => {
                self.inside_a_turn(record);
                if let Some((id, key)) = self.call_of(record)
                    && self.calls.insert(key, true) == Some(true)
                {
                    self.tell(seq, format_args!("a second tool/result for call {}", shown(id)));
                }
            }
            "assistant/chunk" => self.inside_a_turn(record),
            _ => {}
        }
    }

    /// What was noted, one line each; past a thousand, how many more.
    pub fn broken(mut self) -> Vec<String> {
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

    /// The id of the call that a `tool/call` or `tool/result` names, as written and as meant, if a message of the scope made it.
    fn call_of<'a>(&mut self, record: &Record<'a>) -> Option<(&'a str, Vec<u8>)> {
        let id = json::member(record.data, "callId").and_then(|id| Some((id, json::meaning(id)?)));
        let Some((id, key)) = id else {
            self.tell(record.seq, format_args!("{} without a callId", record.kind));
            return None;
        };
        if !self.calls.contains_key(&key) && self.calls.len() < FOLLOWED {
            let what = format!("{} for call {}, which no assistant/message of its scope made", record.kind, shown(id));
            self.tell(record.seq, format_args!("{what}"));
            return None;
        }
        Some((id, key))
    }

    fn leave_scope(&mut self, seq: u64) {
        let unanswered = self.calls.values().filter(|answered| !**answered).count();
        if unanswered > 0 {
            self.tell(seq, format_args!("the scope ends with {unanswered} tool calls unanswered"));
        }
        self.calls.clear();
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
