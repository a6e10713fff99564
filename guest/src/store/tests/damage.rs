use super::*;
use crate::line::MAX_NUMBER;
use crate::types::{Damage, DamageKind};
use proptest::prelude::*;

const E0: (&str, &str) = ("user/message", "{\"content\":\"hi\"}");

fn inspect(bytes: impl AsRef<[u8]>) -> Result<SessionState, Error> {
    let disk = Disk::default();
    disk.put("s", bytes.as_ref());
    let before = disk.bytes("s");
    let state = disk.sessions().inspect("s");
    assert_eq!((disk.bytes("s"), disk.writes()), (before, 0), "inspect writes nothing");
    state
}

fn damage(bytes: impl AsRef<[u8]>) -> Damage {
    inspect(bytes).unwrap().recovery.damage.expect("the log is damaged")
}

#[test]
fn a_torn_tail_needs_a_wake_and_is_kept_aside() {
    let disk = Disk::default();
    let torn = "{\"type\":\"user/mess";
    let sound = log_of(&[E0]);
    disk.put("s", format!("{sound}{torn}"));
    let mut sessions = disk.sessions();

    let needs_wake = sessions.append("s", &[event(1, "a", "1")]);
    assert!(
        matches!(&needs_wake, Err(Error::NeedsWake(damage)) if damage.offset == sound.len() as u64 && damage.length == torn.len() as u64),
        "{needs_wake:?}"
    );
    assert_eq!(disk.text("s"), format!("{sound}{torn}"));
    assert!(!sessions.inspect("s").unwrap().held, "the claim was let go");

    let state = sessions.wake("s", CLOSE).unwrap();
    let damage = state.recovery.damage.unwrap();
    assert_eq!((damage.kind, damage.expected, damage.records), (DamageKind::Torn, 1, 0));
    assert_eq!(disk.asides(), [torn.as_bytes()]);
    assert_eq!(state.asides, [state.recovery.kept_at.unwrap()]);
    sessions.append("s", &[event(1, "a", "1")]).unwrap();
    assert_eq!(disk.text("s"), log_of(&[E0, ("a", "1")]));
}

#[test]
fn a_whole_last_record_without_its_lf_counts() {
    let disk = Disk::default();
    let log = log_of(&[E0, ("turn/end", "{}")]);
    disk.put("s", log.trim_end());
    let mut sessions = disk.sessions();
    assert_eq!(sessions.inspect("s").unwrap().recovery.damage, None);
    assert_eq!(sessions.get_lines("s", 1, 1000).unwrap(), line(1, "turn/end", "{}"));
    sessions.append("s", &[event(2, "a", "1")]).unwrap();
    assert_eq!(disk.text("s"), log + &line(2, "a", "1"));
    assert_eq!(sessions.get_events("s", 2, 9, &[]).unwrap().events, [event(2, "a", "1")]);
}

#[test]
fn a_reader_follows_a_writer_that_ends_its_last_line_late() {
    let disk = Disk::default();
    let log = log_of(&[E0]);
    disk.put("s", log.trim_end());
    let mut sessions = disk.sessions();
    assert_eq!(all_events(&mut sessions, "s").len(), 1);
    disk.tamper("s", |bytes| bytes.push(b'\n'));
    assert_eq!(sessions.inspect("s").unwrap().length, 1);
    disk.tamper("s", |bytes| bytes.extend_from_slice(line(1, "a", "1").as_bytes()));
    assert_eq!(all_events(&mut sessions, "s").len(), 2);
    // And a last line that turns out to go on is no record after all.
    disk.put("s", log.trim_end());
    assert_eq!(all_events(&mut sessions, "s").len(), 1);
    disk.tamper("s", |bytes| bytes.extend_from_slice(b"x\n"));
    assert_eq!(sessions.inspect("s").unwrap().recovery.damage.unwrap().expected, 0);
}

#[test]
fn damage_is_told_by_what_stands_behind_it() {
    let sound = log_of(&[E0, ("turn/end", "{}")]);
    let at = sound.len() as u64;
    let behind = line(2, "a", "1");
    let cases: Vec<(&str, Vec<u8>, DamageKind, u64)> = vec![
        ("a broken line", b"{\"ty".to_vec(), DamageKind::Torn, 0),
        ("a broken line and blank ones", b"{\"ty\n\n".to_vec(), DamageKind::Torn, 0),
        ("a record behind a broken line", [b"{\"ty\n", behind.as_bytes()].concat(), DamageKind::Malformed, 1),
        ("a blank line and a record", ["\n", &behind].concat().into_bytes(), DamageKind::Malformed, 1),
        ("300 NUL", vec![0; 300], DamageKind::Torn, 0),
        ("NUL and a record behind", [&[0; 300][..], b"\n", behind.as_bytes()].concat(), DamageKind::Malformed, 1),
        ("NUL that swallowed the LF", [&[0; 300][..], behind.as_bytes()].concat(), DamageKind::Malformed, 1),
        ("NUL across windows", [&[0; 70_000][..], behind.as_bytes()].concat(), DamageKind::Malformed, 1),
        ("NUL and no record", [&[0; 70_000][..], b"{\"ty\n"].concat(), DamageKind::Torn, 0),
        ("NUL within a record", behind.replace('a', "\0").into_bytes(), DamageKind::Torn, 0),
        ("half a character", b"{\"type\":\"\xf0\x9f".to_vec(), DamageKind::Torn, 0),
        (
            "no UTF-8 in a whole line",
            [b"{\"type\":\"a\",\"seq\":2,\"time\":1,\"data\":\"\xff\"}\n", line(3, "a", "1").as_bytes()].concat(),
            DamageKind::Malformed,
            1,
        ),
        ("null", b"null\n".to_vec(), DamageKind::Torn, 0),
        ("a number, an array, an object", b"7\n[]\n{}\n".to_vec(), DamageKind::Torn, 0),
        ("null with a record behind", ["null\n", &behind].concat().into_bytes(), DamageKind::Malformed, 1),
        ("seq as text", b"{\"type\":\"a\",\"seq\":\"2\",\"time\":1,\"data\":1}\n".to_vec(), DamageKind::Torn, 0),
        ("doubled seq", b"{\"type\":\"a\",\"seq\":2,\"seq\":2,\"time\":1,\"data\":1}\n".to_vec(), DamageKind::Torn, 0),
        ("a time below zero", b"{\"type\":\"a\",\"seq\":2,\"time\":-1,\"data\":1}\n".to_vec(), DamageKind::Torn, 0),
        ("a hole in seq", line(3, "a", "1").into_bytes(), DamageKind::Gap, 1),
        ("a hole in seq, without LF", line(3, "a", "1").trim_end().into(), DamageKind::Gap, 1),
        ("a seq again", [line(1, "a", "1"), line(2, "a", "1")].concat().into_bytes(), DamageKind::Repeated, 2),
        ("another header", HEADER.into(), DamageKind::Torn, 0),
    ];
    for (name, tail, kind, records) in cases {
        let found = damage([sound.as_bytes(), &tail].concat());
        assert_eq!((found.kind, found.records), (kind, records), "{name}: {found:?}");
        assert_eq!((found.expected, found.offset, found.length), (2, at, tail.len() as u64), "{name}");
        assert!(!found.detail.is_empty());
    }
}

#[test]
fn a_line_that_is_too_long_is_called_so_wherever_its_characters_are_cut() {
    for shift in ["", "x"] {
        let long = format!("{{\"type\":\"a\",\"seq\":0,\"time\":1,\"data\":\"{shift}{}\"}}\n", "é".repeat(9 << 20));
        let found = damage(HEADER.to_string() + &long);
        assert!(found.detail.contains("longer than 16 MiB"), "{}", found.detail);
        assert_eq!(found.length, long.len() as u64);
    }
}

#[test]
fn damage_with_records_behind_is_told_before_a_turn_that_is_too_large_to_be_closed() {
    let disk = Disk::default();
    let calls: Vec<String> = (0..5_000).map(|id| format!("{{\"type\":\"tool-call\",\"id\":\"{id}\"}}")).collect();
    let message = format!("{{\"content\":[{}]}}", calls.join(","));
    disk.put("s", log_of(&[("turn/start", "{}"), ("assistant/message", &message)]) + "{\"ty\n" + &line(2, "a", "1"));
    let mut sessions = disk.sessions();
    assert!(matches!(sessions.wake("s", CLOSE), Err(Error::Corrupt(_))));
    assert!(matches!(sessions.wake("s", SET_ASIDE), Err(Error::TooLarge(_))));
    assert_eq!(disk.asides(), [[0; 0]; 0]);
}

#[test]
fn records_behind_damage_leave_the_log_only_when_told() {
    let disk = Disk::default();
    let sound = log_of(&[E0]);
    let tail = format!("{}{}", "{\"ty\n", line(1, "a", "1"));
    disk.put("s", format!("{sound}{tail}"));
    let mut sessions = disk.sessions();
    for result in [sessions.wake("s", CLOSE).map(drop), sessions.emit("s", "a".into(), "1".into()).map(drop)] {
        assert!(matches!(result, Err(Error::Corrupt(damage)) if damage.records == 1));
    }
    assert_eq!(disk.text("s"), format!("{sound}{tail}"));
    assert!(!sessions.inspect("s").unwrap().held);
    assert_eq!(all_events(&mut sessions, "s").len(), 1, "what precedes the damage is readable");
    assert_eq!(sessions.fork("s", None, new("child")).unwrap().seed_length, Some(1));

    sessions.wake("s", SET_ASIDE).unwrap();
    assert_eq!(disk.text("s"), sound);
    assert_eq!(disk.asides(), [tail.as_bytes()]);
}

#[test]
fn first_lines_that_are_no_header_are_told_apart() {
    let event = line(0, "a", "1");
    let corrupt = [
        (String::new(), "empty"),
        (HEADER.trim_end().into(), "no LF"),
        (HEADER.replace("\"s\"", "\"other\""), "names \"other\""),
        (format!("\u{feff}{HEADER}"), "byte-order mark"),
        (event.clone(), "is no header"),
        ("\0".repeat(4096), "NUL"),
    ];
    for (log, why) in corrupt {
        match inspect(&log) {
            Err(Error::Corrupt(damage)) => {
                assert!(damage.detail.contains(why), "{}", damage.detail);
                assert_eq!((damage.expected, damage.offset, damage.length), (0, 0, log.len() as u64));
                assert_eq!(damage.records, u64::from(log == event));
            }
            other => panic!("{log:?}: {other:?}"),
        }
        let disk = Disk::default();
        disk.put("s", &log);
        assert!(matches!(disk.sessions().wake("s", SET_ASIDE), Err(Error::Corrupt(_))), "there is nothing to wake");
        assert_eq!(disk.text("s"), log);
    }
    for version in [1, 99, MAX_NUMBER] {
        let log = HEADER.replace(":0,", &format!(":{version},")) + "whatever";
        assert_eq!(inspect(log), Err(Error::UnsupportedVersion(version)));
    }
    assert_eq!(inspect((HEADER.to_string() + &event).replace('\n', "\r\n")).unwrap().length, 1);
}

#[test]
fn waking_a_log_cut_anywhere_keeps_every_whole_event_and_a_second_wake_changes_nothing() {
    let log = log_of(&[
        ("turn/start", "{\"turn\":1}"),
        ("user/message", "{\"content\":\"hé 😀\"}"),
        ("step/start", "{\"turn\":1,\"step\":1}"),
        (
            "assistant/message",
            "{\"content\":[{\"type\":\"tool-call\",\"id\":\"a\"},{\"type\":\"tool-call\",\"id\":\"b\"}]}",
        ),
        ("tool/call", "{\"callId\":\"a\"}"),
        ("tool/result", "{\"callId\":\"a\",\"content\":\"ok\"}"),
        ("tool/result", "{\"callId\":\"b\",\"content\":\"ok\"}"),
        ("step/end", "{}"),
        ("turn/end", "{}"),
    ]);
    for cut in HEADER.len()..=log.len() {
        let disk = Disk::default();
        disk.put("s", &log.as_bytes()[..cut]);
        let mut sessions = disk.sessions();
        let foreseen = sessions.inspect("s").unwrap();
        let state = sessions.wake("s", CLOSE).unwrap();
        assert_eq!(
            (&state.recovery.damage, &state.recovery.closers),
            (&foreseen.recovery.damage, &foreseen.recovery.closers)
        );
        let whole = log[HEADER.len()..].split_inclusive('\n').scan(HEADER.len(), |end, line| {
            *end += line.len();
            Some(*end)
        });
        // A line that lacks its LF alone is whole.
        let whole = whole.filter(|end| *end <= cut + 1).count() as u64;
        assert_eq!(state.length, whole + state.recovery.closers.len() as u64, "cut at {cut}");
        assert_eq!(state.asides, sessions.inspect("s").unwrap().asides, "cut at {cut}");
        let woken = disk.bytes("s");
        assert!(
            woken.starts_with(&log.as_bytes()[..state.recovery.damage.map_or(cut, |damage| damage.offset as usize)])
        );
        assert_eq!(sessions.check("s").unwrap(), [""; 0], "cut at {cut}");
        for mut again in [sessions, {
            disk.kill_holders();
            disk.sessions()
        }] {
            disk.kill_holders();
            let second = again.wake("s", CLOSE).unwrap();
            assert_eq!((second.recovery.damage, second.recovery.closers), (None, vec![]));
            assert_eq!(disk.bytes("s"), woken, "cut at {cut}");
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_behind_a_header_never_trap_and_always_wake(tail in proptest::collection::vec(
        prop_oneof![
            Just(b"\n".to_vec()),
            Just(line(0, "a", "1").into_bytes()),
            Just(line(1, "turn/start", "{}").into_bytes()),
            Just(b"{\"type\":".to_vec()),
            proptest::collection::vec(any::<u8>(), 0..20),
        ], 0..8)) {
        let disk = Disk::default();
        let tail = tail.concat();
        disk.put("s", [HEADER.as_bytes(), &tail].concat());
        let mut sessions = disk.sessions();
        let before = sessions.inspect("s").unwrap();
        let sound = before.recovery.damage.as_ref().map_or(HEADER.len() + tail.len(), |damage| damage.offset as usize);
        let state = sessions.wake("s", SET_ASIDE).unwrap();
        let log = disk.bytes("s");
        prop_assert_eq!(&log[..sound], &[HEADER.as_bytes(), &tail].concat()[..sound]);
        prop_assert_eq!(disk.asides().concat(), [HEADER.as_bytes(), &tail].concat()[sound..].to_vec());
        prop_assert_eq!(state.length, before.length + before.recovery.closers.len() as u64);
        let again = sessions.wake("s", CLOSE).unwrap();
        prop_assert_eq!(again.recovery.damage, None);
        prop_assert_eq!(disk.bytes("s"), log);
    }
}
