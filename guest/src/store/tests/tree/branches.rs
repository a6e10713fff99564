use super::*;

fn names(sessions: &mut Sessions) -> Vec<(String, Option<String>)> {
    let page = sessions.branches("s", None, u32::MAX).unwrap();
    page.branches.into_iter().map(|Branch { name, tip }| (name, tip)).collect()
}

fn new_entry(id: &str) -> NewEntry {
    match user(id, Some("does not count")) {
        Write::Entry(entry) => entry,
        other => panic!("{other:?} is no entry"),
    }
}

#[test]
fn branches_are_named_tips_that_move_by_appending_and_by_hand() {
    let (_, mut sessions) = stored();
    assert_eq!(names(&mut sessions), []);
    sessions.create_branch("s", "main", None).unwrap();
    sessions.append_to_branch("s", "main", new_entry("a")).unwrap();
    sessions.create_branch("s", "other", Some("a")).unwrap();
    sessions.append_to_branch("s", "main", new_entry("b")).unwrap();
    sessions.append_to_branch("s", "other", new_entry("c")).unwrap();
    assert_eq!(names(&mut sessions), [("main".into(), Some("b".into())), ("other".into(), Some("c".into()))]);
    assert_eq!(ids(sessions.scan_branch("s", &branch("c", Direction::NewestFirst)).unwrap()), ["c", "a"]);
    sessions.move_branch("s", "other", None).unwrap();
    sessions.append_to_branch("s", "other", new_entry("d")).unwrap();
    assert_eq!(ids(sessions.scan_branch("s", &branch("d", Direction::NewestFirst)).unwrap()), ["d"]);
    let behind = sessions.branches("s", Some("main"), 1).unwrap();
    assert_eq!(behind.branches, [Branch { name: "other".into(), tip: Some("d".into()) }]);
}

#[test]
fn a_value_that_is_no_branch_takes_no_other_s_place_in_a_page() {
    let (_, mut sessions) = stored();
    let value = |key: &str, value: &str| {
        let address = Address { namespace: "pi.branch.tip".into(), key: key.into() };
        Write::SetValue(NewValue { address, value: value.into() })
    };
    let large = format!("[\"{}\"]", "x".repeat(3 << 20));
    for (key, json) in [("a", "1"), ("b", &large), ("c", &large), ("d", "null"), ("e", "[]"), ("f", "\"x\"")] {
        sessions.commit("s", &[value(key, json)], PLAIN).unwrap();
    }
    let mut page = |after: Option<&str>, limit| sessions.branches("s", after, limit).unwrap();
    assert_eq!(page(None, 1).branches, [Branch { name: "d".into(), tip: None }]);
    assert_eq!(page(Some("d"), 1).branches, [Branch { name: "f".into(), tip: Some("x".into()) }]);
    assert_eq!(page(Some("f"), 1).branches, []);
    assert_eq!(page(None, 0).branches, []);
    let all = page(None, u32::MAX);
    assert_eq!((all.branches.len(), all.more), (2, false));
}

#[test]
fn branches_that_cannot_be_are_refused_each_in_its_own_way() {
    let (disk, mut sessions) = stored();
    sessions.create_branch("s", "main", None).unwrap();
    let log = disk.bytes("s");
    let unknown = |name: &str| TreeError::UnknownBranch(name.into());
    let target = TreeError::UnknownTarget("nobody".into());
    assert_eq!(sessions.create_branch("s", "main", None), Err(TreeError::BranchExists("main".into())));
    assert_eq!(sessions.create_branch("s", "new", Some("nobody")), Err(target.clone()));
    assert_eq!(sessions.move_branch("s", "main", Some("nobody")), Err(target));
    assert_eq!(sessions.move_branch("s", "new", None), Err(unknown("new")));
    assert_eq!(sessions.append_to_branch("s", "new", new_entry("a")), Err(unknown("new")));
    for name in ["", "a\0b"] {
        assert!(matches!(sessions.create_branch("s", name, None), Err(TreeError::RefusedWrite(_))), "{name:?}");
    }
    assert_eq!(disk.bytes("s"), log);
}

#[test]
fn a_tip_that_is_neither_text_nor_null_is_no_branch() {
    let (_, mut sessions) = stored();
    commit(&mut sessions, &[set("pi.branch.tip", "odd", "7"), set("pi.branch.tip", "main", "null")]);
    assert_eq!(names(&mut sessions), [("main".into(), None)]);
    assert_eq!(sessions.move_branch("s", "odd", None), Err(TreeError::UnknownBranch("odd".into())));
}

#[test]
fn entries_are_labelled_and_the_session_is_named_until_that_is_taken_away() {
    let (_, mut sessions) = stored();
    sessions.set_name("s", Some("fix \"it\"")).unwrap();
    sessions.set_label("s", "a", Some("start")).unwrap();
    sessions.set_label("s", "b", Some("")).unwrap();
    assert_eq!(sessions.get_tree("s").unwrap().name.as_deref(), Some("fix \"it\""));
    let labels = sessions.get_labels("s", &["b", "c", "a"].map(String::from)).unwrap().labels;
    let label = |entry: &str, text: &str| Label { entry: entry.into(), text: text.into() };
    assert_eq!(labels, [label("b", ""), label("a", "start")]);
    sessions.set_name("s", None).unwrap();
    sessions.set_label("s", "a", None).unwrap();
    assert_eq!(sessions.get_tree("s").unwrap().name, None);
    assert_eq!(sessions.get_labels("s", &["a".into()]).unwrap().labels, []);
}
