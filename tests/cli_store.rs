//! What sessions are kept in: `--store`, `SESSION_STORE`, and which of them counts.

use std::ffi::OsStr;
use std::process::Stdio;

use session_tests::command::{Answer, Root, answer, feed, interrupted_turn, session, turn};

fn run(root: &Root, args: &[&str]) -> Answer {
    answer(session().current_dir(root.path()).args(args).stdin(Stdio::null()))
}

fn with(root: &Root, variables: &[(&str, &str)], args: &[&str]) -> Answer {
    let mut command = session();
    command.current_dir(root.path()).envs(variables.iter().copied()).args(args);
    answer(command.stdin(Stdio::null()))
}

/// The names in the folder, but for what a database has beside it.
fn names(root: &Root) -> Vec<String> {
    let names = std::fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> =
        names.map(|name| name.into_string().unwrap()).filter(|name| !name.contains("db-")).collect();
    names.sort();
    names
}

#[test]
fn a_session_lives_in_a_database_as_it_does_in_a_folder() {
    let root = Root::new();
    let store = ["--store", "sqlite:x.db"];
    let args = |rest: &[&'static str]| [&store, rest].concat();
    let lines = interrupted_turn();
    feed(session().current_dir(root.path()).args(args(&["append", "x", "--create"])), &lines).done();
    assert_eq!(run(&root, &args(&["show", "x", "--json"])).done(), lines);
    run(&root, &args(&["wake", "x"])).done();
    run(&root, &args(&["check", "x"])).done();
    run(&root, &args(&["emit", "x", "note", "{\"b\":1,\"a\":1.0}"])).done();
    let told = run(&root, &args(&["show", "x", "--json", "--start", "5"])).done();
    assert_eq!(told.lines().count(), 5, "three closers, the end of the turn, a note: {told}");
    assert!(told.ends_with(",\"data\":{\"b\":1,\"a\":1.0}}\n"), "{told}");
    run(&root, &args(&["fork", "x", "y", "--length", "1"])).done();
    run(&root, &args(&["verify", "--all"])).done();
    assert_eq!(run(&root, &args(&["list", "--json"])).done().lines().count(), 2);
    run(&root, &args(&["delete", "x"])).done();
    run(&root, &args(&["show", "x"])).failed(3);
    assert_eq!(names(&root), ["x.db", "x.db.claims"]);
}

#[test]
fn a_database_that_is_not_there_reads_as_empty_and_is_not_made() {
    let root = Root::new();
    assert_eq!(run(&root, &["--store", "sqlite:x.db", "list"]).done(), "");
    let said = run(&root, &["--store", "sqlite:x.db", "wake", "x"]).failed(3);
    assert!(said.contains("x.db") && said.contains("--store sqlite:x.db list"), "{said}");
    run(&root, &["--store", "jsonl:new", "show", "x"]).failed(3);
    assert!(names(&root).is_empty());
}

#[test]
fn a_second_writer_of_a_database_is_told_who_is_first() {
    let root = Root::new();
    let store = format!("sqlite:{}", root.path().join("x.db").display());
    let mut command = session();
    command.args(["--store", &store, "append", "x", "--create", "--ack"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, turn(0).as_bytes()).unwrap();
    let mut acks = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    while acks.next().unwrap().unwrap() != "2" {}
    let said = run(&root, &["--store", &store, "emit", "x", "note", "1"]).failed(4);
    assert!(said.contains(&format!("process {}", child.id())), "{said}");
    assert_eq!(run(&root, &["--store", &store, "show", "x", "--json"]).done(), turn(0));
    drop(stdin);
    child.wait().unwrap();
    run(&root, &["--store", &store, "emit", "x", "note", "1"]).done();
}

#[test]
fn what_is_in_memory_is_gone_with_the_command() {
    let root = Root::new();
    run(&root, &["--store", "memory:", "create", "x"]).done();
    let said = run(&root, &["--store", "memory:", "show", "x"]).failed(3);
    assert!(said.contains("in memory"), "{said}");
    assert!(names(&root).is_empty());
}

#[test]
fn a_folder_can_be_named_either_way() {
    let root = Root::new();
    run(&root, &["--store", "jsonl:in", "create", "x"]).done();
    assert_eq!(run(&root, &["--root", "in", "has", "x"]).done(), "yes\n");
}

#[test]
fn flags_go_before_variables_and_the_store_before_the_root() {
    let root = Root::new();
    let both = [("SESSION_STORE", "sqlite:store.db"), ("SESSION_ROOT", "root")];
    with(&root, &both[1..], &["create", "x"]).done();
    assert_eq!(names(&root), ["root"]);
    with(&root, &both, &["create", "x"]).done();
    assert_eq!(names(&root), ["root", "store.db", "store.db.claims"]);
    with(&root, &both, &["--root", "flag", "create", "x"]).done();
    with(&root, &both, &["--store", "jsonl:other", "create", "x"]).done();
    assert_eq!(names(&root), ["flag", "other", "root", "store.db", "store.db.claims"]);
    with(&root, &[("SESSION_STORE", ""), both[1]], &["has", "x"]).done();
}

#[test]
fn what_names_no_store_is_a_usage_error() {
    let root = Root::new();
    for wrong in ["", "x", "jsonl:", "sqlite:", "memory:x", "mysql:x", "JSONL:x"] {
        let said = run(&root, &["--store", wrong, "list"]).failed(2);
        assert!(said.contains("jsonl:DIR"), "{wrong}: {said}");
    }
    let said = with(&root, &[("SESSION_STORE", "x")], &["list"]).failed(2);
    assert!(said.contains("SESSION_STORE") && said.contains("sqlite:FILE"), "{said}");
    let said = run(&root, &["copy", "--to", "nonsense", "x"]).failed(2);
    assert!(said.contains("jsonl:DIR or sqlite:FILE") && !said.contains("memory:"), "{said}");
    run(&root, &["--store", "sqlite:x.db", "--root", "x", "list"]).failed(2);
    run(&root, &["--store", "sqlite:x.db", "demo"]).failed(2);
}

#[test]
fn a_name_that_is_no_text_is_a_name() {
    use std::os::unix::ffi::OsStrExt;
    let root = Root::new();
    let store = OsStr::from_bytes(b"sqlite:x\xff.db");
    let mut command = session();
    answer(command.current_dir(root.path()).arg("--store").arg(store).args(["create", "x"])).done();
    assert!(root.path().join(OsStr::from_bytes(b"x\xff.db")).is_file());
}

#[test]
fn what_is_no_database_of_ours_is_named() {
    let root = Root::new();
    std::fs::write(root.path().join("x.db"), "text\n".repeat(999)).unwrap();
    let said = run(&root, &["--store", "sqlite:x.db", "list"]).failed(5);
    assert!(said.contains("x.db") && said.contains("no SQLite database"), "{said}");
}

#[test]
fn a_damaged_database_ends_with_5_and_what_can_be_read_is_verified() {
    let root = Root::new();
    let store = ["--store", "sqlite:x.db"];
    let args = |rest: &[&'static str]| [&store, rest].concat();
    for id in ["a", "b", "c"] {
        feed(
            session().current_dir(root.path()).args(args(&["append", id, "--create"])),
            (0..40).map(|number| turn(3 * number)).collect::<String>(),
        )
        .done();
    }
    let path = root.path().join("x.db");
    let sound = std::fs::read(&path).unwrap();
    let mut partly = 0;
    for page in 1..sound.len() / 4096 {
        let mut bytes = sound.clone();
        bytes[page * 4096..][..4096].fill(0);
        std::fs::write(&path, bytes).unwrap();
        let all = run(&root, &args(&["verify", "--all"]));
        assert_eq!(all.code, Some(5), "{page}: {all}");
        let told = all.to_string();
        assert!(told.contains("`x.db`"), "{page}: {told}");
        if told.lines().any(|line| line.starts_with("sound")) && told.contains("unreadable a") {
            let said = run(&root, &args(&["verify", "a"])).failed(5);
            assert!(said.contains("`a`") && said.contains("`x.db`") && said.contains("copy"), "{said}");
            partly += 1;
        }
    }
    assert!(partly > 0);
}
