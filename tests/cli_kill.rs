//! kill -9 in the middle: what was taken stays, and anybody goes on at once.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;

use session_tests::command::{Root, event, interrupted_turn, turn};

#[test]
fn what_was_acknowledged_survives_the_writer() {
    let root = Root::new();
    let mut child = root
        .command(["append", "x", "--create", "--ack"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut send = child.stdin.take().unwrap();
    let mut acks = BufReader::new(child.stdout.take().unwrap());
    send.write_all(turn(0).as_bytes()).unwrap();
    let mut line = String::new();
    while line != "2\n" {
        line.clear();
        acks.read_line(&mut line).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
    root.feed(&["append", "x"], turn(3)).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0) + &turn(3));
}

#[test]
fn a_log_killed_anywhere_goes_on_to_the_same_bytes() {
    let lines: String =
        (0..40_000).map(|seq| event(seq, "note", r#"{"text":"some words to fill the line"}"#)).collect();
    for acks_before_the_kill in [1, 700, 9_000] {
        let root = Root::new();
        let mut child = root
            .command(["append", "x", "--create", "--ack"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut send = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let text = lines.clone();
        let sender = thread::spawn(move || drop(send.write_all(text.as_bytes())));
        let mut acknowledged = 0;
        let mut line = String::new();
        while acknowledged < acks_before_the_kill && out.read_line(&mut line).unwrap() > 0 {
            acknowledged += 1;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        sender.join().unwrap();
        drop(out.read_to_string(&mut line));

        // A write that was cut short leaves a torn tail, which has to be woken; else the log simply goes on.
        root.run(&["wake", "x", "--keep-open"]).done();
        let kept = root.run(&["show", "x", "--json"]).done();
        assert!(lines.starts_with(&kept));
        assert!(kept.lines().count() >= acknowledged);
        root.feed(&["append", "x"], &lines[kept.len()..]).done();
        assert!(root.run(&["show", "x", "--json"]).done() == lines);
    }
}

#[test]
fn a_turn_goes_on_if_its_session_is_not_woken() {
    let root = Root::new();
    let mut child = root
        .command(["append", "x", "--create", "--ack"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut send = child.stdin.take().unwrap();
    let mut acks = BufReader::new(child.stdout.take().unwrap());
    send.write_all(interrupted_turn().as_bytes()).unwrap();
    let mut line = String::new();
    while line != "4\n" {
        line.clear();
        acks.read_line(&mut line).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rest = event(5, "tool/result", r#"{"turn":1,"step":1,"callId":"a","content":"it says"}"#);
    root.feed(&["append", "x"], &rest).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), interrupted_turn() + &rest);
}
