//! One event, told in a few words.

use anstyle::Style;
use session_host::Event;
use session_host::tree::EntryType;

use super::content::{Content, answer, call};
use super::entry;
use super::object::Object;
use crate::output::{BOLD, CYAN, DIM, GREEN, MAGENTA, RED, YELLOW};

/// The type of the event in a line.
pub fn kind_of(line: &str) -> Option<String> {
    Object::read(line)?.text("type")
}

/// Why a turn ended, for example `completed`.
pub fn ending(data: &Object<'_>) -> String {
    data.object("reason").and_then(|reason| reason.text("kind")).unwrap_or_else(|| "ended".to_owned())
}

/// How a tool failed, for example `TOOL_NOT_STARTED`.
pub fn code(data: &Object<'_>) -> Option<String> {
    data.object("error")?.text("code")
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

/// What an event says, and how that is coloured. One of another type or shape than we know is shown as its JSON.
pub fn describe(event: &Event) -> (Style, String) {
    let told = Object::read(&event.data).and_then(|data| tell(&event.kind, &data));
    told.unwrap_or_else(|| (DIM, event.data.clone()))
}

fn tell(kind: &str, data: &Object<'_>) -> Option<(Style, String)> {
    let number = |name: &str| data.text(name).map_or_else(String::new, |n| format!(" {n}"));
    let content = |name: &str| Some(Content::read(data.raw(name)?)?.plain());
    let plain = Style::new();
    Some(match kind {
        "turn/start" => (BOLD, format!("turn{}", number("turn"))),
        "turn/end" => {
            let reason = ending(data);
            let style = if reason == "completed" { plain } else { RED };
            (style, format!("turn{} {reason}", number("turn")))
        }
        "step/start" => (DIM, format!("step{}", number("step"))),
        "step/end" => (DIM, format!("step{} done", number("step"))),
        "user/message" | "assistant/message" | "context/message" | "steering/message" => (plain, content("content")?),
        "assistant/chunk" => (DIM, data.object("chunk")?.text("text")?),
        "tool/call" => {
            let id = data.text("callId").unwrap_or_default();
            (plain, format!("{} · {id}", call(&data.text("name")?, data.raw("arguments"))))
        }
        "tool/result" => match (data.flag("isError"), code(data)) {
            (true, Some(code)) => (RED, format!("{code} · {}", answer(data))),
            (true, None) => (RED, format!("failed: {}", answer(data))),
            (false, _) => (plain, answer(data)),
        },
        "compact/summary" => {
            let range = data.object("shadowedRange")?;
            let (start, end) = (range.text("start")?, range.text("end")?);
            (plain, format!("instead of {start} to {end}: {}", content("summary")?))
        }
        "session/boundary" => (plain, data.text("note")?),
        "tree/commit" => (plain, commit(data)?),
        _ => return None,
    })
}

/// So many writes of a commit are told.
const MOST_WRITES: usize = 8;

/// What a commit of a tree changes.
fn commit(data: &Object<'_>) -> Option<String> {
    let Some(Content::Blocks(mut writes)) = Content::read(data.raw("writes")?) else { return None };
    let told = writes.by_ref().take(MOST_WRITES).map(|json| tell_write(&Object::read(json.get()).unwrap_or_default()));
    let mut told: Vec<_> = told.collect();
    let left = writes.count();
    if left > 0 {
        told.push(format!("… {left} more"));
    }
    Some(told.join(" · "))
}

fn tell_write(write: &Object<'_>) -> String {
    let text = |name: &str| write.text(name).unwrap_or_default();
    let place = || format!("{}/{}", text("namespace"), text("key"));
    let value = || write.raw("value").map_or("null", |value| value.get());
    match (text("kind").as_str(), text("op").as_str()) {
        ("entry", _) => {
            let kind = match text("type").as_str() {
                "message" => EntryType::Message,
                "compaction" => EntryType::Compaction,
                "branch_summary" => EntryType::BranchSummary,
                _ => EntryType::Custom,
            };
            let payload = write.raw("payload").map_or("", |payload| payload.get());
            let (who, _, said) = entry::describe(kind, write.text("customType").as_deref(), payload);
            format!("{} {who} {said}", entry::short_id(&text("id"))).trim_end().to_owned()
        }
        ("usage", _) => {
            let tokens = write.object("usage").and_then(|usage| usage.text("totalTokens")).unwrap_or_default();
            format!("{tokens} tokens used")
        }
        ("value", "set") if text("namespace") == "pi.branch.tip" => {
            let tip = write.text("value").map_or("its beginning".to_owned(), |id| entry::short_id(&id));
            format!("{} → {tip}", text("key"))
        }
        ("value", "set") => format!("{} = {}", place(), value()),
        ("list", "append") => format!("{} + {}", place(), value()),
        (_, "delete") => format!("{} deleted", place()),
        _ => "?".to_owned(),
    }
}
