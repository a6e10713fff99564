//! `append`: whole events from standard input.

use std::process::{Command, Stdio};

use serde_json::json;
use session_tests::command::{Root, event, feed, header, turn};

#[test]
fn events_are_kept_byte_for_byte() {
    let root = Root::new();
    let lines = turn(0) + "{ \"seq\":3, \"data\" : {\"a\": 1.0},\t\"time\":7,\"type\":\"note\",\"extra\":[1] }\n";
    assert_eq!(root.feed(&["append", "x", "--create"], &lines).done(), "4 events appended\n");
    assert_eq!(root.run(&["show", "x", "--json"]).done(), lines);
}

#[test]
fn the_number_of_events_is_told_as_json() {
    let root = Root::new();
    assert_eq!(root.feed(&["append", "x", "--create", "--json"], turn(0)).json(), json!({ "appended": 3 }));
}

#[test]
fn an_append_goes_on_where_the_log_ends() {
    let root = Root::new();
    root.feed(&["append", "x", "--create"], turn(0)).done();
    root.feed(&["append", "x"], turn(3)).done();
    root.feed(&["append", "x", "--create"], turn(6)).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0) + &turn(3) + &turn(6));
}

#[test]
fn nothing_is_created_unasked() {
    let root = Root::new();
    let said = root.feed(&["append", "x"], turn(0)).failed(3);
    assert!(said.contains("session x"), "{said}");
    assert!(!root.log("x").exists());
}

#[test]
fn an_empty_input_leaves_a_session_without_events() {
    let root = Root::new();
    assert_eq!(root.feed(&["append", "x", "--create"], "").done(), "0 events appended\n");
    assert_eq!(root.run(&["has", "x"]).done(), "yes\n");
    assert_eq!(root.run(&["show", "x", "--json"]).done(), "");
}

#[test]
fn the_last_line_need_not_end() {
    let root = Root::new();
    let lines = turn(0);
    assert_eq!(root.feed(&["append", "x", "--create"], lines.trim_end()).done(), "3 events appended\n");
    assert_eq!(root.run(&["show", "x", "--json"]).done(), lines);
}

#[test]
fn a_refused_line_is_told_by_its_number_and_what_precedes_it_stays() {
    let bad = [
        "",
        "nonsense",
        "null",
        "7",
        "[]",
        "{}",
        r#"{"seq":"3","time":1,"type":"note","data":{}}"#,
        r#"{"seq":3,"seq":3,"time":1,"type":"note","data":{}}"#,
        r#"{"seq":3,"time":-1,"type":"note","data":{}}"#,
        r#"{"seq":3,"time":1.5,"type":"note","data":{}}"#,
        r#"{"seq":3,"time":1,"type":"note"}"#,
        r#"{"seq":3,"time":1,"type":"note","data":{"#,
    ];
    for line in bad.map(str::to_owned).into_iter().chain([header("x").trim_end().to_owned()]) {
        let root = Root::new();
        let answer = root.feed(&["append", "x", "--create"], format!("{}{line}\n{}", turn(0), turn(3)));
        assert_eq!(String::from_utf8_lossy(&answer.out), "3 events appended\n", "{line}: {answer}");
        let said = answer.failed(6);
        assert!(said.contains("line 4"), "{line}: {said}");
        assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0), "{line}");
    }
}

#[test]
fn a_hole_is_told_by_the_line_and_both_numbers() {
    let root = Root::new();
    root.put("x", turn(0));
    let answer = root.feed(&["append", "x"], turn(3) + &event(8, "note", "{}"));
    assert_eq!(String::from_utf8_lossy(&answer.out), "3 events appended\n", "{answer}");
    let said = answer.failed(6);
    assert!(said.contains("line 4") && said.contains('8') && said.contains('6'), "{said}");
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0) + &turn(3));
}

#[test]
fn events_that_are_there_already_are_refused() {
    let root = Root::new();
    root.put("x", turn(0));
    let said = root.feed(&["append", "x"], turn(0)).failed(6);
    assert!(said.contains("line 1"), "{said}");
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
}

#[test]
fn what_is_no_utf8_is_told_by_its_line() {
    let root = Root::new();
    let mut lines = turn(0).into_bytes();
    lines.extend_from_slice(b"{\"seq\":3,\"time\":1,\"type\":\"note\",\"data\":\"\xff\"}\n");
    let said = root.feed(&["append", "x", "--create"], &lines).failed(6);
    assert!(said.contains("line 4") && said.contains("UTF-8"), "{said}");
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
}

#[test]
fn characters_split_between_reads_are_joined() {
    let root = Root::new();
    let long = "é🙂".repeat(500_000);
    let lines: String =
        (0..4).map(|seq| event(seq, "note", &format!("\"{}{long}\"", "x".repeat(seq as usize)))).collect();
    root.feed(&["append", "x", "--create"], &lines).done();
    assert!(root.run(&["show", "x", "--json"]).done() == lines);
}

#[test]
fn carriage_returns_stay() {
    let root = Root::new();
    let lines = turn(0).replace('\n', "\r\n");
    root.feed(&["append", "x", "--create"], &lines).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), lines);
}

#[test]
fn a_line_may_have_sixteen_mebibytes_and_no_more() {
    const LIMIT: usize = 16 * 1024 * 1024;
    let around = event(0, "note", "\"\"").len() - 1;
    let root = Root::new();
    let longest = event(0, "note", &format!("\"{}\"", "x".repeat(LIMIT - around)));
    root.feed(&["append", "x", "--create"], &longest).done();
    assert!(root.run(&["show", "x", "--json"]).done() == longest);
    let longer = event(1, "note", &format!("\"{}\"", "x".repeat(LIMIT - around + 1)));
    let said = root.feed(&["append", "x"], &longer).failed(6);
    assert!(said.contains("line 1"), "{said}");
    let endless = vec![b'x'; 3 * LIMIT];
    root.feed(&["append", "x"], &endless).failed(6);
    assert!(root.run(&["show", "x", "--json"]).done() == longest);
}

#[test]
fn a_long_refused_line_behind_others_is_told_by_its_number() {
    const MEBIBYTE: usize = 1024 * 1024;
    let good: String = (0..9_000).map(|seq| event(seq, "note", &format!("\"{}\"", "x".repeat(1000)))).collect();
    let hole = event(9_001, "note", &format!("\"{}\"", "x".repeat(10 * MEBIBYTE)));
    let too_long = event(9_000, "note", &format!("\"{}\"", "x".repeat(17 * MEBIBYTE)));
    for bad in [hole, too_long] {
        let root = Root::new();
        let answer = root.feed(&["append", "x", "--create"], format!("{good}{bad}{bad}"));
        assert_eq!(String::from_utf8_lossy(&answer.out), "9000 events appended\n", "{}", answer.err);
        assert!(answer.failed(6).contains("line 9001"));
        assert!(root.run(&["show", "x", "--json"]).done() == good);
    }
}

#[test]
fn input_from_a_file_is_read_too() {
    let root = Root::new();
    let file = root.path().join("input");
    let lines: String =
        (0..20_000).map(|seq| event(seq, "note", r#"{"text":"some words to fill the line"}"#)).collect();
    std::fs::write(&file, &lines).unwrap();
    let mut append = root.command(["append", "x", "--create"]);
    let output = append.stdin(std::fs::File::open(&file).unwrap()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "20000 events appended\n");
    assert!(root.run(&["show", "x", "--json"]).done() == lines);
}

#[test]
fn a_full_disk_leaves_no_half_record_and_is_got_over() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    let session = root.command(["--version"]).get_program().to_owned();
    // 64 KiB a file at most, as a full disk would: `ulimit -f` counts 512 bytes in sh.
    let mut limited = Command::new("sh");
    limited.args(["-c", r#"ulimit -f 128; exec "$0" --root "$1" append x"#]).arg(session).arg(root.path());
    let lines: String = (0..2_000).map(|seq| event(seq, "note", r#"{"text":"some words to fill the line"}"#)).collect();
    let said = feed(limited.stdin(Stdio::piped()), &lines).failed(7);
    assert!(said.contains("space"), "{said}");
    let kept = root.run(&["show", "x", "--json"]).done();
    assert!(lines.starts_with(&kept) && kept.len() <= 64 * 1024);
    assert!(root.read("x").ends_with(b"\n"));
    root.feed(&["append", "x"], &lines[kept.len()..]).done();
    assert!(root.run(&["show", "x", "--json"]).done() == lines);
}
