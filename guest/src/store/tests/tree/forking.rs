use super::*;

const LANE: &str = r#"{"currentOperationId":"o","lastOperationId":null,"inbox":[{"entryId":"q","kind":"steer"}]}"#;
const IDLE: &str = r#"{"currentOperationId":null,"lastOperationId":null,"inbox":[]}"#;

fn lane(name: &str, tip: &str) -> Vec<Write> {
    vec![
        set("pi.branch.tip", name, tip),
        set("pi.lane.config", name, "{\"model\":1}"),
        set("pi.lane.state", name, LANE),
    ]
}

/// Two branches over a chain, one of them a lane, with something in every namespace.
fn source() -> (Disk, Sessions) {
    let (disk, mut sessions) = stored();
    commit(&mut sessions, &[user("a", None), set("n", "gone", "1"), user("b", Some("a")), usage("u", 1)]);
    commit(&mut sessions, &[user("c", Some("b"))]);
    commit(&mut sessions, &[user("x", Some("a")), unset("n", "gone"), set("n", "kept", "[1.0]")]);
    let mut writes = lane("main", "\"c\"");
    writes.extend([
        set("pi.branch.tip", "data", "\"x\""),
        set("pi.session.name", "", "\"name\""),
        set("pi.entry.label", "b", "\"at b\""),
        set("pi.entry.label", "x", "\"at x\""),
        set("pi.op.meta", "o", "1"),
        set("pi.pending.entry", "q", "1"),
        set("pi.result", "o", "1"),
        push("pi.pending.assistant_frame", "o:1", "1"),
        push("n", "list", "\"dropped\""),
        clear("n", "list"),
        push("n", "list", "\"first\""),
        usage("v", 2),
        push("n", "list", "\"second\""),
        usage("w", 3),
    ]);
    commit(&mut sessions, &writes);
    (disk, sessions)
}

fn of_branch(branch: &str, cut: Option<(&str, bool)>) -> ForkScope {
    let cut = cut.map(|(entry, before)| Cut { entry: entry.into(), before });
    ForkScope::Branch(BranchFork { branch: branch.into(), cut })
}

fn structures(sessions: &mut Sessions, session: &str) -> Vec<String> {
    let all = EntryScan { type_: None, custom_type: None, range: OLDEST };
    let entries = sessions.scan_entries(session, &all).unwrap().entries;
    let told =
        |entry: Entry| format!("{} {} {}", entry.structure.number, entry.structure.id, entry.structure.timestamp);
    entries.into_iter().map(told).collect()
}

fn tip(sessions: &mut Sessions, session: &str, branch: &str) -> Option<(u64, String)> {
    value(sessions, session, "pi.branch.tip", branch)
}

#[test]
fn a_whole_tree_is_forked_with_its_numbers_and_without_what_goes_on_in_it() {
    let (disk, mut sessions) = source();
    let next = sessions.get_tree("s").unwrap().next;
    let header = sessions.fork_tree("s", &ForkScope::Tree, new("child")).unwrap();
    assert_eq!((header.parent_session.as_deref(), header.seed_length), (Some("s"), None));
    let state = sessions.get_tree("child").unwrap();
    assert_eq!((state.next, state.entry_count, state.usage_count), (next, 4, 0));
    assert_eq!((state.stats.message_count, state.stats.usage.input), (4, 0.0));
    assert_eq!((state.name.as_deref(), state.refused), (Some("name"), vec![]));
    assert_eq!(structures(&mut sessions, "child"), structures(&mut sessions, "s"));
    for (namespace, key) in
        [("n", "kept"), ("pi.lane.config", "main"), ("pi.entry.label", "b"), ("pi.entry.label", "x")]
    {
        let copied = value(&mut sessions, "child", namespace, key);
        assert!(copied.is_some() && copied == value(&mut sessions, "s", namespace, key), "{namespace}");
    }
    assert_eq!(tip(&mut sessions, "child", "data"), tip(&mut sessions, "s", "data"));
    assert_eq!(value(&mut sessions, "child", "pi.lane.state", "main"), Some((11, IDLE.into())));
    assert_eq!(value(&mut sessions, "s", "pi.lane.state", "main"), Some((11, LANE.into())));
    for (namespace, key) in [("pi.op.meta", "o"), ("pi.pending.entry", "q"), ("pi.result", "o"), ("n", "gone")] {
        assert_eq!(value(&mut sessions, "child", namespace, key), None, "{namespace}");
    }
    let list = elements(&mut sessions, "s", "n", "list");
    assert_eq!(elements(&mut sessions, "child", "n", "list"), list);
    assert_eq!(list, [(22, "\"first\"".into()), (24, "\"second\"".into())]);
    assert_eq!(elements(&mut sessions, "child", "pi.pending.assistant_frame", "o:1"), []);
    assert_eq!(sessions.commit("child", &[user("d", Some("x"))], PLAIN).unwrap().first, next);
    let text = disk.text("child");
    assert!(text.lines().all(|line| line.len() < 2000) && text.ends_with('\n'));
}

#[test]
fn a_branch_is_forked_with_its_own_entries_labels_and_lane_alone() {
    let (_, mut sessions) = source();
    let next = sessions.get_tree("s").unwrap().next;
    sessions.fork_tree("s", &of_branch("main", None), new("child")).unwrap();
    let state = sessions.get_tree("child").unwrap();
    assert_eq!((state.next, state.entry_count, state.usage_count), (next, 3, 0));
    assert_eq!(structures(&mut sessions, "child"), ["1 a 1000", "3 b 1000", "5 c 1000"]);
    assert_eq!(tip(&mut sessions, "child", "main"), Some((9, "\"c\"".into())));
    assert_eq!(value(&mut sessions, "child", "pi.lane.state", "main"), Some((11, IDLE.into())));
    let absent = [("pi.branch.tip", "data"), ("pi.entry.label", "x"), ("n", "kept"), ("pi.op.meta", "o")];
    for (namespace, key) in absent {
        assert_eq!(value(&mut sessions, "child", namespace, key), None, "{namespace} {key}");
    }
    assert!(value(&mut sessions, "child", "pi.entry.label", "b").is_some());
    assert!(value(&mut sessions, "child", "pi.session.name", "").is_some());
    assert_eq!(elements(&mut sessions, "child", "n", "list"), []);
}

#[test]
fn a_branch_is_cut_at_an_entry_or_before_it() {
    let (_, mut sessions) = source();
    let cases = [
        ("c", false, "\"c\"", 3),
        ("c", true, "\"b\"", 2),
        ("b", false, "\"b\"", 2),
        ("b", true, "\"a\"", 1),
        ("a", false, "\"a\"", 1),
        ("a", true, "null", 0),
    ];
    for (entry, before, expected, count) in cases {
        let child = format!("{entry}{before}");
        sessions.fork_tree("s", &of_branch("main", Some((entry, before))), new(&child)).unwrap();
        assert_eq!(tip(&mut sessions, &child, "main"), Some((9, expected.into())), "{child}");
        assert_eq!(sessions.get_tree(&child).unwrap().entry_count, count, "{child}");
        let label = value(&mut sessions, &child, "pi.entry.label", "b");
        assert_eq!(label.is_some(), count >= 2, "the label goes with its entry");
    }
}

#[test]
fn forks_that_cannot_be_leave_nothing_behind() {
    let (_, mut sessions) = source();
    commit(&mut sessions, &lane("empty", "null"));
    commit(&mut sessions, &[set("pi.branch.tip", "half", "\"a\""), set("pi.lane.config", "half", "1")]);
    let cases = [
        (of_branch("nobody", None), TreeError::UnknownBranch("nobody".into())),
        (of_branch("data", None), TreeError::NotALane("data".into())),
        (of_branch("half", None), TreeError::NotALane("half".into())),
        (of_branch("main", Some(("x", false))), TreeError::NotOnBranch("x".into())),
        (of_branch("main", Some(("nobody", true))), TreeError::NotOnBranch("nobody".into())),
        (of_branch("empty", Some(("a", false))), TreeError::NotOnBranch("a".into())),
    ];
    for (scope, expected) in cases {
        assert_eq!(sessions.fork_tree("s", &scope, new("child")), Err(expected));
        assert!(!sessions.has("child").unwrap());
    }
    let taken = sessions.fork_tree("s", &ForkScope::Tree, new("s"));
    assert_eq!(taken, Err(TreeError::Session(Error::AlreadyExists("s".into()))));
    let absent = sessions.fork_tree("absent", &ForkScope::Tree, new("child"));
    assert_eq!(absent, Err(TreeError::Session(Error::NotFound("absent".into()))));
    sessions.fork_tree("s", &of_branch("empty", None), new("child")).unwrap();
    assert_eq!(tip(&mut sessions, "child", "empty").unwrap().1, "null");
}

#[test]
fn a_reserved_namespace_without_a_rule_stops_a_fork_while_something_is_kept_there() {
    for namespace in ["pi", "pi.unknown"] {
        for (keep, lose) in
            [(set(namespace, "k", "1"), unset(namespace, "k")), (push(namespace, "k", "1"), clear(namespace, "k"))]
        {
            let (_, mut sessions) = source();
            commit(&mut sessions, &[keep]);
            for scope in [ForkScope::Tree, of_branch("main", None)] {
                let refused = sessions.fork_tree("s", &scope, new("child"));
                assert_eq!(refused, Err(TreeError::ReservedNamespace(namespace.into())));
            }
            commit(&mut sessions, &[lose]);
            sessions.fork_tree("s", &ForkScope::Tree, new("child")).unwrap();
        }
    }
    let (_, mut sessions) = source();
    commit(&mut sessions, &[set("pi2", "k", "1"), set("pip.x", "k", "1")]);
    sessions.fork_tree("s", &ForkScope::Tree, new("child")).unwrap();
    assert!(value(&mut sessions, "child", "pi2", "k").is_some(), "that one is the application's");
}

#[test]
fn a_tree_without_branches_or_without_anything_is_forked_too() {
    let (_, mut sessions) = stored();
    sessions.fork_tree("s", &ForkScope::Tree, new("child")).unwrap();
    assert_eq!(sessions.get_tree("child").unwrap().next, 1);
    commit(&mut sessions, &[usage("u", 1), usage("v", 1)]);
    sessions.fork_tree("s", &ForkScope::Tree, new("other")).unwrap();
    let state = sessions.get_tree("other").unwrap();
    assert_eq!((state.next, state.usage_count, state.stats.usage.input), (3, 0, 0.0));
}

#[test]
fn forking_claims_and_changes_nothing_of_the_source_and_lets_the_child_go() {
    let (disk, mut sessions) = source();
    let log = disk.bytes("s");
    let mut other = disk.sessions();
    other.fork_tree("s", &ForkScope::Tree, NewSession { cwd: Some("/w".into()), ..new("child") }).unwrap();
    assert_eq!(disk.bytes("s"), log);
    assert_eq!(commit(&mut sessions, &[user("y", None)]), 26);
    assert_eq!(sessions.commit("child", &[], PLAIN).unwrap().first, 26);
    assert_eq!(sessions.inspect("child").unwrap().header.cwd.as_deref(), Some("/w"));
    assert!(!sessions.inspect("child").unwrap().held);
}

#[test]
fn a_fork_of_a_fork_is_the_same_tree_again() {
    let (disk, mut sessions) = source();
    sessions.fork_tree("s", &ForkScope::Tree, new("one")).unwrap();
    sessions.fork_tree("one", &ForkScope::Tree, new("two")).unwrap();
    let body = |id| disk.text(id).split_once('\n').map(|(_, body)| body.to_string());
    assert_eq!(body("one"), body("two"));
    assert_eq!(everything(&mut sessions, "one"), everything(&mut sessions, "two"));
}

#[test]
fn what_a_write_says_beyond_what_is_known_goes_into_the_fork_with_it() {
    let disk = Disk::default();
    let write = r#"{ "id":"e", "kind":"entry","parentId":null,"type":"message","payload":{"message":{}},"extra":[1] }"#;
    disk.put("s", log_of(&[("tree/commit", &format!("{{\"firstSeq\":4,\"timestamp\":5,\"writes\":[{write}]}}"))]));
    let mut sessions = disk.sessions();
    sessions.fork_tree("s", &ForkScope::Tree, new("child")).unwrap();
    assert!(disk.text("child").contains(write));
}

#[test]
fn a_list_beside_a_value_of_the_tree_s_own_is_copied_as_it_is() {
    let (_, mut sessions) = source();
    commit(&mut sessions, &[push("pi.branch.tip", "main", "1"), push("pi.lane.state", "main", "2")]);
    let scope = ForkScope::Branch(BranchFork { branch: "main".into(), cut: None });
    for (child, scope) in [("branch", scope), ("tree", ForkScope::Tree)] {
        sessions.fork_tree("s", &scope, new(child)).unwrap();
        let of = |sessions: &mut Sessions, namespace| {
            elements(sessions, child, namespace, "main").into_iter().map(|(_, value)| value).collect::<Vec<_>>()
        };
        assert_eq!(
            (of(&mut sessions, "pi.branch.tip"), of(&mut sessions, "pi.lane.state")),
            (vec!["1".into()], vec!["2".into()])
        );
    }
}
