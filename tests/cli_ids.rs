//! Ids are any text; none leads out of the root, and no two share a file.

use std::collections::HashSet;
use std::fs;

use session_tests::command::{Root, turn};

/// Every row of C32 that an argument can hold.
const AWKWARD: [&str; 24] = [
    "../x",
    "/etc/x",
    "..\\x",
    "a/b",
    ".",
    "..",
    "C:x",
    "~",
    "~tmp.x",
    "CON",
    "con",
    "nul.txt",
    "NUL.txt",
    "a.",
    "a ",
    " a",
    "A",
    "a",
    "ä",
    "a\u{308}",
    "x.jsonl",
    "a\nb",
    "-dash",
    "日本語",
];

#[test]
fn awkward_ids_are_kept_apart_inside_the_root() {
    let root = Root::new();
    let inside = root.path().join("inside");
    let run = |args: &[&str], input: &str| {
        let mut command = session_tests::command::session();
        session_tests::command::feed(command.arg("--root").arg(&inside).args(args), input)
    };
    for id in AWKWARD {
        let line = serde_json::json!({ "type": "note", "data": id }).to_string();
        run(&["append", "--create", "--stamp", "--", id], &line).done();
    }
    for id in AWKWARD {
        let events = run(&["show", "--json", "--", id], "").json_lines();
        assert_eq!((events.len(), events[0]["data"].as_str()), (1, Some(id)), "{id:?}");
    }
    let listed: HashSet<String> =
        run(&["list", "--json"], "").json_lines().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(listed, AWKWARD.iter().map(|id| (*id).to_owned()).collect());
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "nothing outside of the root");
    for id in AWKWARD {
        run(&["delete", "--", id], "").done();
    }
    assert_eq!(run(&["list"], "").done(), "");
}

#[test]
fn an_empty_id_is_invalid() {
    let root = Root::new();
    for args in [&["create", ""][..], &["has", ""], &["show", ""], &["wake", ""], &["delete", ""]] {
        root.run(args).failed(6);
    }
}

#[test]
fn a_long_id_is_stored_or_invalid_and_never_the_systems_own_error() {
    let root = Root::new();
    // An encoded id has at most 240 bytes: those of ASCII letters, and three times as many for others.
    for (id, code) in [
        ("x".repeat(240), 0),
        ("x".repeat(241), 6),
        ("x".repeat(255), 6),
        ("x".repeat(256), 6),
        ("字".repeat(26), 0),
        ("字".repeat(27), 6),
        ("字".repeat(100), 6),
    ] {
        let created = root.run(&["create", &id]);
        if code == 0 {
            created.done();
            assert_eq!(root.run(&["has", &id]).done(), "yes\n");
        } else {
            created.failed(code);
        }
    }
}

#[test]
fn errors_quote_ids_so_that_a_shell_takes_them() {
    let root = Root::new();
    let said = root.run(&["show", "it's here"]).failed(3);
    assert!(said.contains(r"'it'\''s here'"), "{said}");
}

#[test]
fn the_root_may_be_a_link_and_nothing_in_it() {
    let root = Root::new();
    let (real, link) = (root.path().join("real"), root.path().join("link"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let run = |args: &[&str]| {
        let mut command = session_tests::command::session();
        session_tests::command::feed(command.arg("--root").arg(&link).args(args), turn(0))
    };
    run(&["append", "x", "--create"]).done();
    assert!(real.join("x.jsonl").exists());
    fs::write(root.path().join("outside.jsonl"), "secret").unwrap();
    std::os::unix::fs::symlink("../outside.jsonl", real.join("y.jsonl")).unwrap();
    let answer = run(&["append", "y"]);
    assert_ne!(answer.code, Some(0), "{answer}");
    assert_eq!(fs::read(root.path().join("outside.jsonl")).unwrap(), b"secret");
}

#[test]
fn ids_with_control_characters_are_quoted_wherever_people_see_them() {
    let root = Root::new();
    let (id, shown) = ("a\nb\u{1b}[31m\u{202e}", r"$'a\nb\x1b[31m\xe2\x80\xae'");
    let child = "\tc";
    for args in [
        &["create", id][..],
        &["show", "missing\n"],
        &["create", id],
        &["list"],
        &["inspect", id],
        &["verify", id],
        &["verify", "--all"],
        &["wake", id],
        &["handoff", id],
        &["fork", id, child],
        &["list"],
        &["inspect", child],
        &["delete", id],
        &["show", id],
        &["delete", id],
    ] {
        let answer = root.run(args);
        let told = format!("{}{}", String::from_utf8_lossy(&answer.out), answer.err);
        assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{args:?}: {told}");
        let expected = if args[1..].contains(&"missing\n") { r"$'missing\n'" } else { shown };
        assert!(told.contains(expected), "{args:?}: {told}");
    }
}

#[test]
fn a_quoted_id_is_what_a_shell_makes_of_it() {
    let root = Root::new();
    root.run(&["create", "it's\n\\ \u{85}"]).done();
    let listed = root.run(&["list"]).done();
    let quoted = listed.find("$'").map(|from| &listed[from..=from + listed[from..].rfind('\'').unwrap()]);
    let script = format!("printf %s {}", quoted.unwrap());
    let shell = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&shell.stdout), "it's\n\\ \u{85}", "{script}");
}

#[test]
fn ids_that_only_look_alike_are_quoted() {
    let root = Root::new();
    for (c, bytes) in [
        ('\u{feff}', r"\xef\xbb\xbf"),
        ('\u{200b}', r"\xe2\x80\x8b"),
        ('\u{200e}', r"\xe2\x80\x8e"),
        ('\u{ad}', r"\xc2\xad"),
        ('\u{2060}', r"\xe2\x81\xa0"),
        ('\u{3164}', r"\xe3\x85\xa4"),
        ('\u{fe0f}', r"\xef\xb8\x8f"),
        ('\u{e0041}', r"\xf3\xa0\x81\x81"),
    ] {
        let (id, shown) = (format!("a{c}b"), format!("$'a{bytes}b'"));
        for args in
            [&["create", &id][..], &["list"], &["inspect", &id], &["create", &id], &["delete", &id], &["show", &id]]
        {
            let answer = root.run(args);
            let told = format!("{}{}", String::from_utf8_lossy(&answer.out), answer.err);
            assert!(told.contains(&shown) && !told.contains(c), "{args:?}: {told:?}");
        }
    }
}
