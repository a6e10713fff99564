//! `follow`: events as another process appends them.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use session_tests::command::{Root, event, turn};

struct Follower {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Follower {
    fn of(root: &Root, args: &[&str]) -> Self {
        let command = root.command(["follow"].iter().chain(args));
        // Started in the background, whoever runs the tests is deaf to interrupts, and so are the processes it starts.
        let mut hearing = Command::new("env");
        hearing.arg("--default-signal=INT").arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => hearing.env(name, value),
                None => hearing.env_remove(name),
            };
        }
        let mut child = hearing.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    fn end(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn events_arrive_as_they_are_stored() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut follower = Follower::of(&root, &["x", "--json", "--start", "2"]);
    assert_eq!(follower.line(), turn(0).split_inclusive('\n').nth(2).unwrap());
    for seq in 3..6 {
        let line = event(seq, "note", r#"{"f":1.0}"#);
        root.feed(&["append", "x"], &line).done();
        assert_eq!(follower.line(), line);
    }
}

#[test]
fn what_was_there_before_is_not_printed_unasked() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut follower = Follower::of(&root, &["x", "--json"]);
    // It has looked at the log by then; a log that does not grow is waited for.
    thread::sleep(Duration::from_secs(2));
    let line = event(3, "note", "{}");
    root.feed(&["append", "x"], &line).done();
    assert_eq!(follower.line(), line);
}

#[test]
fn people_see_a_timeline() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut follower = Follower::of(&root, &["x", "--start", "0"]);
    assert!(follower.line().contains("2025"));
    assert!(follower.line().contains("turn/start"));
    assert!(follower.line().contains("hello"));
}

#[test]
fn a_writer_is_not_held_up() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut follower = Follower::of(&root, &["x", "--json", "--start", "0"]);
    follower.line();
    root.feed(&["append", "x"], turn(3)).done();
    root.run(&["wake", "x"]).done();
}

#[test]
fn a_deleted_session_ends_it() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut follower = Follower::of(&root, &["x", "--json", "--start", "0"]);
    follower.line();
    root.run(&["delete", "x"]).done();
    assert_eq!(follower.end(), Some(3));
}

#[test]
fn a_session_made_anew_is_another() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut follower = Follower::of(&root, &["x", "--json", "--start", "0"]);
    follower.line();
    std::fs::write(root.path().join("new"), root.read("x")).unwrap();
    std::fs::rename(root.path().join("new"), root.log("x")).unwrap();
    assert_eq!(follower.end(), Some(3));
}

#[test]
fn an_interrupt_stops_it() {
    let root = Root::new();
    root.put("x", turn(0));
    let mut follower = Follower::of(&root, &["x", "--json", "--start", "0"]);
    follower.line();
    let pid = follower.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(follower.child.wait().unwrap().signal(), Some(2));
}

#[test]
fn damage_is_warned_of_and_mending_it_is_followed() {
    let root = Root::new();
    root.put("x", turn(0) + "{\"ty");
    let mut follower = Follower::of(&root, &["x", "--json", "--start", "2"]);
    follower.line();
    let mut warning = String::new();
    BufReader::new(follower.child.stderr.take().unwrap()).read_line(&mut warning).unwrap();
    assert!(warning.starts_with("warning: session x is damaged after 3 events"), "{warning}");
    root.run(&["wake", "x"]).done();
    root.feed(&["append", "x"], event(3, "note", "{}")).done();
    assert_eq!(follower.line(), event(3, "note", "{}"));
}
