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
    let answer = answer(session().args(["demo", "--json"]).env("TMPDIR", folder.path()));
    let starts = answer.out.starts_with(br#"{"answer":"#);
    assert!(starts, "the documented order: {answer}");
    let told = answer.json();
    assert_eq!(told["session"], "demo");
    assert!(Path::new(told["root"].as_str().unwrap()).starts_with(folder.path()));
    assert!(PathBuf::from(told["root"].as_str().unwrap()).join("demo.jsonl").exists());
    assert!(
        told["kept"].as_u64().unwrap() > 0 && told["cut"].as_u64().unwrap() > 0 && told["closed"].as_u64().unwrap() > 0
    );
    assert!(told["answer"].is_string());
}

#[test]
fn the_demonstration_has_a_folder_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    for args in [&["demo", "--root"][..], &["--root"]] {
        let mut command = session();
        command.args(args).arg(folder.path()).args((args.len() == 1).then_some("demo"));
        let said = answer(&mut command).failed(2);
        assert!(said.contains("`session demo` has no use for `--root`"), "{said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_demonstration_that_breaks_off_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    answer(session().arg("demo").env("TMPDIR", folder.path()).stdout(full));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_was_asked_for_is_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let told = answer(session().arg("demo").env("TMPDIR", folder.path())).done();
    let place = |words: &str| told.find(words).unwrap_or_else(|| panic!("{words}: {told}"));
    assert!(place("Rename the config key") < place("replace("));
    assert!(place("replace(") < place("1 line changed"));
    assert!(place("1 line changed") < place("12 passed"));
}
