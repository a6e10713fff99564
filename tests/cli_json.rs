//! Awkward JSON goes through the command with its bytes as they are.

use session_tests::command::{Root, event, header, interrupted_turn, turn};

/// C30, C31 and C5.
const AWKWARD: [&str; 12] = [
    r#"{"t":"\ud83d"}"#,
    r#"{"id":2512292042121000001,"f":1.0,"e":1e400}"#,
    r#"{"b":1,"a":2}"#,
    r#"{"a":1,"a":2}"#,
    r#"{"n":-0.0,"m":1E+2,"k":0.10}"#,
    r#"{"s":"\u0041\/\b"}"#,
    "{\"s\":\"\u{2028}\u{2029}\u{85}\"}",
    r#"{ "spaced" : [ 1 , 2 ] }"#,
    "null",
    "123456789012345678901234567890.5",
    r#""text""#,
    "[]",
];

#[test]
fn whole_events_keep_their_bytes() {
    let root = Root::new();
    let lines: String = AWKWARD.iter().enumerate().map(|(seq, data)| event(seq as u64, "note", data)).collect();
    root.feed(&["append", "x", "--create"], &lines).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), lines);
    assert_eq!(root.run(&["show", "x", "--json", "--except", "none"]).done(), lines);
    root.run(&["show", "x"]).done();
    root.run(&["messages", "x"]).done();
}

#[test]
fn emitted_data_keeps_its_bytes() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    for data in AWKWARD {
        root.run(&["emit", "x", "note", data]).done();
    }
    let stored = root.run(&["show", "x", "--json"]).done();
    for (line, data) in stored.lines().zip(AWKWARD) {
        assert!(line.ends_with(&format!("\"data\":{data}}}")), "{line}");
    }
}

#[test]
fn messages_keep_the_bytes_of_their_content() {
    let root = Root::new();
    let content = r#"[{"type":"text","text":"\ud83d","n":2512292042121000001,"f":1.0,"a":1,"a":2}]"#;
    root.put("x", event(0, "user/message", &format!("{{\"content\":{content}}}")));
    let message = root.run(&["messages", "x", "--json"]).done();
    assert_eq!(message, format!("{{\"role\":\"user\",\"content\":{content},\"source\":0}}\n"));
}

#[test]
fn states_keep_the_bytes_of_their_events() {
    let root = Root::new();
    let data = r#"{"n":2512292042121000001,"f":1.0,"a":1,"a":2}"#;
    root.put("x", event(0, "session/boundary", data));
    let state = root.run(&["inspect", "x", "--json"]).done();
    assert!(state.contains(&format!("\"boundary\":{}", event(0, "session/boundary", data).trim_end())), "{state}");
}

#[test]
fn a_raw_line_feed_in_data_is_refused() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    root.run(&["emit", "x", "note", "{\"a\":\n1}"]).failed(6);
    root.run(&["emit", "x", "note", "\"a\nb\""]).failed(6);
}

/// The answers whose members stand in an order that is documented, and these members.
const ORDERS: [(&[&str], &[&str]); 13] = [
    (&["create", "new", "--cwd", "/a", "--parent", "x"], &["version", "id", "createdAt", "cwd", "parentSession"]),
    (&["fork", "x", "child"], &["version", "id", "createdAt", "parentSession", "seedLength"]),
    (&["messages", "x"], &["role", "content", "source"]),
    (
        &["inspect", "torn"],
        &[
            "header", "length", "revision", "held", "boundary", "recovery", "damage", "kind", "expected", "offset",
            "length", "records", "detail", "keptAt", "closers", "asides",
        ],
    ),
    (&["aside", "cut"], &["name", "length"]),
    (&["verify", "--all"], &["id", "sound", "length", "damage", "reason"]),
    (&["list"], &["version", "id", "createdAt", "bytes", "modified", "held"]),
    (&["has", "x"], &["has"]),
    (&["copy", "x", "--to", "jsonl:TO"], &["id", "bytes", "asides", "damage", "reason"]),
    (
        &["handoff", "x"],
        &[
            "session",
            "length",
            "boundary",
            "note",
            "turns",
            "standing",
            "asked",
            "seq",
            "text",
            "done",
            "answered",
            "unanswered",
            "id",
            "name",
            "arguments",
            "outcome",
            "more",
            "done",
            "unanswered",
        ],
    ),
    (
        &["wake", "x"],
        &[
            "header", "length", "revision", "held", "boundary", "recovery", "damage", "keptAt", "closers", "type",
            "seq", "time", "data", "asides",
        ],
    ),
    (&["emit", "x", "note", "1"], &["seq"]),
    (&["delete", "x"], &["deleted"]),
];

#[test]
fn members_stand_in_the_documented_order() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    root.put("torn", turn(0) + "{");
    root.put("cut", turn(0) + "{");
    root.run(&["wake", "cut"]).done();
    let elsewhere = Root::new();
    let to = format!("jsonl:{}", elsewhere.path().display());
    for (args, members) in ORDERS {
        let mut args: Vec<&str> = args.iter().map(|arg| if *arg == "jsonl:TO" { to.as_str() } else { arg }).collect();
        args.push("--json");
        let told = String::from_utf8(root.run(&args).out).unwrap();
        let line = told.lines().next().unwrap();
        let mut rest = line;
        for member in members {
            let name = format!("\"{member}\":");
            rest = rest.split_once(&name).unwrap_or_else(|| panic!("no {name} in its place: {line}")).1;
        }
        assert!(line.starts_with(&format!("{{\"{}\":", members[0])), "{line}");
    }
}

#[test]
fn a_stored_event_of_the_headers_type_is_an_event() {
    let root = Root::new();
    let stored = event(0, "session", r#"{"id":"y"}"#) + &event(1, "note", "{}");
    root.put("x", &stored);
    assert_eq!(root.run(&["show", "x", "--json"]).done(), stored);
    root.put("x", event(0, "note", "{}") + &header("x") + &event(1, "note", "{}"));
    root.run(&["verify", "x"]).ended(5);
}
