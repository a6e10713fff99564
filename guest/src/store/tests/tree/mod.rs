//! Whole trees over storage in memory.

mod branches;
mod committing;
mod context;
mod damage;
mod forking;
mod large;
mod model;
mod paging;
mod refused;
mod scanning;

use super::*;
use crate::bindings::exports::agent::session::session_tree::{
    Address, Branch, BranchFork, BranchScan, CommitOptions, ContextPlace, Cut, Direction, Entry, EntryPage, EntryScan,
    EntryType, ForkScope, Kept, Label, ListElement, NewEntry, NewUsage, NewValue, RangeScan, RefusedWrite, StoredValue,
    TreeError, TreeState, UsageRow, ValueScan, Write,
};

const PLAIN: CommitOptions = CommitOptions { first: None, timestamp: None };
const OLDEST: RangeScan = RangeScan { from: None, to: None, direction: Direction::OldestFirst, limit: u32::MAX };

/// A session that is stored and has no events.
fn stored() -> (Disk, Sessions) {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let sessions = disk.sessions();
    (disk, sessions)
}

fn user(id: &str, parent: Option<&str>) -> Write {
    entry(id, parent, EntryType::Message, None, &format!("{{\"message\":{{\"role\":\"user\",\"content\":\"{id}\"}}}}"))
}

fn custom(id: &str, parent: Option<&str>, custom_type: &str) -> Write {
    entry(id, parent, EntryType::Custom, Some(custom_type), "{}")
}

fn compaction(id: &str, parent: Option<&str>, tail: &str) -> Write {
    let payload = format!("{{\"summary\":\"sum of {id}\",\"retainedTail\":[{tail}],\"tokensBefore\":12}}");
    entry(id, parent, EntryType::Compaction, None, &payload)
}

fn entry(id: &str, parent: Option<&str>, kind: EntryType, custom_type: Option<&str>, payload: &str) -> Write {
    Write::Entry(NewEntry {
        id: id.into(),
        parent: parent.map(Into::into),
        type_: kind,
        custom_type: custom_type.map(Into::into),
        payload: payload.into(),
    })
}

fn usage(id: &str, input: u32) -> Write {
    let usage = format!(
        "{{\"input\":{input},\"output\":1,\"cacheRead\":0,\"cacheWrite\":0,\"totalTokens\":{},\"cost\":{{\"input\":0.5,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0.5}}}}",
        input + 1
    );
    Write::Usage(NewUsage { id: id.into(), entry: None, adjustment: false, usage, details: None })
}

fn address(namespace: &str, key: &str) -> Address {
    Address { namespace: namespace.into(), key: key.into() }
}

fn set(namespace: &str, key: &str, value: &str) -> Write {
    Write::SetValue(NewValue { address: address(namespace, key), value: value.into() })
}

fn unset(namespace: &str, key: &str) -> Write {
    Write::DeleteValue(address(namespace, key))
}

fn push(namespace: &str, key: &str, value: &str) -> Write {
    Write::AppendList(NewValue { address: address(namespace, key), value: value.into() })
}

fn clear(namespace: &str, key: &str) -> Write {
    Write::DeleteList(address(namespace, key))
}

fn branch(start: &str, direction: Direction) -> BranchScan {
    BranchScan {
        start: start.into(),
        stop_at_id: None,
        stop_at_type: None,
        type_: None,
        custom_type: None,
        direction,
        cursor: None,
        limit: u32::MAX,
    }
}

/// Commits these writes to session `s`; the number of the first.
fn commit(sessions: &mut Sessions, writes: &[Write]) -> u64 {
    sessions.commit("s", writes, PLAIN).unwrap().first
}

/// The ids of entries, in order.
fn ids(page: EntryPage) -> Vec<String> {
    page.entries.into_iter().map(|entry| entry.structure.id).collect()
}

/// Numbers and values of a list, in order.
fn elements(sessions: &mut Sessions, session: &str, namespace: &str, key: &str) -> Vec<(u64, String)> {
    let page = sessions.read_list(session, &address(namespace, key), OLDEST).unwrap();
    page.elements.into_iter().map(|element| (element.number, element.value)).collect()
}

/// The number and the value at an address.
fn value(sessions: &mut Sessions, session: &str, namespace: &str, key: &str) -> Option<(u64, String)> {
    let mut page = sessions.get_values(session, &[address(namespace, key)]).unwrap();
    page.values.pop().map(|value| (value.number, value.value))
}

/// All that a tree says of itself, but for what it refused.
fn everything(sessions: &mut Sessions, session: &str) -> (TreeState, Vec<Entry>, Vec<UsageRow>, Vec<StoredValue>) {
    let state = sessions.get_tree(session).unwrap();
    let all = EntryScan { type_: None, custom_type: None, range: OLDEST };
    let entries = sessions.scan_entries(session, &all).unwrap().entries;
    let rows = sessions.scan_usage(session, OLDEST).unwrap().rows;
    let scan = |namespace: &str| ValueScan {
        namespace: namespace.into(),
        prefix: String::new(),
        after: None,
        limit: u32::MAX,
    };
    let mut values = Vec::new();
    for namespace in ["n", "m", "pi.branch.tip", "pi.entry.label", "pi.session.name"] {
        values.extend(sessions.scan_values(session, &scan(namespace)).unwrap().values);
    }
    (state, entries, rows, values)
}
