//! The demo harness and the WASI storage are examples to copy: outside this workspace they build as they are.

use std::path::Path;
use std::process::Command;

#[test]
fn the_demo_harness_builds_where_it_is_copied_to() {
    builds_where_it_is_copied_to("demo-harness");
}

#[test]
fn the_wasi_storage_builds_where_it_is_copied_to() {
    builds_where_it_is_copied_to("wasi-storage");
}

fn builds_where_it_is_copied_to(example: &str) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("my-own");
    // As the README says it; what `wit` links to comes along.
    let copied = Command::new("cp").arg("-rL").arg(workspace.join("examples").join(example)).arg(&copy).status();
    assert!(copied.unwrap().success());
    // Without it cargo would ask for versions that this machine may not have.
    std::fs::copy(workspace.join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();

    let mut cargo = Command::new(env!("CARGO"));
    // What the workspace has built of its dependencies is taken from there.
    cargo.args(["build", "--release", "--offline", "--target-dir"]).arg(workspace.join("target")).current_dir(&copy);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
