use super::*;
use crate::types::{DeriveOptions, MessagePage, Pairing};

const ALL: DeriveOptions = DeriveOptions { length: None, pairing: Pairing::Paired, start: 0, max_bytes: u32::MAX };

fn derive(sessions: &mut Sessions) -> MessagePage {
    sessions.derive_messages("s", ALL).unwrap()
}

#[test]
fn messages_of_a_session_that_goes_on_are_those_of_its_whole_log() {
    let disk = Disk::default();
    let mut writer = disk.sessions();
    let mut reader = disk.sessions();
    writer.create(new("s")).unwrap();
    for (kind, data) in [
        ("turn/start", "{\"turn\":1}"),
        ("user/message", "{\"content\":\"a\"}"),
        ("assistant/message", "{\"content\":[{\"type\":\"tool-call\",\"id\":\"c\"}]}"),
        ("tool/call", "{\"callId\":\"c\"}"),
        ("tool/result", "{\"callId\":\"c\",\"content\":\"r\"}"),
        ("step/end", "{}"),
        ("compact/summary", "{\"summary\":\"s\",\"shadowedRange\":{\"start\":1,\"end\":2}}"),
        ("assistant/message", "{\"content\":\"b\"}"),
        ("turn/end", "{}"),
    ] {
        writer.emit("s", kind.into(), data.into()).unwrap();
        let whole = derive(&mut disk.sessions());
        assert_eq!(derive(&mut writer), whole, "{kind}");
        assert_eq!(derive(&mut reader), whole, "{kind}");
    }
}

#[test]
fn a_last_event_without_its_lf_that_goes_on_is_no_message_any_more() {
    let disk = Disk::default();
    let log = log_of(&[("user/message", "{\"content\":\"a\"}"), ("user/message", "{\"content\":\"b\"}")]);
    disk.put("s", log.trim_end());
    let mut sessions = disk.sessions();
    assert_eq!(derive(&mut sessions).messages.len(), 2);
    disk.put("s", log.trim_end().to_string() + "x");
    assert_eq!(derive(&mut sessions).messages.len(), 1);
    disk.put("s", &log);
    let mut writer = disk.sessions();
    disk.put("s", log.trim_end());
    assert_eq!(derive(&mut writer).messages.len(), 2);
    writer.emit("s", "user/message".into(), "{\"content\":\"c\"}".into()).unwrap();
    assert_eq!(derive(&mut writer).messages.len(), 3);
}

#[test]
fn deriving_again_reads_the_messages_alone() {
    let disk = Disk::default();
    let chunk = format!("\"{}\"", "x".repeat(1_000));
    let message = ("user/message", "{\"content\":\"a\"}");
    disk.put("s", log_of(&[[message].repeat(5), [("assistant/chunk", &*chunk)].repeat(3)].concat().repeat(10)));
    let mut sessions = disk.sessions();
    sessions.wake("s", KEEP).unwrap();
    let first = derive(&mut sessions);
    disk.bytes_read();
    sessions.emit("s", message.0.into(), message.1.into()).unwrap();
    let again = derive(&mut sessions);
    assert_eq!(again.messages.len(), first.messages.len() + 1);
    let lines: usize = again.messages.iter().map(|_| line(10, message.0, message.1).len() + 10).sum();
    let read = disk.bytes_read();
    assert!(read <= lines as u64, "{read} bytes read");
}

#[test]
fn a_conversation_too_long_to_be_kept_is_planned_again() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("user/message", "{\"content\":\"a\"}")].repeat(10_001)));
    let mut sessions = disk.sessions();
    sessions.wake("s", KEEP).unwrap();
    for length in 10_001..10_004 {
        assert_eq!(derive(&mut sessions).messages.len(), length);
        sessions.emit("s", "user/message".into(), "{\"content\":\"a\"}".into()).unwrap();
    }
}
