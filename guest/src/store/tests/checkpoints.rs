use super::*;
use crate::log::{self, checkpoint};
use crate::types::{DamageKind, DeriveOptions, Pairing};

/// Turns of a question, a streamed answer and a tool call, until the log is long enough for a checkpoint.
fn long_log() -> String {
    let mut log = String::from(HEADER);
    let mut seq = 0;
    let text = "x".repeat(400);
    while log.len() < 1_200_000 {
        for (kind, data) in [
            ("turn/start", format!("{{\"turn\":{seq}}}")),
            ("user/message", format!("{{\"content\":\"{seq}\"}}")),
            ("step/start", "{\"step\":1}".into()),
            ("assistant/chunk", format!("{{\"text\":\"{text}\"}}")),
            ("assistant/message", "{\"content\":[{\"type\":\"tool-call\",\"id\":\"a\",\"name\":\"ls\"}]}".into()),
            ("tool/result", "{\"callId\":\"a\",\"content\":\"ok\"}".into()),
            ("step/end", "{\"step\":1}".into()),
            ("session/boundary", "{}".into()),
            ("turn/end", "{}".into()),
        ] {
            log += &line(seq, kind, &data);
            seq += 1;
        }
    }
    log
}

/// A disk with a long log that was woken and flushed once, and so has a checkpoint.
fn disk_with_checkpoint() -> (Disk, String) {
    let (disk, log) = (Disk::default(), long_log());
    disk.put("s", &log);
    disk.sessions().wake("s", CLOSE).unwrap();
    disk.kill_holders();
    assert!(!disk.checkpoint("s").is_empty());
    (disk, log)
}

/// Changes a byte of a line in the middle of the log, which ends no string and no number.
fn rot(disk: &Disk) -> u64 {
    let mut at = 0;
    disk.tamper("s", |bytes| {
        at = bytes.len() / 2;
        at += bytes[at..].windows(4).position(|four| four == b"\n{\"t").unwrap() + 1;
        bytes[at] = b'x';
    });
    at as u64
}

#[test]
fn waking_a_long_log_again_reads_little_of_it() {
    let (disk, log) = disk_with_checkpoint();
    disk.bytes_read();
    let state = disk.sessions().wake("s", CLOSE).unwrap();
    assert!(disk.bytes_read() < 100_000);
    let whole = Disk::default();
    whole.put("s", log);
    let expected = whole.sessions().wake("s", CLOSE).unwrap();
    assert_eq!(SessionState { revision: String::new(), ..state }, SessionState { revision: String::new(), ..expected });
}

#[test]
fn what_follows_the_checkpoint_is_read_and_judged() {
    let (disk, log) = disk_with_checkpoint();
    let seq = log.lines().count() as u64 - 1;
    disk.tamper("s", |bytes| bytes.extend((line(seq, "turn/start", "{\"turn\":7}") + "{\"torn").as_bytes()));
    let state = disk.sessions().wake("s", CLOSE).unwrap();
    assert_eq!(state.recovery.damage.unwrap().expected, seq + 1);
    assert_eq!(state.recovery.closers[0].data, "{\"turn\":7,\"reason\":{\"kind\":\"interrupted\"}}");
}

#[test]
fn events_and_messages_are_the_same_as_without() {
    let (disk, log) = disk_with_checkpoint();
    let whole = Disk::default();
    whole.put("s", log);
    let (mut with, mut without) = (disk.sessions(), whole.sessions());
    let start = 1_500;
    let slice = |sessions: &mut Sessions| sessions.get_events("s", start, 100, &[]).unwrap();
    assert_eq!(slice(&mut with), slice(&mut without));
    let options = DeriveOptions { length: Some(900), pairing: Pairing::Paired, start: 0, max_bytes: u32::MAX };
    let messages = |sessions: &mut Sessions| sessions.derive_messages("s", options).unwrap();
    assert_eq!(messages(&mut with), messages(&mut without));
}

#[test]
fn deriving_messages_reads_them_and_not_the_chunks() {
    let disk = Disk::default();
    let chunk = line(2, "assistant/chunk", &format!("\"{}\"", "x".repeat(50_000)));
    let mut log = log_of(&[("turn/start", "{}"), ("user/message", "{\"content\":\"a\"}")]);
    log += &chunk;
    for seq in 3..40 {
        log += &chunk.replace("\"seq\":2", &format!("\"seq\":{seq}"));
    }
    log += &line(40, "assistant/message", "{\"content\":\"b\"}");
    disk.put("s", log);
    let mut sessions = disk.sessions();
    sessions.wake("s", KEEP).unwrap();
    disk.bytes_read();
    let options = DeriveOptions { length: None, pairing: Pairing::Paired, start: 0, max_bytes: u32::MAX };
    assert_eq!(sessions.derive_messages("s", options).unwrap().messages.len(), 2);
    assert!(disk.bytes_read() < 2_000);
}

#[test]
fn a_short_log_has_none() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("a", "1")]));
    disk.sessions().wake("s", CLOSE).unwrap();
    assert!(disk.checkpoint("s").is_empty());
}

#[test]
fn one_is_left_each_time_the_log_has_grown_by_a_mebibyte() {
    let (disk, _) = disk_with_checkpoint();
    let mut sessions = disk.sessions();
    sessions.wake("s", CLOSE).unwrap();
    let first = disk.checkpoint("s");
    let data = format!("\"{}\"", "x".repeat(600_000));
    sessions.emit("s", "a".into(), data.clone()).unwrap();
    sessions.flush("s").unwrap();
    assert_eq!(disk.checkpoint("s"), first);
    sessions.emit("s", "a".into(), data).unwrap();
    assert_eq!(disk.checkpoint("s"), first, "only what is durable is noted");
    sessions.flush("s").unwrap();
    assert_ne!(disk.checkpoint("s"), first);
}

#[test]
fn none_is_left_while_calls_wait() {
    let disk = Disk::default();
    let seq = long_log().lines().count() as u64 - 1;
    let call = "{\"content\":[{\"type\":\"tool-call\",\"id\":\"a\",\"name\":\"ls\"}]}";
    disk.put("s", long_log() + &line(seq, "turn/start", "{}") + &line(seq + 1, "assistant/message", call));
    let mut sessions = disk.sessions();
    sessions.wake("s", KEEP).unwrap();
    assert!(disk.checkpoint("s").is_empty());
    sessions.emit("s", "step/end".into(), "{}".into()).unwrap();
    sessions.flush("s").unwrap();
    assert!(!disk.checkpoint("s").is_empty());
}

#[test]
fn it_knows_which_turn_and_step_are_open() {
    let disk = Disk::default();
    let seq = long_log().lines().count() as u64 - 1;
    let opened = line(seq, "turn/start", "{\"turn\":7}") + &line(seq + 1, "step/start", "{\"step\":\"a\"}");
    disk.put("s", long_log() + &opened);
    disk.sessions().wake("s", KEEP).unwrap();
    disk.kill_holders();
    assert!(!disk.checkpoint("s").is_empty());
    let closers = disk.sessions().wake("s", CLOSE).unwrap().recovery.closers;
    assert_eq!(
        told(&closers),
        [
            ("step/end", "{\"turn\":7,\"step\":\"a\"}"),
            ("turn/end", "{\"turn\":7,\"reason\":{\"kind\":\"interrupted\"}}")
        ]
    );
}

#[test]
fn a_store_that_can_not_keep_one_does_not_stop_the_session() {
    let disk = Disk::default();
    disk.put("s", long_log());
    disk.fail("save-checkpoint", StorageError::NoSpace);
    disk.sessions().wake("s", CLOSE).unwrap();
    disk.kill_holders();
    disk.fail("load-checkpoint", StorageError::Failed("it is broken".into()));
    disk.sessions().wake("s", CLOSE).unwrap();
}

/// A name, and what it makes of the log and the checkpoint.
type Wrong = (&'static str, fn(&Disk, Vec<u8>));

#[test]
fn one_that_does_not_fit_the_log_is_not_believed() {
    let wrong: &[Wrong] = &[
        ("of another log", |disk, note| {
            disk.tamper("s", |bytes| {
                let other = String::from_utf8(bytes.clone()).unwrap().replacen(":7}", ":8}", 1);
                *bytes = other.into_bytes();
            });
            disk.put_checkpoint("s", note);
        }),
        ("of a longer log", |disk, note| {
            disk.tamper("s", |bytes| {
                bytes.pop();
                let end = bytes.iter().rposition(|byte| *byte == b'\n').unwrap();
                bytes.truncate(end + 1);
            });
            disk.put_checkpoint("s", note);
        }),
        ("of a log with another end", |disk, note| {
            disk.tamper("s", |bytes| {
                let at = bytes.len() - 5;
                bytes[at] = b' ';
            });
            disk.put_checkpoint("s", note);
        }),
        ("that is torn", |disk, note| disk.put_checkpoint("s", note[..note.len() / 2].to_vec())),
        ("that is longer than it was", |disk, note| disk.put_checkpoint("s", [&note[..], b"x"].concat())),
        ("of zeros", |disk, note| disk.put_checkpoint("s", vec![0; note.len()])),
        ("that lacks a bit", |disk, mut note| {
            *note.last_mut().unwrap() ^= 1;
            disk.put_checkpoint("s", note);
        }),
    ];
    for (name, make) in wrong {
        let (disk, _) = disk_with_checkpoint();
        let note = disk.checkpoint("s");
        make(&disk, note);
        let whole = Disk::default();
        whole.put("s", disk.bytes("s"));
        disk.bytes_read();
        let found = disk.sessions().inspect("s").unwrap();
        assert!(disk.bytes_read() > 1_000_000, "a checkpoint {name} was believed");
        let expected = whole.sessions().inspect("s").unwrap();
        assert_eq!((found.length, found.recovery), (expected.length, expected.recovery), "a checkpoint {name}");
    }
}

#[test]
fn an_older_one_saves_what_it_can() {
    let (disk, log) = disk_with_checkpoint();
    let older = disk.checkpoint("s");
    let mut sessions = disk.sessions();
    sessions.wake("s", CLOSE).unwrap();
    sessions.emit("s", "a".into(), format!("\"{}\"", "x".repeat(1_100_000))).unwrap();
    sessions.flush("s").unwrap();
    assert_ne!(disk.checkpoint("s"), older);
    disk.put_checkpoint("s", older);
    disk.bytes_read();
    let events = log.lines().count() as u64;
    assert_eq!(disk.sessions().inspect("s").unwrap().length, events);
    let read = disk.bytes_read();
    assert!((1_100_000..1_300_000).contains(&read), "{read} bytes were read");
}

#[test]
fn rot_behind_it_is_told_by_whoever_reads_there() {
    let (disk, log) = disk_with_checkpoint();
    let at = rot(&disk);
    let before = log[..at as usize].lines().count() as u64 - 1;

    let mut sessions = disk.sessions();
    assert_eq!(sessions.inspect("s").unwrap().recovery.damage, None);
    let events = sessions.get_events("s", before - 1, 10, &[]).unwrap();
    assert_eq!(events.events.len(), 1);
    assert_eq!(sessions.inspect("s").unwrap().recovery.damage.unwrap().offset, at);

    let mut sessions = disk.sessions();
    assert_eq!(sessions.get_lines("s", before - 1, u32::MAX).unwrap().lines().count(), 1);
    let mut sessions = disk.sessions();
    sessions.check("s").unwrap();
    assert_eq!(sessions.inspect("s").unwrap().recovery.damage.unwrap().offset, at);
    assert_eq!(disk.sessions().verify("s").unwrap().recovery.damage.unwrap().offset, at);
}

#[test]
fn rot_behind_it_is_told_to_the_writer_too_who_can_go_on() {
    let (disk, log) = disk_with_checkpoint();
    let at = rot(&disk);
    let mut sessions = disk.sessions();
    let state = sessions.wake("s", CLOSE).unwrap();
    assert_eq!((state.length, state.recovery.damage), (log.lines().count() as u64 - 1, None));
    for answer in [sessions.get_events("s", 0, u32::MAX, &[]).map(drop), sessions.get_lines("s", 0, u32::MAX).map(drop)]
    {
        // Earlier pages are sound; one that reaches the damage tells of it.
        assert!(answer.is_ok() || matches!(&answer, Err(Error::Corrupt(damage)) if damage.offset == at), "{answer:?}");
    }
    let before = log[..at as usize].lines().count() as u64 - 1;
    let answer = sessions.get_events("s", before, 1, &[]);
    assert!(matches!(&answer, Err(Error::Corrupt(damage)) if damage.offset == at), "{answer:?}");
    assert_eq!(sessions.emit("s", "a".into(), "1".into()).unwrap(), state.length);
}

#[test]
fn rot_behind_it_is_not_forked() {
    let (disk, log) = disk_with_checkpoint();
    let at = rot(&disk);
    let before = log[..at as usize].lines().count() as u64 - 1;
    let mut sessions = disk.sessions();
    sessions.fork("s", None, new("child")).unwrap();
    assert_eq!(sessions.get_session("child").unwrap().seed_length, Some(before));
}

#[test]
fn waking_that_is_to_set_damage_aside_looks_for_it_everywhere() {
    let (disk, log) = disk_with_checkpoint();
    let at = rot(&disk);
    let state = disk.sessions().wake("s", SET_ASIDE).unwrap();
    let damage = state.recovery.damage.unwrap();
    assert_eq!((damage.kind, damage.offset), (DamageKind::Malformed, at));
    assert_eq!(
        disk.asides(),
        [log.as_bytes()[at as usize..]
            .iter()
            .enumerate()
            .map(|(n, b)| if n == 0 { b'x' } else { *b })
            .collect::<Vec<_>>()]
    );
    disk.kill_holders();
    assert_eq!(disk.sessions().wake("s", CLOSE).unwrap().recovery.damage, None);
}

#[test]
fn no_note_at_all_makes_the_component_stumble() {
    let (disk, log) = disk_with_checkpoint();
    let note = disk.checkpoint("s");
    let source = log.as_bytes();
    let read = |note: &[u8]| checkpoint::read(note, source, source.len() as u64, Some("s")).unwrap();
    let sound = read(&note).unwrap();
    assert_eq!(sound, log::read(source, source.len() as u64, Some("s")).unwrap().0);
    assert!(checkpoint::read(&note, source, source.len() as u64 - 1, Some("s")).unwrap().is_none());
    for cut in 0..note.len() {
        assert!(read(&note[..cut]).is_none());
    }
    for at in 0..note.len() {
        let mut wrong = note.clone();
        wrong[at] ^= 0x81;
        assert!(read(&wrong).is_none(), "a changed byte {at} is not noticed");
    }
}
