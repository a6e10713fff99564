//! How the command is called, and what it says when it is called wrongly.

use std::process::Stdio;

use session_tests::command::{Root, answer, session, turn};

#[test]
fn usage_errors_have_a_code_of_their_own() {
    let root = Root::new();
    for args in [
        &[][..],
        &["nonsense"],
        &["show"],
        &["create"],
        &["list", "--limit", "0"],
        &["list", "--limit", "many"],
        &["show", "x", "--start", "-1"],
        &["verify"],
        &["verify", "x", "--all"],
        &["emit", "x", "type"],
        &["run"],
        &["run", "h.wasm", "x", "--timeout", "0"],
        &["completions", "nonsense"],
        &["copy", "x"],
        &["copy", "--to", "sqlite:x.db"],
    ] {
        let answer = root.run(args);
        assert_eq!(answer.code, Some(2), "{args:?}: {answer}");
        assert!(!answer.err.is_empty(), "{args:?}");
    }
}

#[test]
fn help_names_every_subcommand_and_the_exit_codes() {
    let root = Root::new();
    let help = root.run(&["--help"]).done();
    for word in [
        "create",
        "append",
        "emit",
        "show",
        "messages",
        "wake",
        "inspect",
        "aside",
        "list",
        "fork",
        "copy",
        "has",
        "delete",
        "check",
        "verify",
        "follow",
        "handoff",
        "run",
        "compose",
        "demo",
        "completions",
        "SESSION_ROOT",
        "5 damaged",
    ] {
        assert!(help.contains(word), "{word}: {help}");
    }
    assert!(root.run(&["--version"]).done().starts_with("session "));
}

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(answer(session().args(["completions", shell])).done().contains("handoff"), "{shell}");
    }
}

#[test]
fn the_root_can_come_from_the_surroundings() {
    let root = Root::new();
    root.put("x", turn(0));
    let has = |command: &mut std::process::Command| answer(command.args(["has", "x"]).stdin(Stdio::null()));
    assert_eq!(has(session().env("SESSION_ROOT", root.path())).done(), "yes\n");
    // What is typed comes first.
    let other = Root::new();
    assert_eq!(has(session().env("SESSION_ROOT", root.path()).arg("--root").arg(other.path())).ended(3), "no\n");
}

#[test]
fn without_a_root_the_platforms_folder_is_used() {
    let home = tempfile::tempdir().unwrap();
    let create = |id: &str, command: &mut std::process::Command| {
        answer(command.env("XDG_DATA_HOME", home.path()).args(["create", id]).stdin(Stdio::null())).done()
    };
    create("x", &mut session());
    create("y", session().env("SESSION_ROOT", ""));
    assert!(home.path().join("agent-session/x.jsonl").exists());
    assert!(home.path().join("agent-session/y.jsonl").exists());
}

#[test]
fn flags_may_stand_before_or_after_the_subcommand() {
    let root = Root::new();
    root.put("x", turn(0));
    assert_eq!(root.run(&["--json", "show", "x"]).done(), root.run(&["show", "x", "--json"]).done());
}

#[test]
fn a_root_that_is_a_file_is_an_error_that_names_it() {
    let root = Root::new();
    let file = root.path().join("file");
    std::fs::write(&file, "").unwrap();
    let said = answer(session().arg("--root").arg(&file).arg("list").stdin(Stdio::null())).failed(1);
    assert!(said.contains(file.to_str().unwrap()), "{said}");
}

#[test]
fn commands_that_are_told_name_the_root_only_where_that_is_needed() {
    let root = Root::new();
    let named = root.run(&["show", "x"]).failed(3);
    assert!(named.contains(&format!("--root {} list", root.path().display())), "{named}");
    let set = answer(session().env("SESSION_ROOT", root.path()).args(["show", "x"]).stdin(Stdio::null())).failed(3);
    assert!(set.contains(" list`") && !set.contains("--root"), "{set}");
}

#[test]
fn options_that_could_only_be_ignored_are_refused() {
    for args in [
        &["completions", "bash", "--root", "x"][..],
        &["--root", "x", "completions", "bash"],
        &["completions", "bash", "--json"],
        &["--json", "completions", "bash"],
        &["compose", "x.wasm", "-o", "y.wasm", "--root", "x"],
        &["--store", "memory:", "compose", "x.wasm", "-o", "y.wasm"],
        &["demo", "--root", "x"],
        &["--root", "x", "demo"],
        &["demo", "--store", "memory:"],
        &["--store", "memory:", "completions", "bash"],
    ] {
        let said = answer(session().args(args).stdin(Stdio::null())).failed(2);
        assert!(said.contains("has no use for `--"), "{said}");
    }
}

#[test]
fn help_shows_no_option_that_is_refused() {
    for (command, shown) in [
        ("completions", [false, false, false]),
        ("compose", [false, false, true]),
        ("demo", [false, false, true]),
        ("show", [true, true, true]),
    ] {
        let help = answer(session().args([command, "--help"])).done();
        assert_eq!(["--root", "--store", "--json"].map(|option| help.contains(option)), shown, "{help}");
    }
}

#[test]
fn an_id_that_is_needed_is_shown_as_needed() {
    let root = Root::new();
    for (command, usage) in
        [("wake", "[OPTIONS] <ID>"), ("run", "[OPTIONS] <HARNESS.wasm> <ID>"), ("verify", "[OPTIONS] <ID|--all>")]
    {
        let help = root.run(&[command, "--help"]).done();
        assert!(help.contains(&format!("Usage: session {command} {usage}\n")), "{help}");
    }
}

#[test]
fn a_folder_that_can_not_be_made_is_told_with_the_reason() {
    let root = Root::new();
    let file = root.path().join("file");
    std::fs::write(&file, "").unwrap();
    let below = file.join("below");
    for command in [&["create", "x"][..], &["append", "x", "--create"]] {
        for place in [&file, &below] {
            let said = answer(session().arg("--root").arg(place).args(command).stdin(Stdio::null())).failed(1);
            let told = format!("can't create the folder {}: a file is in the way\n", place.display());
            assert!(said.ends_with(&told), "{said}");
        }
    }
}

#[test]
fn a_folder_in_a_place_that_takes_none_is_a_lack_of_room() {
    let place = "/proc/no-such-folder";
    let database = format!("sqlite:{place}/sessions");
    for args in [
        &["create", "x", "--root", place][..],
        &["append", "x", "--create", "--root", place],
        &["create", "x", "--store", &database],
    ] {
        let said = answer(session().args(args).stdin(Stdio::null())).failed(7);
        assert!(said.contains("can't create the folder") && said.contains(place), "{said}");
    }
}

#[test]
fn an_id_that_is_to_be_new_is_not_looked_for() {
    let root = Root::new();
    let said = root.run(&["create"]).failed(2);
    assert!(said.contains("<ID>") && !said.contains("list --recent"), "{said}");
    assert!(root.run(&["show"]).failed(2).contains("list --recent"));
}
