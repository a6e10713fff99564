//! Every call of a plugin against every kind of grant.

use session_host::{Grant, Limits, Sessions};

use crate::plugins::{calling, functions};
use crate::support::{sessions, with_events};

/// The calls that change something of the session that they are about. A fork changes its child alone.
const WRITES: [&str; 15] = [
    "create",
    "append",
    "append-lines",
    "emit-event",
    "flush",
    "wake",
    "load",
    "hand-off",
    "delete",
    "commit",
    "create-branch",
    "append-to-branch",
    "move-branch",
    "set-label",
    "set-name",
];

const ACCESS_DENIED: &str = "o";

/// What each call on the session `a` (a fork is to be called `b`) comes to, but `list`, which is about none.
fn answers(grant: &Grant) -> impl Iterator<Item = (String, String)> {
    functions().into_iter().filter(|(_, name, _)| name != "list").map(move |(interface, name, _)| {
        let sessions = with_two();
        let answer = calling(&interface, &name).run(&sessions, grant.clone(), Limits::default(), "a", "b").unwrap();
        (name, answer)
    })
}

fn with_two() -> Sessions {
    let sessions = sessions();
    for id in ["a", "other"] {
        with_events(&sessions, id, 3);
        sessions.release(id).unwrap();
    }
    sessions
}

#[test]
fn nothing_about_a_session_that_is_not_granted_is_answered() {
    for (call, answer) in answers(&Grant::session("other")) {
        assert_eq!(answer, ACCESS_DENIED, "{call}");
    }
}

#[test]
fn a_session_that_does_not_exist_is_denied_in_the_same_way() {
    for (interface, name, _) in functions().into_iter().filter(|(_, name, _)| name != "list") {
        let answer =
            calling(&interface, &name).run(&sessions(), Grant::prefix("other"), Limits::default(), "a", "b").unwrap();
        assert_eq!(answer, ACCESS_DENIED, "{name}");
    }
}

#[test]
fn a_session_granted_to_be_read_is_not_written() {
    for (call, answer) in answers(&Grant::session("a").read_only().and(Grant::session("b"))) {
        assert_eq!(answer == ACCESS_DENIED, WRITES.contains(&call.as_str()), "{call} answers {answer}");
    }
}

#[test]
fn a_session_that_is_granted_is_read_and_written() {
    for (call, answer) in answers(&Grant::session("a").and(Grant::session("b"))) {
        assert_ne!(answer, ACCESS_DENIED, "{call}");
    }
}

#[test]
fn a_fork_needs_the_right_to_write_its_child() {
    for name in ["fork", "fork-tree"] {
        let fork = |grant| {
            let (interface, name, _) = functions().into_iter().find(|(_, call, _)| call == name).unwrap();
            calling(&interface, &name).run(&with_two(), grant, Limits::default(), "a", "b").unwrap()
        };
        assert_eq!(fork(Grant::session("a")), ACCESS_DENIED, "{name}");
        assert_eq!(fork(Grant::session("b")), ACCESS_DENIED, "{name}");
        assert_eq!(fork(Grant::session("a").and(Grant::session("b").read_only())), ACCESS_DENIED, "{name}");
        assert_eq!(fork(Grant::session("a").read_only().and(Grant::session("b"))), "ok", "{name}");
    }
}
