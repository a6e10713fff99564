//! `handoff`: what whoever goes on needs to know.

use serde_json::json;
use session_tests::command::{Root, event, interrupted_turn, turn};

#[test]
fn the_record_tells_where_the_work_stands() {
    let root = Root::new();
    let answered = event(5, "tool/result", r#"{"callId":"a","content":"it says"}"#);
    root.put("x", interrupted_turn() + &answered);
    let record = root.run(&["handoff", "x", "--note", "back at nine", "--json"]).json();
    assert_eq!(record["session"], "x");
    assert_eq!((record["length"].as_u64(), record["boundary"].as_u64()), (Some(7), Some(6)));
    assert_eq!((record["turns"].as_u64(), &record["standing"]), (Some(1), &json!({ "turn": "open" })));
    assert_eq!(record["note"], "back at nine");
    assert_eq!(record["asked"], json!({ "seq": 1, "text": "read two files" }));
    assert_eq!((record["done"][0]["id"].as_str(), record["done"][0]["outcome"].as_str()), (Some("a"), Some("done")));
    assert_eq!(record["answered"], serde_json::Value::Null);
    assert_eq!(
        (record["unanswered"][0]["id"].as_str(), record["unanswered"][0]["outcome"].as_str()),
        (Some("b"), Some("requested"))
    );
}

#[test]
fn people_can_read_it() {
    let root = Root::new();
    root.put("x", interrupted_turn());
    let told = root.run(&["handoff", "x", "--note", "back at nine"]).done();
    for words in
        ["6 events", "back at nine", "read two files", "unanswered", "was started", "was not started", "wake x"]
    {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn the_boundary_is_in_the_log() {
    let root = Root::new();
    root.put("x", turn(0));
    root.run(&["handoff", "x", "--note", "n"]).done();
    let last = root.run(&["show", "x", "--json", "--start", "3"]).json();
    assert_eq!((last["type"].as_str(), &last["data"]), (Some("session/boundary"), &json!({ "note": "n" })));
    root.run(&["handoff", "x"]).done();
    assert_eq!(root.run(&["show", "x", "--json", "--start", "4"]).json()["data"], json!({}));
}

#[test]
fn a_session_without_a_question_can_be_handed_over() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    let record = root.run(&["handoff", "x", "--json"]).json();
    assert_eq!((&record["asked"], &record["standing"]), (&serde_json::Value::Null, &json!({ "turn": "idle" })));
    root.run(&["handoff", "x"]).done();
}

#[test]
fn no_call_is_lost_for_what_it_holds() {
    let root = Root::new();
    let arguments = r#"{"id":2512292042121000001,"e":1e400,"t":"\ud83d","b":1,"a":2,"a":3}"#;
    let call = |id: &str| format!(r#"{{"type":"tool-call","id":"{id}","name":"read","arguments":{arguments}}}"#);
    let said = r#"{"type":"text","text":"first","n":1e400},7,{"type":"text","text":"\ud83d"}"#;
    root.put(
        "x",
        [
            event(0, "turn/start", r#"{"turn":1e400}"#),
            event(1, "user/message", r#"{"content":"doubled","content":"read it","\ud83d":"\ud83d"}"#),
            event(2, "step/start", "{}"),
            event(3, "assistant/message", &format!(r#"{{"content":[{said},{},{}]}}"#, call("a"), call("\\u0062"))),
            event(4, "tool/call", r#"{"callId":"b","name":"\ud83d"}"#),
            event(5, "tool/result", r#"{"callId":"a","content":"\ud83d","error":{"code":"ENOENT"},"isError":true}"#),
        ]
        .concat(),
    );
    let record = root.run(&["handoff", "x", "--json"]).done();
    for part in [
        r#""asked":{"seq":1,"text":"read it"}"#.to_owned(),
        r#""answered":{"seq":3,"text":"first\n\"\\ud83d\""}"#.to_owned(),
        format!(r#""done":[{{"id":"a","name":"read","arguments":{arguments},"outcome":"failed","code":"ENOENT"}}]"#),
        format!(r#""unanswered":[{{"id":"b","name":"read","arguments":{arguments},"outcome":"started"}}]"#),
    ] {
        assert!(record.contains(&part), "{part}: {record}");
    }
}
