//! The messages that an entry stands for, where a model is to see its branch.

use std::fmt::Write as _;

use crate::bindings::exports::agent::session::session_tree::EntryType;
use crate::json;

/// Calls `each` with the messages of an entry with this payload, committed at that time, in order: JSON objects, as they were
/// recorded or as summaries. Stops where `each` answers false.
pub fn messages(kind: EntryType, timestamp: u64, payload: &str, mut each: impl FnMut(&str) -> bool) {
    match kind {
        EntryType::Message => {
            if let Some(message) = json::member(payload, "message").filter(|message| is_seen(message)) {
                each(message);
            }
        }
        EntryType::Compaction => compaction(timestamp, payload, each),
        EntryType::BranchSummary => {
            if let Some(message) = branch_summary(timestamp, payload) {
                each(&message);
            }
        }
        EntryType::Custom => {}
    }
}

fn compaction(timestamp: u64, payload: &str, mut each: impl FnMut(&str) -> bool) {
    let [summary, tokens, tail] = json::named(payload, ["summary", "tokensBefore", "retainedTail"]);
    if let Some(summary) = summary {
        let tokens = tokens.unwrap_or("0");
        let message = format!(
            "{{\"role\":\"compactionSummary\",\"summary\":{summary},\"tokensBefore\":{tokens},\"timestamp\":{timestamp}}}"
        );
        if !each(&message) {
            return;
        }
    }
    let mut goes_on = true;
    // A tail that is no array has no messages.
    let _ = json::elements(tail.unwrap_or("[]"), json::DEEPEST, |message| {
        if goes_on && is_seen(message) {
            goes_on = each(message);
        }
    });
}

fn branch_summary(timestamp: u64, payload: &str) -> Option<String> {
    let [summary, from] = json::named(payload, ["summary", "fromId"]);
    let summary = summary.filter(|summary| *summary != "\"\"" && json::is_string(summary))?;
    let mut message = format!("{{\"role\":\"branchSummary\",\"summary\":{summary},\"fromId\":");
    // Writing to a string does not fail.
    let _ = write!(message, "{},\"timestamp\":{timestamp}}}", from.unwrap_or("null"));
    Some(message)
}

/// Whether a model sees that message: not if it is an answer that failed, was aborted or deferred.
fn is_seen(message: &str) -> bool {
    let [role, stop] = json::named(message, ["role", "stopReason"]).map(|member| member.and_then(json::text));
    let ended_badly = matches!(stop.as_deref(), Some("error" | "aborted" | "deferred"));
    message.starts_with('{') && !(role.as_deref() == Some("assistant") && ended_badly)
}
