//! `append --stamp`: events without `seq` and `time`.

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
fn what_would_be_lost_is_refused_by_its_name() {
    for (member, value) in [("seq", "77"), ("time", "5"), ("more", "{}"), ("Type", "1")] {
        let root = Root::new();
        let line = format!("{{\"type\":\"note\",\"{member}\":{value},\"data\":{{}}}}\n");
        let answer =
            root.feed(&["append", "x", "--create", "--stamp"], "{\"type\":\"n\",\"data\":1}\n".to_owned() + &line);
        let said = answer.failed(6);
        assert!(said.contains("line 2") && said.contains(&format!("`{member}`")), "{said}");
        assert_eq!(root.run(&["show", "x", "--json"]).json()["data"], 1);
    }
}

#[test]
fn a_fault_is_told_as_without_stamp() {
    let root = Root::new();
    root.put("x", "");
    for line in ["", " ", "null", "[]", "\"text\"", "{\"type\":\"n\",\"data\":{", "{\"type\":\"n\",\"data\":1} x"] {
        let said = |args: &[&str]| root.feed(args, format!("{line}\n")).failed(6);
        assert_eq!(said(&["append", "x", "--stamp"]), said(&["append", "x"]), "{line}");
    }
}

#[test]
fn a_session_is_not_created_for_a_line_that_is_refused() {
    for args in [&["append", "x", "--create"][..], &["append", "x", "--create", "--stamp"]] {
        for line in ["\n", "nonsense\n", "{}\n", "\u{1}"] {
            let root = Root::new();
            root.feed(args, line).failed(6);
            assert_eq!(root.run(&["has", "x"]).ended(3), "no\n", "{args:?} {line:?}");
        }
    }
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

#[test]
fn a_line_that_is_too_long_is_told_as_that() {
    let root = Root::new();
    root.put("x", "");
    let sound = "{\"type\":\"n\",\"data\":1}\n";
    // Each letter of the second has two bytes, so that wherever its line is cut, some read as no text.
    for text in ["x".repeat(17 << 20), "x".to_owned() + &"é".repeat(9 << 20), "é".repeat(9 << 20)] {
        let line = format!("{{\"type\":\"n\",\"data\":\"{text}\"}}\n");
        let said = root.feed(&["append", "x", "--stamp"], sound.to_owned() + &line + sound).failed(6);
        assert!(said.contains("line 2: the line is longer than 16 MiB;"), "{said}");
        let line = format!("{{\"type\":\"n\",\"seq\":0,\"time\":1,\"data\":\"{text}\"}}\n");
        let said = root.feed(&["append", "y", "--create"], line).failed(6);
        assert!(said.contains("line 1: the line is longer than 16 MiB;"), "{said}");
    }
    assert_eq!(root.run(&["show", "x", "--json"]).json_lines().len(), 3);
}
