//! `show`, `messages` and `check`: what people and programs read.

use session_tests::command::{Root, event, interrupted_turn, turn};

#[test]
fn json_is_the_stored_lines_without_the_header() {
    let root = Root::new();
    root.put("x", turn(0) + &turn(3));
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0) + &turn(3));
}

#[test]
fn a_stretch_can_be_asked_for() {
    let root = Root::new();
    root.put("x", turn(0) + &turn(3));
    assert_eq!(root.run(&["show", "x", "--json", "--start", "3"]).done(), turn(3));
    assert_eq!(root.run(&["show", "x", "--json", "--max", "3"]).done(), turn(0));
    assert_eq!(
        root.run(&["show", "x", "--json", "--start", "1", "--max", "1"]).done(),
        turn(0).lines().nth(1).unwrap().to_owned() + "\n"
    );
    assert_eq!(root.run(&["show", "x", "--json", "--max", "0"]).done(), "");
    assert_eq!(root.run(&["show", "x", "--json", "--start", "99"]).done(), "");
}

#[test]
fn types_can_be_left_out() {
    let root = Root::new();
    root.put("x", turn(0));
    let left = root.run(&["show", "x", "--json", "--except", "turn/start", "--except", "turn/end"]).done();
    assert_eq!(left, turn(0).lines().nth(1).unwrap().to_owned() + "\n");
    // What is left out does not count.
    let two = root.run(&["show", "x", "--json", "--except", "turn/start", "--max", "2"]).done();
    assert_eq!(two.lines().count(), 2);
    let told = root.run(&["show", "x", "--except", "user/message"]).done();
    assert!(!told.contains("user/message") && told.contains("turn/end"), "{told}");
}

#[test]
fn the_timeline_is_indented_and_says_what_happened() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let told = root.run(&["show", "x"]).done();
    for words in [
        "0  turn/start ",
        "1    user/message ",
        "2    step/start ",
        "3      assistant/message ",
        "read two files",
        "→ read({})",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn long_texts_are_cut_and_lines_stay_lines() {
    let root = Root::new();
    root.put("x", event(0, "user/message", &format!("{{\"content\":\"first\\nsecond {}\"}}", "long ".repeat(1000))));
    let told = root.run(&["show", "x"]).done();
    let line = told.lines().find(|line| line.contains("user/message")).unwrap();
    assert!(line.contains("first second long") && line.ends_with('…'), "{line}");
    assert!(line.chars().count() <= 120, "{line}");
}

#[test]
fn what_a_log_holds_can_not_steer_the_terminal() {
    let root = Root::new();
    let hostile = r#"{"content":"\u001b[2J\u0007\u202egnp\r"}"#;
    root.put("x", event(0, "user/message", hostile) + &event(1, "other", hostile).replace("other", "\\u001b[31mother"));
    for command in ["show", "messages"] {
        let told = root.run(&[command, "x"]).done();
        assert!(!told.contains(['\u{1b}', '\u{7}', '\u{202e}', '\r']), "{told:?}");
        assert!(told.contains("[2J"), "{told:?}");
    }
}

#[test]
fn colours_are_for_terminals_or_whoever_asks() {
    let root = Root::new();
    root.put("x", turn(0));
    assert!(!root.run(&["show", "x"]).done().contains('\u{1b}'));
    let forced = root.command(["show", "x"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(String::from_utf8(forced.stdout).unwrap().contains('\u{1b}'));
    let refused = root.command(["show", "x"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!String::from_utf8(refused.stdout).unwrap().contains('\u{1b}'));
}

#[test]
fn odd_events_are_shown_as_they_are() {
    let root = Root::new();
    root.put(
        "x",
        event(0, "user/message", r#"{"content":7}"#)
            + &event(1, "own/type", r#"{"e":1e400}"#)
            + &event(2, "turn/end", "null")
            + "{\"type\":\"late\",\"seq\":3,\"time\":9007199254740991,\"data\":\"\\ud83d\"}\n",
    );
    let told = root.run(&["show", "x"]).done();
    for words in [r#"{"content":7}"#, r#"{"e":1e400}"#, "9007199254740991", "\\ud83d"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn one_odd_member_hides_none_of_the_others() {
    let root = Root::new();
    root.put(
        "x",
        [
            event(0, "turn/start", r#"{"turn":1e400,"\ud83d":1}"#),
            event(
                1,
                "user/message",
                r#"{"content":[{"type":"text","text":"good","n":1e400},"bare",{"text":"\ud83d"}]}"#,
            ),
            event(
                2,
                "assistant/message",
                r#"{"content":[{"type":"tool-call","id":"a","name":"read","arguments":{"b":1,"a":1e400}}]}"#,
            ),
            event(3, "tool/call", r#"{"callId":"a","name":"read","arguments":{"b":1,"a":1e400},"note":7}"#),
            event(
                4,
                "tool/result",
                r#"{"callId":"a","content":"it says","content":"more","isError":true,"error":{"code":"NONE"}}"#,
            ),
            event(5, "turn/end", r#"{"turn":1e400,"reason":{"kind":"completed","n":1e400}}"#),
        ]
        .concat(),
    );
    let told = root.run(&["show", "x"]).done();
    for words in [
        "turn 1e400\n",
        r#"good "bare" "\ud83d""#,
        r#"→ read({"b":1,"a":1e400})"#,
        r#"  read({"b":1,"a":1e400}) · a"#,
        "NONE · more\n",
        "turn 1e400 completed",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let messages = root.run(&["messages", "x"]).done();
    for words in ["  good\n", "  \"\\ud83d\"\n", r#"→ read({"b":1,"a":1e400})  a"#, "← failed a\n  more\n"] {
        assert!(messages.contains(words), "{words}: {messages}");
    }
}

#[test]
fn an_absent_session_is_not_found() {
    let root = Root::new();
    for command in ["show", "messages", "inspect", "check", "verify", "follow", "handoff", "aside"] {
        for json in [&[][..], &["--json"]] {
            let said = root.run(&[&[command, "x"], json].concat()).failed(3);
            assert!(said.contains("session x") && said.contains("list"), "{command}: {said}");
        }
    }
}

#[test]
fn messages_pair_calls_with_results() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let messages = root.run(&["messages", "x", "--json"]).json_lines();
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "user"]);
    assert_eq!(messages[0]["source"], 1);
    assert_eq!(messages[0]["content"][0]["text"], "read two files");
    assert_eq!(messages[2]["content"][0]["toolCallId"], "a");
    let recorded = root.run(&["messages", "x", "--recorded", "--json"]).json_lines();
    assert_eq!(recorded.len(), 2);
}

#[test]
fn messages_are_readable() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let told = root.run(&["messages", "x"]).done();
    for words in ["user from event 1", "  read two files", "assistant from event 3", "→ read({})", "← failed"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn check_tells_broken_rules_by_its_exit_code() {
    let root = Root::new();
    root.put("x", turn(0));
    assert_eq!(root.run(&["check", "x"]).done(), "no rule is broken\n");
    assert_eq!(root.run(&["check", "x", "--json"]).done(), "");
    root.put("x", event(0, "step/end", "{}") + &event(1, "turn/start", "{}") + &event(2, "turn/start", "{}"));
    let broken = root.run(&["check", "x", "--json"]).ended(1);
    assert!(broken.lines().count() >= 2, "{broken}");
    for line in broken.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(value["broken"].is_string(), "{line}");
    }
}

#[test]
fn of_a_message_with_many_blocks_people_see_the_first() {
    let root = Root::new();
    let blocks = r#"7 , {"type":"text","text":"hello"}, true,null, [1,2],"a,]""#.to_owned() + &",7".repeat(2_000);
    let content = format!(r#"{{"content":[ {blocks} ]}}"#);
    let nested = format!(r#"{{"content":[{{"type":"tool-result","toolCallId":"a","content":[{blocks}]}}]}}"#);
    let log = event(0, "user/message", &content) + &event(1, "user/message", &nested);
    root.put("x", &log);
    let told = root.run(&["messages", "x", "--recorded"]).done();
    assert!(told.contains("  7\n  hello\n  true\n  null\n  [1,2]\n  \"a,]\"\n  7\n"), "{told}");
    assert_eq!(told.matches("… 1006 more blocks").count(), 2, "{told}");
    assert!(root.run(&["show", "x"]).done().contains("7 hello true null [1,2] \"a,]\" 7 7"));
    assert_eq!(root.run(&["show", "x", "--json"]).done(), log);
    let whole = root.run(&["messages", "x", "--json"]).json_lines();
    assert_eq!(whole[0]["content"].as_array().unwrap().len(), 2_006);
}
