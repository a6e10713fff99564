use super::*;
use crate::bindings::agent::session::storage::StorageError;
use crate::types::SequenceConflict;

#[test]
fn nothing_is_stored_before_the_first_event() {
    let disk = Disk::default();
    let mut sessions = disk.sessions();
    let header = sessions.create(new("s")).unwrap();
    assert_eq!(sessions.get_session("s").unwrap(), header);
    assert!(!sessions.has("s").unwrap());
    assert_eq!(all_events(&mut sessions, "s"), []);
    assert_eq!(disk.writes(), 0);
    sessions.append("s", &[event(0, "turn/start", "{}")]).unwrap();
    assert_eq!(disk.text("s"), log_of(&[("turn/start", "{}")]));
}

#[test]
fn a_flush_before_the_first_event_stores_the_header_alone() {
    let disk = Disk::default();
    let mut sessions = disk.sessions();
    sessions.create(new("s")).unwrap();
    sessions.flush("s").unwrap();
    assert_eq!(disk.text("s"), HEADER);
    sessions.emit("s", "a".into(), "1".into()).unwrap();
    assert_eq!(disk.text("s"), format!("{HEADER}{{\"type\":\"a\",\"seq\":0,\"time\":1000,\"data\":1}}\n"));
}

#[test]
fn whoever_publishes_second_is_refused_and_appends_nothing() {
    let disk = Disk::default();
    let (mut first, mut second) = (disk.sessions(), disk.sessions());
    first.create(new("s")).unwrap();
    second.create(new("s")).unwrap();
    first.emit("s", "a".into(), "1".into()).unwrap();
    let stored = disk.bytes("s");
    for _ in 0..2 {
        assert_eq!(second.emit("s", "b".into(), "2".into()), Err(Error::AlreadyExists("s".into())));
    }
    assert_eq!(disk.bytes("s"), stored);
    assert_eq!(disk.sessions().create(new("s")), Err(Error::AlreadyExists("s".into())));
}

#[test]
fn a_batch_with_one_bad_event_appends_none() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let mut sessions = disk.sessions();
    let bad = [event(0, "a", "1"), event(1, "b", "{")];
    assert!(matches!(sessions.append("s", &bad), Err(Error::Rejected(rejected)) if rejected.index == 1));
    let hole = [event(0, "a", "1"), event(2, "b", "2")];
    assert_eq!(sessions.append("s", &hole), Err(Error::Sequence(SequenceConflict { expected: 1, actual: 2 })));
    let lines = line(0, "a", "1") + "\n" + &line(1, "a", "1");
    assert!(matches!(sessions.append_lines("s", lines), Err(Error::Rejected(rejected)) if rejected.index == 1));
    assert_eq!(disk.text("s"), HEADER);
}

#[test]
fn lines_are_kept_byte_for_byte_and_a_missing_last_lf_is_added() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let mut sessions = disk.sessions();
    let lines = "{ \"seq\":0, \"x\":[1.0],\"type\":\"a\",\"time\":5,\"data\":{\"a\":1,\"a\":2}}\r\n{\"data\":1e400,\"type\":\"b\",\"time\":1,\"seq\":1}";
    assert_eq!(sessions.append_lines("s", lines.into()), Ok(2));
    assert_eq!(disk.text("s"), format!("{HEADER}{lines}\n"));
    assert_eq!(sessions.get_lines("s", 0, 1000).unwrap(), format!("{lines}\n"));
    assert_eq!(told(&all_events(&mut sessions, "s")), [("a", "{\"a\":1,\"a\":2}"), ("b", "1e400")]);
}

#[test]
fn header_and_blank_lines_are_rejected() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let mut sessions = disk.sessions();
    for lines in [HEADER.to_string(), line(0, "session", "1"), "\n".into(), "\r\n".into()] {
        assert!(matches!(sessions.append_lines("s", lines), Err(Error::Rejected(_))));
    }
    assert_eq!(disk.text("s"), HEADER);
}

#[test]
fn an_event_with_the_type_of_the_header_is_rejected() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let mut sessions = disk.sessions();
    assert!(matches!(sessions.emit("s", "session".into(), "1".into()), Err(Error::Rejected(_))));
    assert!(matches!(sessions.append("s", &[event(0, "session", "1")]), Err(Error::Rejected(_))));
}

#[test]
fn appending_no_lines_changes_nothing() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    assert_eq!(disk.sessions().append_lines("s", String::new()), Ok(0));
    assert_eq!(disk.text("s"), HEADER);
}

#[test]
fn nothing_is_created_by_appending_waking_or_reading() {
    let disk = Disk::default();
    let mut sessions = disk.sessions();
    let absent = || Error::NotFound("s".into());
    assert_eq!(sessions.append("s", &[event(0, "a", "1")]), Err(absent()));
    assert_eq!(sessions.emit("s", "a".into(), "1".into()), Err(absent()));
    assert_eq!(sessions.flush("s"), Err(absent()));
    assert_eq!(sessions.wake("s", CLOSE), Err(absent()));
    assert_eq!(sessions.inspect("s"), Err(absent()));
    assert_eq!(sessions.load("s"), Err(absent()));
    assert_eq!(sessions.get_session("s"), Err(absent()));
    assert_eq!(sessions.get_events("s", 0, 1, &[]), Err(absent()));
    assert_eq!(sessions.fork("s", None, new("child")), Err(absent()));
    assert_eq!(sessions.delete("s"), Ok(()));
    assert_eq!(disk.writes(), 0);
}

#[test]
fn a_second_writer_is_busy_until_the_first_lets_go() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let (mut first, mut second) = (disk.sessions(), disk.sessions());
    first.emit("s", "a".into(), "1".into()).unwrap();
    assert!(matches!(second.emit("s", "b".into(), "2".into()), Err(Error::Busy(_))));
    assert!(matches!(second.wake("s", CLOSE), Err(Error::Busy(_))));
    assert!(second.inspect("s").unwrap().held);
    assert_eq!(told(&all_events(&mut second, "s")), [("a", "1")]);
    first.release("s").unwrap();
    assert_eq!(second.emit("s", "b".into(), "2".into()), Ok(1));
}

#[test]
fn an_append_that_storage_refuses_changes_nothing_and_can_be_tried_again() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let mut sessions = disk.sessions();
    sessions.emit("s", "a".into(), "1".into()).unwrap();
    disk.fail("append", StorageError::NoSpace);
    assert_eq!(sessions.emit("s", "b".into(), "2".into()), Err(Error::NoSpace));
    assert_eq!(sessions.emit("s", "b".into(), "2".into()), Ok(1));
    assert_eq!(told(&all_events(&mut sessions, "s")), [("a", "1"), ("b", "2")]);
}

#[test]
fn an_append_behind_somebody_elses_line_is_refused() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let mut sessions = disk.sessions();
    sessions.emit("s", "a".into(), "1".into()).unwrap();
    disk.tamper("s", |bytes| bytes.extend_from_slice(line(1, "foreign", "1").as_bytes()));
    assert!(matches!(sessions.emit("s", "b".into(), "2".into()), Err(Error::Moved(_))));
    let state = sessions.wake("s", CLOSE).unwrap();
    assert_eq!(state.length, 2);
    assert_eq!(sessions.emit("s", "b".into(), "2".into()), Ok(2));
}

#[test]
fn a_log_that_storage_has_put_in_doubt_is_read_anew_even_at_the_same_length() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("a", "1"), ("b", "2")]));
    let mut sessions = disk.sessions();
    sessions.wake("s", CLOSE).unwrap();
    let lost = StorageError::OutcomeUnknown("a failed sync lost bytes".into());
    disk.fail("sync", lost.clone());
    assert!(matches!(sessions.flush("s"), Err(Error::OutcomeUnknown(_))));
    let last = HEADER.len() + line(0, "a", "1").len();
    disk.tamper("s", |bytes| bytes[last..].fill(0));
    assert_eq!(told(&all_events(&mut sessions, "s")), [("a", "1")]);
    let state = sessions.wake("s", CLOSE).unwrap();
    assert_eq!((state.length, state.recovery.damage.map(|damage| damage.offset)), (1, Some(last as u64)));

    disk.fail("append", lost);
    assert!(matches!(sessions.emit("s", "b".into(), "2".into()), Err(Error::OutcomeUnknown(_))));
    disk.tamper("s", |bytes| bytes.extend_from_slice(line(1, "b", "2").as_bytes()));
    assert_eq!(sessions.wake("s", KEEP).unwrap().length, 2, "it was stored after all");
}

#[test]
fn reading_or_waking_what_another_has_stored_meanwhile_means_the_one_that_is_there() {
    let stored_by_another = |disk: &Disk| {
        let mut sessions = disk.sessions();
        sessions.create(new("s")).unwrap();
        disk.put("s", log_of(&[("a", "1")]));
        sessions
    };
    let disk = Disk::default();
    assert_eq!(stored_by_another(&disk).wake("s", CLOSE).unwrap().length, 1);
    assert_eq!(stored_by_another(&Disk::default()).inspect("s").unwrap().length, 1);
    assert_eq!(all_events(&mut stored_by_another(&Disk::default()), "s").len(), 1);
    let mut sessions = stored_by_another(&Disk::default());
    assert_eq!(sessions.emit("s", "b".into(), "2".into()), Err(Error::AlreadyExists("s".into())));
    sessions.wake("s", CLOSE).unwrap();
    assert_eq!(sessions.emit("s", "b".into(), "2".into()), Ok(1));
}

#[test]
fn a_handed_off_session_has_its_boundary_and_no_writer() {
    let disk = Disk::default();
    let mut first = disk.sessions();
    first.create(new("s")).unwrap();
    first.emit("s", "a".into(), "1".into()).unwrap();
    assert_eq!(first.hand_off("s", "{\"note\":\"gone\"}".into()), Ok(1));
    let mut second = disk.sessions();
    let state = second.wake("s", CLOSE).unwrap();
    assert_eq!(state.boundary.map(|event| (event.seq, event.data)), Some((1, "{\"note\":\"gone\"}".into())));
}

#[test]
fn a_hand_off_that_cannot_be_made_durable_says_so() {
    let disk = Disk::default();
    disk.put("s", HEADER);
    let mut sessions = disk.sessions();
    disk.fail("sync", StorageError::Failed("io".into()));
    let Err(Error::OutcomeUnknown(text)) = sessions.hand_off("s", "{}".into()) else { panic!("it is not known") };
    assert_eq!(text, "the boundary is recorded as seq 0, but may not be durable: io");
}

#[test]
fn a_deleted_session_is_gone_and_its_name_is_free() {
    let disk = Disk::default();
    let mut sessions = disk.sessions();
    sessions.create(new("s")).unwrap();
    sessions.emit("s", "a".into(), "1".into()).unwrap();
    sessions.delete("s").unwrap();
    assert!(!sessions.has("s").unwrap());
    sessions.create(new("s")).unwrap();
    assert_eq!(sessions.emit("s", "b".into(), "2".into()), Ok(0));
}

#[test]
fn ids_that_name_nothing_are_refused_everywhere() {
    let mut sessions = Disk::default().sessions();
    for id in ["", "a\0b", &"x".repeat(256)] {
        let refused =
            |result: Result<(), Error>| assert!(matches!(result, Err(Error::InvalidId(_))), "{id:?}: {result:?}");
        refused(sessions.create(new(id)).map(drop));
        refused(sessions.emit(id, "a".into(), "1".into()).map(drop));
        refused(sessions.wake(id, CLOSE).map(drop));
        refused(sessions.inspect(id).map(drop));
        refused(sessions.load(id).map(drop));
        refused(sessions.get_session(id).map(drop));
        refused(sessions.get_lines(id, 0, 1).map(drop));
        refused(sessions.has(id).map(drop));
        refused(sessions.delete(id));
        refused(sessions.release(id));
    }
    assert!(sessions.create(new(&"x".repeat(255))).is_ok());
}

#[test]
fn appending_reads_nothing_once_the_session_is_held() {
    let disk = Disk::default();
    disk.put("s", log_of(&[("a", "1"); 1000]));
    let mut sessions = disk.sessions();
    sessions.wake("s", CLOSE).unwrap();
    disk.bytes_read();
    for _ in 0..10 {
        sessions.emit("s", "b".into(), "2".into()).unwrap();
        sessions.flush("s").unwrap();
    }
    sessions.wake("s", CLOSE).unwrap();
    assert_eq!(disk.bytes_read(), 0);
}
