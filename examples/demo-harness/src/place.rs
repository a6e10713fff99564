//! Where a session stands, read from its log alone.

use serde_json::Value;

use crate::bindings::agent::session::types::{DeriveOptions, Error, Pairing, Role};
use crate::bindings::agent::session::{messages, session_persistence as sessions};

/// A tool call as the log tells of it.
#[derive(Clone)]
pub struct Call {
    pub id: String,
    pub name: String,
    /// JSON in a string, as models write it.
    pub arguments: String,
}

impl Call {
    pub fn new(id: &str, name: &str, arguments: &str) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into() }
    }
}

/// What a harness must know before it goes on.
#[derive(Default)]
pub struct Place {
    /// The number of the last turn; 0 if there was none.
    pub turn: u64,
    /// Tools of the last turn that were running when it was interrupted: nobody knows what they did.
    pub unknown: Vec<Call>,
    /// What the person last asked for.
    pub asked: Option<String>,
}

impl Place {
    pub fn find(session: &str) -> Result<Self, Error> {
        let mut place = Self { asked: last_question(session)?, ..Self::default() };
        let mut running: Vec<Call> = Vec::new();
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
                let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
                let text = |name: &str| data[name].as_str().unwrap_or_default();
                match event.type_.as_str() {
                    "turn/start" => {
                        place.turn = data["turn"].as_u64().unwrap_or(place.turn + 1);
                        place.unknown.clear();
                        running.clear();
                    }
                    "tool/call" => running.push(Call::new(text("callId"), text("name"), text("arguments"))),
                    "tool/result" if data["error"]["code"] == "TOOL_OUTCOME_UNKNOWN" => {
                        place.unknown.extend(running.iter().find(|call| call.id == text("callId")).cloned());
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The text of the last message that a person wrote. Tool results are messages of the user too, but hold no text of theirs.
fn last_question(session: &str) -> Result<Option<String>, Error> {
    let mut asked = None;
    let mut start = 0;
    loop {
        let options = DeriveOptions { length: None, pairing: Pairing::Paired, start, max_bytes: 1 << 20 };
        let page = messages::derive_messages(session, options)?;
        for message in page.messages.iter().filter(|message| message.role == Role::User) {
            let content: Value = serde_json::from_str(&message.content).unwrap_or_default();
            let blocks = content.as_array().into_iter().flatten();
            let text: Option<String> = blocks.map(|block| block["text"].as_str()).collect();
            asked = text.filter(|text| !text.is_empty()).or(asked);
        }
        match page.next {
            Some(next) => start = next,
            None => return Ok(asked),
        }
    }
}
