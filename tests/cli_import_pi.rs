//! `session import --from pi`: what the versions of pi, and those who went on from it, wrote beside messages, and what a model gets to see of it.

use serde_json::{Value, json};
use session_host::{Engine, JsonlFolder, Sessions};
use session_tests::command::{Answer, Root};

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"x","timestamp":"2026-10-01T00:00:00.000Z","cwd":"/srv/project"}"#;

/// A line of a file: an entry `id` that follows `parent`, with these members.
fn line(kind: &str, id: &str, parent: Option<&str>, mut members: Value) -> String {
    for (name, value) in [("type", json!(kind)), ("id", json!(id)), ("parentId", json!(parent))] {
        members[name] = value;
    }
    members["timestamp"] = json!("2026-10-01T00:00:01.000Z");
    members.to_string()
}

/// What a person says: the id of the entry.
fn said(id: &str, parent: Option<&str>) -> String {
    line("message", id, parent, json!({ "message": { "role": "user", "content": id } }))
}

fn edit(id: &str, parent: &str, target: &str, replacement: Value) -> String {
    line("context_edit", id, Some(parent), json!({ "targetId": target, "replacement": replacement }))
}

fn try_import(root: &Root, lines: &[&str], args: &[&str]) -> Answer {
    root.feed(&[&["import", "--from", "pi", "-", "--json"], args].concat(), &(lines.join("\n") + "\n"))
}

/// Imports these lines behind a header.
fn import(root: &Root, lines: &[&str]) -> Value {
    try_import(root, &[&[HEADER], lines].concat(), &[]).json()
}

fn counts(told: &Value) -> [u64; 3] {
    ["skipped", "changed", "context"].map(|what| told[what]["count"].as_u64().unwrap())
}

/// The first thing that is told of this kind.
fn reason<'t>(told: &'t Value, what: &str) -> &'t str {
    told[what]["notes"][0]["reason"].as_str().unwrap()
}

/// What a model gets to see on the branch.
fn context(root: &Root) -> Vec<Value> {
    let sessions = Sessions::new(&Engine::new().unwrap(), JsonlFolder::open(root.path()).unwrap());
    let messages = sessions.tree("x").context("main");
    messages.map(|message| serde_json::from_str(&message.unwrap().message).unwrap()).collect()
}

/// What a model gets to see on the branch: the contents alone.
fn contents(root: &Root) -> Vec<Value> {
    context(root).into_iter().map(|message| message.get("content").unwrap_or(&message["summary"]).clone()).collect()
}

fn value(root: &Root, namespace: &str) -> Option<Value> {
    let values = root.run(&["values", "x", &format!("{namespace}/"), "--json"]).json_lines();
    values.into_iter().next().map(|line| line["value"].clone())
}

fn entry(root: &Root, id: &str) -> Value {
    let entries = root.run(&["tree", "x", "--json"]).json_lines();
    entries.into_iter().find(|entry| entry["id"] == id).unwrap()
}

#[test]
fn a_leaf_says_where_the_session_stands() {
    let root = Root::new();
    let leaf = line("leaf", "d", Some("c"), json!({ "targetId": "b" }));
    let told = import(&root, &[&said("a", None), &said("b", Some("a")), &said("c", Some("b")), &leaf]);
    assert_eq!((counts(&told), &told["entries"]), ([0, 0, 0], &json!(3)));
    assert_eq!(contents(&root), ["a", "b"]);
}

#[test]
fn what_is_behind_a_leaf_moves_on_from_it() {
    let root = Root::new();
    let leaf = line("leaf", "c", Some("b"), json!({ "targetId": "a" }));
    import(&root, &[&said("a", None), &said("b", Some("a")), &leaf, &said("d", Some("a"))]);
    assert_eq!(contents(&root), ["a", "d"]);
}

#[test]
fn a_leaf_may_be_before_the_first_entry() {
    let root = Root::new();
    let leaf = line("leaf", "b", Some("a"), json!({ "targetId": null }));
    assert_eq!(counts(&import(&root, &[&said("a", None), &leaf])), [0, 0, 0]);
    assert_eq!(value(&root, "pi.branch.tip"), Some(Value::Null));
}

#[test]
fn a_leaf_at_an_entry_that_is_not_there_is_told_as_a_change_of_the_context() {
    let root = Root::new();
    let leaf = |target: Value| line("leaf", "c", Some("b"), json!({ "targetId": target }));
    let lines = [said("a", None), said("b", Some("a"))];
    let told = import(&root, &[&lines[0], &lines[1], &leaf(json!("nowhere"))]);
    assert_eq!(counts(&told), [0, 0, 1]);
    assert_eq!(value(&root, "pi.branch.tip"), Some(json!("b")));
    let root = Root::new();
    assert_eq!(counts(&import(&root, &[&lines[0], &lines[1], &leaf(json!(7))])), [1, 0, 0]);
}

#[test]
fn what_the_settings_were_is_told_by_the_way_to_the_leaf() {
    let root = Root::new();
    let model =
        |id: &str, parent, model: &str| line("model_change", id, parent, json!({ "provider": "p", "modelId": model }));
    let thinking = line("thinking_level_change", "b", Some("a"), json!({ "thinkingLevel": "high" }));
    let leaf = line("leaf", "e", Some("d"), json!({ "targetId": "c" }));
    import(&root, &[&model("a", None, "m"), &thinking, &said("c", Some("b")), &model("d", Some("c"), "other"), &leaf]);
    assert_eq!(value(&root, "pi.lane.config").unwrap()["model"], json!({ "provider": "p", "modelId": "m" }));
}

#[test]
fn a_title_before_the_header_names_the_session() {
    let title = |title: &str| json!({ "type": "title", "v": 1, "title": title, "pad": "   " }).to_string();
    let renamed = line("title_change", "b", Some("a"), json!({ "title": "Later" }));
    for (title, lines, name) in [
        (title("Mine"), vec![said("a", None)], Some("Mine")),
        (title(""), vec![said("a", None)], None),
        (title("Mine"), vec![said("a", None), renamed], Some("Later")),
    ] {
        let root = Root::new();
        let lines: Vec<&str> = [title.as_str(), HEADER].into_iter().chain(lines.iter().map(String::as_str)).collect();
        let told = try_import(&root, &lines, &[]).json();
        assert_eq!((counts(&told), &told["entries"]), ([0, 0, 0], &json!(1)));
        assert_eq!(value(&root, "pi.session.name"), name.map(Value::from));
    }
}

#[test]
fn a_title_alone_is_no_file_of_pi() {
    let title = r#"{"type":"title","v":1,"title":"Mine"}"#;
    try_import(&Root::new(), &[title], &[]).failed(6);
    try_import(&Root::new(), &[title, title, HEADER], &[]).failed(6);
}

#[test]
fn a_model_may_be_named_by_one_text() {
    let thinking = line("thinking_level_change", "b", Some("a"), json!({ "thinkingLevel": "high" }));
    let chosen = |members: Value| {
        let root = Root::new();
        import(&root, &[&line("model_change", "a", None, members), &thinking, &said("c", Some("b"))]);
        value(&root, "pi.lane.config").map(|configuration| configuration["model"].clone())
    };
    let split = json!({ "provider": "p", "modelId": "vendor/m" });
    assert_eq!(chosen(json!({ "model": "p/vendor/m" })), Some(split.clone()));
    assert_eq!(chosen(json!({ "model": "p/vendor/m", "role": "default" })), Some(split));
    assert_eq!(chosen(json!({ "model": "m" })), None, "whose it is, nobody knows");
    assert_eq!(chosen(json!({ "provider": "p" })), None);
    assert_eq!(chosen(json!({ "model": "p/m", "role": "smol" })), None, "that is no model of the conversation");
}

#[test]
fn what_an_edit_takes_out_no_model_gets_to_see_again() {
    let root = Root::new();
    let lines =
        [said("secret", None), said("b", Some("secret")), edit("e", "b", "secret", Value::Null), said("c", Some("e"))];
    let told = import(&root, &lines.each_ref().map(String::as_str));
    assert_eq!((counts(&told), &told["messages"]), ([0, 1, 0], &json!(2)));
    assert_eq!(told["changed"]["notes"][0]["line"], 4);
    assert_eq!(contents(&root), ["b", "c"]);
    // What was said, and the edit, are kept where no model looks.
    let omitted = entry(&root, "secret");
    assert_eq!((&omitted["type"], &omitted["customType"]), (&json!("custom"), &json!("omitted")));
    assert_eq!(omitted["payload"]["data"]["payload"]["message"], json!({ "role": "user", "content": "secret" }));
    let kept = entry(&root, "e");
    assert_eq!(kept["customType"], "context_edit");
    assert_eq!(kept["payload"]["data"], json!({ "targetId": "secret", "replacement": null }));
    assert_eq!(root.run(&["list", "--json"]).json_lines().len(), 1, "and nothing unfinished is left");
}

#[test]
fn what_an_edit_replaces_a_model_sees_replaced() {
    let root = Root::new();
    let answer = json!({ "message": { "role": "assistant", "content": [{ "type": "text", "text": "secret" }], "stopReason": "stop" } });
    let lines = [
        said("a", None),
        line("message", "b", Some("a"), answer),
        line("custom_message", "c", Some("b"), json!({ "customType": "note", "content": "secret" })),
        edit("e", "c", "b", json!({ "content": "first" })),
        edit("f", "e", "b", json!({ "content": "second" })),
        edit("g", "f", "c", json!({ "content": "note" })),
    ];
    let told = import(&root, &lines.each_ref().map(String::as_str));
    assert_eq!(counts(&told), [0, 2, 0], "an edit that is edited again needs no word");
    assert_eq!(contents(&root), [json!("a"), json!([{ "type": "text", "text": "second" }]), json!("note")]);
    let edited = entry(&root, "b");
    assert_eq!(edited["payload"]["message"]["stopReason"], "stop");
    assert_eq!(edited["payload"]["original"], json!([{ "type": "text", "text": "secret" }]));
}

#[test]
fn an_edit_that_does_not_say_what_is_seen_instead_takes_out() {
    for replacement in [json!({}), json!({ "content": 7 }), json!("text")] {
        let root = Root::new();
        let lines = [said("secret", None), edit("e", "secret", "secret", replacement)];
        import(&root, &lines.each_ref().map(String::as_str));
        assert_eq!(contents(&root), [] as [Value; 0]);
    }
}

#[test]
fn what_a_compaction_kept_is_edited_too() {
    let root = Root::new();
    let compaction = json!({ "summary": "s", "firstKeptEntryId": "secret", "tokensBefore": 9 });
    let lines = [
        said("a", None),
        said("secret", Some("a")),
        said("b", Some("secret")),
        line("compaction", "p", Some("b"), compaction),
        edit("e", "p", "secret", Value::Null),
        said("c", Some("e")),
    ];
    assert_eq!(counts(&import(&root, &lines.each_ref().map(String::as_str))), [0, 1, 0]);
    assert_eq!(contents(&root), ["s", "b", "c"]);
}

#[test]
fn copies_of_messages_that_no_edit_reaches_are_told() {
    let root = Root::new();
    let kept = json!([{ "role": "user", "content": "secret" }]);
    let compaction = json!({ "summary": "s", "retainedTail": kept, "tokensBefore": 9 });
    let lines = [
        said("secret", None),
        line("compaction", "p", Some("secret"), compaction),
        edit("e", "p", "secret", Value::Null),
    ];
    let told = import(&root, &lines.each_ref().map(String::as_str));
    assert_eq!((counts(&told), &told["context"]["notes"][0]["line"]), ([0, 1, 1], &json!(3)));
}

#[test]
fn an_edit_on_a_branch_that_was_left_does_not_count_and_is_told() {
    let root = Root::new();
    let lines = [said("a", None), said("b", Some("a")), edit("e", "b", "a", Value::Null), said("c", Some("b"))];
    let told = import(&root, &lines.each_ref().map(String::as_str));
    assert_eq!(counts(&told), [0, 0, 1]);
    assert!(reason(&told, "context").contains("a stays as it was"), "{told}");
    assert_eq!(contents(&root), ["a", "b", "c"], "as in pi");
}

#[test]
fn an_edit_that_can_t_be_carried_over_is_told_as_a_change_of_the_context() {
    let lines = [said("a", None), said("b", Some("a"))];
    let twice = edit("a", "b", "a", Value::Null);
    let of_nothing = line("context_edit", "e", Some("b"), json!({ "replacement": null }));
    for (edit, expected) in [(twice, [1, 0, 1]), (of_nothing, [0, 0, 1])] {
        let root = Root::new();
        assert_eq!(counts(&import(&root, &[&lines[0], &lines[1], &edit])), expected);
    }
    // People are told of that first.
    let root = Root::new();
    let input = [HEADER, &lines[0], &lines[1], &edit("a", "b", "a", Value::Null)].join("\n");
    let answer = root.feed(&["import", "--from", "pi", "-"], input);
    let first = answer.err.lines().next().unwrap();
    assert!(first.contains("line 4: the context of a model is another: what it edits stays as it was"), "{answer}");
}

#[test]
fn what_was_cleared_away_no_model_gets_to_see_again() {
    let root = Root::new();
    let told =
        import(&root, &[&said("a", None), &line("reset_boundary", "r", Some("a"), json!({})), &said("b", Some("r"))]);
    assert_eq!((counts(&told), &told["entries"]), ([0, 1, 0], &json!(2)));
    assert_eq!(contents(&root), ["b"]);
}

#[test]
fn what_was_cleared_away_no_compaction_keeps() {
    let root = Root::new();
    let kept = json!({ "summary": "s", "firstKeptEntryId": "b", "tokensBefore": 9 });
    let told = import(
        &root,
        &[
            &said("a", None),
            &said("b", Some("a")),
            &line("reset_boundary", "r", Some("b"), json!({})),
            &said("c", Some("r")),
            &line("compaction", "k", Some("c"), kept),
            &said("d", Some("k")),
        ],
    );
    assert!(reason(&told, "context").contains("is not on its branch; nothing is kept"), "{told}");
    assert_eq!(contents(&root), ["s", "d"]);
}

#[test]
fn members_that_are_not_known_are_carried_over_byte_for_byte() {
    let root = Root::new();
    let bytes = r#"{"n":1.0,"t":"\u00fc","n":2}"#;
    let put = |line: String| line.replacen('{', &format!(r#"{{"novel":{bytes},"#), 1);
    let lines = [
        put(said("a", None)),
        put(line("custom_message", "b", Some("a"), json!({ "customType": "note", "content": "hi" }))),
        put(line("branch_summary", "c", Some("b"), json!({ "fromId": "a", "summary": "s" }))),
        put(line("custom", "d", Some("c"), json!({ "customType": "state", "data": 1 }))),
        put(line("compaction", "e", Some("d"), json!({ "summary": "s", "firstKeptEntryId": "d", "tokensBefore": 9 }))),
    ];
    assert_eq!(counts(&import(&root, &lines.each_ref().map(String::as_str))), [0, 0, 0]);
    let exported = root.run(&["export", "--to", "pi", "x"]).done();
    let carried = format!(r#""novel":{bytes}"#);
    for line in exported.lines().skip(1).take(5) {
        assert!(line.contains(&carried), "{line}");
    }
    // Inside of the message: there an application looks for it.
    assert!(exported.contains(&format!(r#""content":"hi",{carried},"timestamp""#)), "{exported}");
}

#[test]
fn a_member_that_is_called_like_one_of_version_4_is_left_out_and_told() {
    let root = Root::new();
    let summary = json!({ "summary": "s", "firstKeptEntryId": "a", "tokensBefore": 9, "seq": 1, "kind": "auto" });
    let told = import(&root, &[&said("a", None), &line("compaction", "b", Some("a"), summary)]);
    assert_eq!(counts(&told), [0, 2, 0]);
    let exported = root.run(&["export", "--to", "pi", "x"]).done();
    assert!(!exported.contains("auto"), "{exported}");
}

#[test]
fn the_message_of_the_system_that_a_compaction_holds_is_seen_instead_of_those_that_it_kept() {
    let root = Root::new();
    let system = |content: &str| json!({ "role": "system", "content": content });
    let compaction =
        json!({ "summary": "s", "firstKeptEntryId": "a", "tokensBefore": 9, "systemMessage": system("now") });
    let lines = [
        line("message", "a", None, json!({ "message": system("then") })),
        said("b", Some("a")),
        line("compaction", "c", Some("b"), compaction),
    ];
    assert_eq!(counts(&import(&root, &lines.each_ref().map(String::as_str))), [0, 0, 0]);
    assert_eq!(contents(&root), ["s", "now", "b"]);
    assert_eq!(entry(&root, "c")["payload"]["systemMessage"], system("now"));
}

#[test]
fn what_was_used_beside_messages_is_a_row_of_the_ledger() {
    let usage = |input: u64| {
        let cost = json!({ "input": 1, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 1 });
        json!({ "input": input, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": input + 1, "cost": cost })
    };
    let answer = json!({ "message": { "role": "assistant", "content": [], "usage": usage(10) } });
    let lines = [
        line("message", "a", None, answer),
        line("usage", "b", Some("a"), json!({ "kind": "cache_warm", "usage": usage(1000) })),
        // Those who went on from pi call it so; and the sums are missing.
        line("model_usage", "c", Some("b"), json!({ "purpose": "title", "usage": { "input": 5, "output": 5 } })),
        line("usage", "d", Some("c"), json!({ "kind": "none" })),
        said("e", Some("d")),
        edit("f", "e", "e", Value::Null),
    ];
    let root = Root::new();
    let told = import(&root, &lines.each_ref().map(String::as_str));
    assert_eq!((counts(&told), &told["skipped"]["notes"][0]["line"]), ([1, 1, 0], &json!(5)));
    let rows = root.run(&["usage", "x", "--json"]).json_lines();
    let ids: Vec<_> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
    assert_eq!(ids, ["b", "c", "import"]);
    assert_eq!((&rows[0]["usage"], &rows[0]["adjustment"]), (&usage(1000), &json!(false)));
    assert_eq!(rows[0]["details"]["kind"], "cache_warm");
    assert_eq!(rows[1]["usage"]["totalTokens"], 10);
    assert_eq!(rows[3]["total"]["totalTokens"], json!(11.0 + 1001.0 + 10.0));
    assert_eq!(entry(&root, "e")["parent"], "a");
}

#[test]
fn version_1_counts_the_header_and_keeps_all_that_is_behind_the_place_it_names() {
    let compacted = |index: u64| {
        let root = Root::new();
        let lines = [
            r#"{"type":"session","id":"x","timestamp":"2025-12-01T00:00:00.000Z","cwd":"/srv/project"}"#,
            r#"{"type":"message","timestamp":"2025-12-01T00:00:01.000Z","message":{"role":"user","content":"one"}}"#,
            r#"{"type":"message","timestamp":"2025-12-01T00:00:01.000Z","message":{"role":"user","content":"two"}}"#,
            &format!(
                r#"{{"type":"compaction","timestamp":"2025-12-01T00:00:02.000Z","summary":"s","firstKeptEntryIndex":{index},"tokensBefore":9}}"#
            ),
        ];
        assert_eq!(counts(&try_import(&root, &lines, &[]).json()), [0, 0, 0], "{index}");
        contents(&root)
    };
    assert_eq!(compacted(0), ["s", "one", "two"]);
    assert_eq!(compacted(1), ["s", "one", "two"]);
    assert_eq!(compacted(2), ["s", "two"]);
    assert_eq!(compacted(3), ["s"], "itself: nothing is kept");
}

#[test]
fn a_compaction_that_names_itself_kept_nothing() {
    let root = Root::new();
    let compaction = json!({ "summary": "s", "firstKeptEntryId": "b", "tokensBefore": 9 });
    assert_eq!(counts(&import(&root, &[&said("a", None), &line("compaction", "b", Some("a"), compaction)])), [0, 0, 0]);
    assert_eq!(contents(&root), ["s"]);
}

#[test]
fn a_header_without_an_id_needs_a_name() {
    let header = HEADER.replace(r#""id":"x","#, "");
    let answer = try_import(&Root::new(), &[&header, &said("a", None)], &[]);
    assert!(answer.err.contains("its header has no id; name one with --id"), "{answer}");
    answer.failed(6);
    let root = Root::new();
    assert_eq!(try_import(&root, &[&header, &said("a", None)], &["--id", "x"]).json()["entries"], 1);
}

#[test]
fn what_changes_nothing_for_a_model_is_told_apart_from_what_is_not_known() {
    let root = Root::new();
    let tier = line("service_tier_change", "b", Some("a"), json!({ "serviceTier": null }));
    let told =
        import(&root, &[&said("a", None), &tier, &line("novelty", "c", Some("b"), json!({})), &said("d", Some("c"))]);
    assert_eq!(counts(&told), [2, 0, 0]);
    assert!(reason(&told, "skipped").ends_with("it changed nothing that a model gets to see"), "{told}");
    let unknown = told["skipped"]["notes"][1]["reason"].as_str().unwrap();
    assert!(unknown.ends_with("if it changed what a model gets to see, that is lost"), "{told}");
    assert_eq!(contents(&root), ["a", "d"]);
}
