//! `append --ack`: for programs that drive the command through pipes.

use session_tests::command::{Driver, Root, event, turn};

#[test]
fn each_line_is_acknowledged_while_the_driver_waits() {
    let root = Root::new();
    let driver = Driver::of(&root, &["x", "--create"]);
    for seq in 0..20 {
        driver.send(event(seq, "note", "{}"));
        assert_eq!(driver.ack(), Some(seq));
        // What is acknowledged is in the file.
        assert_eq!(root.read("x").iter().filter(|byte| **byte == b'\n').count() as u64, seq + 2);
    }
    assert_eq!(driver.end(), (vec![], Some(0)));
}

#[test]
fn a_line_counts_when_it_ends() {
    let root = Root::new();
    let driver = Driver::of(&root, &["x", "--create"]);
    let line = event(0, "note", "{}");
    let (head, tail) = line.split_at(10);
    driver.send(head);
    driver.send(tail);
    assert_eq!(driver.ack(), Some(0));
    driver.send(event(1, "note", "{}").trim_end());
    assert_eq!(driver.end(), (vec![1], Some(0)));
}

#[test]
fn a_long_line_is_acknowledged_while_the_driver_waits() {
    for stamp in [&[][..], &["--stamp"]] {
        let root = Root::new();
        let driver = Driver::of(&root, &[&["x", "--create"], stamp].concat());
        let long = format!("\"{}\"", "x".repeat(5 << 20));
        let line = |seq: u64, data: &str| match stamp {
            [] => event(seq, "note", data),
            _ => format!("{{\"type\":\"note\",\"data\":{data}}}\n"),
        };
        driver.send(line(0, &long));
        assert_eq!(driver.ack(), Some(0));
        // Also if the next line has begun.
        let last = line(2, "{}");
        let (head, tail) = last.split_at(8);
        driver.send(line(1, &long) + head);
        assert_eq!(driver.ack(), Some(1));
        driver.send(tail);
        assert_eq!(driver.ack(), Some(2));
        assert_eq!(driver.end(), (vec![], Some(0)));
    }
}

#[test]
fn stamped_lines_are_acknowledged_with_the_seq_that_they_got() {
    let root = Root::new();
    root.put("x", turn(0));
    let driver = Driver::of(&root, &["x", "--stamp"]);
    for seq in 3..6 {
        driver.send("{\"type\":\"note\",\"data\":{}}\n");
        assert_eq!(driver.ack(), Some(seq));
    }
    assert_eq!(driver.end(), (vec![], Some(0)));
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
