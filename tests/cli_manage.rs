//! `create`, `emit`, `has`, `fork` and `delete`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use serde_json::json;
use session_tests::command::{Root, answer, event, header, interrupted_turn, turn};

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn create_leaves_the_header_alone_on_disk() {
    let root = Root::new();
    assert_eq!(root.run(&["create", "x", "--cwd", "/somewhere"]).done(), "created x\n");
    let log = String::from_utf8(root.read("x")).unwrap();
    assert!(log.starts_with(r#"{"type":"session","version":0,"id":"x","createdAt":"#), "{log}");
    assert!(log.ends_with(",\"cwd\":\"/somewhere\"}\n"), "{log}");
}

#[test]
fn create_answers_the_header_as_json() {
    let root = Root::new();
    let header = root.run(&["--json", "create", "x", "--cwd", "/somewhere", "--parent", "y"]).json();
    assert_eq!(header["id"], "x");
    assert_eq!(header["version"], 0);
    assert_eq!(header["cwd"], "/somewhere");
    assert_eq!(header["parentSession"], "y");
    assert!(header["createdAt"].is_u64());
}

#[test]
fn create_records_where_it_was_called() {
    let (root, elsewhere) = (Root::new(), tempfile::tempdir().unwrap());
    let here = elsewhere.path().canonicalize().unwrap();
    let header = session_tests::command::Answer::from(
        root.command(["--json", "create", "x"]).current_dir(&here).output().unwrap(),
    );
    assert_eq!(header.json()["cwd"], here.to_str().unwrap());
    // Woken from another place, with no folder known: the id is enough.
    root.run(&["wake", "x"]).done();
}

#[test]
fn a_relative_folder_is_recorded_from_the_root_on() {
    let (root, elsewhere) = (Root::new(), tempfile::tempdir().unwrap());
    let here = elsewhere.path().canonicalize().unwrap();
    let mut create = root.command(["--json", "create", "x", "--cwd", "inner"]);
    let header = answer(create.current_dir(&here)).json();
    assert_eq!(header["cwd"], here.join("inner").to_str().unwrap());
}

#[test]
fn a_folder_is_recorded_in_one_way_however_it_is_written() {
    let (root, elsewhere) = (Root::new(), tempfile::tempdir().unwrap());
    let here = elsewhere.path().canonicalize().unwrap();
    for (index, way) in ["../foo", ".././foo/", "../bar/../foo"].into_iter().enumerate() {
        let id = format!("x{index}");
        let header = answer(root.command(["--json", "create", &id, "--cwd", way]).current_dir(&here)).json();
        assert_eq!(header["cwd"], here.parent().unwrap().join("foo").to_str().unwrap());
    }
    let listed = answer(root.command(["list", "--json", "--cwd", "./../foo"]).current_dir(&here)).json_lines();
    assert_eq!(listed.len(), 3);
}

#[test]
fn create_takes_no_id_twice() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    let before = root.read("x");
    let said = root.run(&["create", "x"]).failed(6);
    assert!(said.contains("session x"), "{said}");
    assert_eq!(root.read("x"), before);
}

#[test]
fn files_and_folders_are_private_whatever_the_umask() {
    let root = Root::new();
    let nested = root.path().join("not/there");
    let session = root.command(["--version"]).get_program().to_owned();
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"umask 022; exec "$0" --root "$1" create x"#]).arg(&session).arg(&nested);
    answer(shell.stdin(Stdio::null())).done();
    assert_eq!(mode(&nested), 0o700);
    assert_eq!(mode(&nested.join("x.jsonl")), 0o600);
}

#[test]
fn emit_gives_seq_and_time() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    assert_eq!(root.run(&["emit", "x", "turn/start", r#"{"turn":1}"#]).done(), "0\n");
    assert_eq!(root.run(&["emit", "--json", "x", "user/message", r#"{"content":"a"}"#]).json(), json!({ "seq": 1 }));
    let lines = root.run(&["show", "--json", "x"]).json_lines();
    assert_eq!(lines[1]["data"]["content"], "a");
    assert!(lines[1]["time"].as_u64().unwrap() > 1_700_000_000_000);
}

#[test]
fn emit_refuses_what_is_no_json() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    for data in ["{", "", "nonsense", "{}{}"] {
        root.run(&["emit", "x", "user/message", data]).failed(6);
    }
    assert_eq!(root.run(&["show", "--json", "x"]).done(), "");
}

#[test]
fn emit_creates_no_session() {
    let root = Root::new();
    let said = root.run(&["emit", "x", "user/message", "{}"]).failed(3);
    assert!(said.contains("session x") && said.contains("list"), "{said}");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn has_answers_by_its_exit_code_too() {
    let root = Root::new();
    root.run(&["create", "x"]).done();
    assert_eq!(root.run(&["has", "x"]).done(), "yes\n");
    assert_eq!(root.run(&["has", "y"]).ended(3), "no\n");
    assert_eq!(root.run(&["has", "x", "--json"]).json(), json!({ "has": true }));
    assert_eq!(root.run(&["has", "y", "--json"]).ended(3), "{\"has\":false}\n");
}

#[test]
fn fork_copies_a_prefix_byte_for_byte() {
    let root = Root::new();
    root.put("x", turn(0) + &turn(3));
    let child = root.run(&["fork", "x", "y", "--length", "3", "--json"]).json();
    assert_eq!((child["id"].as_str(), child["parentSession"].as_str()), (Some("y"), Some("x")));
    assert_eq!(child["seedLength"], 3);
    assert_eq!(root.run(&["show", "y", "--json"]).done(), turn(0));
}

#[test]
fn fork_copies_all_if_not_told_how_much() {
    let root = Root::new();
    root.put("x", turn(0) + &turn(3));
    let told = root.run(&["fork", "x", "y"]).done();
    assert!(told.contains("6 events"), "{told}");
    assert_eq!(root.run(&["show", "y", "--json"]).done(), turn(0) + &turn(3));
}

#[test]
fn a_fork_inside_a_turn_is_closed() {
    let root = Root::new();
    let log = interrupted_turn();
    root.put("x", &log);
    for length in 0..=5 {
        let child = format!("y{length}");
        root.run(&["fork", "x", &child, "--length", &length.to_string()]).done();
        root.run(&["check", &child]).done();
        let lines = root.run(&["show", &child, "--json"]).done();
        let copied: String = log.split_inclusive('\n').take(length).collect();
        assert!(lines.starts_with(&copied));
        if length > 0 {
            assert!(lines.lines().last().unwrap().contains("turn/end"), "{lines}");
        }
    }
}

#[test]
fn a_fork_of_a_fork_outlives_its_parents() {
    let root = Root::new();
    root.put("x", turn(0));
    root.run(&["fork", "x", "y"]).done();
    root.run(&["fork", "y", "z"]).done();
    root.run(&["delete", "x"]).done();
    root.run(&["delete", "y"]).done();
    assert_eq!(root.run(&["show", "z", "--json"]).done(), turn(0));
}

#[test]
fn fork_needs_a_source_and_a_free_name() {
    let root = Root::new();
    let said = root.run(&["fork", "x", "y"]).failed(3);
    assert!(said.contains("session x"), "{said}");
    root.put("x", turn(0));
    root.put("y", turn(0));
    let said = root.run(&["fork", "x", "y"]).failed(6);
    assert!(said.contains("session y"), "{said}");
}

#[test]
fn fork_copies_no_more_than_there_is() {
    let root = Root::new();
    root.put("x", turn(0));
    let said = root.run(&["fork", "x", "y", "--length", "4"]).failed(6);
    assert!(said.contains('4') && said.contains('3'), "{said}");
    assert!(!root.log("y").exists());
}

#[test]
fn delete_removes_the_log() {
    let root = Root::new();
    root.put("x", turn(0));
    assert_eq!(root.run(&["delete", "x"]).done(), "deleted x\n");
    assert_eq!(root.run(&["has", "x"]).ended(3), "no\n");
    assert_eq!(root.run(&["show", "x"]).failed(3).lines().count(), 1);
    assert!(!root.log("x").exists());
}

#[test]
fn deleting_what_is_not_there_is_no_error() {
    let root = Root::new();
    assert_eq!(root.run(&["delete", "x"]).done(), "there was no session x\n");
    assert_eq!(root.run(&["delete", "x", "--json"]).json(), json!({ "deleted": false }));
}

#[test]
fn a_session_that_can_not_be_read_can_be_deleted() {
    let root = Root::new();
    root.put_bytes("x", [0; 4096]);
    assert_eq!(root.run(&["delete", "x"]).done(), "deleted x\n");
    assert!(!root.log("x").exists());
}

#[test]
fn a_log_of_another_id_is_refused_naming_both() {
    let root = Root::new();
    root.put_bytes("x", header("other") + &event(0, "note", "{}"));
    let said = root.run(&["show", "x"]).failed(5);
    assert!(said.contains("session x") && said.contains("other"), "{said}");
}
