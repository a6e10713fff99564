//! What an entry's payload must have before it is committed: what the tree itself reads of it later.

use std::borrow::Cow;

use super::commit::Refusal;
use crate::bindings::exports::agent::session::session_tree::EntryType;
use crate::json;

/// Checks the payload of a new entry, which is sound JSON, write number `index` of its commit.
pub fn check(index: u32, id: &str, kind: EntryType, payload: &str) -> Result<(), Refusal> {
    let lacks = |what: &'static str| Err(Refusal::Write(index, Cow::Borrowed(what)));
    if !payload.starts_with('{') {
        return lacks("has a payload that is no object");
    }
    match kind {
        EntryType::Message => {
            let Some(message) = json::member(payload, "message").filter(|message| message.starts_with('{')) else {
                return lacks("is a message whose payload has no object `message`");
            };
            let [role, stop] = json::named(message, ["role", "stopReason"]).map(|member| member.and_then(json::text));
            if role.as_deref() == Some("assistant") && stop.as_deref() == Some("pending") {
                return Err(Refusal::Pending(id.into()));
            }
        }
        EntryType::Compaction => {
            let [summary, tail, tokens] = json::named(payload, ["summary", "retainedTail", "tokensBefore"]);
            if !summary.is_some_and(json::is_string) {
                return lacks("is a compaction whose payload has no text `summary`");
            }
            if !tail.is_some_and(|tail| tail.starts_with('[')) {
                return lacks("is a compaction whose payload has no array `retainedTail`");
            }
            if !tokens.is_some_and(json::is_number) {
                return lacks("is a compaction whose payload has no number `tokensBefore`");
            }
        }
        EntryType::BranchSummary => {
            let [summary, from] = json::named(payload, ["summary", "fromId"]);
            if !summary.is_some_and(json::is_string) {
                return lacks("is a branch summary whose payload has no text `summary`");
            }
            if !from.is_some_and(|from| from == "null" || json::is_string(from)) {
                return lacks("is a branch summary whose payload has no `fromId` that is text or null");
            }
        }
        EntryType::Custom => {}
    }
    Ok(())
}
