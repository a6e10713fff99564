//! `append --ack`: for programs that drive the command through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use session_tests::command::{Root, event, turn};

struct Driver {
    child: Child,
    send: ChildStdin,
    acks: BufReader<ChildStdout>,
}

impl Driver {
    fn of(root: &Root, args: &[&str]) -> Self {
        let mut command = root.command(["append", "--ack"].iter().chain(args));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (send, acks) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, send, acks }
    }

    fn send(&mut self, text: &str) {
        self.send.write_all(text.as_bytes()).unwrap();
    }

    fn ack(&mut self) -> String {
        let mut line = String::new();
        self.acks.read_line(&mut line).unwrap();
        line
    }

    fn end(mut self) -> Option<i32> {
        drop(self.send);
        self.child.wait().unwrap().code()
    }
}

#[test]
fn each_line_is_acknowledged_while_the_driver_waits() {
    let root = Root::new();
    let mut driver = Driver::of(&root, &["x", "--create"]);
    for seq in 0..20 {
        driver.send(&event(seq, "note", "{}"));
        assert_eq!(driver.ack(), format!("{seq}\n"));
        // What is acknowledged is in the file.
        assert_eq!(root.read("x").iter().filter(|byte| **byte == b'\n').count() as u64, seq + 2);
    }
    assert_eq!(driver.end(), Some(0));
}

#[test]
fn a_line_counts_when_it_ends() {
    let root = Root::new();
    let mut driver = Driver::of(&root, &["x", "--create"]);
    let line = event(0, "note", "{}");
    let (head, tail) = line.split_at(10);
    driver.send(head);
    driver.send(tail);
    assert_eq!(driver.ack(), "0\n");
    driver.send(event(1, "note", "{}").trim_end());
    drop(driver.send);
    let mut last = String::new();
    driver.acks.read_line(&mut last).unwrap();
    assert_eq!(last, "1\n");
}

#[test]
fn stamped_lines_are_acknowledged_with_the_seq_that_they_got() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut driver = Driver::of(&root, &["x", "--stamp"]);
    for seq in 3..6 {
        driver.send("{\"type\":\"note\",\"data\":{}}\n");
        assert_eq!(driver.ack(), format!("{seq}\n"));
    }
    assert_eq!(driver.end(), Some(0));
}

#[test]
fn many_lines_at_once_are_all_acknowledged_in_order() {
    let root = Root::new();
    let lines: String = (0..5_000).map(|seq| event(seq, "note", "{}")).collect();
    let acks = root.feed(&["append", "x", "--create", "--ack"], lines).done();
    let expected: String = (0..5_000).map(|seq| format!("{seq}\n")).collect();
    assert_eq!(acks, expected);
}

#[test]
fn the_lines_before_a_refused_one_are_acknowledged() {
    let root = Root::new();
    let answer = root.feed(&["append", "x", "--create", "--ack"], turn(0) + "nonsense\n");
    assert_eq!(String::from_utf8_lossy(&answer.out), "0\n1\n2\n");
    assert!(answer.failed(6).contains("line 4"));
}
