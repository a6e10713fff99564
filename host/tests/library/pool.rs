//! Instances out of a pool.

use session_host::{Engine, Error, Grant, Limits, Memory, Sessions};

static DEMO_HARNESS: &[u8] = include_bytes!("../../component/demo-harness.wasm");

#[test]
fn what_an_instance_leaves_in_the_pool_is_nothing_to_the_next() {
    let engine = Engine::builder().pool(1).build().unwrap();
    for _ in 0..3 {
        let sessions = Sessions::new(&engine, Memory::new());
        assert_eq!(sessions.header("s"), Err(Error::NotFound("s".into())));
        sessions.create("s").unwrap();
        sessions.emit_json("s", "note", "{}").unwrap();
    }
}

#[test]
fn a_harness_takes_two_instances_and_gives_them_back() {
    let engine = Engine::builder().pool(3).build().unwrap();
    let harness = engine.load_harness(DEMO_HARNESS).unwrap();
    let sessions = Sessions::builder(&engine).instances(1).open(Memory::new());
    for id in ["one", "two", "three"] {
        harness.run(&sessions, Grant::session(id), Limits::default(), id, "Begin.").unwrap();
        assert!(sessions.has(id).unwrap());
    }
}

#[test]
fn a_fault_gives_its_instance_back() {
    let engine = Engine::builder().pool(1).build().unwrap();
    let limits = Limits { memory: 4 << 20, ..Limits::default() };
    let sessions = Sessions::builder(&engine).limits(limits).open(Memory::new());
    sessions.create("s").unwrap();
    let large = format!("\"{}\"", "x".repeat(6 << 20));
    for _ in 0..3 {
        assert!(matches!(sessions.emit_json("s", "note", &large), Err(Error::OutOfMemory { .. })));
    }
    sessions.emit_json("s", "note", "{}").unwrap();
}
