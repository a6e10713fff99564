use super::*;
use crate::bindings::agent::session::storage::StorageError;

#[test]
fn a_commit_is_one_line_with_its_members_in_one_order_and_payloads_byte_for_byte() {
    let (disk, mut sessions) = stored();
    let payload = "{\"data\":[1.0, 12345678901234567890,\"\\ud83d\"]}";
    let writes = [
        entry("e", None, EntryType::Custom, Some("x\"y"), payload),
        Write::Usage(NewUsage {
            id: "u".into(),
            entry: Some("e".into()),
            adjustment: true,
            usage: "{\"input\":1,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"totalTokens\":1,\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}}".into(),
            details: Some("null".into()),
        }),
        set("n", "k", "1e2"),
        unset("n", "k"),
        push("n", "k", "[ ]"),
        clear("n", "k"),
    ];
    let committed = sessions.commit("s", &writes, PLAIN).unwrap();
    assert_eq!((committed.first, committed.timestamp), (1, 1000));
    let line = concat!(
        "{\"type\":\"tree/commit\",\"seq\":0,\"time\":1000,\"data\":{\"firstSeq\":1,\"timestamp\":1000,\"writes\":[",
        "{\"kind\":\"entry\",\"id\":\"e\",\"parentId\":null,\"type\":\"custom\",\"customType\":\"x\\\"y\",\"payload\":{\"data\":[1.0, 12345678901234567890,\"\\ud83d\"]}},",
        "{\"kind\":\"usage\",\"id\":\"u\",\"entryId\":\"e\",\"adjustment\":true,\"usage\":{\"input\":1,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"totalTokens\":1,\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}},\"details\":null},",
        "{\"kind\":\"value\",\"op\":\"set\",\"namespace\":\"n\",\"key\":\"k\",\"value\":1e2},",
        "{\"kind\":\"value\",\"op\":\"delete\",\"namespace\":\"n\",\"key\":\"k\"},",
        "{\"kind\":\"list\",\"op\":\"append\",\"namespace\":\"n\",\"key\":\"k\",\"value\":[ ]},",
        "{\"kind\":\"list\",\"op\":\"delete\",\"namespace\":\"n\",\"key\":\"k\"}]}}\n",
    );
    assert_eq!(disk.text("s"), HEADER.to_string() + line);
    let page = sessions.get_entries("s", &["e".into()]).unwrap();
    assert_eq!(page.entries[0].payload, payload);
    assert_eq!(page.entries[0].structure.custom_type.as_deref(), Some("x\"y"));
    let rows = sessions.scan_usage("s", OLDEST).unwrap().rows;
    assert_eq!((rows[0].number, rows[0].row.adjustment, rows[0].row.entry.as_deref()), (2, true, Some("e")));
    assert_eq!(rows[0].row.details.as_deref(), Some("null"));
}

#[test]
fn numbers_rise_over_writes_of_every_kind_and_stats_are_those_right_after() {
    let (_, mut sessions) = stored();
    let first = sessions.commit("s", &[user("a", None), set("n", "k", "1"), usage("u", 3)], PLAIN).unwrap();
    assert_eq!((first.first, first.stats.message_count, first.stats.usage.input), (1, 1, 3.0));
    let second = sessions.commit("s", &[usage("v", 4), custom("c", Some("a"), "x")], PLAIN).unwrap();
    assert_eq!((second.first, second.stats.message_count, second.stats.usage.input), (4, 1, 7.0));
    let state = sessions.get_tree("s").unwrap();
    assert_eq!((state.next, state.stats, state.entry_count, state.usage_count), (6, second.stats, 2, 2));
    assert_eq!(state.refused, []);
}

#[test]
fn a_session_that_was_only_created_comes_into_being_with_its_first_commit() {
    let disk = Disk::default();
    let mut sessions = disk.sessions();
    sessions.create(new("s")).unwrap();
    assert_eq!(sessions.get_tree("s").unwrap().next, 1);
    assert_eq!(sessions.commit("s", &[], PLAIN).unwrap().first, 1);
    assert_eq!(disk.writes(), 0);
    assert_eq!(commit(&mut sessions, &[user("a", None)]), 1);
    assert_eq!(commit(&mut sessions, &[user("b", Some("a"))]), 2);
    assert_eq!(ids(sessions.scan_branch("s", &branch("b", Direction::NewestFirst)).unwrap()), ["b", "a"]);
    assert_eq!(all_events(&mut sessions, "s").len(), 2);
}

#[test]
fn no_writes_claim_and_write_nothing_unless_the_next_number_rises() {
    let (disk, mut sessions) = stored();
    let mut other = disk.sessions();
    let empty = sessions.commit("s", &[], CommitOptions { first: Some(1), timestamp: Some(9) }).unwrap();
    assert_eq!((empty.first, empty.timestamp), (1, 9));
    assert_eq!(disk.writes(), 0);
    assert_eq!(commit(&mut other, &[set("n", "k", "1")]), 1, "nobody holds the session");
    other.release("s").unwrap();
    let raised = CommitOptions { first: Some(10), timestamp: None };
    assert_eq!(sessions.commit("s", &[], raised).unwrap().first, 10);
    assert_eq!(commit(&mut sessions, &[set("n", "k", "2")]), 10);
    assert!(matches!(sessions.commit("s", &[], raised), Err(TreeError::RefusedWrite(_))), "it is behind by now");
}

#[test]
fn numbers_and_times_can_come_from_elsewhere_and_may_leave_holes() {
    let (_, mut sessions) = stored();
    let at = |first, timestamp| CommitOptions { first: Some(first), timestamp: Some(timestamp) };
    sessions.commit("s", &[user("a", None)], at(5, 77)).unwrap();
    sessions.commit("s", &[user("b", Some("a"))], at(9, 66)).unwrap();
    let page = sessions.scan_branch_structure("s", &branch("b", Direction::OldestFirst)).unwrap();
    let numbers: Vec<_> = page.entries.iter().map(|entry| (entry.number, entry.timestamp)).collect();
    assert_eq!(numbers, [(5, 77), (9, 66)]);
    assert_eq!(commit(&mut sessions, &[user("c", None)]), 10);
}

#[test]
fn writes_to_one_address_count_in_order_also_within_one_commit() {
    let (_, mut sessions) = stored();
    commit(&mut sessions, &[set("n", "k", "1"), unset("n", "k"), set("n", "k", "null"), unset("n", "absent")]);
    assert_eq!(value(&mut sessions, "s", "n", "k"), Some((3, "null".into())));
    commit(&mut sessions, &[push("n", "k", "1"), clear("n", "k"), push("n", "k", "2"), push("n", "k", "3")]);
    assert_eq!(elements(&mut sessions, "s", "n", "k"), [(7, "2".into()), (8, "3".into())]);
    assert_eq!(value(&mut sessions, "s", "n", "k"), Some((3, "null".into())), "a list is no value");
    commit(&mut sessions, &[unset("n", "k"), clear("n", "k")]);
    assert_eq!(value(&mut sessions, "s", "n", "k"), None);
    assert_eq!(elements(&mut sessions, "s", "n", "k"), []);
}

#[test]
fn a_commit_that_storage_refuses_changes_nothing_and_can_be_tried_again() {
    let (disk, mut sessions) = stored();
    commit(&mut sessions, &[user("a", None)]);
    let before = everything(&mut sessions, "s");
    disk.fail("append", StorageError::NoSpace);
    let writes = [user("b", Some("a")), set("n", "k", "1"), usage("u", 1)];
    assert_eq!(sessions.commit("s", &writes, PLAIN), Err(TreeError::Session(Error::NoSpace)));
    assert_eq!(everything(&mut sessions, "s"), before);
    assert_eq!(commit(&mut sessions, &writes), 2);
    assert_eq!(value(&mut sessions, "s", "n", "k"), Some((3, "1".into())));
}

#[test]
fn a_second_writer_gets_busy_and_reads_what_the_first_commits() {
    let (disk, mut first) = stored();
    let mut second = disk.sessions();
    commit(&mut first, &[user("a", None)]);
    assert_eq!(second.get_tree("s").unwrap().entry_count, 1);
    let refused = second.commit("s", &[user("b", None)], PLAIN);
    assert!(matches!(refused, Err(TreeError::Session(Error::Busy(_)))));
    commit(&mut first, &[user("b", Some("a"))]);
    assert_eq!(second.get_tree("s").unwrap().entry_count, 2);
    assert_eq!(everything(&mut first, "s"), everything(&mut second, "s"));
}

#[test]
fn a_commit_and_a_point_read_do_not_read_the_log_again() {
    let (disk, mut sessions) = stored();
    for number in 0..500 {
        commit(&mut sessions, &[user(&format!("e{number}"), None), set("n", "k", "1")]);
    }
    sessions.get_tree("s").unwrap();
    disk.bytes_read();
    commit(&mut sessions, &[user("last", Some("e7")), set("n", "k", "2")]);
    sessions.emit("s", "other".into(), "1".into()).unwrap();
    assert_eq!(disk.bytes_read(), 0);
    sessions.get_entries("s", &["e250".into()]).unwrap();
    assert!(disk.bytes_read() < 200, "one write of the log is read");
}
