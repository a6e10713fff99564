//! A reader that has seen enough is no failure.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use session_tests::command::{Root, event};

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
    for args in [
        &["list"][..],
        &["inspect", "x"],
        &["has", "x"],
        &["verify", "--all"],
        &["completions", "bash"],
        &["check", "x"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let answer = session_tests::command::Answer::from(root.command(args).stdout(writer).output().unwrap());
        assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_full_output_is_a_failure() {
    let root = Root::new();
    root.put("x", event(0, "note", "{}"));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let answer =
        session_tests::command::Answer::from(root.command(["show", "x", "--json"]).stdout(full).output().unwrap());
    answer.failed(1);
}
