use super::*;
use crate::types::{DeriveOptions, Pairing};

#[test]
fn slices_go_on_where_the_last_ended() {
    let disk = Disk::default();
    let long = &*format!("\"{}\"", "x".repeat(5000));
    disk.put("s", log_of(&[("a", long), ("b", "1"), ("a", long), ("a", "2"), ("b", long)].repeat(40)));
    let mut sessions = disk.sessions();
    for (start, max, seqs, next) in [
        (0, 2, vec![0, 1], 2),
        (199, 9, vec![199], 200),
        (200, 9, vec![], 200),
        (7, 1, vec![7], 8),
        (500, 1, vec![], 500),
    ] {
        let slice = sessions.get_events("s", start, max, &[]).unwrap();
        assert_eq!((slice.events.iter().map(|event| event.seq).collect(), slice.next), (seqs, next));
    }
    let slice = sessions.get_events("s", 0, 3, &["a".into()]).unwrap();
    assert_eq!(slice.events.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 4, 6]);
    let rest = sessions.get_events("s", slice.next, 1000, &["a".into()]).unwrap();
    assert_eq!((rest.events.len(), rest.next), (77, 200));
}

#[test]
fn lines_come_in_whole_and_never_less_than_one() {
    let disk = Disk::default();
    let log = log_of(&[("a", "1"), ("b", "2"), ("c", "3")]);
    disk.put("s", &log);
    let mut sessions = disk.sessions();
    let one = line(0, "a", "1").len() as u32;
    assert_eq!(sessions.get_lines("s", 0, 0).unwrap(), line(0, "a", "1"));
    assert_eq!(sessions.get_lines("s", 0, one).unwrap(), line(0, "a", "1"));
    assert_eq!(sessions.get_lines("s", 0, 2 * one).unwrap(), line(0, "a", "1") + &line(1, "b", "2"));
    assert_eq!(sessions.get_lines("s", 0, u32::MAX).unwrap(), log[HEADER.len()..]);
    assert_eq!(sessions.get_lines("s", 3, 100).unwrap(), "");
}

#[test]
fn reading_on_begins_where_the_last_reader_stopped() {
    let disk = Disk::default();
    let log = log_of(&[("a", "\"some text\""); 100]);
    disk.put("s", &log);
    let mut sessions = disk.sessions();
    let rest = |seq: u64| (log.len() - log.find(&line(seq, "a", "\"some text\"")).unwrap()) as u64;

    sessions.get_events("s", 0, 50, &[]).unwrap();
    disk.bytes_read();
    sessions.get_events("s", 50, 20, &[]).unwrap();
    assert_eq!(disk.bytes_read(), rest(50));

    // To find where the lines begin takes the same bytes once more.
    let lines = sessions.get_lines("s", 70, 1000).unwrap();
    assert_eq!(disk.bytes_read(), 1000);
    let next = 70 + lines.lines().count() as u64;
    sessions.get_events("s", next, 1, &[]).unwrap();
    assert_eq!(disk.bytes_read(), rest(next));
}

#[test]
fn a_last_line_that_goes_on_after_all_is_read_anew() {
    let disk = Disk::default();
    let log = log_of(&[("a", "1"), ("b", "2")]);
    disk.put("s", log.trim_end());
    let mut sessions = disk.sessions();
    assert_eq!(sessions.get_lines("s", 0, 1000).unwrap(), log[HEADER.len()..]);
    disk.tamper("s", |bytes| bytes.extend_from_slice(b"\n{\"type\":\"c\",\"seq\":2,\"time\":1,\"data\":3}\n"));
    assert_eq!(told(&sessions.get_events("s", 2, 9, &[]).unwrap().events), [("c", "3")]);
    disk.put("s", log.trim_end());
    assert_eq!(sessions.get_lines("s", 0, 1000).unwrap(), log[HEADER.len()..]);
    disk.tamper("s", |bytes| bytes.extend_from_slice(b" \n{\"type\":\"c\",\"seq\":2,\"time\":1,\"data\":3}\n"));
    assert_eq!(told(&sessions.get_events("s", 2, 9, &[]).unwrap().events), [("c", "3")]);
}

#[test]
fn a_character_across_the_edge_of_a_window_stays_whole() {
    let disk = Disk::default();
    let data = format!("\"{}\"", "é😀".repeat(20_000));
    for shift in 0..6 {
        let pad = format!("\"{}\"", "x".repeat(shift));
        disk.put("s", log_of(&[("a", &pad), ("b", &data)]));
        assert_eq!(disk.sessions().get_events("s", 1, 1, &[]).unwrap().events[0].data, data);
    }
}

#[test]
fn a_slice_far_in_reads_little_once_the_log_is_known() {
    let disk = Disk::default();
    disk.put(
        "s",
        log_of(&vec![
            ("assistant/chunk", "{\"chunk\":{\"type\":\"text-delta\",\"index\":0,\"text\":\"hello there\"}}");
            50_000
        ]),
    );
    let mut sessions = disk.sessions();
    sessions.inspect("s").unwrap();
    disk.bytes_read();
    assert_eq!(sessions.get_events("s", 40_000, 10, &[]).unwrap().events[9].seq, 40_009);
    let read = disk.bytes_read();
    assert!(read <= 64 << 10, "{read} bytes read");
}

#[test]
fn a_log_that_grows_is_read_from_where_it_was_known() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("a", "\"0123456789\""); 5000]));
    let mut sessions = disk.sessions();
    sessions.inspect("s").unwrap();
    disk.bytes_read();
    disk.tamper("s", |bytes| bytes.extend_from_slice(line(5000, "a", "1").as_bytes()));
    assert_eq!(sessions.inspect("s").unwrap().length, 5001);
    assert!(disk.bytes_read() < 100);
}

#[test]
fn a_log_that_was_made_anew_or_changed_in_place_is_read_anew() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("a", "1"), ("b", "2")]));
    let mut sessions = disk.sessions();
    let first = sessions.inspect("s").unwrap().revision;
    disk.put("s", log_of(&[("c", "1"), ("d", "2")]));
    assert_eq!(told(&all_events(&mut sessions, "s")), [("c", "1"), ("d", "2")]);
    assert_ne!(sessions.inspect("s").unwrap().revision, first);
    disk.tamper("s", |bytes| *bytes = log_of(&[("e", "1"), ("f", "2")]).into_bytes());
    assert_eq!(told(&all_events(&mut sessions, "s")), [("e", "1"), ("f", "2")]);
}

#[test]
fn a_revision_stays_while_the_log_does() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("a", "1")]));
    let mut sessions = disk.sessions();
    let revision = sessions.inspect("s").unwrap().revision;
    assert_eq!(disk.sessions().wake("s", CLOSE).unwrap().revision, revision);
    disk.kill_holders();
    sessions.emit("s", "b".into(), "1".into()).unwrap();
    assert_ne!(sessions.inspect("s").unwrap().revision, revision);
}

#[test]
fn loading_answers_everything_and_too_much_is_refused_before_anything_is_written() {
    let disk = Disk::default();
    let log = log_of(&[("turn/start", "{}"), ("a", "1")]);
    disk.put("s", &log);
    let loaded = disk.sessions().load("s").unwrap();
    assert_eq!((loaded.events.len(), loaded.state.length), (3, 3));
    disk.kill_holders();

    let large = log_of(&[
        ("turn/start", "{}"),
        ("a", &format!("\"{}\"", "x".repeat(10 << 20))),
        ("a", &format!("\"{}\"", "x".repeat(7 << 20))),
    ]);
    disk.put("s", &large);
    assert!(matches!(disk.sessions().load("s"), Err(Error::TooLarge(_))));
    assert_eq!(disk.text("s"), large);
}

#[test]
fn rot_behind_a_known_log_is_found_by_verify() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("a", "1"), ("b", "2")]));
    let mut sessions = disk.sessions();
    sessions.wake("s", CLOSE).unwrap();
    disk.tamper("s", |bytes| bytes[HEADER.len() + 3] = b'\0');
    let damage = sessions.verify("s").unwrap().recovery.damage.unwrap();
    assert_eq!((damage.expected, damage.offset, damage.records), (0, HEADER.len() as u64, 1));
    disk.kill_holders();
    assert!(disk.sessions().verify("s").unwrap().recovery.damage.is_some());
}

#[test]
fn broken_rules_of_enclosure_are_told_one_a_line() {
    let disk = Disk::default();
    let events = [
        ("step/start", "{}"),
        ("turn/start", "{}"),
        ("turn/start", "{}"),
        ("step/start", "{}"),
        (
            "assistant/message",
            "{\"content\":[{\"type\":\"tool-call\",\"id\":\"a\"},{\"type\":\"tool-call\",\"id\":\"b\"}]}",
        ),
        ("tool/result", "{\"callId\":\"a\"}"),
        ("tool/result", "{\"callId\":\"a\"}"),
        ("tool/result", "{\"callId\":\"z\"}"),
        ("turn/end", "{}"),
        ("step/end", "{}"),
        ("tool/call", "{}"),
    ];
    disk.put("s", log_of(&events));
    assert_eq!(
        disk.sessions().check("s").unwrap(),
        [
            "seq 0: step/start outside a turn",
            "seq 2: turn/start while the turn opened at seq 1 is open",
            "seq 6: a second tool/result for call \"a\"",
            "seq 7: tool/result for call \"z\", which no assistant/message of its scope made",
            "seq 8: turn/end while the step opened at seq 3 is open",
            "seq 8: the scope ends with 1 tool calls unanswered",
            "seq 9: step/end without a step/start",
            "seq 10: tool/call outside a turn",
            "seq 10: tool/call without a callId",
        ]
    );
}

#[test]
fn messages_of_a_log_that_changes_under_the_reader_are_never_cut_short() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("user/message", "{\"content\":\"a\"}"), ("user/message", "{\"content\":\"b\"}")]));
    let mut sessions = disk.sessions();
    sessions.wake("s", CLOSE).unwrap();
    disk.tamper("s", |bytes| bytes.truncate(HEADER.len() + 10));
    let options = DeriveOptions { length: None, pairing: Pairing::Recorded, start: 0, max_bytes: u32::MAX };
    assert!(matches!(sessions.derive_messages("s", options), Err(Error::Moved(_))));
}
