//! What closes an interrupted turn: `docs/events.md`.

use super::json;
use super::record::Record;

const UNKNOWN: &str = r#""content":[{"type":"text","text":"The turn was interrupted while this tool call ran. Its outcome is unknown; verify what it did before calling it again."}],"isError":true,"error":{"code":"TOOL_OUTCOME_UNKNOWN"}"#;
const NOT_STARTED: &str = r#""content":[{"type":"text","text":"The turn was interrupted before this tool call was started. It did nothing; it is safe to call it again."}],"isError":true,"error":{"code":"TOOL_NOT_STARTED"}"#;

/// The events that close the turn that is open at the end of these, if one is. `created_at` is the header's.
pub fn closers(events: &[Record], created_at: u64) -> Vec<Record> {
    let last = |kinds: &[&str]| events.iter().rposition(|event| kinds.contains(&event.kind.as_str()));
    let Some(start) = last(&["turn/start", "turn/end"]) else { return Vec::new() };
    if events[start].kind == "turn/end" {
        return Vec::new();
    }
    let turn = number(&events[start], "turn");

    let scope = last(&["turn/start", "turn/end", "step/end"]).map_or(events, |begin| &events[begin + 1..]);
    let step = scope.iter().rfind(|event| event.kind == "step/start").map(|event| number(event, "step"));
    let marked = |kind: &str, id: &str| {
        let of_call = |event: &&Record| json::last(&event.data, "callId").and_then(|id| json::meaning(&id));
        scope.iter().filter(|event| event.kind == kind).any(|event| of_call(&event) == json::meaning(id))
    };

    let turn_and_step = [turn.clone(), step.clone().flatten()].into_iter().flatten().collect::<Vec<_>>();
    let mut data = Vec::new();
    let mut seen = Vec::new();
    for id in scope.iter().filter(|event| event.kind == "assistant/message").flat_map(calls) {
        let meaning = json::meaning(&id);
        if seen.contains(&meaning) {
            continue;
        }
        seen.push(meaning);
        if !marked("tool/result", &id) {
            let text = if marked("tool/call", &id) { UNKNOWN } else { NOT_STARTED };
            data.push(("tool/result", [&turn_and_step[..], &[format!("\"callId\":{id}"), text.into()]].concat()));
        }
    }
    if step.is_some() {
        data.push(("step/end", turn_and_step));
    }
    let reason = r#""reason":{"kind":"interrupted"}"#.to_owned();
    data.push(("turn/end", turn.into_iter().chain([reason]).collect()));

    let time = events.last().map_or(created_at, |event| event.time);
    let records = (events.len() as u64..).zip(data);
    records
        .map(|(seq, (kind, members))| Record {
            kind: kind.into(),
            seq,
            time,
            data: format!("{{{}}}", members.join(",")),
        })
        .collect()
}

/// The ids, as written, of the calls in an assistant's message.
fn calls(event: &Record) -> Vec<String> {
    let content = json::last(&event.data, "content").and_then(|content| json::elements(&content));
    let is_call =
        |block: &String| json::last(block, "type").and_then(|kind| json::text(&kind)).as_deref() == Some("tool-call");
    let id = |block: String| json::last(&block, "id").filter(|id| id.starts_with('"'));
    content.unwrap_or_default().into_iter().filter(is_call).filter_map(id).collect()
}

/// The member that says which turn or step this opens, as written.
fn number(event: &Record, name: &str) -> Option<String> {
    let value = json::last(&event.data, name).filter(|value| value.len() <= 256)?;
    Some(format!("\"{name}\":{value}"))
}
