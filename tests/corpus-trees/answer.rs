//! What the library answers, as every host's answer is written down. What is none is left out.

use serde_json::{Value, json};
use session_host::tree::{
    Branch, Committed, Entry, EntryStructure, EntryType, Stats, StoredValue, TreeState, UsageRow,
};
use session_host::{Error, TreeError};

pub fn of<T>(result: Result<T, TreeError>, shown: impl FnOnce(T) -> Value) -> Value {
    result.map_or_else(|error| refusal(&error), shown)
}

pub fn all<T>(items: impl Iterator<Item = Result<T, TreeError>>, shown: impl Fn(T) -> Value) -> Value {
    of(items.collect::<Result<Vec<_>, _>>(), |items| items.into_iter().map(shown).collect())
}

pub fn refusal(error: &TreeError) -> Value {
    let (code, of) = match error {
        TreeError::RefusedWrite { index, reason } => {
            return json!({ "error": "refused-write", "index": index, "reason": reason });
        }
        TreeError::Session(Error::NotFound(id)) => ("not-found", id),
        TreeError::Session(Error::AlreadyExists(id)) => ("already-exists", id),
        TreeError::Session(Error::NeedsWake(_)) => return json!({ "error": "needs-wake" }),
        TreeError::Session(error) => return json!({ "error": error.to_string() }),
        TreeError::DuplicateId(id) => ("duplicate-id", id),
        TreeError::MissingParent(id) => ("missing-parent", id),
        TreeError::UnknownBranch(name) => ("unknown-branch", name),
        TreeError::BranchExists(name) => ("branch-exists", name),
        TreeError::UnknownTarget(id) => ("unknown-target", id),
        TreeError::PendingMessage(id) => ("pending-message", id),
        TreeError::NotOnBranch(id) => ("not-on-branch", id),
        TreeError::NotALane(name) => ("not-a-lane", name),
        TreeError::ReservedNamespace(namespace) => ("reserved-namespace", namespace),
    };
    json!({ "error": code, "of": of })
}

pub fn committed(committed: Committed) -> Value {
    json!({ "first": committed.first, "timestamp": committed.timestamp, "stats": stats(&committed.stats) })
}

fn stats(stats: &Stats) -> Value {
    let sum = stats.usage;
    let usage = json!({
        "input": sum.input,
        "output": sum.output,
        "cacheRead": sum.cache_read,
        "cacheWrite": sum.cache_write,
        "cacheWriteOneHour": sum.cache_write_one_hour,
        "reasoning": sum.reasoning,
        "totalTokens": sum.total_tokens,
        "cost": {
            "input": sum.cost.input,
            "output": sum.cost.output,
            "cacheRead": sum.cost.cache_read,
            "cacheWrite": sum.cost.cache_write,
            "total": sum.cost.total,
        },
    });
    json!({ "messageCount": stats.message_count, "usage": there(usage) })
}

pub fn state(state: TreeState) -> Value {
    let refused = state.refused.iter().map(|commit| json!({ "event": commit.event, "reason": commit.reason }));
    there(json!({
        "name": state.name,
        "next": state.next,
        "stats": stats(&state.stats),
        "entryCount": state.entry_count,
        "usageCount": state.usage_count,
        "refused": refused.collect::<Vec<_>>(),
    }))
}

pub fn structure(structure: EntryStructure) -> Value {
    let kind = match structure.kind {
        EntryType::Message => "message",
        EntryType::Compaction => "compaction",
        EntryType::BranchSummary => "branch-summary",
        EntryType::Custom => "custom",
    };
    there(json!({
        "id": structure.id,
        "parent": structure.parent,
        "number": structure.number,
        "timestamp": structure.timestamp,
        "type": kind,
        "customType": structure.custom_type,
    }))
}

pub fn entry(entry: Entry) -> Value {
    let mut shown = structure(entry.structure);
    shown["payload"] = entry.payload.into();
    shown
}

pub fn row(UsageRow { number, row }: UsageRow) -> Value {
    there(json!({
        "id": row.id,
        "number": number,
        "entry": row.entry,
        "adjustment": row.adjustment,
        "usage": row.usage,
        "details": row.details,
    }))
}

pub fn value(stored: StoredValue) -> Value {
    let address = stored.address;
    json!({ "namespace": address.namespace, "key": address.key, "value": stored.value, "number": stored.number })
}

pub fn branch(branch: Branch) -> Value {
    there(json!({ "name": branch.name, "tip": branch.tip }))
}

/// Without the members that are null: texts of JSON are texts here, so that none of them is meant.
fn there(mut value: Value) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, member| !member.is_null());
    }
    value
}
