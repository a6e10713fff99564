//! `run`: a harness in a sandbox, on one session.

use std::path::PathBuf;
use std::time::Instant;

use session_tests::command::{Driver, Root, answer, event, header, turn};

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
    assert!(said.contains("<ID>") && said.contains("list --recent"), "{said}");
}

#[test]
fn what_is_no_harness_is_told_by_its_file() {
    let root = Root::new();
    let missing = root.path().join("missing.wasm");
    let said = root.run(&["run", missing.to_str().unwrap(), "x"]).failed(1);
    assert!(said.ends_with("missing.wasm: No such file or directory\n"), "{said}");
    let nonsense = root.path().join("nonsense.wasm");
    std::fs::write(&nonsense, "nonsense").unwrap();
    let said = root.run(&["run", nonsense.to_str().unwrap(), "x"]).failed(1);
    assert!(said.contains("nonsense.wasm"), "{said}");
}

#[test]
fn a_session_that_another_writer_holds_is_busy() {
    let root = Root::new();
    root.put("x", turn(0));
    let holder = Driver::of(&root, &["x"]);
    holder.send(event(3, "note", "{}"));
    holder.wait_for(3);
    let said = root.run(&["run", &demo_harness(), "x"]).failed(4);
    assert_eq!(said, root.run(&["wake", "x"]).failed(4));
    assert_eq!(root.run(&["show", "x", "--json"]).json_lines().len(), 4);
}

#[test]
fn an_id_that_no_session_can_have_is_refused() {
    let root = Root::new();
    for id in [String::new(), "x".repeat(241), "x".repeat(256)] {
        let said = root.run(&["run", &demo_harness(), &id]).failed(6);
        assert!(said.contains("invalid id"), "{said}");
    }
}

#[test]
fn a_log_that_no_harness_can_go_on_with_is_told_as_by_wake() {
    let root = Root::new();
    root.put("damaged", turn(0) + "nonsense\n" + &turn(3));
    root.put_bytes("headless", "nonsense\n");
    root.put_bytes("newer", header("newer").replace("\"version\":0", "\"version\":9"));
    for (id, code) in [("damaged", 5), ("headless", 5), ("newer", 1)] {
        let before = root.read(id);
        let said = root.run(&["run", &demo_harness(), id]).failed(code);
        let as_by_wake = root.run(&["wake", id]).failed(code);
        assert!(said.ends_with(as_by_wake.strip_prefix("error: ").unwrap()), "{said}");
        assert_eq!(root.read(id), before);
    }
}

#[test]
fn a_harness_says_what_is_wrong_in_a_sentence() {
    let root = Root::new();
    root.put("x", turn(0) + "nonsense\n" + &turn(3));
    let said = root.run(&["run", &demo_harness(), "x"]).failed(5);
    assert!(said.contains("can't wake x: its log is damaged from event 3 on"), "{said}");
    assert!(!said.contains("Error") && !said.contains("Damage"), "{said}");
}

/// A harness, as a component's text, whose `run` does this.
fn harness(root: &Root, signature: &str, run: &str) -> String {
    let text = format!(
        r#"(component
            (core module $m
                (memory (export "memory") 64)
                (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 64))
                (func (export "run") (param i32 i32 i32 i32) (result i32) {run}))
            (core instance $i (instantiate $m))
            (func (export "run") (param "session" string) (param "input" string) {signature}
                (canon lift (core func $i "run") (memory $i "memory") (realloc (func $i "realloc")))))"#
    );
    let file = root.path().join("harness.wasm");
    std::fs::write(&file, wat::parse_str(text).unwrap()).unwrap();
    file.into_os_string().into_string().unwrap()
}

#[test]
fn a_long_reason_is_cut() {
    let root = Root::new();
    // Refuses with two million letters.
    let refuse = "(i32.store8 (i32.const 0) (i32.const 1))
        (i32.store (i32.const 4) (i32.const 1024))
        (i32.store (i32.const 8) (i32.const 2000000))
        (memory.fill (i32.const 1024) (i32.const 120) (i32.const 2000000))
        (i32.const 0)";
    let harness = harness(&root, "(result (result string (error string)))", refuse);
    let said = root.run(&["run", &harness, "x"]).failed(1);
    assert!(said.contains("the harness gave up: xxxx") && said.ends_with("xxx…\n"), "{} bytes", said.len());
    assert!(said.len() < 1_000, "{said}");
}

#[test]
fn a_component_of_another_world_is_told_as_that_before_it_runs() {
    let root = Root::new();
    let harness = harness(&root, "(result string)", "unreachable");
    let said = root.run(&["run", &harness, "x"]).failed(1);
    assert!(said.contains("harness.wasm") && said.contains("does not fit the world `harness`"), "{said}");
    assert!(said.contains("its `run` is not"), "{said}");
    assert_eq!(root.run(&["has", "x"]).ended(3), "no\n");
}

#[test]
fn what_is_no_file_of_a_harness_is_not_read() {
    let root = Root::new();
    let large = root.path().join("large.wasm");
    std::fs::File::create(&large).unwrap().set_len(300_000_000).unwrap();
    for (file, why) in [
        ("/dev/zero", "it is no regular file"),
        (root.path().to_str().unwrap(), "it is no regular file"),
        (large.to_str().unwrap(), "it has 300.0 MB, and 256.0 MB are the most"),
    ] {
        let said = root.run(&["run", file, "x"]).failed(1);
        assert!(said.ends_with(&format!("can't read the harness {file}: {why}\n")), "{said}");
    }
    let fifo = root.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let said = root.run(&["run", fifo.to_str().unwrap(), "x"]).failed(1);
    assert!(said.contains("it is no regular file"), "{said}");
}
