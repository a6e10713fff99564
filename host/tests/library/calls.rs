//! Each call does its own thing, and errors come through as what they are.

use serde::{Deserialize, Serialize};
use serde_json::json;
use session_host::{
    Engine, Error, Event, Harness, Limits, Memory, NewSession, OpenTurn, PluginSessions, Role, Sessions, WakeOptions,
};

use crate::support::{ENGINE, line, sessions, with_events};

fn shared<T: Send + Sync>() {}

#[test]
fn what_is_shared_can_be_shared_over_threads() {
    shared::<Engine>();
    shared::<Sessions>();
    shared::<Harness>();
    shared::<PluginSessions>();
    shared::<Error>();
}

#[test]
fn a_session_is_stored_with_its_first_event() {
    let sessions = sessions();
    let header = sessions.create(NewSession::new("a").cwd("/work").parent("p")).unwrap();
    assert_eq!((header.cwd.as_deref(), header.parent_session.as_deref()), (Some("/work"), Some("p")));
    assert!(!sessions.has("a").unwrap());
    assert_eq!(sessions.header("a").unwrap(), header);
    assert_eq!(sessions.emit("a", "turn/start", &json!({ "turn": 1 })).unwrap(), 0);
    assert!(sessions.has("a").unwrap());
    assert_eq!(sessions.header("a").unwrap(), header);
}

#[test]
fn data_of_the_caller_s_own_type_comes_back_as_it_went() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Note {
        text: String,
        id: u64,
    }
    let sessions = sessions();
    sessions.create("a").unwrap();
    let note = Note { text: "a\nb\u{2028}c".into(), id: 2512292042121000001 };
    sessions.emit("a", "note", &note).unwrap();
    let event = sessions.events("a", 0).next().unwrap().unwrap();
    assert_eq!(event.kind, "note");
    assert_eq!(event.parse::<Note>().unwrap(), note);
}

#[test]
fn raw_json_is_kept_byte_for_byte() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let data = r#"{"b":1.0,"a":2512292042121000001,"a":"\ud83d"}"#;
    sessions.emit_json("a", "note", data).unwrap();
    let event = Event { seq: 1, time: 7, kind: "note".into(), data: data.into() };
    sessions.append("a", std::slice::from_ref(&event)).unwrap();
    let events = sessions.get_events("a", 0, 10, &[]).unwrap();
    assert_eq!(events.events[0].data, data);
    assert_eq!(events.events[1], event);
    assert_eq!(events.next, 2);
}

#[test]
fn data_that_is_no_json_is_rejected() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let never = std::collections::HashMap::from([((1, 2), 3)]);
    assert!(matches!(sessions.emit("a", "note", &never), Err(Error::Rejected { index: 0, .. })));
    assert!(matches!(sessions.emit_json("a", "note", "{"), Err(Error::Rejected { index: 0, .. })));
}

#[test]
fn a_batch_that_does_not_continue_the_log_is_refused_whole() {
    let sessions = sessions();
    with_events(&sessions, "a", 3);
    let event = |seq| Event { seq, time: 1, kind: "note".into(), data: "1".into() };
    let refused = sessions.append("a", &[event(3), event(5)]);
    assert_eq!(refused, Err(Error::Sequence { expected: 4, actual: 5 }));
    assert_eq!(sessions.inspect("a").unwrap().length, 3);
}

#[test]
fn waking_closes_the_open_turn_unless_told_to_keep_it() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    sessions.emit("a", "turn/start", &json!({ "turn": 1 })).unwrap();
    let keep = WakeOptions { open_turn: OpenTurn::Keep, ..WakeOptions::default() };
    assert_eq!(sessions.wake("a", keep).unwrap().length, 1);
    let state = sessions.wake("a", WakeOptions::default()).unwrap();
    assert_eq!(state.length, 2);
    assert_eq!(state.recovery.closers[0].kind, "turn/end");
    let loaded = sessions.load("a").unwrap();
    assert_eq!(loaded.events.len(), 2);
    assert!(loaded.state.recovery.closers.is_empty());
}

#[test]
fn a_hand_off_is_found_by_the_next_harness() {
    let sessions = sessions();
    with_events(&sessions, "a", 1);
    assert_eq!(sessions.hand_off("a", &json!({ "note": "go on" })).unwrap(), 1);
    let state = sessions.inspect("a").unwrap();
    assert!(!state.held);
    assert_eq!(state.boundary.unwrap().data, r#"{"note":"go on"}"#);
}

#[test]
fn a_fork_starts_with_the_events_of_its_source() {
    let sessions = sessions();
    with_events(&sessions, "a", 5);
    let child = sessions.fork("a", Some(2), NewSession::new("b").cwd("/elsewhere")).unwrap();
    assert_eq!((child.seed_length, child.parent_session.as_deref()), (Some(2), Some("a")));
    assert_eq!(sessions.inspect("b").unwrap().length, 2);
    assert_eq!(sessions.fork("a", None, "b"), Err(Error::AlreadyExists("b".into())));
}

#[test]
fn a_fork_of_any_session_into_any_other_does_not_wait_for_itself() {
    let sessions = Sessions::builder(&ENGINE).instances(3).open(Memory::new());
    with_events(&sessions, "0", 1);
    for n in 1..20 {
        sessions.fork(&(n - 1).to_string(), None, n.to_string()).unwrap();
    }
    assert_eq!(sessions.header("19").unwrap().parent_session.as_deref(), Some("18"));
}

#[test]
fn broken_enclosure_is_told_line_by_line() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    assert!(sessions.check("a").unwrap().is_empty());
    sessions.emit("a", "turn/end", &json!({})).unwrap();
    assert_eq!(sessions.check("a").unwrap().len(), 1);
    assert_eq!(sessions.verify("a").unwrap().recovery.damage, None);
}

#[test]
fn a_deleted_session_is_gone() {
    let sessions = sessions();
    with_events(&sessions, "a", 1);
    sessions.delete("a").unwrap();
    sessions.delete("a").unwrap();
    assert!(!sessions.has("a").unwrap());
    assert_eq!(sessions.inspect("a"), Err(Error::NotFound("a".into())));
}

#[test]
fn nothing_is_created_by_reading_waking_or_appending() {
    let sessions = sessions();
    let absent = Err(Error::NotFound("a".into()));
    assert_eq!(sessions.emit("a", "note", &1), absent);
    assert_eq!(sessions.append_lines("a", &line(0, "note", 0)), absent);
    assert_eq!(sessions.wake("a", WakeOptions::default()).map(|state| state.length), absent);
    assert_eq!(sessions.flush("a").map(|()| 0), absent);
    assert!(!sessions.has("a").unwrap());
    assert!(sessions.asides("a").unwrap().is_empty());
}

#[test]
fn messages_are_what_a_model_is_to_see() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    sessions.emit("a", "user/message", &json!({ "content": "Hello" })).unwrap();
    let messages: Vec<_> = sessions.messages("a", Default::default()).map(Result::unwrap).collect();
    assert_eq!(messages.len(), 1);
    assert_eq!((messages[0].role, messages[0].source), (Role::User, 0));
    assert_eq!(messages[0].content, r#"[{"type":"text","text":"Hello"}]"#);
}

#[test]
fn calls_on_many_threads_do_not_get_in_each_other_s_way() {
    let sessions = sessions();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let sessions = &sessions;
            scope.spawn(move || {
                let id = format!("session-{thread}");
                sessions.create(id.as_str()).unwrap();
                for n in 0..100 {
                    assert_eq!(sessions.emit(&id, "note", &n).unwrap(), n);
                }
            });
        }
    });
    assert!((0..8).all(|thread| sessions.inspect(&format!("session-{thread}")).unwrap().length == 100));
}

#[test]
fn limits_can_be_too_long_to_ever_come() {
    let limits = Limits { deadline: std::time::Duration::MAX, memory: usize::MAX };
    let sessions = Sessions::builder(&ENGINE).limits(limits).instances(0).open(Memory::new());
    assert!(!sessions.has("a").unwrap());
}
