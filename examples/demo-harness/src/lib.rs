//! A harness in a sandbox: it sees sessions and a clock, and nothing else.
//!
//! A real one would ask a model what to do next; this one knows its lines. What it shows is how a harness writes a turn
//! down, and how another one finds its place from the log alone after the first was killed.

#[allow(missing_docs, clippy::all, unsafe_op_in_unsafe_fn)]
mod bindings {
    wit_bindgen::generate!({ world: "harness", path: "wit" });
}

mod place;
mod words;

use bindings::Guest;
use bindings::agent::session::session_persistence as sessions;
use bindings::agent::session::types::{Error, NewSession, OnDamage, OpenTurn, WakeOptions};
use place::{Call, Place};
use serde_json::{Value, json};

/// The harness. Each call of `run` is one turn.
pub struct Demo;

bindings::export!(Demo with_types_in bindings);

impl Guest for Demo {
    fn run(session: String, input: String) -> Result<String, String> {
        wake(&session).map_err(|error| format!("can't wake {session}: {}", words::why(&error)))?;
        let turn = if input == "stall" { stall(&session) } else { resume(&session, &input) };
        turn.map_err(|error| format!("can't go on with {session}: {}", words::why(&error)))
    }
}

/// Becomes the session's writer. Whatever a harness before this one left open is closed by it.
fn wake(session: &str) -> Result<(), Error> {
    let options = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::Refuse };
    match sessions::wake(session, options) {
        Err(Error::NotFound(_)) => {
            let new = NewSession { id: session.into(), cwd: None, parent_session: None, created_at: None };
            sessions::create(&new).map(|_| ())
        }
        woken => woken.map(|_| ()),
    }
}

/// A turn that never ends: its second tool hangs, as tools do, until somebody stops the harness.
fn stall(session: &str) -> Result<String, Error> {
    let edit = Call::new("call-1", "replace", r#"{"file":"config.toml","old":"retries","new":"attempts"}"#);
    let test = Call::new("call-2", "run_tests", "{}");

    let turn = Turn::start(session, Place::find(session)?.turn + 1)?;
    turn.user_says("Rename the config key `retries` to `attempts` and run the tests.")?;
    turn.step_start(1)?;
    for text in ["I'll rename ", "the key first, ", "then run the tests."] {
        turn.emit("assistant/chunk", 1, json!({ "chunk": { "type": "text-delta", "index": 0, "text": text } }))?;
    }
    turn.assistant_says(1, "I'll rename the key first, then run the tests.", &[&edit, &test])?;
    turn.tool_starts(1, &edit)?;
    turn.tool_answers(1, &edit, "config.toml: 1 line changed, `attempts = 3`")?;
    turn.tool_starts(1, &test)?;
    sessions::flush(session)?;
    loop {
        std::hint::black_box(());
    }
}

/// A turn that takes up what the log says is undone.
fn resume(session: &str, input: &str) -> Result<String, Error> {
    let place = Place::find(session)?;
    let turn = Turn::start(session, place.turn + 1)?;
    if !input.is_empty() {
        turn.user_says(input)?;
    }

    let mut step = 1;
    for lost in &place.unknown {
        let again = Call { id: format!("{}-again", lost.id), ..lost.clone() };
        turn.step_start(step)?;
        let text = format!("Nobody knows how `{}` ended; doing it twice does no harm, so I do it again.", lost.name);
        turn.assistant_says(step, &text, &[&again])?;
        turn.tool_starts(step, &again)?;
        turn.tool_answers(step, &again, "12 passed, 0 failed")?;
        turn.step_end(step)?;
        step += 1;
    }

    let outcome = match place.unknown.len() {
        0 => "Nothing was left open.".to_string(),
        _ => format!("Done, and the tests pass. You asked: {}", place.asked.as_deref().unwrap_or("nothing")),
    };
    turn.step_start(step)?;
    turn.assistant_says(step, &outcome, &[])?;
    turn.step_end(step)?;
    turn.end()?;
    sessions::flush(session)?;
    Ok(outcome)
}

/// An open turn of a session. The store gives each event its place and time.
struct Turn<'a> {
    session: &'a str,
    number: u64,
}

impl<'a> Turn<'a> {
    fn start(session: &'a str, number: u64) -> Result<Self, Error> {
        let data = json!({ "turn": number, "trigger": { "kind": "message", "source": { "kind": "user" } } });
        sessions::emit_event(session, "turn/start", &data.to_string())?;
        Ok(Self { session, number })
    }

    fn user_says(&self, text: &str) -> Result<u64, Error> {
        let data = json!({ "content": [{ "type": "text", "text": text }], "source": { "kind": "user" } });
        sessions::emit_event(self.session, "user/message", &data.to_string())
    }

    fn step_start(&self, step: u64) -> Result<u64, Error> {
        self.emit("step/start", step, json!({}))
    }

    fn assistant_says(&self, step: u64, text: &str, calls: &[&Call]) -> Result<u64, Error> {
        let mut content = vec![json!({ "type": "text", "text": text })];
        for Call { id, name, arguments } in calls {
            content.push(json!({ "type": "tool-call", "id": id, "name": name, "arguments": arguments }));
        }
        self.emit("assistant/message", step, json!({ "content": content }))
    }

    fn tool_starts(&self, step: u64, call: &Call) -> Result<u64, Error> {
        let data = json!({ "callId": call.id, "name": call.name, "arguments": call.arguments });
        self.emit("tool/call", step, data)
    }

    fn tool_answers(&self, step: u64, call: &Call, text: &str) -> Result<u64, Error> {
        let content = json!([{ "type": "text", "text": text }]);
        self.emit("tool/result", step, json!({ "callId": call.id, "content": content, "isError": false }))
    }

    fn step_end(&self, step: u64) -> Result<u64, Error> {
        self.emit("step/end", step, json!({}))
    }

    fn end(&self) -> Result<u64, Error> {
        let data = json!({ "turn": self.number, "reason": { "kind": "completed" } });
        sessions::emit_event(self.session, "turn/end", &data.to_string())
    }

    /// An event of one of the turn's steps.
    fn emit(&self, kind: &str, step: u64, mut data: Value) -> Result<u64, Error> {
        data["turn"] = self.number.into();
        data["step"] = step.into();
        sessions::emit_event(self.session, kind, &data.to_string())
    }
}
