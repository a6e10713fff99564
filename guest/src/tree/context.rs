//! The messages that an entry stands for, where a model is to see its branch.

use std::fmt::Write as _;

use crate::bindings::exports::agent::session::session_tree::EntryType;
use crate::json;

/// The messages of an entry with this payload, committed at that time: JSON objects, as they were recorded or as summaries.
pub fn messages(kind: EntryType, timestamp: u64, payload: &str) -> Vec<String> {
    match kind {
        EntryType::Message => {
            json::member(payload, "message").filter(|message| is_seen(message)).into_iter().map(Into::into).collect()
        }
        EntryType::Compaction => compaction(timestamp, payload),
        EntryType::BranchSummary => branch_summary(timestamp, payload).into_iter().collect(),
        EntryType::Custom => Vec::new(),
    }
}

fn compaction(timestamp: u64, payload: &str) -> Vec<String> {
    let [summary, tokens, tail] = json::named(payload, ["summary", "tokensBefore", "retainedTail"]);
    let mut messages = Vec::new();
    if let Some(summary) = summary {
        let tokens = tokens.unwrap_or("0");
        messages.push(format!(
            "{{\"role\":\"compactionSummary\",\"summary\":{summary},\"tokensBefore\":{tokens},\"timestamp\":{timestamp}}}"
        ));
    }
    // A tail that is no array has no messages.
    let _ = json::elements(tail.unwrap_or("[]"), json::DEEPEST, |message| {
        if is_seen(message) {
            messages.push(message.into());
        }
    });
    messages
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
