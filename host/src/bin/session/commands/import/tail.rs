//! The messages that a compaction kept. They are entries of the session already, so the session is asked for them.

use anyhow::Result;
use session_host::tree::{Entry, EntryType, Tree};

use crate::view::members::{Members, object_of};

/// The messages of these entries as an array. One of the system that the compaction has itself stands for theirs.
pub fn messages(tree: &Tree<'_>, entries: Vec<String>, system: Option<&str>) -> Result<String> {
    let mut tail = format!("[{}", system.unwrap_or_default());
    for entry in tree.get_entries(entries) {
        let Some(message) = message(&entry?) else { continue };
        if system.is_some() && is_of_the_system(&message) {
            continue;
        }
        if tail.len() > 1 {
            tail.push(',');
        }
        tail.push_str(&message);
    }
    Ok(tail + "]")
}

fn is_of_the_system(message: &str) -> bool {
    Members::read(message).is_some_and(|message| message.string("role").as_deref() == Some("system"))
}

/// What a model gets to see of an entry. What an earlier compaction says is no part of what is kept: pi shows the last summary alone.
fn message(entry: &Entry) -> Option<String> {
    let members = Members::read(&entry.payload)?;
    let timestamp = entry.structure.timestamp.to_string();
    let (role, summary) = match entry.structure.kind {
        EntryType::Message => return members.get("message").map(str::to_owned),
        EntryType::BranchSummary if members.string("summary").is_some_and(|summary| !summary.is_empty()) => {
            (r#""branchSummary""#, [("summary", members.get("summary")?), ("fromId", members.value("fromId")?)])
        }
        EntryType::BranchSummary | EntryType::Compaction | EntryType::Custom => return None,
    };
    Some(object_of([("role", role)].into_iter().chain(summary).chain([("timestamp", timestamp.as_str())])))
}
