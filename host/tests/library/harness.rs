//! Running harness components: what they get, and what stops them.

use std::time::Duration;

use session_host::{EngineError, Grant, HarnessError, Limits, Sessions, StorageError};

use crate::plugins::{calling, echo, harness};
use crate::support::{ENGINE, Hooked, sessions, with_events};

const EMIT: &str = r#"(import "agent:session/session-persistence@0.1.0" "emit-event"
    (func $emit (param i32 i32 i32 i32 i32 i32 i32)))"#;

/// Appends an event of the type "null" with the data `null`.
const EMIT_ONE: &str = r#"
    (i32.store (i32.const 0) (i32.const 0x6c6c756e))
    (call $emit (local.get $session) (local.get $session-length) (i32.const 0) (i32.const 4) (i32.const 0) (i32.const 4)
      (i32.const 16))"#;

const SPIN: &str = "(loop (br 0)) unreachable";

/// Long enough for whatever these harnesses do before they spin, also on a machine with much else to do.
fn short() -> Limits {
    Limits { deadline: Duration::from_secs(1), ..Limits::default() }
}

fn after_one_event(what: &str) -> session_host::Harness {
    harness(EMIT, &format!("{EMIT_ONE} {what}"))
}

#[test]
fn a_harness_gets_its_input_and_answers_a_line() {
    let line = echo().run(&sessions(), Grant::all(), Limits::default(), "a", "Grüße").unwrap();
    assert_eq!(line, "Grüße");
}

#[test]
fn a_harness_that_gives_up_says_why() {
    let harness = harness("", "(call $err (local.get $input) (local.get $input-length))");
    let error = harness.run(&sessions(), Grant::all(), Limits::default(), "a", "no model").unwrap_err();
    assert_eq!(error, HarnessError::Refused("no model".into()));
}

#[test]
fn an_endless_harness_is_stopped_and_its_events_stay() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    sessions.flush("a").unwrap();
    sessions.release("a").unwrap();
    let error = after_one_event(SPIN).run(&sessions, Grant::session("a"), short(), "a", "").unwrap_err();
    assert_eq!(error, HarnessError::Deadline { limit: short().deadline });
    assert_eq!(sessions.inspect("a").unwrap().length, 1);
}

#[test]
fn a_harness_that_takes_too_much_memory_is_stopped() {
    let eat = "(loop (br_if 0 (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable";
    let limits = Limits { memory: 8 << 20, ..Limits::default() };
    let error = harness("", eat).run(&sessions(), Grant::all(), limits, "a", "").unwrap_err();
    assert_eq!(error, HarnessError::OutOfMemory { limit: 8 << 20 });
}

#[test]
fn a_harness_that_starts_with_too_much_memory_is_not_started() {
    let limits = Limits { memory: 1 << 16, ..Limits::default() };
    let error = echo().run(&sessions(), Grant::all(), limits, "a", "").unwrap_err();
    assert_eq!(error, HarnessError::OutOfMemory { limit: 1 << 16 });
}

#[test]
fn a_harness_that_breaks_down_is_told_by_its_trap() {
    let error = harness("", "unreachable").run(&sessions(), Grant::all(), Limits::default(), "a", "").unwrap_err();
    assert!(matches!(&error, HarnessError::Trapped(text) if text.contains("unreachable")), "{error}");
    let recurse = "(call $run (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))";
    let error = harness("", recurse).run(&sessions(), Grant::all(), Limits::default(), "a", "").unwrap_err();
    assert!(matches!(&error, HarnessError::Trapped(text) if text.contains("stack")), "{error}");
}

#[test]
fn what_a_harness_had_claimed_is_free_after_it() {
    for end in ["(call $ok (i32.const 0) (i32.const 0))", "unreachable", SPIN] {
        let sessions = sessions();
        with_events(&sessions, "a", 1);
        sessions.release("a").unwrap();
        let _ = after_one_event(end).run(&sessions, Grant::all(), short(), "a", "");
        assert_eq!(sessions.emit("a", "note", &1).unwrap(), 2, "after {end}");
    }
}

#[test]
fn a_harness_does_not_get_what_its_host_holds() {
    let sessions = sessions();
    with_events(&sessions, "a", 1);
    let flush = calling("agent:session/session-persistence@0.1.0", "flush");
    let busy = "d";
    assert_eq!(flush.run(&sessions, Grant::all(), Limits::default(), "a", "").unwrap(), busy);
    sessions.release("a").unwrap();
    assert_eq!(flush.run(&sessions, Grant::all(), Limits::default(), "a", "").unwrap(), "ok");
}

#[test]
fn time_within_storage_does_not_count() {
    let sessions = Sessions::new(
        &ENGINE,
        Hooked::new(|call, _| {
            if call == "append" {
                std::thread::sleep(short().deadline.mul_f32(1.5));
            }
            Ok(())
        }),
    );
    with_events(&sessions, "a", 1);
    sessions.release("a").unwrap();
    let harness = after_one_event("(call $ok (i32.const 0) (i32.const 0))");
    harness.run(&sessions, Grant::all(), short(), "a", "").unwrap();
    assert_eq!(sessions.inspect("a").unwrap().length, 2);
}

#[test]
fn a_call_of_the_harness_gets_no_more_time_than_is_left_to_it() {
    // The store's own clock takes longer than the harness has; the session's limit would allow it.
    let slow_clock = || {
        std::thread::sleep(short().deadline.mul_f32(1.5));
        1
    };
    let sessions = Sessions::builder(&ENGINE).clock(slow_clock).open(session_host::Memory::new());
    with_events(&sessions, "a", 1);
    sessions.release("a").unwrap();
    let harness = after_one_event("(call $ok (i32.const 0) (i32.const 0))");
    let error = harness.run(&sessions, Grant::all(), short(), "a", "").unwrap_err();
    assert_eq!(error, HarnessError::Deadline { limit: short().deadline });
    assert_eq!(sessions.inspect("a").unwrap().length, 1);
}

#[test]
fn a_fault_of_storage_reaches_the_harness_as_an_error() {
    let sessions = Sessions::new(&ENGINE, Hooked::new(|_, _| Err(StorageError::Failed("the disk is on fire".into()))));
    let has = calling("agent:session/session-persistence@0.1.0", "has");
    let storage = "q";
    assert_eq!(has.run(&sessions, Grant::all(), Limits::default(), "a", "").unwrap(), storage);
}

#[test]
fn a_component_that_asks_for_more_than_sessions_is_refused_by_name() {
    let wasm = wat::parse_str(
        r#"(component
            (import "wasi:cli/exit@0.2.0" (instance (export "exit" (func (param "status" (result))))))
            (import "agent:session/clock@0.1.0" (instance (export "now" (func (result u64))))))"#,
    )
    .unwrap();
    match ENGINE.load_harness(&wasm) {
        Err(EngineError::Imports(names)) => assert_eq!(names, ["wasi:cli/exit@0.2.0"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_component_without_run_does_not_fit() {
    let wasm = wat::parse_str("(component)").unwrap();
    assert!(matches!(ENGINE.load_harness(&wasm), Err(EngineError::World(_))));
}

#[test]
fn a_component_whose_run_is_another_does_not_fit() {
    // What it takes and answers: in the component, and in the module below it.
    for (run, core) in [
        ("", ""),
        (r#"(param "session" u32) (result u32)"#, "(param i32) (result i32)"),
        (r#"(param "session" u32) (param "input" u32) (result (result))"#, "(param i32 i32) (result i32)"),
        (r#"(param "s" u32) (param "i" u32) (result (result u32 (error u32)))"#, "(param i32 i32) (result i32)"),
        (r#"(param "s" string) (param "i" string) (result string)"#, "(param i32 i32 i32 i32) (result i32)"),
        (r#"(param "s" string) (result (result string (error string)))"#, "(param i32 i32) (result i32)"),
    ] {
        let text = format!(
            r#"(component
                (core module $m
                    (memory (export "memory") 1)
                    (func (export "realloc") (param i32 i32 i32 i32) (result i32) unreachable)
                    (func (export "run") {core} unreachable))
                (core instance $i (instantiate $m))
                (func (export "run") {run}
                    (canon lift (core func $i "run") (memory $i "memory") (realloc (func $i "realloc")))))"#
        );
        match ENGINE.load_harness(&wat::parse_str(&text).unwrap()) {
            Err(EngineError::World(why)) => assert!(why.contains("its `run` is not"), "{why}"),
            other => panic!("{run}: {other:?}"),
        }
    }
    let instance = r#"(component (instance $run) (export "run" (instance $run)))"#;
    assert!(matches!(ENGINE.load_harness(&wat::parse_str(instance).unwrap()), Err(EngineError::World(_))));
}

#[test]
fn what_is_no_component_is_said_to_be_none() {
    assert!(matches!(ENGINE.load_harness(b"#!/bin/sh"), Err(EngineError::Invalid(_))));
    assert!(matches!(ENGINE.load_harness(&wat::parse_str("(module)").unwrap()), Err(EngineError::CoreModule)));
}
