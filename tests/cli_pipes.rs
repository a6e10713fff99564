//! A reader that has seen enough is no failure.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use session_tests::command::{Answer, Root, event, session, turn};

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
    let answer = unread(&mut command, "");
    assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""));
}

/// What a command says and how it ends, fed with this, where nobody reads its output.
fn unread(command: &mut std::process::Command, input: &str) -> Answer {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    fed(command.stdout(writer), input)
}

/// The same where its output goes elsewhere.
fn fed(command: &mut std::process::Command, input: &str) -> Answer {
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        child.wait_with_output().unwrap().into()
    })
}

/// A session of which `check`, `verify` and `append` find something.
fn faulty() -> Root {
    let root = Root::new();
    root.put("damaged", turn(0) + "nonsense\n" + &turn(3));
    root.put("lawless", event(0, "turn/end", "{}"));
    root.put("sound", turn(0));
    root
}

/// Commands whose answer is an exit code, and the code.
const TELLING: [(&[&str], i32); 8] = [
    (&["has", "absent"], 3),
    (&["has", "absent", "--json"], 3),
    (&["verify", "damaged"], 5),
    (&["verify", "damaged", "--json"], 5),
    (&["verify", "--all"], 5),
    (&["verify", "--all", "--json"], 5),
    (&["check", "lawless"], 1),
    (&["check", "lawless", "--json"], 1),
];

#[test]
fn a_closed_pipe_hides_no_outcome() {
    let root = faulty();
    for (args, code) in TELLING {
        let answer = unread(&mut root.command(args), "");
        assert_eq!((answer.code, answer.err.as_str()), (Some(code), ""), "{args:?}");
    }
}

#[test]
fn a_warning_reaches_people_also_if_nobody_reads_the_answer() {
    let root = faulty();
    for args in [&["check", "damaged"][..], &["fork", "damaged", "child"]] {
        let answer = unread(&mut root.command(args), "");
        assert!(answer.err.starts_with("warning: session damaged is damaged"), "{args:?}: {answer}");
        assert_eq!(answer.code, Some(0), "{args:?}");
    }
}

#[test]
fn what_is_refused_is_told_also_if_nobody_reads_the_count() {
    for args in [&["append", "sound"][..], &["append", "sound", "--ack"], &["append", "sound", "--json"]] {
        let root = faulty();
        let said = unread(&mut root.command(args), &(turn(3) + "nonsense\n")).failed(6);
        assert!(said.contains("line 4"), "{said}");
        assert_eq!(root.run(&["show", "sound", "--json"]).done(), turn(0) + &turn(3));
    }
}

#[test]
fn all_of_the_input_is_stored_also_if_nobody_reads_the_acknowledgements() {
    let root = Root::new();
    // More than is appended at once, so that there is work after the first number that reaches nobody.
    let text = "word ".repeat(1_000);
    let events: String = (0..2_000).map(|seq| event(seq, "turn/end", &format!("{{\"note\":\"{text}\"}}"))).collect();
    let answer = unread(&mut root.command(["append", "x", "--create", "--ack"]), &events);
    assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""));
    assert_eq!(root.run(&["show", "x", "--json"]).done(), events);
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_hides_no_other_outcome() {
    let root = faulty();
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    for (args, code) in TELLING {
        let said = fed(root.command(args).stdout(full()), "").failed(code);
        assert!(said.contains("can't write the output"), "{args:?}: {said}");
    }
    for args in [&["append", "sound"][..], &["append", "sound", "--ack"]] {
        let said = fed(root.command(args).stdout(full()), "nonsense\n").failed(6);
        assert!(said.contains("line 1"), "{args:?}: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn all_of_the_input_is_stored_also_if_the_acknowledgements_can_not_be_written() {
    let root = Root::new();
    let text = "word ".repeat(1_000);
    let events: String = (0..2_000).map(|seq| event(seq, "turn/end", &format!("{{\"note\":\"{text}\"}}"))).collect();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let said = fed(root.command(["append", "x", "--create", "--ack"]).stdout(full), &events).failed(7);
    assert!(said.contains("2000 events appended, and not to be sent again"), "{said}");
    assert_eq!(root.run(&["show", "x", "--json"]).done(), events);
}
