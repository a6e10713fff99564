//! One writer a session; readers are never held up.

use session_tests::command::{Driver, Root, event, turn};

/// A process that holds a session until it is dropped.
fn holder(root: &Root, id: &str, next: u64) -> Driver {
    let driver = Driver::of(root, &[id]);
    driver.send(event(next, "note", "{}"));
    driver.wait_for(next);
    driver
}

#[test]
fn a_second_writer_is_told_at_once() {
    let root = Root::new();
    root.put("x", turn(0));
    let _holder = holder(&root, "x", 3);
    for said in [
        root.feed(&["append", "x"], event(4, "note", "{}")).failed(4),
        root.run(&["emit", "x", "note", "{}"]).failed(4),
        root.run(&["wake", "x"]).failed(4),
        root.run(&["handoff", "x"]).failed(4),
        root.run(&["delete", "x"]).failed(4),
    ] {
        assert!(said.contains("session x") && said.contains("wait"), "{said}");
    }
}

#[test]
fn readers_go_on_beside_a_writer() {
    let root = Root::new();
    root.put("x", turn(0));
    let _holder = holder(&root, "x", 3);
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0) + &event(3, "note", "{}"));
    root.run(&["messages", "x"]).done();
    root.run(&["verify", "x"]).done();
    root.run(&["fork", "x", "y"]).done();
    assert_eq!(root.run(&["inspect", "x", "--json"]).json()["held"], true);
    assert!(root.run(&["inspect", "x"]).done().contains("another process is writing it"));
    assert_eq!(root.run(&["list", "--json"]).json_lines()[0]["held"], true);
}

#[test]
fn other_sessions_are_not_held_up() {
    let root = Root::new();
    root.put("x", turn(0));
    root.put("y", turn(0));
    let _holder = holder(&root, "x", 3);
    root.feed(&["append", "y"], turn(3)).done();
}

#[test]
fn the_claim_ends_with_its_holder() {
    let root = Root::new();
    root.put("x", turn(0));
    let holder = holder(&root, "x", 3);
    root.run(&["wake", "x"]).failed(4);
    holder.kill();
    root.run(&["wake", "x"]).done();
}

#[test]
fn a_log_that_others_only_read_is_not_said_to_be_written() {
    let root = Root::new();
    root.put("x", turn(0));
    let reader = std::fs::File::open(root.log("x")).unwrap();
    reader.lock_shared().unwrap();
    let said = root.run(&["emit", "x", "note", "{}"]).failed(4);
    assert!(said.contains("held by another process") && !said.contains("written"), "{said}");
    drop(reader);
    root.run(&["emit", "x", "note", "{}"]).done();
}
