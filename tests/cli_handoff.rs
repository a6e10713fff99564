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

/// An assistant's message that calls tools: ids as JSON, and names.
fn calls(seq: u64, calls: &[(&str, &str)]) -> String {
    let blocks: Vec<_> = calls
        .iter()
        .map(|(id, name)| format!(r#"{{"type":"tool-call","id":{id},"name":"{name}","arguments":{{}}}}"#))
        .collect();
    event(seq, "assistant/message", &format!(r#"{{"content":[{}]}}"#, blocks.join(",")))
}

fn result(seq: u64, id: &str) -> String {
    event(seq, "tool/result", &format!(r#"{{"callId":{id},"content":"it says"}}"#))
}

/// What a record says of each call in a list: id, tool, outcome.
fn told(record: &serde_json::Value, list: &str) -> Vec<[String; 3]> {
    let text = |call: &serde_json::Value, name: &str| call[name].as_str().unwrap().to_owned();
    let calls = record[list].as_array().unwrap().iter();
    calls.map(|call| [text(call, "id"), text(call, "name"), text(call, "outcome")]).collect()
}

#[track_caller]
fn record_of(log: &[String]) -> serde_json::Value {
    let root = Root::new();
    root.put("x", log.concat());
    root.run(&["handoff", "x", "--json"]).json()
}

#[test]
fn a_result_belongs_to_the_call_of_its_own_scope() {
    for end in ["step/end", "turn/start", "turn/end"] {
        let record = record_of(&[
            event(0, "turn/start", "{}"),
            event(1, "step/start", "{}"),
            calls(2, &[(r#""a""#, "rm")]),
            event(3, end, "{}"),
            event(4, "step/start", "{}"),
            calls(5, &[(r#""a""#, "ls")]),
            event(6, "tool/call", r#"{"callId":"a"}"#),
            result(7, r#""a""#),
        ]);
        assert_eq!(told(&record, "done"), [["a", "ls", "done"]], "{end}");
        assert_eq!(told(&record, "unanswered"), [["a", "rm", "requested"]], "{end}");
    }
}

#[test]
fn an_id_is_one_call_in_a_scope() {
    let record = record_of(&[
        event(0, "turn/start", "{}"),
        calls(1, &[(r#""a""#, "ls"), (r#""a""#, "ls"), (r#""\u0061""#, "ls")]),
        result(2, r#""a""#),
        result(3, r#""a""#),
        calls(4, &[(r#""a""#, "ls"), (r#""b""#, "cat")]),
        result(5, r#""b""#),
    ]);
    assert_eq!(told(&record, "done"), [["a", "ls", "done"], ["b", "cat", "done"]]);
    assert_eq!(told(&record, "unanswered"), [[""; 3]; 0]);
}

#[test]
fn a_result_before_its_call_answers_it() {
    let record = record_of(&[event(0, "turn/start", "{}"), result(1, r#""a""#), calls(2, &[(r#""a""#, "ls")])]);
    assert_eq!(told(&record, "done"), [["a", "ls", "done"]]);
    assert_eq!(told(&record, "unanswered"), [[""; 3]; 0]);
}

#[test]
fn an_id_that_is_no_text_is_no_call() {
    let record = record_of(&[
        event(0, "turn/start", "{}"),
        calls(1, &[("7", "ls"), ("null", "ls"), ("[]", "ls"), (r#""7""#, "cat")]),
        result(2, "7"),
    ]);
    assert_eq!(told(&record, "done"), [[""; 3]; 0]);
    assert_eq!(told(&record, "unanswered"), [["7", "cat", "requested"]]);
}

#[test]
fn a_question_leaves_the_calls_before_it_behind() {
    let record = record_of(&[
        event(0, "turn/start", "{}"),
        calls(1, &[(r#""a""#, "ls"), (r#""b""#, "ls")]),
        result(2, r#""a""#),
        event(3, "user/message", r#"{"content":"and now?"}"#),
        result(4, r#""b""#),
        calls(5, &[(r#""c""#, "ls")]),
    ]);
    assert_eq!(told(&record, "done"), [[""; 3]; 0]);
    assert_eq!(told(&record, "unanswered"), [["c", "ls", "requested"]]);
    assert_eq!(record["more"], json!({ "done": 0, "unanswered": 0 }));
}

#[test]
fn of_many_calls_the_last_are_listed_and_the_others_counted() {
    let ids: Vec<String> = (0..3_000).map(|n| format!("\"c{n}\"")).collect();
    let many: Vec<_> = ids.iter().map(|id| (id.as_str(), "ls")).collect();
    let mut log = vec![event(0, "turn/start", "{}"), calls(1, &many)];
    // The first of them are answered when they are counted alone already.
    log.extend((0..1_500).map(|n| result(n + 2, &ids[n as usize])));
    let record = record_of(&log);
    assert_eq!(record["more"], json!({ "done": 1_500, "unanswered": 500 }));
    assert_eq!(told(&record, "unanswered").first().unwrap()[0], "c2000");
    assert_eq!(told(&record, "unanswered").last().unwrap()[0], "c2999");

    log.extend((1_500..3_000).map(|n| result(n + 2, &ids[n as usize])));
    let root = Root::new();
    root.put("x", log.concat());
    let record = root.run(&["handoff", "x", "--json"]).json();
    assert_eq!(record["more"], json!({ "done": 2_000, "unanswered": 0 }));
    assert_eq!(told(&record, "done").first().unwrap()[0], "c2000");
    assert_eq!(told(&record, "done").len(), 1_000);
    assert!(root.run(&["handoff", "x"]).done().contains("2000 calls before these"));
}

#[test]
fn long_arguments_are_left_out_whole() {
    let mut log = vec![event(0, "turn/start", "{}")];
    let arguments = "x".repeat(5 << 20);
    log.extend((1..=5).map(|seq| {
        let call = format!(r#"{{"type":"tool-call","id":"c{seq}","name":"ls","arguments":"{arguments}"}}"#);
        event(seq, "assistant/message", &format!(r#"{{"content":[{call}]}}"#))
    }));
    let record = record_of(&log);
    assert_eq!(record["more"], json!({ "done": 0, "unanswered": 2 }));
    assert_eq!(record["unanswered"].as_array().unwrap().len(), 3);
    assert_eq!(record["unanswered"][2]["arguments"], arguments);
}

#[test]
fn content_that_is_no_text_is_told_as_its_json() {
    for (content, told) in [("5", "5"), (r#"{"a":1}"#, r#"{"a":1}"#), ("true", "true"), (r#""hi""#, "hi"), ("null", "")]
    {
        let data = format!(r#"{{"content":{content}}}"#);
        let record = record_of(&[event(0, "user/message", &data), event(1, "assistant/message", &data)]);
        assert_eq!(record["asked"]["text"], told, "{record}");
        assert_eq!(record["answered"]["text"].as_str().unwrap_or_default(), told, "{record}");
    }
}
