//! `run`: a harness in a sandbox, on one session.

use std::path::PathBuf;
use std::time::Instant;

use session_tests::command::{Root, answer};

fn demo_harness() -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../host/component/demo-harness.wasm");
    file.canonicalize().unwrap().into_os_string().into_string().unwrap()
}

#[test]
fn a_harness_that_hangs_is_stopped_and_its_session_goes_on() {
    let root = Root::new();
    let harness = demo_harness();
    let said = root.run(&["run", &harness, "x", "--input", "stall", "--timeout", "1.5"]).failed(1);
    assert!(said.contains("wake x") && said.contains("1.5s"), "{said}");
    let before = root.run(&["show", "x", "--json"]).done();
    assert!(before.contains("call-2"));
    let answer = root.run(&["run", &harness, "x", "--input", "go on"]).done();
    assert_eq!(answer.lines().count(), 1, "{answer}");
    let after = root.run(&["show", "x", "--json"]).done();
    assert!(after.starts_with(&before) && after.len() > before.len());
    root.run(&["check", "x"]).done();
}

#[test]
fn the_answer_is_json_if_told() {
    let root = Root::new();
    let harness = demo_harness();
    root.run(&["run", &harness, "x", "--input", "stall", "--timeout", "1.5"]).failed(1);
    assert!(root.run(&["run", &harness, "x", "--json"]).json()["answer"].is_string());
}

#[test]
fn compiling_does_not_count() {
    let root = Root::new();
    // With a cache of its own each run compiles.
    let cold = |id: &str, seconds: f64| {
        let (cache, seconds) = (tempfile::tempdir().unwrap(), seconds.to_string());
        let mut run = root.command(["run", &demo_harness(), id, "--input", "stall", "--timeout", &seconds]);
        answer(run.env("XDG_CACHE_HOME", cache.path())).failed(1)
    };
    let began = Instant::now();
    cold("x", 0.001);
    let compiling = began.elapsed();
    let said = cold("y", compiling.as_secs_f64() / 2.0);
    assert!(said.contains("wake y"), "{said}");
    assert!(root.run(&["show", "y", "--json"]).done().contains("call-2"));
}

#[test]
fn the_id_is_never_guessed() {
    let root = Root::new();
    let said = root.run(&["run", &demo_harness()]).failed(2);
    assert!(said.contains("needs the id") && said.contains("list --recent"), "{said}");
}

#[test]
fn what_is_no_harness_is_told_by_its_file() {
    let root = Root::new();
    let missing = root.path().join("missing.wasm");
    let said = root.run(&["run", missing.to_str().unwrap(), "x"]).failed(1);
    assert!(said.contains("missing.wasm"), "{said}");
    let nonsense = root.path().join("nonsense.wasm");
    std::fs::write(&nonsense, "nonsense").unwrap();
    let said = root.run(&["run", nonsense.to_str().unwrap(), "x"]).failed(1);
    assert!(said.contains("nonsense.wasm"), "{said}");
}
