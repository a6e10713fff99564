//! The tree of a session: what is committed is read, page by page, and errors come through as what they are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use session_host::tree::{
    Address, BranchScan, CommitOptions, Direction, Entry, EntryScan, EntryType, ForkScope, Kept, NewEntry, NewUsage,
    RangeScan, Tree, Write,
};
use session_host::{Error, NewSession, Sessions, StorageError, TreeError};

use crate::support::{ENGINE, Hooked, sessions};

fn message(id: &str, text: &str) -> NewEntry {
    NewEntry::message(id, &json!({ "role": "user", "content": text })).unwrap()
}

/// A session with one branch of so many entries, each with a text of so many bytes.
fn with_branch(sessions: &Sessions, id: &str, entries: usize, bytes: usize) {
    sessions.create(id).unwrap();
    let tree = sessions.tree(id);
    tree.create_branch("main", None).unwrap();
    for n in 0..entries {
        tree.append("main", message(&format!("e{n}"), &"x".repeat(bytes))).unwrap();
    }
}

fn ids(entries: impl Iterator<Item = Result<Entry, TreeError>>) -> Vec<String> {
    entries.map(|entry| entry.unwrap().structure.id).collect()
}

fn usage(total: u64) -> serde_json::Value {
    let cost = json!({ "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0.5 });
    json!({ "input": total, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": total, "cost": cost })
}

#[test]
fn what_is_committed_is_read_byte_for_byte() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let tree = sessions.tree("a");
    let payload = r#"{"message":{"role":"user","n":1.0,"n":12345678901234567890,"half":"\ud83d"},"terminate":true}"#;
    let options = CommitOptions { first: Some(7), timestamp: Some(99) };
    let committed = tree
        .commit_with(
            &[
                Write::entry(NewEntry::json("e", EntryType::Message, payload)),
                Write::entry(NewEntry::json("c", EntryType::Custom, "{}").called("note").behind("e")),
                Write::usage(NewUsage::new("u", &usage(3)).unwrap().of("e").details(r#"{"a": 1}"#)),
                Write::set_value_json(("plan", ""), "[1, 2.0]"),
                Write::append_list_json(("plan", ""), "1e3"),
            ],
            options,
        )
        .unwrap();
    assert_eq!((committed.first, committed.timestamp, committed.stats.message_count), (7, 99, 1));
    let entries: Vec<_> = tree.get_entries(["c", "none", "e"]).map(Result::unwrap).collect();
    assert_eq!(
        (entries[1].payload.as_str(), entries[1].structure.number, entries[1].structure.timestamp),
        (payload, 7, 99)
    );
    assert_eq!(
        (entries[0].structure.parent.as_deref(), entries[0].structure.custom_type.as_deref()),
        (Some("e"), Some("note"))
    );
    let row = tree.usage(RangeScan::default()).next().unwrap().unwrap();
    assert_eq!((row.number, row.row.entry.as_deref(), row.row.details.as_deref()), (9, Some("e"), Some(r#"{"a": 1}"#)));
    let value = tree.get_values([("plan", "")]).next().unwrap().unwrap();
    assert_eq!((value.number, value.value.as_str()), (10, "[1, 2.0]"));
    let element = tree.list(("plan", ""), RangeScan::default()).next().unwrap().unwrap();
    assert_eq!((element.number, element.value.as_str()), (11, "1e3"));
    assert_eq!(tree.state().unwrap().next, 12);
}

#[test]
fn a_long_branch_is_read_page_by_page_in_both_directions() {
    let sessions = sessions();
    // More than fits into any one answer.
    with_branch(&sessions, "a", 60, 512 << 10);
    let tree = sessions.tree("a");
    let oldest: Vec<_> = (0..60).map(|n| format!("e{n}")).collect();
    let newest: Vec<_> = oldest.iter().rev().cloned().collect();
    assert_eq!(ids(tree.branch_entries(BranchScan::up_to("e59"))), oldest);
    assert_eq!(ids(tree.branch_entries(BranchScan::back_from("e59"))), newest);
    assert_eq!(ids(tree.branch_entries(BranchScan { limit: 50, ..BranchScan::back_from("e59") })), newest[..50]);
    let range = |direction, limit| EntryScan {
        range: RangeScan { direction, limit, ..RangeScan::default() },
        ..EntryScan::default()
    };
    assert_eq!(ids(tree.entries(range(Direction::OldestFirst, u32::MAX))), oldest);
    assert_eq!(ids(tree.entries(range(Direction::NewestFirst, 55))), newest[..55]);
    assert_eq!(ids(tree.get_entries(newest.clone())), newest);
    let structures = tree.branch_structure(BranchScan::up_to("e59")).map(|entry| entry.unwrap().id);
    assert_eq!(structures.collect::<Vec<_>>(), oldest);
    assert_eq!(tree.context("main").map(|message| message.unwrap().entry).collect::<Vec<_>>(), oldest);
}

#[test]
fn values_lists_and_rows_of_any_number_are_read_page_by_page() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let tree = sessions.tree("a");
    for n in 0..40 {
        let large = format!("\"{}\"", "x".repeat(512 << 10));
        let row = NewUsage::new(format!("u{n}"), &usage(1)).unwrap().details(large.clone());
        tree.commit(&[
            Write::set_value_json(("n", format!("{n:02}")), large.clone()),
            Write::append_list_json(("n", "list"), large),
            Write::usage(row),
        ])
        .unwrap();
    }
    let keys: Vec<_> = (0..40).map(|n| format!("{n:02}")).collect();
    assert_eq!(tree.values("n", "").map(|value| value.unwrap().address.key).collect::<Vec<_>>(), keys);
    assert_eq!(tree.addresses(Kept::Values).map(|address| address.unwrap().key).collect::<Vec<_>>(), keys);
    assert_eq!(tree.addresses(Kept::Lists).map(Result::unwrap).collect::<Vec<_>>(), [Address::new("n", "list")]);
    let asked = keys.iter().map(|key| Address::new("n", key));
    assert_eq!(tree.get_values(asked).map(|value| value.unwrap().address.key).collect::<Vec<_>>(), keys);
    let newest = RangeScan { direction: Direction::NewestFirst, ..RangeScan::default() };
    let numbers: Vec<_> = tree.list(("n", "list"), newest).map(|element| element.unwrap().number).collect();
    assert_eq!(numbers, (0..40).rev().map(|n| 3 * n + 2).collect::<Vec<_>>());
    let rows: Vec<_> = tree.usage(RangeScan::default()).map(|row| row.unwrap().row.id).collect();
    assert_eq!(rows, (0..40).map(|n| format!("u{n}")).collect::<Vec<_>>());
    assert_eq!(tree.state().unwrap().stats.usage.total_tokens, 40.0);
}

#[test]
fn branches_and_labels_are_told() {
    let sessions = sessions();
    with_branch(&sessions, "a", 2, 1);
    let tree = sessions.tree("a");
    tree.create_branch("other", Some("e0")).unwrap();
    tree.move_branch("main", None).unwrap();
    let branches: Vec<_> = tree.branches().map(Result::unwrap).map(|branch| (branch.name, branch.tip)).collect();
    assert_eq!(branches, [("main".into(), None), ("other".into(), Some("e0".into()))]);
    tree.set_label("e1", Some("here")).unwrap();
    tree.set_name(Some("A name")).unwrap();
    let labels: Vec<_> = tree.get_labels(["e0", "e1"]).map(|label| label.unwrap().text).collect();
    assert_eq!(labels, ["here"]);
    assert_eq!(tree.state().unwrap().name.as_deref(), Some("A name"));
    tree.set_label("e1", None).unwrap();
    tree.set_name(None).unwrap();
    assert_eq!(tree.get_labels(["e1"]).count(), 0);
    assert_eq!(tree.state().unwrap().name, None);
}

#[test]
fn a_fork_of_a_tree_keeps_its_numbers() {
    let sessions = sessions();
    with_branch(&sessions, "a", 3, 1);
    let header = sessions.tree("a").fork(&ForkScope::Tree, NewSession::new("b")).unwrap();
    assert_eq!(header.parent_session.as_deref(), Some("a"));
    let structure = |id| -> Vec<_> {
        sessions.tree(id).entries(EntryScan::default()).map(|entry| entry.unwrap().structure).collect()
    };
    assert_eq!(structure("b"), structure("a"));
    assert_eq!(sessions.tree("a").fork(&ForkScope::branch("main"), "c"), Err(TreeError::NotALane("main".into())));
    assert_eq!(sessions.tree("a").fork(&ForkScope::Tree, "b"), Err(Error::AlreadyExists("b".into()).into()));
}

#[test]
fn every_way_to_fail_is_told_apart() {
    let sessions = sessions();
    with_branch(&sessions, "a", 1, 1);
    let tree = sessions.tree("a");
    let commit = |write| tree.commit(&[write]).unwrap_err();
    assert_eq!(commit(Write::entry(message("e0", ""))), TreeError::DuplicateId("e0".into()));
    assert_eq!(commit(Write::entry(message("e1", "").behind("x"))), TreeError::MissingParent("x".into()));
    let pending = NewEntry::message("e1", &json!({ "role": "assistant", "stopReason": "pending" })).unwrap();
    assert_eq!(commit(Write::entry(pending)), TreeError::PendingMessage("e1".into()));
    assert_eq!(
        commit(Write::set_value_json(("", ""), "1")).to_string(),
        "write 0 is refused: it has an empty namespace"
    );
    assert!(matches!(commit(Write::set_value_json(("n", ""), "{")), TreeError::RefusedWrite { index: 0, .. }));
    assert_eq!(tree.append("x", message("e1", "")), Err(TreeError::UnknownBranch("x".into())));
    assert_eq!(tree.create_branch("main", None), Err(TreeError::BranchExists("main".into())));
    assert_eq!(tree.create_branch("x", Some("y")), Err(TreeError::UnknownTarget("y".into())));
    assert_eq!(tree.branch_entries(BranchScan::up_to("y")).next(), Some(Err(TreeError::UnknownTarget("y".into()))));
    assert_eq!(sessions.tree("none").state(), Err(Error::NotFound("none".into()).into()));
    assert_eq!(
        sessions.tree("none").commit(&[Write::entry(message("a", ""))]),
        Err(Error::NotFound("none".into()).into())
    );
    assert_eq!(tree.state().unwrap().entry_count, 1);
}

#[test]
fn what_is_too_large_is_refused_before_the_component_sees_it() {
    let sessions = sessions();
    with_branch(&sessions, "a", 1, 1);
    let tree = sessions.tree("a");
    let long = "x".repeat(17 << 20);
    let is_too_large = |error: TreeError| matches!(error, TreeError::Session(Error::TooLarge(_)));
    assert!(is_too_large(tree.commit(&[Write::set_value_json(("n", ""), long.clone())]).unwrap_err()));
    assert!(is_too_large(tree.append("main", message("b", &long)).unwrap_err()));
    assert!(is_too_large(tree.set_name(Some(&long)).unwrap_err()));
    assert!(is_too_large(tree.set_label("e0", Some(&long)).unwrap_err()));
    assert!(is_too_large(tree.create_branch(&long, None).unwrap_err()));
    assert!(is_too_large(tree.move_branch("main", Some(&long)).unwrap_err()));
    assert!(is_too_large(tree.get_entries([long.clone()]).next().unwrap().unwrap_err()));
    assert!(is_too_large(tree.get_values([(long.clone(), "")]).next().unwrap().unwrap_err()));
    assert!(is_too_large(tree.list((long.clone(), ""), RangeScan::default()).next().unwrap().unwrap_err()));
    assert!(is_too_large(tree.values("n", long.clone()).next().unwrap().unwrap_err()));
    assert!(is_too_large(tree.branch_entries(BranchScan::up_to(long.clone())).next().unwrap().unwrap_err()));
    assert!(is_too_large(tree.context(long.clone()).next().unwrap().unwrap_err()));
    assert!(is_too_large(tree.fork(&ForkScope::branch(long), "b").unwrap_err()));
}

#[test]
fn a_commit_that_storage_refuses_is_not_there() {
    let fails = Arc::new(AtomicBool::new(false));
    let failing = Arc::clone(&fails);
    let storage = Hooked::new(move |call, _| match call == "append" && failing.load(Ordering::Relaxed) {
        true => Err(StorageError::NoSpace),
        false => Ok(()),
    });
    let sessions = Sessions::new(&ENGINE, storage);
    with_branch(&sessions, "a", 1, 1);
    let tree = sessions.tree("a");
    fails.store(true, Ordering::Relaxed);
    assert_eq!(tree.append("main", message("e1", "")), Err(Error::NoSpace.into()));
    assert_eq!(ids(tree.entries(EntryScan::default())), ["e0"]);
    fails.store(false, Ordering::Relaxed);
    tree.append("main", message("e1", "")).unwrap();
    assert_eq!(ids(tree.branch_entries(BranchScan::up_to("e1"))), ["e0", "e1"]);
}

#[test]
fn a_call_after_a_fault_finds_the_tree_as_it_is_stored() {
    let panics = Arc::new(AtomicBool::new(false));
    let panicking = Arc::clone(&panics);
    let storage = Hooked::new(move |call, _| {
        assert!(call != "append" || !panicking.load(Ordering::Relaxed), "storage breaks down");
        Ok(())
    });
    let sessions = Sessions::new(&ENGINE, storage);
    with_branch(&sessions, "a", 2, 1);
    panics.store(true, Ordering::Relaxed);
    let commit = || sessions.tree("a").append("main", message("e2", ""));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(commit)).is_err());
    panics.store(false, Ordering::Relaxed);
    assert_eq!(ids(sessions.tree("a").branch_entries(BranchScan::up_to("e1"))), ["e0", "e1"]);
    sessions.tree("a").append("main", message("e2", "")).unwrap();
    assert_eq!(sessions.tree("a").state().unwrap().entry_count, 3);
}

#[test]
fn a_session_that_is_not_stored_yet_has_an_empty_tree() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let tree: Tree<'_> = sessions.tree("a");
    assert_eq!(tree.state().unwrap().next, 1);
    assert_eq!(tree.branches().count(), 0);
    assert!(!sessions.has("a").unwrap());
    tree.set_name(Some("x")).unwrap();
    assert!(sessions.has("a").unwrap());
}
