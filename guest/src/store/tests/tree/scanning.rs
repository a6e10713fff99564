use super::*;

/// A chain of six: root, middle, a compaction, two custom ones, leaf; and one beside it.
fn chain() -> (Disk, Sessions) {
    let (disk, mut sessions) = stored();
    let writes = [
        user("root", None),
        user("middle", Some("root")),
        compaction("compact", Some("middle"), ""),
        custom("note", Some("compact"), "note"),
        user("beside", Some("middle")),
        custom("mark", Some("note"), "mark"),
        user("leaf", Some("mark")),
    ];
    commit(&mut sessions, &writes);
    (disk, sessions)
}

fn found(sessions: &mut Sessions, scan: &BranchScan) -> Vec<String> {
    let structures = sessions.scan_branch_structure("s", scan).unwrap().entries;
    let entries = sessions.scan_branch("s", scan).unwrap();
    assert_eq!(structures, entries.entries.iter().map(|entry| entry.structure.clone()).collect::<Vec<_>>());
    ids(entries)
}

#[test]
fn a_branch_is_walked_from_its_start_to_its_root_or_back() {
    let (_, mut sessions) = chain();
    let newest = found(&mut sessions, &branch("leaf", Direction::NewestFirst));
    assert_eq!(newest, ["leaf", "mark", "note", "compact", "middle", "root"]);
    let mut oldest = found(&mut sessions, &branch("leaf", Direction::OldestFirst));
    oldest.reverse();
    assert_eq!(oldest, newest);
    assert_eq!(found(&mut sessions, &branch("beside", Direction::NewestFirst)), ["beside", "middle", "root"]);
    let unknown = sessions.scan_branch("s", &branch("nobody", Direction::NewestFirst));
    assert_eq!(unknown, Err(TreeError::UnknownTarget("nobody".into())));
}

#[test]
fn a_scan_stops_before_it_filters_and_passes_its_cursor_before_it_counts() {
    let (_, mut sessions) = chain();
    let newest = branch("leaf", Direction::NewestFirst);
    let oldest = branch("leaf", Direction::OldestFirst);
    let at_compaction = Some(EntryType::Compaction);
    let messages = Some(EntryType::Message);
    let cases: [(BranchScan, &[&str]); 11] = [
        (BranchScan { stop_at_type: at_compaction, ..newest.clone() }, &["leaf", "mark", "note", "compact"]),
        (BranchScan { stop_at_type: at_compaction, type_: messages, ..newest.clone() }, &["leaf"]),
        (BranchScan { stop_at_id: Some("note".into()), ..newest.clone() }, &["leaf", "mark", "note"]),
        (BranchScan { stop_at_id: Some("beside".into()), limit: 2, ..newest.clone() }, &["leaf", "mark"]),
        (BranchScan { stop_at_type: at_compaction, ..oldest.clone() }, &["root", "middle", "compact"]),
        (BranchScan { stop_at_type: messages, cursor: Some(1), ..oldest.clone() }, &[]),
        (BranchScan { cursor: Some(3), limit: 1, ..newest.clone() }, &["middle"]),
        (BranchScan { cursor: Some(3), type_: messages, ..oldest.clone() }, &["leaf"]),
        (BranchScan { type_: messages, limit: 2, ..newest.clone() }, &["leaf", "middle"]),
        (BranchScan { custom_type: Some("note".into()), ..newest.clone() }, &["note"]),
        (BranchScan { custom_type: Some("none".into()), ..newest.clone() }, &[]),
    ];
    for (scan, expected) in cases {
        assert_eq!(found(&mut sessions, &scan), expected, "{scan:?}");
    }
    assert_eq!(found(&mut sessions, &BranchScan { limit: 0, ..newest }), Vec::<String>::new());
}

#[test]
fn entries_of_the_session_are_scanned_by_number_with_filters_before_the_limit() {
    let (_, mut sessions) = chain();
    let mut scan = |type_, custom_type: Option<&str>, range| {
        let scan = EntryScan { type_, custom_type: custom_type.map(Into::into), range };
        ids(sessions.scan_entries("s", &scan).unwrap())
    };
    let newest = RangeScan { direction: Direction::NewestFirst, ..OLDEST };
    assert_eq!(scan(None, None, RangeScan { limit: 2, ..OLDEST }), ["root", "middle"]);
    assert_eq!(scan(None, None, RangeScan { limit: 2, ..newest }), ["leaf", "mark"]);
    assert_eq!(
        scan(Some(EntryType::Message), None, RangeScan { from: Some(2), to: Some(5), ..newest }),
        ["beside", "middle"]
    );
    assert_eq!(scan(Some(EntryType::Custom), Some("mark"), RangeScan { limit: 1, ..OLDEST }), ["mark"]);
    assert_eq!(scan(Some(EntryType::Message), Some("mark"), OLDEST), Vec::<String>::new());
    assert_eq!(scan(None, None, RangeScan { from: Some(5), to: Some(2), ..OLDEST }), Vec::<String>::new());
}

#[test]
fn the_ledger_is_scanned_by_number() {
    let (_, mut sessions) = stored();
    commit(&mut sessions, &[usage("u1", 1), set("n", "k", "1"), usage("u2", 2), usage("u3", 3)]);
    let mut scan = |range| {
        let rows = sessions.scan_usage("s", range).unwrap().rows;
        rows.into_iter().map(|row| (row.number, row.row.id)).collect::<Vec<_>>()
    };
    assert_eq!(scan(RangeScan { from: Some(2), to: Some(3), ..OLDEST }), [(3, "u2".into())]);
    let newest = RangeScan { direction: Direction::NewestFirst, limit: 2, ..OLDEST };
    assert_eq!(scan(newest), [(4, "u3".into()), (3, "u2".into())]);
}

#[test]
fn entries_and_values_are_found_in_the_order_asked_for_and_missing_ones_are_left_out() {
    let (_, mut sessions) = chain();
    commit(&mut sessions, &[set("n", "a", "1"), set("m", "a", "2"), usage("row", 1)]);
    let wanted = ["leaf", "nobody", "row", "root", "leaf"].map(String::from);
    assert_eq!(ids(sessions.get_entries("s", &wanted).unwrap()), ["leaf", "root", "leaf"]);
    let page = sessions.get_values("s", &[address("m", "a"), address("n", "b"), address("n", "a")]).unwrap();
    let values: Vec<_> = page.values.iter().map(|value| (value.address.namespace.as_str(), &*value.value)).collect();
    assert_eq!(values, [("m", "2"), ("n", "1")]);
}

#[test]
fn values_are_scanned_by_the_code_points_of_their_keys() {
    let (_, mut sessions) = stored();
    let keys = ["b", "a\u{10000}", "a\u{e000}", "a"];
    commit(&mut sessions, &keys.map(|key| set("n", key, "0")));
    let mut scan = |prefix: &str, after: Option<&str>, limit| {
        let scan = ValueScan { namespace: "n".into(), prefix: prefix.into(), after: after.map(Into::into), limit };
        let values = sessions.scan_values("s", &scan).unwrap().values;
        values.into_iter().map(|value| value.address.key).collect::<Vec<_>>()
    };
    assert_eq!(scan("a", None, 9), ["a", "a\u{e000}", "a\u{10000}"]);
    assert_eq!(scan("", Some("a"), 2), ["a\u{e000}", "a\u{10000}"]);
}

#[test]
fn addresses_of_values_and_of_lists_are_told_apart() {
    let (_, mut sessions) = stored();
    commit(&mut sessions, &[set("n", "v", "0"), push("m", "l", "0"), set("m", "w", "0"), unset("m", "w")]);
    let mut kept = |kept, after: Option<&Address>| sessions.addresses("s", kept, after, 9).unwrap().addresses;
    assert_eq!(kept(Kept::Values, None), [address("n", "v")]);
    assert_eq!(kept(Kept::Lists, None), [address("m", "l")]);
    assert_eq!(kept(Kept::Lists, Some(&address("m", "l"))), []);
}

#[test]
fn a_list_is_read_by_number_in_either_order() {
    let (_, mut sessions) = stored();
    commit(&mut sessions, &[push("n", "l", "1"), push("n", "other", "0"), push("n", "l", "3"), push("n", "l", "4")]);
    let mut read = |range| {
        let page = sessions.read_list("s", &address("n", "l"), range).unwrap();
        page.elements.into_iter().map(|ListElement { number, value }| format!("{number}:{value}")).collect::<Vec<_>>()
    };
    assert_eq!(read(OLDEST), ["1:1", "3:3", "4:4"]);
    assert_eq!(read(RangeScan { from: Some(2), limit: 1, ..OLDEST }), ["3:3"]);
    assert_eq!(read(RangeScan { to: Some(3), direction: Direction::NewestFirst, ..OLDEST }), ["3:3", "1:1"]);
    assert_eq!(elements(&mut sessions, "s", "n", "absent"), []);
}

#[test]
fn a_limited_scan_reads_what_it_answers_and_no_more() {
    let (disk, mut sessions) = stored();
    let mut parent = None;
    for number in 0..300 {
        let id = format!("e{number}");
        commit(&mut sessions, &[user(&id, parent.as_deref())]);
        parent = Some(id);
    }
    sessions.get_tree("s").unwrap();
    disk.bytes_read();
    for direction in [Direction::NewestFirst, Direction::OldestFirst] {
        let scan = BranchScan { limit: 3, ..branch("e299", direction) };
        assert_eq!(sessions.scan_branch("s", &scan).unwrap().entries.len(), 3);
        assert!(disk.bytes_read() < 1000);
        assert_eq!(sessions.scan_branch_structure("s", &scan).unwrap().entries.len(), 3);
        assert_eq!(disk.bytes_read(), 0);
    }
}
