//! Commits that break a rule: handed over, they are refused and nothing is written; in a log, they change nothing as a whole.

use super::*;

/// The session with one entry and one row.
fn seeded() -> (Disk, Sessions) {
    let (disk, mut sessions) = stored();
    commit(&mut sessions, &[user("e", None), usage("u", 1)]);
    (disk, sessions)
}

#[test]
fn an_id_is_taken_once_by_entries_and_rows_alike() {
    let (disk, mut sessions) = seeded();
    let log = disk.bytes("s");
    let cases = [
        vec![user("e", None)],
        vec![user("u", None)],
        vec![usage("e", 1)],
        vec![usage("u", 1)],
        vec![user("x", None), usage("x", 1)],
        vec![usage("x", 1), user("x", None)],
        vec![set("n", "k", "1"), user("x", None), user("x", None)],
    ];
    for writes in cases {
        let error = sessions.commit("s", &writes, PLAIN).unwrap_err();
        assert!(matches!(error, TreeError::DuplicateId(_)), "{writes:?}: {error:?}");
    }
    assert_eq!(disk.bytes("s"), log);
    assert_eq!(value(&mut sessions, "s", "n", "k"), None);
    assert_eq!(commit(&mut sessions, &[user("x", None)]), 3, "a refused id is free");
}

#[test]
fn a_parent_is_an_entry_that_came_before() {
    let (_, mut sessions) = seeded();
    let missing = |parent: &str| Err(TreeError::MissingParent(parent.into()));
    assert_eq!(sessions.commit("s", &[user("x", Some("nobody"))], PLAIN), missing("nobody"));
    assert_eq!(sessions.commit("s", &[user("x", Some("u"))], PLAIN), missing("u"));
    assert_eq!(sessions.commit("s", &[user("x", Some("x"))], PLAIN), missing("x"));
    assert_eq!(sessions.commit("s", &[user("x", Some("y")), user("y", None)], PLAIN), missing("y"));
    assert_eq!(commit(&mut sessions, &[user("y", Some("e")), user("x", Some("y"))]), 3);
}

#[test]
fn a_message_that_is_still_being_written_is_no_entry_yet() {
    let (disk, mut sessions) = stored();
    let pending = r#"{"message":{"stopReason":"pending","role":"assistant"}}"#;
    let writes = [set("n", "k", "1"), entry("p", None, EntryType::Message, None, pending)];
    assert_eq!(sessions.commit("s", &writes, PLAIN), Err(TreeError::PendingMessage("p".into())));
    assert_eq!(disk.text("s"), HEADER);
    let of_user = r#"{"message":{"stopReason":"pending","role":"user"}}"#;
    commit(&mut sessions, &[entry("p", None, EntryType::Message, None, of_user)]);
}

#[test]
fn writes_that_cannot_be_are_refused_with_their_place() {
    let (disk, mut sessions) = stored();
    let of = |kind, payload: &str| entry("x", None, kind, None, payload);
    let deep = "[".repeat(125) + &"]".repeat(125);
    let bad = [
        of(EntryType::Message, "{}"),
        of(EntryType::Message, "{\"message\":1}"),
        of(EntryType::Message, "[]"),
        of(EntryType::Message, "{\"message\":{}}}"),
        of(EntryType::Message, "{\"message\":{}},{\"kind\":\"value\"}"),
        of(EntryType::Message, "{\"message\":\n{}}"),
        of(EntryType::Message, ""),
        of(EntryType::Compaction, "{\"summary\":\"\",\"retainedTail\":[]}"),
        of(EntryType::Compaction, "{\"summary\":\"\",\"retainedTail\":{},\"tokensBefore\":1}"),
        of(EntryType::Compaction, "{\"summary\":1,\"retainedTail\":[],\"tokensBefore\":1}"),
        of(EntryType::BranchSummary, "{\"summary\":\"\"}"),
        of(EntryType::BranchSummary, "{\"summary\":null,\"fromId\":null}"),
        of(EntryType::Custom, "{}"),
        set("", "k", "1"),
        set("n\0", "k", "1"),
        unset("", ""),
        push("n", "k\0", "1"),
        clear("\0", ""),
        set("n", "k", ""),
        set("n", "k", "1 2"),
        set("n", "k", "NaN"),
        set("n", "k", &deep),
        push("n", "k", "{\"a\":1,}"),
        Write::Usage(NewUsage { id: "x".into(), entry: None, adjustment: false, usage: "{}".into(), details: None }),
    ];
    for write in bad {
        let error = sessions.commit("s", &[set("n", "k", "1"), write.clone()], PLAIN).unwrap_err();
        let TreeError::RefusedWrite(RefusedWrite { index: 1, reason }) = error else { panic!("{write:?}: {error:?}") };
        assert!(reason.starts_with("it has ") || reason.starts_with("it is "), "{write:?}: {reason}");
    }
    assert_eq!(disk.text("s"), HEADER);
    commit(&mut sessions, &[set("n", "k", " [1]\n"), set("n", "", &deep[1..249])]);
    assert_eq!(value(&mut sessions, "s", "n", "k"), Some((1, "[1]".into())), "white space around it is no part of it");
}

#[test]
fn numbers_never_go_back_and_end_where_every_hosts_numbers_do() {
    let (_, mut sessions) = seeded();
    let at = |first| CommitOptions { first: Some(first), timestamp: None };
    let last = (1 << 53) - 1;
    for first in [0, 1, 2, last, last + 1, u64::MAX] {
        let error = sessions.commit("s", &[user("x", None)], at(first)).unwrap_err();
        assert!(matches!(error, TreeError::RefusedWrite(_)), "{first}: {error:?}");
    }
    let late = CommitOptions { first: None, timestamp: Some(last + 1) };
    assert!(matches!(sessions.commit("s", &[user("x", None)], late), Err(TreeError::RefusedWrite(_))));
    assert_eq!(sessions.commit("s", &[user("x", None)], at(last - 1)).unwrap().first, last - 1);
    assert_eq!(sessions.get_tree("s").unwrap().next, last);
    assert!(matches!(sessions.commit("s", &[user("y", None)], PLAIN), Err(TreeError::RefusedWrite(_))));
}

#[test]
fn a_commit_longer_than_a_line_may_be_is_rejected() {
    let (disk, mut sessions) = stored();
    let long = format!("\"{}\"", "x".repeat(16 << 20));
    let error = sessions.commit("s", &[set("n", "k", &long)], PLAIN).unwrap_err();
    assert!(matches!(error, TreeError::Session(Error::Rejected(_))), "{error:?}");
    let error = sessions.commit("s", &vec![unset("n", "k"); (1 << 16) + 1], PLAIN).unwrap_err();
    assert!(matches!(error, TreeError::RefusedWrite(_)), "{error:?}");
    assert_eq!(disk.text("s"), HEADER);
}

#[test]
fn a_commit_in_the_log_that_breaks_a_rule_changes_nothing_and_is_told() {
    let sound = r#"{"kind":"value","op":"set","namespace":"n","key":"k","value":1}"#;
    let data = |writes: &str| format!("{{\"firstSeq\":1,\"timestamp\":5,\"writes\":[{sound},{writes}]}}");
    let entry = |rest: &str| data(&format!("{{\"kind\":\"entry\",\"id\":\"e\",{rest}}}"));
    let hostile = [
        "1".into(),
        "[]".into(),
        "{}".into(),
        "{\"firstSeq\":1,\"timestamp\":5}".into(),
        "{\"firstSeq\":1,\"timestamp\":5,\"writes\":{}}".into(),
        "{\"firstSeq\":1,\"timestamp\":5,\"writes\":[1]}".into(),
        "{\"firstSeq\":1,\"timestamp\":5,\"writes\":[[]]}".into(),
        format!("{{\"firstSeq\":0,\"timestamp\":5,\"writes\":[{sound}]}}"),
        format!("{{\"firstSeq\":-1,\"timestamp\":5,\"writes\":[{sound}]}}"),
        format!("{{\"firstSeq\":1.5,\"timestamp\":5,\"writes\":[{sound}]}}"),
        format!("{{\"firstSeq\":9007199254740991,\"timestamp\":5,\"writes\":[{sound}]}}"),
        format!("{{\"firstSeq\":9007199254740993,\"timestamp\":5,\"writes\":[{sound}]}}"),
        format!("{{\"firstSeq\":1,\"timestamp\":-5,\"writes\":[{sound}]}}"),
        data("{}"),
        data("{\"kind\":\"other\"}"),
        data("{\"kind\":\"value\",\"op\":\"other\",\"namespace\":\"n\",\"key\":\"k\"}"),
        data("{\"kind\":\"value\",\"op\":\"set\",\"namespace\":\"n\",\"key\":\"k\"}"),
        data("{\"kind\":\"value\",\"op\":\"set\",\"namespace\":\"\",\"key\":\"k\",\"value\":1}"),
        data("{\"kind\":\"value\",\"op\":\"set\",\"namespace\":\"n\",\"key\":\"\\u0000\",\"value\":1}"),
        data("{\"kind\":\"value\",\"op\":\"set\",\"namespace\":\"\\ud800\",\"key\":\"k\",\"value\":1}"),
        data("{\"kind\":\"list\",\"op\":\"append\",\"namespace\":\"n\",\"key\":1,\"value\":1}"),
        data("{\"kind\":\"usage\",\"id\":\"u\",\"adjustment\":false,\"usage\":{}}"),
        entry("\"type\":\"message\",\"payload\":{}"),
        entry("\"parentId\":\"e\",\"type\":\"message\",\"payload\":{}"),
        entry("\"parentId\":7,\"type\":\"message\",\"payload\":{}"),
        entry("\"parentId\":null,\"type\":\"other\",\"payload\":{}"),
        entry("\"parentId\":null,\"type\":\"message\",\"payload\":[]"),
        entry("\"parentId\":null,\"type\":\"message\""),
        entry("\"parentId\":null,\"type\":\"custom\",\"payload\":{}"),
        entry("\"parentId\":null,\"type\":\"custom\",\"customType\":1,\"payload\":{}"),
        data(&vec!["{\"kind\":\"list\",\"op\":\"delete\",\"namespace\":\"n\",\"key\":\"\"}"; 1 << 16].join(",")),
    ];
    for data in hostile {
        let disk = Disk::default();
        let good = format!("{{\"writes\":[{sound}],\"firstSeq\":1,\"timestamp\":5}}");
        disk.put("s", log_of(&[("tree/commit", &data), ("tree/commit", &good)]));
        let mut sessions = disk.sessions();
        let state = sessions.get_tree("s").unwrap();
        let told: Vec<_> = state.refused.iter().map(|refused| refused.event).collect();
        assert_eq!(
            (told.as_slice(), state.next, state.entry_count),
            (&[0][..], 2, 0),
            "{}",
            &data[..data.len().min(200)]
        );
        assert!(!state.refused[0].reason.is_empty() && state.refused[0].reason.len() < 400);
        assert_eq!(value(&mut sessions, "s", "n", "k"), Some((1, "1".into())));
    }
}

#[test]
fn what_is_not_known_is_passed_over_and_of_doubled_members_the_last_counts() {
    let disk = Disk::default();
    let data = r#"{"x":1, "writes":[7], "firstSeq":9, "wri\u0074es" : [ { "payload":{"data":1} , "more":{"a":[]}, "id":"no","type":"custom", "id":"\u0065", "parentId":null,"customType":"t","kind":"entry" } ],"timestamp":5,"firstSeq":3}"#;
    disk.put("s", log_of(&[("tree/commit", data)]));
    let mut sessions = disk.sessions();
    let page = sessions.get_entries("s", &["e".into()]).unwrap();
    let entry = page.entries.first().unwrap();
    assert_eq!((entry.structure.number, entry.structure.timestamp, &*entry.payload), (3, 5, "{\"data\":1}"));
    assert_eq!(sessions.get_tree("s").unwrap().refused, []);
}

#[test]
fn a_commit_is_read_however_its_line_is_written() {
    let data =
        r#"{"firstSeq":1,"timestamp":5,"writes":[{"kind":"value","op":"set","namespace":"n","key":"k","value":[1]}]}"#;
    let lines = [
        format!(r#"{{"type":"tree/commit","seq":0,"time":1,"data":{data},"more":{{"a":1}}}}"#),
        format!(r#"{{"type":"tree/commit","seq":0,"time":1,"data":{data} }} "#),
        format!(r#"{{"data": {data},"time":1,"seq":0,"type":"tree\u002fcommit"}}"#),
        format!("{{\"type\":\"tree/commit\",\"seq\":0,\"time\":1,\"data\":{data}}}\r"),
    ];
    for line in lines {
        let disk = Disk::default();
        disk.put("s", format!("{HEADER}{line}\n"));
        assert_eq!(value(&mut disk.sessions(), "s", "n", "k"), Some((1, "[1]".into())), "{line}");
    }
}

#[test]
fn commits_that_come_in_as_lines_count_as_others_do() {
    let (_, mut sessions) = seeded();
    sessions.get_tree("s").unwrap();
    let good = r#"{"firstSeq":3,"timestamp":5,"writes":[{"kind":"list","op":"append","namespace":"n","key":"k","value":{"a":1}}]}"#;
    let lines = line(1, "tree/commit", good) + &line(2, "other", "1") + &line(3, "tree/commit", good);
    sessions.append_lines("s", lines).unwrap();
    assert_eq!(elements(&mut sessions, "s", "n", "k"), [(3, "{\"a\":1}".into())]);
    let state = sessions.get_tree("s").unwrap();
    assert_eq!((state.next, state.refused.len(), state.refused[0].event), (4, 1, 3));
}

#[test]
fn only_the_first_hundred_refused_commits_are_told() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("tree/commit", "1"); 300]));
    assert_eq!(disk.sessions().get_tree("s").unwrap().refused.len(), 100);
}
