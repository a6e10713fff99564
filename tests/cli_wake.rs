//! `wake` and `aside`: what a crash left is mended, once, and nothing is thrown away.

use std::fs;

use serde_json::{Value, json};
use session_tests::command::{Root, event, interrupted_turn, turn};

fn lines_behind(root: &Root, before: &str) -> Vec<Value> {
    let log = root.run(&["show", "x", "--json"]).done();
    let rest = log.strip_prefix(before).expect("what was there is as it was");
    rest.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

#[test]
fn an_open_turn_is_closed_with_its_calls_answered() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let woken = root.run(&["wake", "x", "--json"]).json();
    assert_eq!(woken["length"], 9);
    assert_eq!(woken["recovery"]["damage"], Value::Null);
    let closers = lines_behind(&root, &interrupted_turn());
    assert_eq!(woken["recovery"]["closers"], Value::Array(closers.clone()));
    assert_eq!(kinds(&closers), ["tool/result", "tool/result", "step/end", "turn/end"]);
    assert_eq!((closers[0]["data"]["callId"].as_str(), closers[1]["data"]["callId"].as_str()), (Some("a"), Some("b")));
    assert_eq!(closers[0]["data"]["error"]["code"], "TOOL_OUTCOME_UNKNOWN");
    assert_eq!(closers[1]["data"]["error"]["code"], "TOOL_NOT_STARTED");
    assert_eq!(closers[3]["data"]["reason"], json!({ "kind": "interrupted" }));
}

#[test]
fn a_second_wake_adds_nothing() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let first = root.run(&["wake", "x", "--json"]).json();
    let after = root.read("x");
    let second = root.run(&["wake", "x", "--json"]).json();
    assert_eq!(root.read("x"), after);
    assert_eq!(second["recovery"]["closers"], json!([]));
    assert_eq!((&second["length"], &second["revision"]), (&first["length"], &first["revision"]));
}

#[test]
fn an_answered_call_keeps_its_result() {
    let root = Root::new();
    let call = |id: &str| format!(r#"{{"type":"tool-call","id":"{id}","name":"read","arguments":"{{}}"}}"#);
    let log = [
        event(0, "turn/start", r#"{"turn":1}"#),
        event(1, "step/start", r#"{"turn":1,"step":1}"#),
        event(2, "assistant/message", &format!(r#"{{"content":[{},{},{}]}}"#, call("a"), call("b"), call("c"))),
        event(3, "tool/call", r#"{"callId":"a","name":"read"}"#),
        event(4, "tool/result", r#"{"callId":"a","content":"it says"}"#),
        event(5, "tool/call", r#"{"callId":"b","name":"read"}"#),
    ]
    .concat();
    root.put("x", &log);
    root.run(&["wake", "x"]).done();
    let closers = lines_behind(&root, &log);
    assert_eq!(kinds(&closers), ["tool/result", "tool/result", "step/end", "turn/end"]);
    assert_eq!(closers[0]["data"]["callId"], "b");
    assert_eq!(closers[0]["data"]["error"]["code"], "TOOL_OUTCOME_UNKNOWN");
    assert_eq!(closers[1]["data"]["callId"], "c");
    assert_eq!(closers[1]["data"]["error"]["code"], "TOOL_NOT_STARTED");
}

#[test]
fn no_result_is_made_up_for_a_message_that_never_came() {
    let root = Root::new();
    let log = [
        event(0, "turn/start", r#"{"turn":1}"#),
        event(1, "step/start", r#"{"turn":1,"step":1}"#),
        event(2, "assistant/chunk", r#"{"chunk":{"type":"text-delta","text":"I wi"}}"#),
    ]
    .concat();
    root.put("x", &log);
    root.run(&["wake", "x"]).done();
    assert_eq!(kinds(&lines_behind(&root, &log)), ["step/end", "turn/end"]);
}

#[test]
fn times_that_run_backwards_change_no_order() {
    let root = Root::new();
    let log: String = [(0, 100), (1, 90), (2, 90)]
        .map(|(seq, time)| format!("{{\"type\":\"note\",\"seq\":{seq},\"time\":{time},\"data\":{{}}}}\n"))
        .concat();
    root.put("x", &log);
    root.run(&["wake", "x"]).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), log);
}

#[test]
fn an_open_turn_stays_open_if_told() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let woken = root.run(&["wake", "x", "--keep-open", "--json"]).json();
    assert_eq!(woken["recovery"]["closers"], json!([]));
    assert_eq!(root.run(&["show", "x", "--json"]).done(), interrupted_turn());
}

#[test]
fn a_torn_tail_is_set_aside_and_can_be_read() {
    let root = Root::new();
    root.put("x", turn(0) + "{\"type\":\"user/mess");
    let offset = root.read("x").len() - "{\"type\":\"user/mess".len();
    let woken = root.run(&["wake", "x", "--json"]).json();
    let damage = &woken["recovery"]["damage"];
    assert_eq!(damage["kind"], "torn");
    assert_eq!(
        (damage["offset"].as_u64(), damage["length"].as_u64(), damage["records"].as_u64()),
        (Some(offset as u64), Some(18), Some(0))
    );
    let name = woken["recovery"]["keptAt"].as_str().unwrap();
    assert_eq!(root.run(&["aside", "x", "--json"]).json(), json!({ "name": name, "length": 18 }));
    assert_eq!(root.run(&["aside", "x", name]).done(), "{\"type\":\"user/mess");
    assert!(root.run(&["aside", "x"]).done().starts_with(name));
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
    root.feed(&["append", "x"], turn(3)).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0) + &turn(3));
}

#[test]
fn what_was_done_is_told_to_people() {
    let root = Root::new();
    root.put("x", interrupted_turn() + "{\"to");
    let told = root.run(&["wake", "x"]).done();
    for word in ["torn", "offset", "aside x ", "closed", "TOOL_NOT_STARTED", "interrupted"] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

#[test]
fn records_behind_damage_are_set_aside_only_if_told() {
    let root = Root::new();
    root.put("x", turn(0) + "nonsense\n" + &turn(3));
    let before = root.read("x");
    let said = root.run(&["wake", "x"]).failed(5);
    let offset = before.len() - turn(3).len() - "nonsense\n".len();
    for word in [offset.to_string().as_str(), "3 whole records", "wake x --set-aside"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert_eq!(root.read("x"), before);
    let woken = root.run(&["wake", "x", "--set-aside", "--json"]).json();
    assert_eq!((woken["length"].as_u64(), woken["recovery"]["damage"]["records"].as_u64()), (Some(3), Some(3)));
    let name = woken["recovery"]["keptAt"].as_str().unwrap();
    assert_eq!(root.run(&["aside", "x", name]).done(), "nonsense\n".to_owned() + &turn(3));
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
}

#[test]
fn waking_an_absent_session_creates_nothing() {
    let root = Root::new();
    let said = root.run(&["wake", "x"]).failed(3);
    assert!(said.contains("list"), "{said}");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn the_id_is_never_guessed() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let before = root.read("x");
    let said = root.run(&["wake"]).failed(2);
    assert!(said.contains("<ID>") && said.contains("list --recent"), "{said}");
    assert_eq!(root.read("x"), before);
}

#[test]
fn an_aside_that_is_not_there_is_not_found() {
    let root = Root::new();
    root.run(&["aside", "x"]).failed(3);
    root.put("x", turn(0));
    assert_eq!(root.run(&["aside", "x"]).done(), "");
    root.run(&["aside", "x", "100.0123456789abcdef"]).failed(3);
    // Nothing outside is read.
    root.run(&["aside", "x", "../x.jsonl"]).failed(3);
}

#[test]
fn what_was_mended_is_told_apart_from_what_would_be() {
    let root = Root::new();
    root.put("x", turn(0) + "{\"to");
    let would = root.run(&["inspect", "x"]).done();
    assert!(would.contains("damage    a torn tail"), "{would}");
    let done = root.run(&["wake", "x"]).done();
    assert!(done.contains("mended    a torn tail") && !done.contains("damage"), "{done}");
}

#[test]
fn a_turn_that_stays_open_is_told() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let told = root.run(&["wake", "x", "--keep-open"]).done();
    assert!(told.contains("the turn stays open"), "{told}");
    assert!(!root.run(&["wake", "x"]).done().contains("stays open"));
    assert!(!root.run(&["wake", "x", "--keep-open"]).done().contains("stays open"));
}

#[test]
fn a_turn_that_can_not_be_closed_can_be_woken_as_it_is() {
    let root = Root::new();
    let calls: Vec<_> = (0..4_097).map(|n| format!(r#"{{"type":"tool-call","id":"{n}","name":"ls"}}"#)).collect();
    let said = format!(r#"{{"content":[{}]}}"#, calls.join(","));
    root.put("x", event(0, "turn/start", "{}") + &event(1, "assistant/message", &said) + "{\"to");
    root.run(&["wake", "x"]).failed(6);
    let told = root.run(&["inspect", "x"]).done();
    assert!(told.contains("too large to be closed") && told.contains("--keep-open"), "{told}");
    let told = root.run(&["wake", "x", "--keep-open"]).done();
    assert!(told.contains("mended    a torn tail") && told.contains("the turn stays open"), "{told}");
    assert_eq!(root.run(&["show", "x", "--json"]).json_lines().len(), 2);
}
