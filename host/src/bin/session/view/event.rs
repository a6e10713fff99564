//! One event, told in a few words.

use std::borrow::Cow;

use anstyle::Style;
use serde::Deserialize;
use serde_json::Value;
use session_host::Event;

use super::content::{Content, call};
use crate::output::{BOLD, CYAN, DIM, GREEN, MAGENTA, RED, YELLOW};

/// The members of `data` that people want to see, of all the types that we know. An event of another shape is shown as its JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Data {
    /// Number of the turn.
    pub turn: Option<Value>,
    /// Number of the step.
    pub step: Option<Value>,
    /// Why a turn ended.
    pub reason: Option<Kind>,
    /// What is said.
    pub content: Option<Content>,
    /// A piece of an answer that is still being made.
    pub chunk: Option<Chunk>,
    /// Which call.
    pub call_id: Option<String>,
    /// The tool.
    pub name: Option<String>,
    /// What the tool is called with.
    pub arguments: Option<Value>,
    /// The tool failed.
    pub is_error: Option<bool>,
    /// How the tool failed.
    pub error: Option<Code>,
    /// What stands for a stretch of the log.
    pub summary: Option<Value>,
    /// That stretch.
    pub shadowed_range: Option<Range>,
    /// A word for whoever takes over.
    pub note: Option<String>,
}

/// A member `kind`.
#[derive(Debug, Deserialize)]
pub struct Kind {
    /// For example `completed`.
    pub kind: String,
}

/// A member `code`.
#[derive(Debug, Deserialize)]
pub struct Code {
    /// For example `TOOL_NOT_STARTED`.
    pub code: Option<String>,
}

/// A piece of an answer.
#[derive(Debug, Deserialize)]
pub struct Chunk {
    /// What it adds.
    pub text: Option<String>,
}

/// A stretch of events, ends included.
#[derive(Debug, Deserialize)]
pub struct Range {
    /// The first.
    pub start: u64,
    /// The last.
    pub end: u64,
}

/// The type of the event in a line, without looking at the rest more closely than needed.
pub fn kind_of(line: &str) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(rename = "type", borrow)]
        kind: Cow<'a, str>,
    }
    serde_json::from_str::<Kind<'_>>(line).ok().map(|line| line.kind)
}

/// How an event of this type is coloured.
pub fn style(kind: &str) -> Style {
    match kind {
        "turn/start" | "turn/end" => BOLD,
        "step/start" | "step/end" | "assistant/chunk" => DIM,
        "user/message" => GREEN,
        "assistant/message" => CYAN,
        "tool/call" | "tool/result" => YELLOW,
        "context/message" | "steering/message" | "compact/summary" | "session/boundary" => MAGENTA,
        _ => Style::new(),
    }
}

/// What an event says, and how that is coloured.
pub fn describe(event: &Event) -> (Style, String) {
    let told = event.parse::<Data>().ok().and_then(|data| tell(&event.kind, data));
    told.unwrap_or_else(|| (DIM, event.data.clone()))
}

fn tell(kind: &str, data: Data) -> Option<(Style, String)> {
    let number = |n: Option<Value>| n.map_or_else(String::new, |n| format!(" {n}"));
    let plain = Style::new();
    Some(match kind {
        "turn/start" => (BOLD, format!("turn{}", number(data.turn))),
        "turn/end" => {
            let reason = data.reason.map_or_else(|| "ended".to_owned(), |reason| reason.kind);
            let style = if reason == "completed" { plain } else { RED };
            (style, format!("turn{} {reason}", number(data.turn)))
        }
        "step/start" => (DIM, format!("step{}", number(data.step))),
        "step/end" => (DIM, format!("step{} done", number(data.step))),
        "user/message" | "assistant/message" | "context/message" | "steering/message" => (plain, data.content?.plain()),
        "assistant/chunk" => (DIM, data.chunk?.text?),
        "tool/call" => {
            (plain, format!("{} · {}", call(&data.name?, data.arguments.as_ref()), data.call_id.unwrap_or_default()))
        }
        "tool/result" => {
            let answer = data.content.map(|content| content.plain()).unwrap_or_default();
            match (data.is_error.unwrap_or(false), data.error.and_then(|error| error.code)) {
                (true, Some(code)) => (RED, format!("{code} · {answer}")),
                (true, None) => (RED, format!("failed: {answer}")),
                (false, _) => (plain, answer),
            }
        }
        "compact/summary" => {
            let range = data.shadowed_range?;
            let summary = data.summary?;
            (plain, format!("instead of {} to {}: {}", range.start, range.end, summary.as_str().unwrap_or("…")))
        }
        "session/boundary" => (plain, data.note?),
        _ => return None,
    })
}
