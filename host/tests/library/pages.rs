//! Iterators over logs that are longer than a page.

use serde_json::json;
use session_host::{Error, ListItem, ListOptions, Pairing};

use crate::support::{line, sessions, with_events};

#[test]
fn events_come_in_order_over_many_pages() {
    let sessions = sessions();
    with_events(&sessions, "a", 5000);
    let seqs: Vec<u64> = sessions.events("a", 10).map(|event| event.unwrap().seq).collect();
    assert_eq!(seqs, (10..5000).collect::<Vec<_>>());
}

#[test]
fn events_left_out_do_not_end_the_iteration() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let lines: String = (0..5000).map(|seq| line(seq, if seq == 4999 { "note" } else { "chunk" }, 0)).collect();
    sessions.append_lines("a", &lines).unwrap();
    let seqs: Vec<u64> = sessions.events("a", 0).except(&["chunk"]).map(|event| event.unwrap().seq).collect();
    assert_eq!(seqs, [4999]);
}

#[test]
fn lines_come_byte_for_byte_in_blocks_of_whole_lines() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let lines: String = (0..40).map(|seq| line(seq, "é", 100_000)).collect();
    sessions.append_lines("a", &lines).unwrap();
    let blocks: Vec<String> = sessions.lines("a", 0).map(Result::unwrap).collect();
    assert!(blocks.len() > 1);
    assert!(blocks.iter().all(|block| block.ends_with('\n')));
    assert_eq!(blocks.concat(), lines);
}

#[test]
fn messages_come_in_order_over_many_pages() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    for n in 0..30 {
        sessions.emit("a", "user/message", &json!({ "content": format!("{n} {}", "x".repeat(100_000)) })).unwrap();
    }
    let sources: Vec<u64> = sessions.messages("a", Pairing::Paired).map(|message| message.unwrap().source).collect();
    assert_eq!(sources, (0..30).collect::<Vec<_>>());
}

#[test]
fn all_sessions_are_listed_over_many_pages() {
    let sessions = sessions();
    for n in 10..35 {
        with_events(&sessions, &n.to_string(), 1);
    }
    let ids: Vec<String> = sessions
        .list_all(ListOptions { limit: 4, ..ListOptions::default() })
        .map(|item| match item.unwrap() {
            ListItem::Session(listed) => listed.header.id,
            ListItem::Unreadable(log) => panic!("{log:?}"),
        })
        .collect();
    assert_eq!(ids, (10..35).map(|n| n.to_string()).collect::<Vec<_>>());
}

#[test]
fn after_an_error_nothing_more_comes() {
    let sessions = sessions();
    let absent = || Some(Error::NotFound("a".into()));
    let mut events = sessions.events("a", 0);
    assert_eq!(events.next().unwrap().err(), absent());
    assert!(events.next().is_none());
    let mut lines = sessions.lines("a", 0);
    assert_eq!(lines.next().unwrap().err(), absent());
    assert!(lines.next().is_none());
    let mut messages = sessions.messages("a", Pairing::Paired);
    assert_eq!(messages.next().unwrap().err(), absent());
    assert!(messages.next().is_none());
    let mut list = sessions.list_all(ListOptions { cursor: Some("no cursor of ours".into()), ..Default::default() });
    assert!(list.next().unwrap().is_err());
    assert!(list.next().is_none());
}

#[test]
fn a_log_without_events_is_an_empty_iteration() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    sessions.flush("a").unwrap();
    assert_eq!(sessions.events("a", 0).count(), 0);
    assert_eq!(sessions.lines("a", 0).count(), 0);
    assert_eq!(sessions.messages("a", Pairing::Paired).count(), 0);
}
