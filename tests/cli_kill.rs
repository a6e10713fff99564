//! kill -9 in the middle: what was taken stays, and anybody goes on at once.

use session_tests::command::{Driver, Root, event, interrupted_turn, turn};

#[test]
fn what_was_acknowledged_survives_the_writer() {
    let root = Root::new();
    let driver = Driver::of(&root, &["x", "--create"]);
    driver.send(turn(0));
    driver.wait_for(2);
    driver.kill();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
    root.feed(&["append", "x"], turn(3)).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0) + &turn(3));
}

#[test]
fn a_log_killed_anywhere_goes_on_to_the_same_bytes() {
    let lines: String =
        (0..40_000).map(|seq| event(seq, "note", r#"{"text":"some words to fill the line"}"#)).collect();
    for last_before_the_kill in [0, 699, 8_999] {
        let root = Root::new();
        let driver = Driver::of(&root, &["x", "--create"]);
        driver.send(&lines);
        driver.wait_for(last_before_the_kill);
        let acknowledged = driver.kill().into_iter().fold(last_before_the_kill, u64::max);

        // A write that was cut short leaves a torn tail, which has to be woken; else the log simply goes on.
        root.run(&["wake", "x", "--keep-open"]).done();
        let kept = root.run(&["show", "x", "--json"]).done();
        assert!(lines.starts_with(&kept));
        assert!(kept.lines().count() as u64 > acknowledged);
        root.feed(&["append", "x"], &lines[kept.len()..]).done();
        assert!(root.run(&["show", "x", "--json"]).done() == lines);
    }
}

#[test]
fn a_turn_goes_on_if_its_session_is_not_woken() {
    let root = Root::new();
    let driver = Driver::of(&root, &["x", "--create"]);
    driver.send(interrupted_turn());
    driver.wait_for(4);
    driver.kill();
    let rest = event(5, "tool/result", r#"{"turn":1,"step":1,"callId":"a","content":"it says"}"#);
    root.feed(&["append", "x"], &rest).done();
    assert_eq!(root.run(&["show", "x", "--json"]).done(), interrupted_turn() + &rest);
}
