//! A reader that has seen enough is no failure.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use session_tests::command::{Answer, Root, event, session};

#[test]
fn a_closed_pipe_ends_quietly() {
    let root = Root::new();
    let text = "word ".repeat(100);
    root.put(
        "x",
        (0..5_000).map(|seq| event(seq, "user/message", &format!("{{\"content\":\"{text}\"}}"))).collect::<String>(),
    );
    for args in [
        &["show", "x"][..],
        &["show", "x", "--json"],
        &["show", "x", "--json", "--except", "none"],
        &["messages", "x"],
        &["messages", "x", "--json"],
        &["follow", "x", "--start", "0"],
        &["follow", "x", "--start", "0", "--json"],
    ] {
        let mut child = root.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::with_capacity(64, child.stdout.take().unwrap());
        out.read_line(&mut String::new()).unwrap();
        drop(out);
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_pipe_closed_from_the_start_ends_quietly() {
    let root = Root::new();
    root.put("x", event(0, "note", "{}"));
    for args in [&["list"][..], &["inspect", "x"], &["has", "x"], &["verify", "--all"], &["check", "x"], &["--help"]] {
        ends_quietly(root.command(args));
    }
    let mut completions = session();
    completions.args(["completions", "bash"]);
    ends_quietly(completions);
}

#[track_caller]
fn ends_quietly(mut command: std::process::Command) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let answer = Answer::from(command.stdout(writer).output().unwrap());
    assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""));
}

/// What a command says whose output goes to a full disk.
#[cfg(target_os = "linux")]
fn said_on_a_full_disk(command: &mut std::process::Command) -> String {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let answer = Answer::from(command.stdin(Stdio::null()).stdout(full).output().unwrap());
    answer.failed(7)
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_told_in_words_by_every_command() {
    let root = Root::new();
    root.put("x", event(0, "user/message", r#"{"content":"hello"}"#) + "{\"to");
    root.run(&["wake", "x"]).done();
    let aside = root.run(&["aside", "x"]).done();
    let aside = aside.split(' ').next().unwrap();
    for args in [
        &["show", "x"][..],
        &["show", "x", "--json"],
        &["show", "x", "--json", "--except", "none"],
        &["messages", "x"],
        &["messages", "x", "--json"],
        &["inspect", "x"],
        &["verify", "x", "--json"],
        &["verify", "--all"],
        &["list"],
        &["list", "--json"],
        &["has", "x"],
        &["check", "x"],
        &["aside", "x"],
        &["aside", "x", aside],
        &["follow", "x", "--start", "0"],
        &["wake", "x"],
        &["create", "y"],
        &["fork", "x", "z"],
        &["append", "x"],
        &["emit", "x", "note", "{}"],
        &["handoff", "x", "--json"],
        &["delete", "y"],
        &["--help"],
        &["show", "--help"],
        &["--version"],
    ] {
        let said = said_on_a_full_disk(&mut root.command(args));
        assert!(said.ends_with("can't write the output: no space is left on the device\n"), "{args:?}: {said}");
    }
    said_on_a_full_disk(session().args(["completions", "bash"]));
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_stored_is_told_where_its_number_can_not_be_printed() {
    let root = Root::new();
    root.put("x", event(0, "note", "{}"));
    let said = said_on_a_full_disk(&mut root.command(["emit", "x", "note", "{}"]));
    assert!(said.contains("event 1 is stored, and must not be sent again"), "{said}");
    assert_eq!(root.run(&["show", "x", "--json"]).json_lines().len(), 2);
}
