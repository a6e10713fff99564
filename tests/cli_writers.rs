//! One writer a session; readers are never held up.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};

use session_tests::command::{Root, event, turn};

/// A process that holds a session until it is dropped.
struct Holder {
    child: Child,
    stdin: Option<ChildStdin>,
}

impl Holder {
    fn of(root: &Root, id: &str, next: u64) -> Self {
        let mut child =
            root.command(["append", id, "--ack"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(event(next, "note", "{}").as_bytes()).unwrap();
        let mut acks = BufReader::new(child.stdout.take().unwrap());
        acks.read_line(&mut String::new()).unwrap();
        Self { child, stdin: Some(stdin) }
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        drop(self.stdin.take());
        drop(self.child.wait());
    }
}

#[test]
fn a_second_writer_is_told_at_once() {
    let root = Root::new();
    root.put("x", turn(0));
    let _holder = Holder::of(&root, "x", 3);
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
    let _holder = Holder::of(&root, "x", 3);
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
    let _holder = Holder::of(&root, "x", 3);
    root.feed(&["append", "y"], turn(3)).done();
}

#[test]
fn the_claim_ends_with_its_holder() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut holder = Holder::of(&root, "x", 3);
    holder.child.kill().unwrap();
    holder.child.wait().unwrap();
    root.run(&["wake", "x"]).done();
}
