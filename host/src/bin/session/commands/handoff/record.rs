//! The hand-off record: what the log tells whoever goes on.

use std::fmt;

use anyhow::Result;
use serde::Serialize;
use serde_json::value::RawValue;
use session_host::{Event, Sessions};

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
    pub done: Vec<Call>,
    /// What the model said last.
    pub answered: Option<Said>,
    /// The calls that have none.
    pub unanswered: Vec<Call>,
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

/// One call of a tool.
#[derive(Debug, Serialize)]
pub struct Call {
    /// As the model called it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What the tool was called with, as it is written.
    pub arguments: Option<Box<RawValue>>,
    /// `requested`, `started`, `done`, `failed`.
    pub outcome: Outcome,
    /// Code of the failure, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// How far a call came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The model asked for it.
    Requested,
    /// The tool was started.
    Started,
    /// The tool answered.
    Done,
    /// The answer is a failure.
    Failed,
}

impl Call {
    fn requested(block: &Block<'_>) -> Self {
        Self {
            id: block.members.text("id").unwrap_or_default(),
            name: block.members.text("name").unwrap_or_default(),
            arguments: block.members.raw("arguments").map(RawValue::to_owned),
            outcome: Outcome::Requested,
            code: None,
        }
    }

    /// The answer is a failure.
    pub fn failed(&self) -> bool {
        self.outcome == Outcome::Failed
    }

    /// The tool was started.
    pub fn started(&self) -> bool {
        self.outcome != Outcome::Requested
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", content::call(&self.name, self.arguments.as_deref()), self.id)?;
        self.code.iter().try_for_each(|code| write!(f, "  {code}"))
    }
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
            done: Vec::new(),
            answered: None,
            unanswered: Vec::new(),
        };
        let events = sessions.events(id, 0).except(&["assistant/chunk", "step/start", "step/end"]);
        for event in events {
            let event = event?;
            if event.seq > boundary {
                break;
            }
            record.take(&event);
        }
        Ok(record)
    }

    fn take(&mut self, event: &Event) {
        let data = Object::read(&event.data).unwrap_or_default();
        let content = data.raw("content").and_then(Content::read);
        match event.kind.as_str() {
            "turn/start" => {
                self.turns += 1;
                self.standing = Standing::Open;
            }
            "turn/end" => self.standing = Standing::Ended { reason: event::ending(&data) },
            "user/message" => {
                let text = content.map(|content| content.words()).unwrap_or_default();
                self.asked = Some(Said { seq: event.seq, text });
                self.answered = None;
                self.done.clear();
                self.unanswered.clear();
            }
            "assistant/message" => {
                let Some(content) = content else { return };
                let text = content.words();
                if !text.is_empty() {
                    self.answered = Some(Said { seq: event.seq, text });
                }
                self.unanswered.extend(content.calls().map(Call::requested));
            }
            "tool/call" => {
                if let Some(place) = self.unanswered_call(&data) {
                    self.unanswered[place].outcome = Outcome::Started;
                }
            }
            "tool/result" => {
                if let Some(place) = self.unanswered_call(&data) {
                    let mut call = self.unanswered.remove(place);
                    call.outcome = if data.flag("isError") { Outcome::Failed } else { Outcome::Done };
                    call.code = event::code(&data);
                    self.done.push(call);
                }
            }
            "session/boundary" if event.seq == self.boundary => self.note = data.text("note"),
            _ => {}
        }
    }

    /// Where the call stands that an event is about.
    fn unanswered_call(&self, data: &Object<'_>) -> Option<usize> {
        let id = data.text("callId")?;
        self.unanswered.iter().position(|call| call.id == id)
    }
}
