//! The demo harness is an example to copy: outside this workspace it builds as it is.

use std::path::Path;
use std::process::Command;

#[test]
fn the_demo_harness_builds_where_it_is_copied_to() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("my-harness");
    // As the README says it; what `wit` links to comes along.
    let copied = Command::new("cp").arg("-rL").arg(workspace.join("examples/demo-harness")).arg(&copy).status();
    assert!(copied.unwrap().success());
    // Without it cargo would ask for versions that this machine may not have.
    std::fs::copy(workspace.join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();

    let mut cargo = Command::new(env!("CARGO"));
    // What the workspace has built of its dependencies is taken from there.
    cargo.args(["build", "--release", "--offline", "--target-dir"]).arg(workspace.join("target")).current_dir(&copy);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
