//! Trees of every shape that are as large as they may be: they can still be read, forked, written to and made smaller.

use serde_json::json;
use session_host::tree::{Address, EntryType, ForkScope, Kept, NewEntry, RangeScan, Tree, Write};
use session_host::{Error, Sessions, TreeError};

use crate::support::sessions;

/// Commits what `writes` makes of 0, 1, 2 and so on, until no more fits. Answers how many were taken.
fn fill(tree: &Tree<'_>, batch: usize, writes: impl Fn(usize) -> Vec<Write>) -> usize {
    for count in 0.. {
        let all: Vec<_> = (count * batch..(count + 1) * batch).flat_map(&writes).collect();
        match tree.commit(&all) {
            Ok(_) => {}
            Err(TreeError::Session(Error::TooLarge(_))) => return count * batch,
            Err(error) => panic!("after {count} batches: {error}"),
        }
    }
    unreachable!("the memory is limited")
}

/// All that one may want of a full tree, in the instance that filled it and in one that reads it anew.
fn check(sessions: &Sessions, more: Write, less: Write) {
    let tree = sessions.tree("s");
    for round in 0..2 {
        let state = tree.state().unwrap();
        assert!(tree.commit(std::slice::from_ref(&more)).is_err(), "round {round}");
        for kept in [Kept::Values, Kept::Lists] {
            tree.addresses(kept).try_for_each(|address| address.map(drop)).unwrap();
        }
        match tree.fork(&ForkScope::Tree, "child") {
            Ok(_) => {
                assert_eq!(sessions.tree("child").state().unwrap().next, state.next);
                sessions.delete("child").unwrap();
            }
            Err(TreeError::Session(Error::TooLarge(_))) => assert!(!sessions.has("child").unwrap()),
            Err(error) => panic!("{error}"),
        }
        sessions.release("s").unwrap();
    }
    tree.commit(&[less]).unwrap();
    tree.commit(&[more]).unwrap();
}

#[test]
fn values_in_namespaces_of_their_own() {
    let sessions = sessions();
    sessions.create("s").unwrap();
    let value = |name: usize| Write::set_value_json((name.to_string(), ""), "1");
    let count = fill(&sessions.tree("s"), 5_000, |name| vec![value(name)]);
    assert!(count > 100_000, "{count}");
    // So much is left that a batch did not fit and some of it does.
    let rest = (count..).find(|name| sessions.tree("s").commit(&[value(*name)]).is_err()).unwrap();
    check(&sessions, value(rest), Write::delete_value(("0", "")));
}

#[test]
fn lists_that_grow_beside_values_that_come_and_go() {
    let sessions = sessions();
    sessions.create("s").unwrap();
    let writes = |round: usize| {
        let mut writes: Vec<_> = (0..7).map(|list| Write::append_list_json(("l", list.to_string()), "0")).collect();
        writes.push(Write::set_value_json(("v", "x".repeat(round % 97 + 1) + &round.to_string()), "1"));
        if round.is_multiple_of(3) {
            let gone = round / 2;
            writes.push(Write::delete_value(("v", "x".repeat(gone % 97 + 1) + &gone.to_string())));
        }
        writes
    };
    let tree = sessions.tree("s");
    let count = fill(&tree, 1_000, writes);
    assert!(count > 30_000, "{count}");
    assert_eq!(tree.list(("l", "3"), RangeScan::default()).count(), count);
    let value = |number: usize| Write::set_value_json(("w", number.to_string()), "1");
    let rest = (0..).find(|number| tree.commit(&[value(*number)]).is_err()).unwrap();
    check(&sessions, value(rest), Write::delete_list(("l", "0")));
}

#[test]
fn entries_with_long_ids_and_types_of_their_own() {
    let sessions = sessions();
    sessions.create("s").unwrap();
    let tree = sessions.tree("s");
    let entry = |number: usize| {
        let name = format!("{number}-{}", "i".repeat(900));
        Write::entry(NewEntry::json(name.clone(), EntryType::Custom, "{}").called(name))
    };
    let count = fill(&tree, 500, |number| vec![entry(number)]);
    assert!(count > 5_000, "{count}");
    let value = |number: usize| Write::set_value_json(("w", format!("{number}{}", "k".repeat(9_000))), "1");
    let rest = (0..).find(|number| tree.commit(&[value(*number)]).is_err()).unwrap();
    check(&sessions, value(rest), Write::delete_value(("w", format!("0{}", "k".repeat(9_000)))));
    // What takes no room in the tree, and much on its way there.
    let payload = json!({ "data": "d".repeat(10 << 20) });
    tree.commit(&[Write::set_value(("w", format!("1{}", "k".repeat(9_000))), &payload).unwrap()]).unwrap();
}

#[test]
fn a_compaction_that_kept_a_million_messages_is_read_page_by_page() {
    let sessions = sessions();
    sessions.create("s").unwrap();
    let tree = sessions.tree("s");
    tree.create_branch("main", None).unwrap();
    let tail = format!("[{}{{}}]", "{},".repeat(999_999));
    let payload = format!(r#"{{"summary":"So far.","retainedTail":{tail},"tokensBefore":0}}"#);
    tree.append("main", NewEntry::json("c", EntryType::Compaction, payload)).unwrap();
    assert_eq!(tree.context("main").map(Result::unwrap).count(), 1_000_001);
}

#[test]
fn no_name_is_taken_that_is_too_long_to_be_asked_for() {
    let sessions = sessions();
    sessions.create("s").unwrap();
    let tree = sessions.tree("s");
    let name = |length: usize| "n".repeat(length);
    let writes = |length: usize| {
        [
            Write::entry(NewEntry::json(name(length), EntryType::Custom, "{}").called("c")),
            Write::entry(NewEntry::json("a", EntryType::Custom, "{}").called(name(length))),
            Write::set_value_json((name(length), ""), "1"),
            Write::append_list_json(("", name(length)), "1"),
        ]
    };
    for write in writes(65_536) {
        assert!(matches!(tree.commit(&[write]), Err(TreeError::RefusedWrite { .. })));
    }
    let [entry, _, value, _] = writes(65_535);
    tree.commit(&[entry, value]).unwrap();
    assert_eq!(tree.get_entries([name(65_535)]).map(Result::unwrap).count(), 1);
    assert_eq!(tree.get_values([Address::new(name(65_535), "")]).map(Result::unwrap).count(), 1);
}
