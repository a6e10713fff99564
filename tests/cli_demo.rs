//! `demo`: the whole road, in a few seconds.

use std::path::{Path, PathBuf};

use session_tests::command::{answer, session};

#[test]
fn the_demonstration_comes_out_and_can_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let told = answer(session().arg("demo").env("TMPDIR", folder.path())).done();
    for words in [
        "stopped",
        "an append is refused",
        "kept",
        "cut",
        "closed",
        "TOOL_OUTCOME_UNKNOWN",
        "equal one by one",
        "it answers",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let look: Vec<&str> = told.lines().map(str::trim).filter(|line| line.contains(" --root ")).collect();
    assert!(look.len() >= 4, "{told}");
    for command in look {
        let shell = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
        assert!(shell.status.success(), "{command}: {shell:?}");
    }
}

#[test]
fn the_demonstration_can_be_told_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let told = answer(session().args(["demo", "--json"]).env("TMPDIR", folder.path())).json();
    assert_eq!(told["session"], "demo");
    assert!(Path::new(told["root"].as_str().unwrap()).starts_with(folder.path()));
    assert!(PathBuf::from(told["root"].as_str().unwrap()).join("demo.jsonl").exists());
    assert!(
        told["kept"].as_u64().unwrap() > 0 && told["cut"].as_u64().unwrap() > 0 && told["closed"].as_u64().unwrap() > 0
    );
    assert!(told["answer"].is_string());
}
