//! A harness in a sandbox: it sees sessions and a clock, and nothing else.
//!
//! A real one would ask a model what to do next; this one knows its lines. What it shows is how a harness writes a turn
//! down, and how another one finds its place from the log alone after the first was killed.

#[allow(missing_docs, clippy::all, unsafe_op_in_unsafe_fn)]
mod bindings {
    wit_bindgen::generate!({ world: "harness", path: "wit" });
}

mod json;
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

/// The one job that this harness knows, and what a model would say to it.
const JOB: &str = "Rename the config key `retries` to `attempts` and run the tests.";
const PLAN: [&str; 3] = ["I'll rename ", "the key first, ", "then run the tests."];

/// The calls of that plan.
fn planned() -> [Call; 2] {
    let edit = Call::new("call-1", "replace", r#"{"file":"config.toml","old":"retries","new":"attempts"}"#);
    [edit, Call::new("call-2", "run_tests", "{}")]
}

/// What its tools answer. Running them twice does no harm.
fn answer(call: &Call) -> &'static str {
    match call.name.as_str() {
        "replace" => "config.toml: 1 line changed, `attempts = 3`",
        _ => "12 passed, 0 failed",
    }
}

/// A turn that never ends: its second tool hangs, as tools do, until somebody stops the harness.
fn stall(session: &str) -> Result<String, Error> {
    let mut turn = Turn::start(session, Place::find(session)?.turn)?;
    turn.user_says(JOB)?;
    turn.step_start()?;
    for text in PLAN {
        turn.emit("assistant/chunk", json!({ "chunk": { "type": "text-delta", "index": 0, "text": text } }))?;
    }
    let [edit, test] = planned();
    turn.assistant_says(&PLAN.concat(), &[edit.clone(), test.clone()])?;
    turn.tool_starts(&edit)?;
    turn.tool_answers(&edit)?;
    turn.tool_starts(&test)?;
    sessions::flush(session)?;
    loop {
        std::hint::black_box(());
    }
}

/// A turn that takes up what the log says is undone.
fn resume(session: &str, input: &str) -> Result<String, Error> {
    let place = Place::find(session)?;
    let mut turn = Turn::start(session, place.turn)?;
    if !input.is_empty() {
        turn.user_says(input)?;
    }

    let job = place.begun || place.asked.iter().any(|text| text == JOB);
    if job && !place.begun {
        turn.step(&PLAN.concat(), &planned())?;
    }
    for call in &place.open {
        let text = match call.started {
            true => format!("Nobody knows how `{}` ended; doing it twice does no harm, so I do it again.", call.name),
            false => format!("`{}` was not started, so I do it now.", call.name),
        };
        turn.step(&text, &[call.again()])?;
    }

    let asked = place.asked.join(" ");
    let outcome = match (job, asked.as_str()) {
        (true, "") => "Done, and the tests pass.".to_string(),
        (true, asked) => format!("Done, and the tests pass. You asked: {asked}"),
        (false, "") => "Nothing was left open.".to_string(),
        (false, asked) => format!("I have no line for that. You asked: {asked}"),
    };
    turn.step(&outcome, &[])?;
    turn.end()?;
    sessions::flush(session)?;
    Ok(outcome)
}

/// An open turn of a session. The store gives each event its place and time.
struct Turn<'a> {
    session: &'a str,
    number: u64,
    step: u64,
}

impl<'a> Turn<'a> {
    fn start(session: &'a str, number: u64) -> Result<Self, Error> {
        let data = json!({ "turn": number, "trigger": { "kind": "message", "source": { "kind": "user" } } });
        sessions::emit_event(session, "turn/start", &data.to_string())?;
        Ok(Self { session, number, step: 0 })
    }

    fn user_says(&self, text: &str) -> Result<u64, Error> {
        let data = json!({ "content": [{ "type": "text", "text": text }], "source": { "kind": "user" } });
        sessions::emit_event(self.session, "user/message", &data.to_string())
    }

    /// A whole step: what the model says, and the calls that it makes, one after another.
    fn step(&mut self, text: &str, calls: &[Call]) -> Result<u64, Error> {
        self.step_start()?;
        self.assistant_says(text, calls)?;
        for call in calls {
            self.tool_starts(call)?;
            self.tool_answers(call)?;
        }
        self.emit("step/end", json!({}))
    }

    fn step_start(&mut self) -> Result<u64, Error> {
        self.step += 1;
        self.emit("step/start", json!({}))
    }

    fn assistant_says(&self, text: &str, calls: &[Call]) -> Result<u64, Error> {
        let mut content = vec![json!({ "type": "text", "text": text })];
        for Call { id, name, arguments, .. } in calls {
            content.push(json!({ "type": "tool-call", "id": id, "name": name, "arguments": arguments }));
        }
        self.emit("assistant/message", json!({ "content": content }))
    }

    fn tool_starts(&self, call: &Call) -> Result<u64, Error> {
        self.emit("tool/call", json!({ "callId": call.id, "name": call.name, "arguments": call.arguments }))
    }

    fn tool_answers(&self, call: &Call) -> Result<u64, Error> {
        let content = json!([{ "type": "text", "text": answer(call) }]);
        self.emit("tool/result", json!({ "callId": call.id, "content": content, "isError": false }))
    }

    fn end(&self) -> Result<u64, Error> {
        let data = json!({ "turn": self.number, "reason": { "kind": "completed" } });
        sessions::emit_event(self.session, "turn/end", &data.to_string())
    }

    /// An event of the turn's present step.
    fn emit(&self, kind: &str, mut data: Value) -> Result<u64, Error> {
        data["turn"] = self.number.into();
        data["step"] = self.step.into();
        sessions::emit_event(self.session, kind, &data.to_string())
    }
}
