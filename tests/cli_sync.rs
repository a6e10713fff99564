//! A disk that fails to sync: what is told of events that are in the log and may not last.

// Elsewhere a function of the system is not so easily stood in for.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use session_tests::command::{Root, answer, event, feed, turn};

/// Stands before the system's own function in a process that preloads it.
const FAILING_SYNC: &str = "#include <errno.h>\nint fdatasync(int file) { (void)file; errno = EIO; return -1; }\n";

/// The command on a disk that takes bytes and fails to sync them.
fn on_a_failing_disk(root: &Root, args: &[&str]) -> Command {
    let library = root.path().join("failing-sync.so");
    // The linker that Rust needs anyway.
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-x", "c", "-", "-o"]).arg(&library);
    feed(&mut compiler, FAILING_SYNC).done();
    let mut command = root.command(args);
    command.env("LD_PRELOAD", library).stdin(Stdio::null());
    command
}

#[test]
fn an_event_that_is_stored_is_not_asked_for_again() {
    let root = Root::new();
    root.put("x", turn(0));
    let said = answer(&mut on_a_failing_disk(&root, &["emit", "x", "note", "{}"])).failed(1);
    for words in ["event 3 is stored", "must not be sent again", "loss of power", "sync"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(root.run(&["show", "x", "--json", "--start", "3"]).json()["type"], "note");
}

#[test]
fn events_of_a_stream_that_are_stored_are_not_asked_for_again() {
    let root = Root::new();
    let mut append = on_a_failing_disk(&root, &["append", "x", "--create"]);
    let answer = feed(&mut append, turn(0));
    assert_eq!(String::from_utf8_lossy(&answer.out), "3 events appended\n");
    let said = answer.failed(1);
    assert!(said.contains("events 0 to 2 are stored"), "{said}");
    assert_eq!(root.run(&["show", "x", "--json"]).done(), turn(0));
    root.feed(&["append", "x"], event(3, "note", "{}")).done();
}
