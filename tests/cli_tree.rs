//! `session tree`, `session usage` and `session values`: what the tree of a session holds.

use serde_json::{Value, json};
use session_tests::command::Root;

/// One event that holds a commit.
fn commit(seq: u64, first: u64, writes: &Value) -> String {
    let data = json!({ "firstSeq": first, "timestamp": 5, "writes": writes });
    format!("{}\n", json!({ "type": "tree/commit", "seq": seq, "time": 5, "data": data }))
}

fn entry(id: &str, parent: Option<&str>, role: &str, text: &str) -> Value {
    let message = json!({ "role": role, "content": [{ "type": "text", "text": text }] });
    json!({ "kind": "entry", "id": id, "parentId": parent, "type": "message", "payload": { "message": message } })
}

fn value(namespace: &str, key: &str, value: impl Into<Value>) -> Value {
    json!({ "kind": "value", "op": "set", "namespace": namespace, "key": key, "value": value.into() })
}

fn usage(id: &str, entry: Option<&str>, tokens: u64) -> Value {
    let cost = json!({ "input": 0.25, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0.25 });
    let usage =
        json!({ "input": tokens, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": tokens, "cost": cost });
    json!({ "kind": "usage", "id": id, "entryId": entry, "adjustment": false, "usage": usage })
}

/// A tree with two branches, and one that has not begun.
fn forked(root: &Root) {
    let entries = json!([
        entry("a", None, "user", "The login\nfails."),
        entry("b", Some("a"), "assistant", "Since when?"),
        entry("c", Some("b"), "user", "Since noon."),
        entry("01234567-89ab-7cde-8f01-23456789abcd", Some("a"), "user", "Another \u{1b}[31mway."),
        value("pi.branch.tip", "main", "c"),
        value("pi.branch.tip", "other", "01234567-89ab-7cde-8f01-23456789abcd"),
        value("pi.branch.tip", "new", Value::Null),
        value("pi.entry.label", "b", "asks"),
        value("pi.session.name", "", "The login"),
        usage("u1", Some("b"), 900),
        usage("u2", None, 100),
    ]);
    root.put("x", commit(0, 1, &entries));
}

#[test]
fn branches_are_drawn_beside_the_entries() {
    let root = Root::new();
    forked(&root);
    assert_eq!(
        root.run(&["tree", "x"]).done(),
        "The login  4 entries, 4 messages\n\
         ● …6789abcd    user (other)  Another \\u{1b}[31mway.\n\
         │ ● c            user (main)  Since noon.\n\
         │ ● b            assistant [asks]  Since when?\n\
         ●─╯ a            user  The login fails.\n\
         ○ new stands before the first entry\n"
    );
    let newest = root.run(&["tree", "x", "--max", "1"]).done();
    assert_eq!(newest.lines().filter(|line| line.contains('●')).count(), 1);
    assert!(newest.contains("… 3 older entries"), "{newest}");
}

#[test]
fn a_branch_that_stands_at_no_entry_is_told_so() {
    let root = Root::new();
    root.put("x", commit(0, 1, &json!([entry("a", None, "user", "Hi."), value("pi.branch.tip", "lost", "none")])));
    let told = root.run(&["tree", "x"]).done();
    assert!(told.ends_with("○ lost stands at none, which is not there\n"), "{told}");
    let told = root.run(&["tree", "x", "--json"]).json_lines();
    assert_eq!(told[1], json!({ "branch": "lost", "tip": "none" }));
}

#[test]
fn as_json_each_entry_is_a_line() {
    let root = Root::new();
    forked(&root);
    let told = root.run(&["tree", "x", "--json"]).done();
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines[2],
        json!({
            "id": "b", "parent": "a", "number": 2, "timestamp": 5, "type": "message", "label": "asks", "branches": [],
            "payload": { "message": { "role": "assistant", "content": [{ "type": "text", "text": "Since when?" }] } }
        })
    );
    assert_eq!(lines[1]["branches"], json!(["main"]));
    assert_eq!(lines[4], json!({ "branch": "new", "tip": null }));
}

#[test]
fn usage_is_told_by_row_and_as_a_sum() {
    let root = Root::new();
    forked(&root);
    let told = root.run(&["usage", "x"]).done();
    let lines: Vec<Vec<&str>> = told.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["b", "900", "0", "0", "0", "900", "0.2500"]);
    assert_eq!(lines[3], ["all", "1000", "0", "0", "0", "1000", "0.5000"]);
    let told = root.run(&["usage", "x", "--json"]).done();
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["id"], &lines[0]["entry"], &lines[0]["number"]), (&json!("u1"), &json!("b"), &json!(10)));
    assert_eq!(lines[0]["usage"]["cost"]["input"], 0.25);
    assert_eq!((&lines[2]["messages"], &lines[2]["rows"]), (&json!(4), &json!(2)));
    assert_eq!(lines[2]["total"]["totalTokens"].as_f64(), Some(1000.0));
}

#[test]
fn values_are_told_by_namespace_and_key() {
    let root = Root::new();
    let writes = json!([
        value("plan", "steps", json!(["reproduce", "mend"])),
        value("plan", "a\u{1b}b", "\u{7}"),
        value("other", "", 1),
        value("plan", "steps", json!(["mend"])),
    ]);
    root.put("x", commit(0, 1, &writes));
    assert_eq!(
        root.run(&["values", "x"]).done(),
        "other/ = 1\nplan/a\\u{1b}b = \"\\u0007\"\nplan/steps = [\"mend\"]\n"
    );
    assert_eq!(root.run(&["values", "x", "plan/s"]).done(), "plan/steps = [\"mend\"]\n");
    let told = root.run(&["values", "x", "plan/steps", "--json"]).json();
    assert_eq!(told, json!({ "namespace": "plan", "key": "steps", "number": 4, "value": ["mend"] }));
    assert_eq!(root.run(&["values", "x", "none"]).done(), "");
}

#[test]
fn lists_are_told_behind_the_values_an_element_a_line() {
    let root = Root::new();
    let push = |key: &str, value: &str| json!({ "kind": "list", "op": "append", "namespace": "plan", "key": key, "value": value });
    root.put(
        "x",
        commit(0, 1, &json!([push("done", "a"), push("done", "b"), value("plan", "z", 1), push("else", "c")])),
    );
    assert_eq!(
        root.run(&["values", "x", "plan/"]).done(),
        "plan/z = 1\nplan/done + \"a\"\nplan/done + \"b\"\nplan/else + \"c\"\n"
    );
    let told = root.run(&["values", "x", "plan/e", "--json"]).json();
    assert_eq!(told, json!({ "namespace": "plan", "key": "else", "number": 4, "element": "c" }));
}

#[test]
fn what_a_model_is_to_see_of_a_branch_is_told() {
    let root = Root::new();
    forked(&root);
    assert_eq!(
        root.run(&["messages", "x", "--branch", "main"]).done(),
        "user from entry a\n  The login\n  fails.\n\nassistant from entry b\n  Since when?\n\nuser from entry c\n  Since noon.\n"
    );
    let told = root.run(&["messages", "x", "--branch", "main", "--json"]).done();
    let first: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
    assert_eq!((&first["entry"], &first["message"]["role"]), (&json!("a"), &json!("user")));
    assert_eq!(root.run(&["messages", "x", "--branch", "new"]).done(), "");
    let none = root.run(&["messages", "x", "--branch", "none"]);
    assert!(none.err.contains("\"none\""), "{none}");
    none.failed(3);
}

#[test]
fn who_sees_no_messages_is_told_that_there_is_a_tree_and_the_other_way_round() {
    let root = Root::new();
    forked(&root);
    root.put("plain", "");
    let answer = root.run(&["messages", "x"]);
    assert!(answer.err.contains("messages x --branch main"), "{answer}");
    assert_eq!(answer.done(), "");
    for view in ["tree", "usage", "values"] {
        let answer = root.run(&[view, "plain"]);
        assert!(answer.err.contains("show plain"), "{answer}");
        assert_eq!(root.run(&[view, "x"]).err, "");
    }
    assert_eq!(root.run(&["messages", "plain"]).err, "");
}

#[test]
fn a_commit_is_shown_by_what_it_changes() {
    let root = Root::new();
    let deleted = json!({ "kind": "value", "op": "delete", "namespace": "plan", "key": "steps" });
    let element = json!({ "kind": "list", "op": "append", "namespace": "plan", "key": "done", "value": 1 });
    let writes = json!([
        entry("a", None, "user", "The login fails."),
        value("pi.branch.tip", "main", "a"),
        usage("u1", Some("a"), 900),
        value("plan", "steps", json!(["mend"])),
        deleted,
        element,
    ]);
    root.put("x", commit(0, 1, &writes));
    let told = root.run(&["show", "x"]).done();
    let expected = "a user The login fails. · main → a · 900 tokens used · plan/steps = ";
    assert!(told.contains(expected), "{told}");
    root.put("y", commit(0, 1, &json!([deleted, element, 7])));
    let told = root.run(&["show", "y"]).done();
    assert!(told.contains("plan/steps deleted · plan/done + 1 · ?"), "{told}");
}

#[test]
fn a_session_without_a_tree_has_an_empty_one() {
    let root = Root::new();
    root.put("x", "");
    assert_eq!(root.run(&["tree", "x"]).done(), "0 entries, 0 messages\n");
    assert_eq!(root.run(&["tree", "x", "--json"]).done(), "");
    assert_eq!(root.run(&["values", "x"]).done(), "");
    for view in ["tree", "usage", "values"] {
        root.run(&[view, "none"]).failed(3);
    }
}

#[test]
fn commits_that_break_a_rule_are_warned_of() {
    let root = Root::new();
    let orphan = json!([entry("b", Some("none"), "user", "")]);
    root.put("x", commit(0, 1, &json!([entry("a", None, "user", "")])) + &commit(1, 2, &orphan));
    for view in ["tree", "usage", "values"] {
        let answer = root.run(&[view, "x"]);
        assert!(answer.err.contains("1 commit of the log broke a rule"), "{answer}");
        answer.done();
    }
}

#[test]
fn a_damaged_log_shows_what_precedes_the_damage() {
    let root = Root::new();
    root.put("x", commit(0, 1, &json!([entry("a", None, "user", "Hi.")])) + "torn");
    let answer = root.run(&["tree", "x"]);
    assert!(answer.err.contains("damaged after 1 event"), "{answer}");
    assert!(answer.done().contains("Hi."));
}
