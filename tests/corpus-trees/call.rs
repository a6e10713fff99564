use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use session_host::tree::{
    Address, BranchScan, CommitOptions, Direction, EntryScan, EntryType, ForkScope, NewEntry, NewUsage, RangeScan,
    Write,
};
use session_host::{JsonlFolder, NewSession, Sessions, WakeOptions};

use crate::{NOW, Result, answer};

/// A line of `calls.jsonl`, but for the session that it is about.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
enum Call {
    Commit { writes: Vec<GivenWrite>, first: Option<u64>, timestamp: Option<u64> },
    State {},
    GetEntries { ids: Vec<String> },
    GetValues { addresses: Vec<GivenAddress> },
    GetLabels { entries: Vec<String> },
    Values { namespace: String, prefix: String },
    List { address: GivenAddress, scan: Range },
    BranchEntries { start: String, scan: Branch },
    BranchStructure { start: String, scan: Branch },
    Entries { r#type: Option<Kind>, custom_type: Option<String>, scan: Range },
    Usage { scan: Range },
    Branches {},
    CreateBranch { name: String, at: Option<String> },
    Append { branch: String, entry: GivenEntry },
    MoveBranch { name: String, to: Option<String> },
    SetLabel { entry: String, text: Option<String> },
    SetName { name: Option<String> },
    Context { branch: String },
    Fork { child: String, branch: Option<String>, at: Option<String>, before: Option<String> },
    Emit { r#type: String, data: String },
    Wake {},
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum GivenWrite {
    Entry(GivenEntry),
    Usage(GivenUsage),
    SetValue(GivenValue),
    DeleteValue(GivenAddress),
    AppendList(GivenValue),
    DeleteList(GivenAddress),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct GivenEntry {
    id: String,
    parent: Option<String>,
    r#type: Kind,
    custom_type: Option<String>,
    payload: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenUsage {
    id: String,
    entry: Option<String>,
    #[serde(default)]
    adjustment: bool,
    usage: String,
    details: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenValue {
    namespace: String,
    key: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenAddress {
    namespace: String,
    key: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Branch {
    stop_at_id: Option<String>,
    stop_at_type: Option<Kind>,
    r#type: Option<Kind>,
    custom_type: Option<String>,
    direction: Option<Order>,
    cursor: Option<u64>,
    limit: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    from: Option<u64>,
    to: Option<u64>,
    direction: Option<Order>,
    limit: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Message,
    Compaction,
    BranchSummary,
    Custom,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    OldestFirst,
    NewestFirst,
}

/// Makes a call, of the session `id` unless it names another.
pub fn make(sessions: &Sessions, folder: &Path, id: &str, line: &str) -> Result<Value> {
    let mut call: Value = serde_json::from_str(line)?;
    let named = call.as_object_mut().and_then(|call| call.remove("session"));
    let id = named.as_ref().and_then(Value::as_str).unwrap_or(id);
    let tree = sessions.tree(id);
    Ok(match serde_json::from_value(call)? {
        Call::Commit { writes, first, timestamp } => {
            let writes: Vec<Write> = writes.into_iter().map(Into::into).collect();
            answer::of(tree.commit_with(&writes, CommitOptions { first, timestamp }), answer::committed)
        }
        Call::State {} => answer::of(tree.state(), answer::state),
        Call::GetEntries { ids } => answer::all(tree.get_entries(ids), answer::entry),
        Call::GetValues { addresses } => answer::all(tree.get_values(addresses), answer::value),
        Call::GetLabels { entries } => {
            answer::all(tree.get_labels(entries), |label| json!({ "entry": label.entry, "text": label.text }))
        }
        Call::Values { namespace, prefix } => answer::all(tree.values(namespace, prefix), answer::value),
        Call::List { address, scan } => answer::all(
            tree.list(address, scan.into()),
            |element| json!({ "number": element.number, "value": element.value }),
        ),
        Call::BranchEntries { start, scan } => answer::all(tree.branch_entries(scan.from(start)), answer::entry),
        Call::BranchStructure { start, scan } => {
            answer::all(tree.branch_structure(scan.from(start)), answer::structure)
        }
        Call::Entries { r#type, custom_type, scan } => {
            let scan = EntryScan { kind: r#type.map(Into::into), custom_type, range: scan.into() };
            answer::all(tree.entries(scan), answer::entry)
        }
        Call::Usage { scan } => answer::all(tree.usage(scan.into()), answer::row),
        Call::Branches {} => answer::all(tree.branches(), answer::branch),
        Call::CreateBranch { name, at } => answer::of(tree.create_branch(&name, at.as_deref()), answer::committed),
        Call::Append { branch, entry } => answer::of(tree.append(&branch, entry.into()), answer::committed),
        Call::MoveBranch { name, to } => answer::of(tree.move_branch(&name, to.as_deref()), answer::committed),
        Call::SetLabel { entry, text } => answer::of(tree.set_label(&entry, text.as_deref()), answer::committed),
        Call::SetName { name } => answer::of(tree.set_name(name.as_deref()), answer::committed),
        Call::Context { branch } => {
            answer::all(tree.context(branch), |message| json!({ "entry": message.entry, "message": message.message }))
        }
        Call::Fork { child, branch, at, before } => {
            let scope = match (branch, at, before) {
                (None, None, None) => ForkScope::Tree,
                (Some(branch), None, None) => ForkScope::branch(branch),
                (Some(branch), Some(at), None) => ForkScope::branch_at(branch, at),
                (Some(branch), None, Some(before)) => ForkScope::branch_before(branch, before),
                _ => return Err("a fork is cut at one place of one branch".into()),
            };
            match tree.fork(&scope, NewSession { created_at: Some(NOW), ..NewSession::new(&*child) }) {
                Ok(_) => {
                    let log = fs::read_to_string(folder.join(JsonlFolder::file_name(&child)?))?;
                    log.split_terminator('\n').collect()
                }
                Err(error) => answer::refusal(&error),
            }
        }
        Call::Emit { r#type, data } => {
            answer::of(sessions.emit_json(id, &r#type, &data).map_err(Into::into), Value::from)
        }
        Call::Wake {} => answer::of(sessions.wake(id, WakeOptions::default()).map_err(Into::into), |state| {
            state.recovery.closers.into_iter().map(|closer| closer.kind).collect()
        }),
    })
}

impl From<GivenWrite> for Write {
    fn from(write: GivenWrite) -> Self {
        match write {
            GivenWrite::Entry(entry) => Write::entry(entry.into()),
            GivenWrite::Usage(GivenUsage { id, entry, adjustment, usage, details }) => {
                Write::usage(NewUsage { id, entry, adjustment, usage, details })
            }
            GivenWrite::SetValue(GivenValue { namespace, key, value }) => {
                Write::set_value_json((namespace, key), value)
            }
            GivenWrite::DeleteValue(address) => Write::delete_value(address),
            GivenWrite::AppendList(GivenValue { namespace, key, value }) => {
                Write::append_list_json((namespace, key), value)
            }
            GivenWrite::DeleteList(address) => Write::delete_list(address),
        }
    }
}

impl From<GivenEntry> for NewEntry {
    fn from(GivenEntry { id, parent, r#type, custom_type, payload }: GivenEntry) -> Self {
        Self { id, parent, kind: r#type.into(), custom_type, payload }
    }
}

impl From<GivenAddress> for Address {
    fn from(GivenAddress { namespace, key }: GivenAddress) -> Self {
        Self { namespace, key }
    }
}

impl Branch {
    fn from(self, start: String) -> BranchScan {
        BranchScan {
            stop_at_id: self.stop_at_id,
            stop_at_type: self.stop_at_type.map(Into::into),
            kind: self.r#type.map(Into::into),
            custom_type: self.custom_type,
            direction: self.direction.map_or(Direction::NewestFirst, Into::into),
            cursor: self.cursor,
            limit: self.limit.unwrap_or(u32::MAX),
            start,
        }
    }
}

impl From<Range> for RangeScan {
    fn from(Range { from, to, direction, limit }: Range) -> Self {
        let direction = direction.map_or(Direction::OldestFirst, Into::into);
        Self { from, to, direction, limit: limit.unwrap_or(u32::MAX) }
    }
}

impl From<Kind> for EntryType {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Message => Self::Message,
            Kind::Compaction => Self::Compaction,
            Kind::BranchSummary => Self::BranchSummary,
            Kind::Custom => Self::Custom,
        }
    }
}

impl From<Order> for Direction {
    fn from(order: Order) -> Self {
        match order {
            Order::OldestFirst => Self::OldestFirst,
            Order::NewestFirst => Self::NewestFirst,
        }
    }
}
