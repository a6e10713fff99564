//! The messages that a compaction kept. They are entries of the session already, so the session is asked for them.

use anyhow::Result;
use session_host::tree::{Entry, EntryType, Tree};

use super::lines::LONGEST;
use crate::view::members::{Members, object_of};

/// The messages of these entries as an array, or why it can't be. One of the system that the compaction has itself stands for theirs.
pub fn messages(tree: &Tree<'_>, entries: Vec<String>, system: Option<&str>) -> Result<Result<String, String>> {
    let mut tail = format!("[{}", system.unwrap_or_default());
    for entry in tree.entries(entries) {
        let Some(message) = message(&entry?) else { continue };
        if system.is_some() && is_of_the_system(&message) {
            continue;
        }
        if tail.len() + message.len() > LONGEST {
            return Ok(Err("the messages that it kept take more than 16 MiB".to_owned()));
        }
        if tail.len() > 1 {
            tail.push(',');
        }
        tail.push_str(&message);
    }
    Ok(Ok(tail + "]"))
}

fn is_of_the_system(message: &str) -> bool {
    Members::read(message).is_some_and(|message| message.string("role").as_deref() == Some("system"))
}

/// What a model gets to see of an entry.
fn message(entry: &Entry) -> Option<String> {
    let members = Members::read(&entry.payload)?;
    let timestamp = entry.structure.timestamp.to_string();
    let (role, summary) = match entry.structure.kind {
        EntryType::Message => return members.get("message").map(str::to_owned),
        EntryType::BranchSummary if members.string("summary").is_some_and(|summary| !summary.is_empty()) => {
            (r#""branchSummary""#, [("summary", members.get("summary")?), ("fromId", members.value("fromId")?)])
        }
        EntryType::Compaction => (
            r#""compactionSummary""#,
            [("summary", members.get("summary")?), ("tokensBefore", members.get("tokensBefore")?)],
        ),
        EntryType::BranchSummary | EntryType::Custom => return None,
    };
    Some(object_of([("role", role)].into_iter().chain(summary).chain([("timestamp", timestamp.as_str())])))
}
