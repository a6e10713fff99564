//! The hand-off record: what the log tells whoever goes on.

use anyhow::Result;
use serde::Serialize;
use session_host::{Event, Sessions};

use super::call::{Call, Outcome};
use super::calls::Calls;
use super::scope::Scope;
use crate::view::content::{self, Block, Content};
use crate::view::event;
use crate::view::object::Object;

/// The record. Calls and answers are those since the last question.
#[derive(Debug, Serialize)]
pub struct Record {
    /// Id of the session.
    pub session: String,
    /// How many events there are, the boundary among them.
    pub length: u64,
    /// The boundary's `seq`.
    pub boundary: u64,
    /// What was said when the session was handed over.
    pub note: Option<String>,
    /// How many turns began.
    pub turns: u64,
    /// How the last turn stands.
    pub standing: Standing,
    /// What was asked last.
    pub asked: Option<Said>,
    /// The calls that have their result.
    pub done: Calls,
    /// What the model said last.
    pub answered: Option<Said>,
    /// The calls that have none.
    pub unanswered: Calls,
    /// What the two lists leave out, so that no record is too long to be read.
    pub more: More,
    /// What is known of the calls of the present scope.
    #[serde(skip)]
    scope: Scope,
}

/// How the last turn stands.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "turn")]
pub enum Standing {
    /// There was none.
    Idle,
    /// It is open.
    Open,
    /// It ended.
    Ended {
        /// For example `completed`.
        reason: String,
    },
}

/// Words from the log.
#[derive(Debug, Serialize)]
pub struct Said {
    /// Which event they come from.
    pub seq: u64,
    /// The words.
    pub text: String,
}

/// How many earlier calls the lists leave out.
#[derive(Debug, Default, Serialize)]
pub struct More {
    /// Of those that have their result.
    pub done: u64,
    /// Of those that have none.
    pub unanswered: u64,
}

impl Record {
    /// Reads the log up to the boundary.
    pub fn read(sessions: &Sessions, id: &str, boundary: u64) -> Result<Self> {
        let mut record = Self {
            session: id.to_owned(),
            length: boundary + 1,
            boundary,
            note: None,
            turns: 0,
            standing: Standing::Idle,
            asked: None,
            done: Calls::default(),
            answered: None,
            unanswered: Calls::default(),
            more: More::default(),
            scope: Scope::default(),
        };
        let events = sessions.events(id, 0).except(&["assistant/chunk", "step/start"]);
        for event in events {
            let event = event?;
            if event.seq > boundary {
                break;
            }
            record.take(&event);
        }
        record.more = More { done: record.done.more(), unanswered: record.unanswered.more() };
        Ok(record)
    }

    fn take(&mut self, event: &Event) {
        if matches!(event.kind.as_str(), "turn/start" | "turn/end" | "step/end") {
            self.scope = Scope::default();
        }
        let data = Object::read(&event.data).unwrap_or_default();
        match event.kind.as_str() {
            "turn/start" => {
                self.turns += 1;
                self.standing = Standing::Open;
            }
            "turn/end" => self.standing = Standing::Ended { reason: event::ending(&data) },
            "user/message" => {
                self.asked = Some(Said { seq: event.seq, text: content::words(&data) });
                self.answered = None;
                self.done.clear();
                self.unanswered.clear();
            }
            "assistant/message" => {
                let text = content::words(&data);
                if !text.is_empty() {
                    self.answered = Some(Said { seq: event.seq, text });
                }
                if let Some(content) = data.raw("content").and_then(Content::read) {
                    content.calls().for_each(|block| self.request(&block));
                }
            }
            "tool/call" => self.start(&data),
            "tool/result" => self.answer(&data),
            "session/boundary" if event.seq == self.boundary => self.note = data.text("note"),
            _ => {}
        }
    }

    fn request(&mut self, block: &Block<'_>) {
        let Some(id) = block.members.string("id") else { return };
        let Some(known) = self.scope.entry(id.clone()).filter(|known| known.place.is_none()) else { return };
        let call = Call { outcome: known.outcome, ..Call::requested(id, block) };
        let list = if known.outcome.is_answer() { &mut self.done } else { &mut self.unanswered };
        known.place = Some(list.push(call));
    }

    fn start(&mut self, data: &Object<'_>) {
        let Some(known) = data.string("callId").and_then(|id| self.scope.entry(id)) else { return };
        if known.outcome == Outcome::Requested {
            known.outcome = Outcome::Started;
            if let Some(call) = known.place.and_then(|place| self.unanswered.get_mut(place)) {
                call.outcome = Outcome::Started;
            }
        }
    }

    fn answer(&mut self, data: &Object<'_>) {
        let Some(known) = data.string("callId").and_then(|id| self.scope.entry(id)) else { return };
        if known.outcome.is_answer() {
            return;
        }
        let outcome = if data.flag("isError") { Outcome::Failed } else { Outcome::Done };
        known.outcome = outcome;
        if let Some(place) = known.place {
            let answered = |call| Call { outcome, code: event::code(data), ..call };
            self.unanswered.hand_over(place, &mut self.done, answered);
        }
    }
}
