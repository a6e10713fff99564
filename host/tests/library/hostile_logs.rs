//! Logs made to use up the component's memory or time. Each call answers, within the usual limits.

use session_host::{
    DeriveOptions, Error, ListOptions, Memory, OpenTurn, Pairing, Part, Sessions, Storage, WakeOptions,
};

use crate::support::ENGINE;

const MIB: usize = 1 << 20;
const HEADER: &str = "{\"type\":\"session\",\"version\":0,\"id\":\"a\",\"createdAt\":7}\n";

/// A session `a` with this log.
fn log(events: impl IntoIterator<Item = (&'static str, String)>) -> Sessions {
    let mut log = String::from(HEADER);
    for (seq, (kind, data)) in events.into_iter().enumerate() {
        log += &format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":1,\"data\":{data}}}\n");
    }
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

#[test]
fn one_message_with_half_a_million_calls_is_too_large_and_no_trap() {
    let calls = vec!["{\"type\":\"tool-call\",\"id\":\"\"}"; 16 * MIB / 32].join(",");
    let open = [("turn/start", "{}".into()), ("assistant/message", format!("{{\"content\":[{calls}]}}"))];
    let sessions = log(open);
    assert_eq!(messages(&sessions, Pairing::Recorded).unwrap(), 1);
    assert!(matches!(messages(&sessions, Pairing::Paired), Err(Error::TooLarge(_))));
    assert_eq!(sessions.wake("a", WakeOptions::default()).unwrap().recovery.closers.len(), 2, "one id, one call");
}

#[test]
fn many_calls_without_a_result_take_no_square_time() {
    let calls: Vec<_> = (0..80_000).map(|id| format!("{{\"type\":\"tool-call\",\"id\":\"{id}\"}}")).collect();
    let sessions = log([("assistant/message", format!("{{\"content\":[{}]}}", calls.join(",")))]);
    assert_eq!(messages(&sessions, Pairing::Paired).unwrap(), 80_001);
}

#[test]
fn more_calls_than_can_be_closed_are_too_large_and_can_be_kept_open() {
    let message = |from: usize| {
        let calls: Vec<_> =
            (from..from + 200_000).map(|id| format!("{{\"type\":\"tool-call\",\"id\":\"{id}\"}}")).collect();
        ("assistant/message", format!("{{\"content\":[{}]}}", calls.join(",")))
    };
    let results = (0..100_000).map(|id| ("tool/result", format!("{{\"callId\":\"r{id}\",\"content\":\"\"}}")));
    let open = [("turn/start", "{}".into()), message(0), message(200_000), message(400_000)];
    let sessions = log(open.into_iter().chain(results));
    assert!(matches!(messages(&sessions, Pairing::Paired), Err(Error::TooLarge(_))));
    assert!(sessions.check("a").unwrap().len() <= 1001);
    assert!(matches!(sessions.wake("a", WakeOptions::default()), Err(Error::TooLarge(_))));
    let keep = WakeOptions { open_turn: OpenTurn::Keep, ..WakeOptions::default() };
    assert_eq!(sessions.wake("a", keep).unwrap().length, 100_004);
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
