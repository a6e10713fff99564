//! Logs made to use up the component's memory or time. Each call answers, within the usual limits.

use session_host::{
    DamageKind, DeriveOptions, Error, ListOptions, Memory, NewSession, OnDamage, OpenTurn, Pairing, Part, Sessions,
    Storage, WakeOptions,
};

use crate::support::ENGINE;

const MIB: usize = 1 << 20;
const HEADER: &str = "{\"type\":\"session\",\"version\":0,\"id\":\"a\",\"createdAt\":7}\n";

/// A session `a` with this log.
fn log(events: impl IntoIterator<Item = (&'static str, String)>) -> Sessions {
    sessions(&text(events))
}

fn text(events: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let mut log = String::from(HEADER);
    for (seq, (kind, data)) in events.into_iter().enumerate() {
        log += &format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":1,\"data\":{data}}}\n");
    }
    log
}

fn sessions(log: &str) -> Sessions {
    let memory = Memory::new();
    memory.publish("a", &[Part::Content(log.as_bytes())]).unwrap();
    memory.release("a");
    Sessions::new(&ENGINE, memory)
}

fn messages(sessions: &Sessions, pairing: Pairing) -> Result<usize, Error> {
    sessions.messages("a", pairing).try_fold(0, |count, message| message.map(|_| count + 1))
}

fn content(length: usize) -> String {
    format!("{{\"callId\":\"c\",\"content\":\"{}\"}}", "x".repeat(length))
}

#[test]
fn messages_as_long_as_a_line_are_derived() {
    for kind in ["user/message", "assistant/message", "tool/result", "context/message", "steering/message"] {
        let sessions = log((0..3).map(|_| (kind, content(16 * MIB - 100))));
        assert_eq!(messages(&sessions, Pairing::Recorded).unwrap(), 3, "{kind}");
        assert_eq!(sessions.check("a").unwrap().is_empty(), !kind.starts_with(['a', 't']), "{kind}");
    }
}

#[test]
fn a_whole_session_that_may_be_loaded_fits() {
    let lines = 16 * MIB / 48;
    let sessions = log((0..lines as u64 - 10).map(|_| ("", "1".into())));
    assert_eq!(sessions.load("a").unwrap().events.len(), lines - 10);
}

const KEEP: WakeOptions = WakeOptions { open_turn: OpenTurn::Keep, on_damage: OnDamage::Refuse };

/// An open turn and step with an assistant's message that makes these calls; ids as JSON.
fn turn(number: &str, ids: impl IntoIterator<Item = String>) -> [(&'static str, String); 3] {
    let calls: Vec<_> = ids.into_iter().map(|id| format!("{{\"type\":\"tool-call\",\"id\":{id}}}")).collect();
    [
        ("turn/start", format!("{{\"turn\":{number}}}")),
        ("step/start", format!("{{\"step\":{number}}}")),
        ("assistant/message", format!("{{\"content\":[{}]}}", calls.join(","))),
    ]
}

/// That many ids, each so many bytes long as it is written.
fn ids(count: usize, length: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |id| format!("\"{id:0>6}{}\"", "x".repeat(length - 8)))
}

/// The session, whose open turn is past the limits for this reason, is read, kept open and not closed.
fn is_readable_and_not_closed(sessions: &Sessions, length: u64, reason: &str) {
    let inspected = sessions.inspect("a").unwrap();
    assert_eq!((inspected.length, inspected.recovery.closers.len()), (length, 0));
    sessions.verify("a").unwrap();
    assert_eq!(sessions.lines("a", 0).map(|lines| lines.unwrap().lines().count()).sum::<usize>(), length as usize);
    assert_eq!(messages(sessions, Pairing::Recorded).unwrap(), 1);
    assert!(sessions.check("a").unwrap().iter().any(|broken| broken.contains(reason)));
    let too_large = |error: Option<Error>| {
        assert!(matches!(&error, Some(Error::TooLarge(text)) if text.contains(reason)), "{error:?}, not {reason}");
    };
    too_large(messages(sessions, Pairing::Paired).err());
    too_large(sessions.fork("a", None, NewSession::new("child")).err());
    sessions.fork("a", Some(2), NewSession::new("child")).unwrap();
    too_large(sessions.wake("a", WakeOptions::default()).err());
    assert_eq!(sessions.wake("a", KEEP).unwrap().length, length);
}

#[test]
fn an_id_of_any_length_leaves_its_session_readable() {
    for id in ["\\u0061".repeat(16 * MIB / 6 - 100), "x".repeat(8 * MIB), "x".repeat(MIB / 2 - 1)] {
        is_readable_and_not_closed(&log(turn("1", [format!("\"{id}\"")])), 3, "512 KiB");
    }
}

#[test]
fn more_calls_than_can_be_followed_leave_their_session_readable() {
    is_readable_and_not_closed(&log(turn("1", ids(4097, 8))), 3, "4096 tool calls");
    is_readable_and_not_closed(&log(turn("1", ids(400_000, 9))), 3, "4096 tool calls");
    is_readable_and_not_closed(&log(turn("1", ids(4096, 129))), 3, "512 KiB");
}

#[test]
fn every_turn_within_the_limits_is_closed_and_then_derived() {
    let number = format!("\"{}\"", "n".repeat(254));
    let escaped = (0..4096).map(|id| format!("\"{}{id:0>8}\"", "\\u0001".repeat(19)));
    for turn in [
        turn(&number, ids(4096, 8)),
        turn(&number, ids(4096, 128)),
        turn(&number, escaped),
        turn(&number, ids(1, MIB / 2)),
    ] {
        let boundary = ("session/boundary", format!("\"{}\"", "x".repeat(16 * MIB - 100)));
        let sessions = log([boundary].into_iter().chain(turn));
        let calls = messages(&sessions, Pairing::Paired).unwrap() - 1;
        let foreseen = sessions.inspect("a").unwrap().recovery.closers;
        assert_eq!(foreseen.len(), calls + 2);
        sessions.fork("a", None, NewSession::new("child")).unwrap();
        let closers = sessions.wake("a", WakeOptions::default()).unwrap().recovery.closers;
        assert!(closers == foreseen, "other closers than were foreseen");
        for pairing in [Pairing::Paired, Pairing::Recorded] {
            assert_eq!(messages(&sessions, pairing).unwrap(), 1 + calls);
        }
    }
}

#[test]
fn a_session_as_long_as_may_be_loaded_is_loaded_with_the_longest_closing() {
    let turn = turn(&format!("\"{}\"", "n".repeat(254)), ids(4096, 128));
    let room = 16 * MIB - text(turn.clone()).len();
    let notes = (0..room as u64 / 49 - 10).map(|_| ("k", String::from("1")));
    let sessions = log(notes.chain(turn));
    let loaded = sessions.load("a").unwrap();
    assert_eq!(loaded.state.recovery.closers.len(), 4098);
    assert_eq!(loaded.events.len() as u64, loaded.state.length);
}

#[test]
fn damage_behind_a_turn_that_is_too_large_to_be_closed_is_told() {
    let mut stored = text(turn("1", ids(5000, 8)));
    stored += "{\"ty";
    let sessions = sessions(&stored);
    for state in [sessions.inspect("a").unwrap(), sessions.verify("a").unwrap()] {
        assert_eq!(state.recovery.damage.map(|damage| (damage.kind, damage.expected)), Some((DamageKind::Torn, 3)));
        assert!(state.recovery.closers.is_empty());
    }
    assert!(matches!(sessions.wake("a", WakeOptions::default()), Err(Error::TooLarge(_))));
    assert_eq!(sessions.storage().stat("a").unwrap().length, stored.len() as u64, "nothing was cut");
    assert!(sessions.wake("a", KEEP).unwrap().recovery.kept_at.is_some());
}

#[test]
fn one_id_called_half_a_million_times_in_one_message_is_one_call() {
    let sessions = log(turn("1", std::iter::repeat_n(String::from("\"\""), 16 * MIB / 32)));
    assert_eq!(messages(&sessions, Pairing::Recorded).unwrap(), 1);
    assert_eq!(messages(&sessions, Pairing::Paired).unwrap(), 2);
    assert_eq!(sessions.wake("a", WakeOptions::default()).unwrap().recovery.closers.len(), 3);
}

#[test]
fn one_id_called_and_answered_over_and_over_in_one_scope_is_derived() {
    let called = ("assistant/message", String::from("{\"content\":[{\"type\":\"tool-call\",\"id\":\"a\"}]}"));
    let answered = ("tool/result", String::from("{\"callId\":\"a\",\"content\":\"\"}"));
    let sessions = log((0..200_000).flat_map(|_| [called.clone(), answered.clone()]));
    assert_eq!(messages(&sessions, Pairing::Paired).unwrap(), 400_000);
    let surplus = log(std::iter::repeat_n(answered, 400_001));
    assert!(matches!(messages(&surplus, Pairing::Paired), Err(Error::TooLarge(_))));
}

#[test]
fn a_record_behind_more_nul_than_a_line_may_have_is_not_cut_off_unasked() {
    let whole = "{\"type\":\"note\",\"seq\":0,\"time\":1,\"data\":1}\n";
    let sessions = sessions(&[HEADER, &"\0".repeat(17 * MIB), whole].concat());
    let damage = sessions.inspect("a").unwrap().recovery.damage.unwrap();
    assert_eq!((damage.kind, damage.records), (DamageKind::Malformed, 1));
    assert!(matches!(sessions.wake("a", WakeOptions::default()), Err(Error::Corrupt(_))));
}

#[test]
fn as_many_messages_as_may_be_are_derived_and_one_more_is_too_large() {
    let said = |_| ("user/message", String::from("{\"content\":\"\"}"));
    assert_eq!(messages(&log((0..400_000).map(said)), Pairing::Paired).unwrap(), 400_000);
    assert!(matches!(messages(&log((0..400_001).map(said)), Pairing::Paired), Err(Error::TooLarge(_))));
}

#[test]
fn a_hundred_thousand_summaries_of_summaries_take_no_square_time() {
    let summary = |seq: u64| {
        let start = if seq.is_multiple_of(2) { 0 } else { seq / 2 };
        ("compact/summary", format!("{{\"summary\":\"s\",\"shadowedRange\":{{\"start\":{start},\"end\":{seq}}}}}"))
    };
    let sessions = log((0..100_000).map(summary));
    let options = DeriveOptions { length: None, pairing: Pairing::Paired, start: 0, max_bytes: u32::MAX };
    assert!(sessions.derive_messages("a", options).unwrap().messages.len() < 10);
}

#[test]
fn a_list_without_a_limit_comes_in_pages_that_fit() {
    let memory = Memory::new();
    for id in 0..60_000 {
        let id = format!("{id:05}");
        memory.publish(&id, &[Part::Content(HEADER.replace("\"a\"", &format!("{id:?}")).as_bytes())]).unwrap();
    }
    let sessions = Sessions::new(&ENGINE, memory);
    let options = ListOptions { limit: u32::MAX, ..ListOptions::default() };
    assert_eq!(sessions.list_all(options).map(Result::unwrap).count(), 60_000);
}

#[test]
fn a_batch_of_the_smallest_events_fits_or_is_told_to_be_too_large() {
    let sessions = log([]);
    let events = |count| -> Vec<_> {
        (0..count).map(|seq| session_host::Event { seq, time: 0, kind: "k".into(), data: "1".into() }).collect()
    };
    assert!(matches!(sessions.append("a", &events(600_000)), Err(Error::TooLarge(_))));
    sessions.append("a", &events(100_000)).unwrap();
}
