//! Where a session stands, read from its log alone.

use serde_json::Value;

use crate::bindings::agent::session::session_persistence as sessions;
use crate::bindings::agent::session::types::Error;
use crate::json;

/// The last number of a turn that every reader of JSON keeps as it is.
const MAX_TURN: u64 = (1 << 53) - 1;

/// A tool call as the log tells of it.
#[derive(Clone)]
pub struct Call {
    pub id: String,
    pub name: String,
    /// JSON in a string, as models write it.
    pub arguments: String,
    /// Once it is, nobody knows what it did until it is answered.
    pub started: bool,
}

impl Call {
    pub fn new(id: &str, name: &str, arguments: &str) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), started: false }
    }

    /// The next attempt at it, which has an id of its own.
    pub fn again(&self) -> Self {
        Self { id: format!("{}-again", self.id), ..self.clone() }
    }
}

/// What a harness must know before it goes on. All but `turn` tells of the time since a turn was last completed.
#[derive(Default)]
pub struct Place {
    /// The number of the next turn.
    pub turn: u64,
    /// What the person asked for.
    pub asked: Vec<String>,
    /// Whether a model has called tools for it.
    pub begun: bool,
    /// The calls that did not come to their end.
    pub open: Vec<Call>,
}

impl Place {
    pub fn find(session: &str) -> Result<Self, Error> {
        let mut place = Self { turn: 1, ..Self::default() };
        let mut next = 0;
        // The chunks of a streamed answer stand once more in its message.
        let skip = ["assistant/chunk".to_string()];
        loop {
            let page = sessions::get_events(session, next, 256, &skip)?;
            if page.events.is_empty() {
                return Ok(place);
            }
            next = page.next;
            for event in page.events {
                // Others write in this log too, and data may be any JSON.
                place.take(&event.type_, &json::parse(&event.data));
            }
        }
    }

    fn take(&mut self, kind: &str, data: &Value) {
        let id = data["callId"].as_str().unwrap_or_default();
        // Ids are used again in other turns: the last call of that id is meant.
        let called = self.open.iter().rposition(|call| call.id == id);
        match (kind, called) {
            ("turn/start", _) => {
                self.turn = MAX_TURN.min(whole(&data["turn"]).unwrap_or(self.turn) + 1);
            }
            ("turn/end", _) if data["reason"]["kind"] == "completed" => {
                *self = Self { turn: self.turn, ..Self::default() };
            }
            ("user/message", _) => self.asked.extend(text(&data["content"])),
            ("assistant/message", _) => {
                let blocks = data["content"].as_array().into_iter().flatten();
                blocks.filter(|block| block["type"] == "tool-call").for_each(|block| self.call(block));
            }
            ("tool/call", Some(at)) => self.open[at].started = true,
            ("tool/result", Some(at)) => match data["error"]["code"].as_str() {
                // Written when the session was woken: that call was interrupted.
                Some("TOOL_NOT_STARTED" | "TOOL_OUTCOME_UNKNOWN") => {}
                _ => drop(self.open.remove(at)),
            },
            _ => {}
        }
    }

    /// A call is made. If it repeats another, it takes its place, and nobody knows more than before how that one ended.
    fn call(&mut self, block: &Value) {
        let text = |name: &str| block[name].as_str().unwrap_or_default();
        let call = Call::new(text("id"), text("name"), text("arguments"));
        self.begun = true;
        match self.open.iter_mut().find(|open| open.again().id == call.id) {
            Some(open) => open.id = call.id,
            None => self.open.push(call),
        }
    }
}

/// A number that counts turns, however it is written: to JSON 1.0 is 1.
fn whole(number: &Value) -> Option<u64> {
    let number = number.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=MAX_TURN as f64).contains(number));
    number.map(|number| number as u64)
}

/// The text of a message: its content is an array of blocks, or a string. There may be none.
fn text(content: &Value) -> Option<String> {
    let blocks = content.as_array().into_iter().flatten();
    let text: String = blocks.filter_map(|block| block["text"].as_str()).chain(content.as_str()).collect();
    Some(text).filter(|text| !text.is_empty())
}
