//! `compose`: a harness and the sessions in one file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use session_host::{Engine, JsonlFolder, Storage};
use session_tests::command::{Answer, Root, answer, session};
use wasmtime::Store;
use wasmtime::component::{Component, Linker};

/// What is left for the host to give.
const LEFT: [&str; 3] = ["agent:session/clock@0.1.0", "agent:session/storage@0.1.0", "agent:session/types@0.1.0"];

fn demo_harness() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/component/demo-harness.wasm").canonicalize().unwrap()
}

fn compose(harness: &Path, output: &Path, more: &[&str]) -> Answer {
    answer(session().arg("compose").arg(harness).arg("-o").arg(output).args(more))
}

/// The demo harness, composed.
fn composed(root: &Root) -> PathBuf {
    let output = root.path().join("composed.wasm");
    compose(&demo_harness(), &output, &[]).done();
    output
}

/// A component as text, in a file.
fn component(root: &Root, text: &str) -> PathBuf {
    let file = root.path().join("harness.wasm");
    std::fs::write(&file, wat::parse_str(text).unwrap()).unwrap();
    file
}

/// Runs a composed harness as any host can: with storage and a clock, and nothing else.
fn run(engine: &Engine, file: &Path, storage: Arc<dyn Storage>, session: &str, input: &str) -> Result<String, String> {
    let mut linker = Linker::<Arc<dyn Storage>>::new(engine.wasmtime());
    session_host::storage::add_to_linker(&mut linker, |storage| storage).unwrap();
    let mut clock = linker.instance("agent:session/clock@0.1.0").unwrap();
    let now = |_: wasmtime::StoreContextMut<'_, _>, (): ()| {
        Ok((u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?,))
    };
    clock.func_wrap("now", now).unwrap();

    let component = Component::from_file(engine.wasmtime(), file).unwrap();
    let mut store = Store::new(engine.wasmtime(), storage);
    store.set_epoch_deadline(u64::MAX / 2);
    let instance = linker.instantiate(&mut store, &component).unwrap();
    let run = instance.get_typed_func::<(&str, &str), (Result<String, String>,)>(&mut store, "run").unwrap();
    run.call(&mut store, (session, input)).unwrap().0
}

#[test]
fn a_composed_harness_needs_storage_and_a_clock_and_nothing_else() {
    let root = Root::new();
    let engine = wasmtime::Engine::default();
    let component = Component::from_file(&engine, composed(&root)).unwrap();
    let component = component.component_type();
    let mut imports: Vec<_> = component.imports(&engine).map(|(name, _)| name.to_owned()).collect();
    imports.sort();
    assert_eq!(imports, LEFT);
    assert_eq!(component.exports(&engine).map(|(name, _)| name).collect::<Vec<_>>(), ["run"]);
}

#[test]
fn what_it_needs_is_told() {
    let root = Root::new();
    let output = root.path().join("composed.wasm");
    let told = compose(&demo_harness(), &output, &["--json"]).json();
    assert_eq!(told["output"], output.to_str().unwrap());
    assert_eq!(told["bytes"], std::fs::metadata(&output).unwrap().len());
    assert_eq!(told["imports"], serde_json::json!(LEFT));
}

#[test]
fn that_no_grant_stands_between_is_told() {
    let root = Root::new();
    let told = compose(&demo_harness(), &root.path().join("composed.wasm"), &[]);
    assert!(told.err.contains("no grant"), "{told}");
    let help = answer(session().args(["compose", "--help"])).done();
    assert!(help.contains("No grant"), "{help}");
}

#[test]
fn a_composed_harness_runs_and_its_sessions_are_those_of_the_command() {
    let root = Root::new();
    let (engine, file) = (Engine::new().unwrap(), composed(&root));
    let storage = || Arc::new(JsonlFolder::open(root.path()).unwrap());
    run(&engine, &file, storage(), "x", "hello").unwrap();
    let first = root.run(&["show", "x", "--json"]).done();
    assert!(first.contains("hello") && first.contains("turn/end"), "{first}");
    root.run(&["check", "x"]).done();
    // The next one finds its place from the log alone; the command goes on where it stopped, and the other way round.
    root.run(&["emit", "x", "note", "{}"]).done();
    run(&engine, &file, storage(), "x", "go on").unwrap();
    let second = root.run(&["show", "x", "--json"]).done();
    assert!(second.starts_with(&first) && second.contains("go on"), "{second}");
    root.run(&["check", "x"]).done();
}

#[test]
fn the_command_runs_no_composed_harness_since_no_grant_could_bound_it() {
    let root = Root::new();
    let file = composed(&root);
    let told = root.run(&["run", file.to_str().unwrap(), "x"]).failed(1);
    assert!(told.contains("host of your own"), "{told}");
    root.run(&["inspect", "x"]).failed(3);
}

#[test]
fn no_grant_keeps_a_composed_harness_from_any_session() {
    let root = Root::new();
    let (engine, file) = (Engine::new().unwrap(), composed(&root));
    for session in ["x", "y"] {
        run(&engine, &file, Arc::new(JsonlFolder::open(root.path()).unwrap()), session, "").unwrap();
    }
    assert_eq!(root.run(&["list"]).done().lines().count(), 2);
}

#[test]
fn composing_again_gives_the_same_bytes() {
    let root = Root::new();
    let first = std::fs::read(composed(&root)).unwrap();
    assert!(first == std::fs::read(composed(&root)).unwrap());
}

#[test]
fn what_is_no_harness_is_refused_and_nothing_is_written() {
    let root = Root::new();
    let output = root.path().join("out.wasm");
    let refused = |harness: &Path, why: &str| {
        let said = compose(harness, &output, &[]).failed(1);
        assert!(said.contains(harness.to_str().unwrap()) && said.contains(why), "{why}: {said}");
        assert!(!output.exists(), "{why}");
    };
    refused(&root.path().join("missing.wasm"), "No such file or directory");
    refused(root.path(), "it is no regular file");
    refused(&component(&root, "(module)"), "it is a core module and no component yet");
    refused(&component(&root, "(component)"), "it imports no sessions");
    let newer = r#"(component (import "agent:session/session-persistence@0.2.0" (instance)))"#;
    refused(&component(&root, newer), "imports agent:session/session-persistence@0.2.0, and this release has");
    let unknown = r#"(component (import "agent:session/dreams@0.1.0" (instance)))"#;
    refused(&component(&root, unknown), "imports agent:session/dreams@0.1.0, and this release has");
    let other = r#"(component (import "agent:session/messages@0.1.0" (instance (export "derive-messages" (func)))))"#;
    refused(&component(&root, other), "with other types than this release has");
    let nonsense = root.path().join("nonsense.wasm");
    std::fs::write(&nonsense, "nonsense").unwrap();
    refused(&nonsense, "not a WebAssembly component");
    let sound = std::fs::read(demo_harness()).unwrap();
    std::fs::write(&nonsense, &sound[..sound.len() / 2]).unwrap();
    refused(&nonsense, "not a WebAssembly component");
}

#[test]
fn what_a_harness_asks_for_beside_sessions_is_left_to_be_given() {
    let root = Root::new();
    let text = r#"(component
        (import "agent:session/session-persistence@0.1.0" (instance))
        (import "model:chat/ask@1.0.0" (instance (export "ask" (func (param "question" string) (result string))))))"#;
    let told = compose(&component(&root, text), &root.path().join("out.wasm"), &["--json"]).json();
    assert!(told["imports"].as_array().unwrap().contains(&"model:chat/ask@1.0.0".into()), "{told}");
}

#[test]
fn a_file_that_is_there_is_replaced_whole() {
    let root = Root::new();
    let output = root.path().join("composed.wasm");
    std::fs::write(&output, "what was there").unwrap();
    composed(&root);
    assert!(std::fs::read(&output).unwrap().starts_with(b"\0asm"));
    // Nothing is left beside it.
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
}

#[test]
fn where_nothing_can_be_written_is_told() {
    let root = Root::new();
    let missing = root.path().join("missing/out.wasm");
    let said = compose(&demo_harness(), &missing, &[]).failed(7);
    assert!(said.ends_with(&format!("can't write {}: nothing can be made there\n", missing.display())), "{said}");
    // A device would be replaced by a file, and a folder can't be.
    for there in [Path::new("/dev/null"), root.path()] {
        let said = compose(&demo_harness(), there, &[]).failed(7);
        assert!(said.ends_with("it is no regular file\n"), "{said}");
    }
    assert!(answer(session().arg("compose").arg(demo_harness())).failed(2).contains("--output"));
}

#[test]
fn no_byte_of_a_file_makes_it_panic() {
    let root = Root::new();
    let (sound, file) = (std::fs::read(demo_harness()).unwrap(), root.path().join("flipped.wasm"));
    // Names and types are where it is taken apart; they stand at both ends.
    let ends = (0..2_000).chain(sound.len() - 14_000..sound.len()).step_by(521);
    for at in ends {
        let mut flipped = sound.clone();
        flipped[at] ^= 0x55;
        std::fs::write(&file, flipped).unwrap();
        let told = compose(&file, &root.path().join("out.wasm"), &[]);
        assert!(matches!(told.code, Some(0 | 1)), "byte {at}: {told}");
    }
}
