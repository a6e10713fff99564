//! Plugins that mean harm: the host lives, other sessions go on, and the error names what happened.

use std::thread;
use std::time::Duration;

use session_host::{Grant, HarnessError, Limits, Sessions};

use crate::plugins::component_with;
use crate::support::{ENGINE, sessions};

const EMIT: &str = r#"(import "agent:session/session-persistence@0.1.0" "emit-event"
    (func $emit (param i32 i32 i32 i32 i32 i32 i32)))"#;
const APPEND: &str = r#"(import "agent:session/session-persistence@0.1.0" "append"
    (func $append (param i32 i32 i32 i32 i32)))"#;
const GET_EVENTS: &str = r#"(import "agent:session/session-persistence@0.1.0" "get-events"
    (func $get-events (param i32 i32 i64 i32 i32 i32 i32)))"#;

const COMMIT: &str = r#"(import "agent:session/session-tree@0.1.0" "commit"
    (func $commit (param i32 i32 i32 i32 i32 i64 i32 i64 i32)))"#;
const GET_ENTRIES: &str = r#"(import "agent:session/session-tree@0.1.0" "get-entries"
    (func $get-entries (param i32 i32 i32 i32 i32)))"#;

const OK: &str = "(call $ok (local.get $input) (local.get $input-length))";
const SPIN: &str = "(loop (br 0)) unreachable";
const BUMP: &str = "(global.get $free) (global.set $free (i32.add (global.get $free) (local.get 3)))";

/// Runs such a plugin on the session `a`; then the same sessions go on as if nothing had been.
fn run(imports: &str, functions: &str, realloc: &str, run: &str) -> HarnessError {
    let sessions = sessions();
    sessions.create("other").unwrap();
    sessions.emit("other", "note", &1).unwrap();
    let harness = ENGINE.load_harness(&component_with(imports, functions, realloc, run)).unwrap();
    let limits = Limits { deadline: Duration::from_secs(1), ..Limits::default() };
    let error = harness.run(&sessions, Grant::session("a"), limits, "a", "input").unwrap_err();
    goes_on(&sessions, "other", 2);
    sessions.create("a").unwrap();
    goes_on(&sessions, "a", 1);
    error
}

fn goes_on(sessions: &Sessions, id: &str, length: u64) {
    sessions.emit(id, "note", &2).unwrap();
    assert_eq!(sessions.inspect(id).unwrap().length, length);
}

fn is_trap(error: &HarnessError, word: &str) {
    assert!(matches!(error, HarnessError::Trapped(text) if text.contains(word)), "{error:?} says nothing of {word:?}");
}

#[test]
fn endless_recursion_is_told_as_a_stack_that_overflows() {
    is_trap(&run("", "(func $deep (call $deep) (call $deep))", BUMP, "(call $deep) unreachable"), "stack");
}

#[test]
fn a_plugin_that_spins_while_it_is_instantiated_is_stopped() {
    let error = run("", "(func $spin (loop (br 0))) (start $spin)", BUMP, OK);
    assert!(matches!(error, HarnessError::Deadline { .. }), "{error:?}");
}

#[test]
fn a_plugin_that_spins_while_it_is_given_its_input_is_stopped() {
    let error = run("", "", SPIN, OK);
    assert!(matches!(error, HarnessError::Deadline { .. }), "{error:?}");
}

#[test]
fn memory_that_is_not_there_cannot_be_given_to_the_host_to_write_to() {
    is_trap(&run("", "", "(i32.const -16)", OK), "beyond end of memory");
}

#[test]
fn memory_that_is_not_there_cannot_be_given_to_the_host_to_read_from() {
    let far = "(i32.const 0x7ffffff0)";
    let call =
        format!("(call $emit {far} (i32.const 1) {far} (i32.const 1) {far} (i32.const 1) (i32.const 16)) unreachable");
    is_trap(&run(EMIT, "", BUMP, &call), "out of bounds");
}

#[test]
fn an_answer_that_is_not_there_is_not_read() {
    is_trap(&run("", "", BUMP, "(call $ok (i32.const 0x7ffffff0) (i32.const 100))"), "out of bounds");
    is_trap(&run("", "", BUMP, "(i32.const 0x7ffffff0)"), "out of bounds");
}

#[test]
fn text_that_is_no_utf8_is_not_taken() {
    let call = "(i32.store (i32.const 0) (i32.const -1)) (call $ok (i32.const 0) (i32.const 4))";
    is_trap(&run("", "", BUMP, call), "utf-8");
}

#[test]
fn a_list_of_more_events_than_there_is_memory_is_not_read() {
    let call = "(call $append (local.get $session) (local.get $session-length) (i32.const 8) (i32.const 0x0fffffff)
        (i32.const 16)) unreachable";
    is_trap(&run(APPEND, "", BUMP, call), "out of bounds");
}

#[test]
fn a_commit_of_more_writes_than_there_is_memory_is_not_read() {
    let call = "(call $commit (local.get $session) (local.get $session-length) (i32.const 8) (i32.const 0x00ffffff)
        (i32.const 0) (i64.const 0) (i32.const 0) (i64.const 0) (i32.const 16)) unreachable";
    is_trap(&run(COMMIT, "", BUMP, call), "out of bounds");
}

#[test]
fn a_list_that_names_the_same_bytes_over_and_over_does_not_fill_the_host() {
    // A million strings of 16 KiB each, which are one.
    let fill = "(memory.grow (i32.const 160)) drop
        (loop
          (i32.store (i32.add (i32.const 65536) (i32.mul (i32.const 8) (local.get $at))) (i32.const 0))
          (i32.store (i32.add (i32.const 65540) (i32.mul (i32.const 8) (local.get $at))) (i32.const 16384))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if 0 (i32.lt_u (local.get $at) (i32.const 1000000))))";
    let functions = format!("(func $fill (local $at i32) {fill})");
    let call =
        "(call $fill) (call $get-events (local.get $session) (local.get $session-length) (i64.const 0) (i32.const 1)
        (i32.const 65536) (i32.const 1000000) (i32.const 16)) unreachable";
    is_trap(&run(GET_EVENTS, &functions, BUMP, call), "fuel");
    let call = "(call $fill) (call $get-entries (local.get $session) (local.get $session-length)
        (i32.const 65536) (i32.const 1000000) (i32.const 16)) unreachable";
    is_trap(&run(GET_ENTRIES, &functions, BUMP, call), "fuel");
}

#[test]
fn a_plugin_cannot_call_out_while_the_host_asks_it_for_memory() {
    let realloc = "(call $emit (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 1)
        (i32.const 16)) (i32.const 4096)";
    is_trap(&run(EMIT, "", realloc, OK), "cannot leave");
}

#[test]
fn while_one_plugin_spins_other_sessions_go_on() {
    let sessions = sessions();
    sessions.create("other").unwrap();
    let spin = ENGINE.load_harness(&component_with("", "", BUMP, SPIN)).unwrap();
    let limits = Limits { deadline: Duration::from_secs(1), ..Limits::default() };
    thread::scope(|scope| {
        let spinning = scope.spawn(|| spin.run(&sessions, Grant::all(), limits.clone(), "a", ""));
        for length in 1..=100 {
            goes_on(&sessions, "other", length);
        }
        assert!(matches!(spinning.join().unwrap(), Err(HarnessError::Deadline { .. })));
    });
}
