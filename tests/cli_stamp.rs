//! `append --stamp`: events without `seq` and `time`.

use serde_json::json;
use session_tests::command::Root;

#[test]
fn seq_and_time_are_given() {
    let root = Root::new();
    let lines = "{\"type\":\"turn/start\",\"data\":{\"turn\":1}}\n{\"data\":{},\"type\":\"note\"}\n";
    assert_eq!(root.feed(&["append", "x", "--create", "--stamp"], lines).done(), "2 events appended\n");
    let events = root.run(&["show", "x", "--json"]).json_lines();
    assert_eq!((events[0]["seq"].as_u64(), events[1]["seq"].as_u64()), (Some(0), Some(1)));
    assert_eq!((events[0]["type"].as_str(), events[1]["type"].as_str()), (Some("turn/start"), Some("note")));
    assert!(events[1]["time"].as_u64().unwrap() > 1_700_000_000_000);
}

#[test]
fn what_the_line_says_itself_is_replaced() {
    let root = Root::new();
    root.feed(&["append", "x", "--create", "--stamp"], r#"{"type":"note","seq":77,"time":5,"more":1,"data":{}}"#)
        .done();
    let stored = root.run(&["show", "x", "--json"]).json();
    assert_eq!((&stored["seq"], stored.get("more")), (&json!(0), None));
    assert!(stored["time"].as_u64().unwrap() > 1_700_000_000_000);
}

#[test]
fn data_stays_byte_for_byte() {
    let root = Root::new();
    let data = r#"{"id":2512292042121000001,"f":1.0,"e":1e400,"t":"\ud83d","b":1,"a":2,"a":3, "s" : "\u0041"}"#;
    root.feed(&["append", "x", "--create", "--stamp"], format!("{{\"type\":\"note\",\"data\":{data}}}\n")).done();
    let stored = root.run(&["show", "x", "--json"]).done();
    assert!(stored.ends_with(&format!("\"data\":{data}}}\n")), "{stored}");
}

#[test]
fn a_refused_line_is_told_by_its_number_and_what_precedes_it_stays() {
    for bad in [
        "",
        "null",
        "{}",
        r#"{"type":"note"}"#,
        r#"{"data":{}}"#,
        r#"{"type":1,"data":{}}"#,
        "{\"type\":\"n\",\"data\":{",
    ] {
        let root = Root::new();
        let answer =
            root.feed(&["append", "x", "--create", "--stamp"], format!("{{\"type\":\"note\",\"data\":1}}\n{bad}\n"));
        assert_eq!(String::from_utf8_lossy(&answer.out), "1 event appended\n", "{bad}: {answer}");
        let said = answer.failed(6);
        assert!(said.contains("line 2"), "{bad}: {said}");
        assert_eq!(root.run(&["show", "x", "--json"]).json_lines().len(), 1);
    }
}
