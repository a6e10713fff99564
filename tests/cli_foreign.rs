//! What others put where sessions are kept: it is named, and stays.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use session_tests::command::{Root, turn};

/// Something that is called like a log and is none.
type Foreign = (&'static str, fn(&Path));

const FOREIGN: [Foreign; 3] = [
    ("it is a folder", |path| fs::create_dir(path).unwrap()),
    ("it is a symbolic link", |path| symlink("nowhere", path).unwrap()),
    ("it is no file but a pipe, a socket or a device", |path| drop(UnixListener::bind(path).unwrap())),
];

#[test]
fn what_is_called_like_a_log_and_is_none_is_listed_as_what_it_is() {
    for (what, put) in FOREIGN {
        let root = Root::new();
        root.put("x", turn(0));
        put(&root.log("y"));
        let items = root.run(&["list", "--json"]).json_lines();
        let reason = items.iter().find_map(|item| item.get("reason")).expect("it is listed").to_string();
        assert!(reason.contains(what), "{reason}");
        let said = root.run(&["verify", "--all"]).to_string();
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn names_that_read_alike_are_all_listed_page_by_page() {
    use std::os::unix::ffi::OsStrExt;

    let root = Root::new();
    for name in [&b"\xff.jsonl"[..], b"\\xff.jsonl"] {
        fs::write(root.path().join(std::ffi::OsStr::from_bytes(name)), "").unwrap();
    }
    let items = root.run(&["list", "--json"]).json_lines();
    assert_eq!(items.len(), 2, "{items:?}");
    assert_ne!(items[0], items[1]);
}

#[test]
fn a_session_with_something_foreign_among_its_asides_is_not_deleted_and_loses_none() {
    let root = Root::new();
    root.put("x", format!("{}torn", turn(0)));
    root.run(&["wake", "x"]).done();
    let asides = root.run(&["aside", "x"]).done();
    fs::create_dir(root.path().join("x.aside/backup")).unwrap();
    let said = root.run(&["delete", "x"]).failed(1);
    assert!(said.contains("`x.aside/backup`") && said.contains("move it away"), "{said}");
    assert_eq!(root.run(&["aside", "x"]).done(), asides);
    fs::remove_dir(root.path().join("x.aside/backup")).unwrap();
    root.run(&["delete", "x"]).done();
}

#[test]
fn a_link_in_the_place_of_the_asides_is_named_and_not_followed() {
    let root = Root::new();
    root.put("x", turn(0));
    symlink("elsewhere", root.path().join("x.aside")).unwrap();
    let said = root.run(&["aside", "x"]).failed(1);
    assert!(said.contains("`x.aside`") && said.contains("it is a symbolic link"), "{said}");
    root.run(&["show", "x"]).done();
}

#[test]
fn verify_gives_a_foreign_name_as_no_id() {
    let root = Root::new();
    root.run(&["create", "FOO.jsonl"]).done();
    fs::write(root.path().join("FOO.jsonl"), "x").unwrap();
    let lines = root.run(&["verify", "--all", "--json"]).ended(5);
    let (session, foreign): (Vec<_>, Vec<_>) =
        lines.lines().partition(|line| line.starts_with(r#"{"id":"FOO.jsonl","#));
    assert_eq!((session.len(), foreign.len()), (1, 1), "{lines}");
    assert!(session[0].contains(r#""sound":true"#), "{lines}");
    let start = r#"{"unreadable":"FOO.jsonl","id":null,"sound":false,"length":null,"damage":null,"reason":"#;
    assert!(foreign[0].starts_with(start), "{lines}");
}

#[test]
fn verify_counts_what_is_no_log_as_damage() {
    let root = Root::new();
    root.put("x", turn(0));
    root.run(&["verify", "--all"]).done();
    fs::write(root.path().join("FOO.jsonl"), "x").unwrap();
    let told = root.run(&["verify", "--all"]).ended(5);
    assert!(told.lines().any(|line| line.starts_with("unreadable FOO.jsonl")), "{told}");
    for (_, put) in FOREIGN {
        let root = Root::new();
        put(&root.log("y"));
        root.run(&["verify", "--all"]).ended(5);
    }
}
