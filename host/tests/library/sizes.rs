//! What does not fit is told, and never breaks anything down.

use session_host::{Error, Event, ListOptions, NewSession, Sessions};

use crate::support::{ENGINE, Hooked, line, sessions, with_events};

const MIB: usize = 1 << 20;

/// Storage that is not to be reached.
fn unreached() -> Sessions {
    Sessions::new(&ENGINE, Hooked::new(|call, id| panic!("{call} of {id:?} reaches storage")))
}

#[test]
fn an_id_that_is_too_long_is_refused_by_every_call() {
    let sessions = unreached();
    let id = "x".repeat(256);
    let refused = |result: Result<(), Error>| assert!(matches!(result, Err(Error::InvalidId(_))), "{result:?}");
    refused(sessions.create(id.as_str()).map(drop));
    refused(sessions.create(NewSession::new("a").parent(id.as_str())).map(drop));
    refused(sessions.append(&id, &[]));
    refused(sessions.append_lines(&id, "").map(drop));
    refused(sessions.emit(&id, "note", &1).map(drop));
    refused(sessions.wake(&id, Default::default()).map(drop));
    refused(sessions.has(&id).map(drop));
    refused(sessions.fork(&id, None, "a").map(drop));
    refused(sessions.fork("a", None, id.as_str()).map(drop));
    refused(sessions.delete(&id));
    refused(sessions.release(&id));
    refused(sessions.asides(&id).map(drop));
    refused(sessions.list(&ListOptions { parent_session: Some(id), ..Default::default() }).map(drop));
}

#[test]
fn what_cannot_be_a_line_is_rejected_before_it_is_copied() {
    let sessions = unreached();
    let data = format!("\"{}\"", "x".repeat(16 * MIB));
    assert!(matches!(sessions.emit_json("a", "note", &data), Err(Error::Rejected { index: 0, .. })));
    assert!(matches!(sessions.hand_off_json("a", &data), Err(Error::Rejected { index: 0, .. })));
    let events = [Event { seq: 0, time: 1, kind: "note".into(), data }];
    assert!(matches!(sessions.append("a", &events), Err(Error::Rejected { index: 0, .. })));
}

#[test]
fn a_batch_that_is_too_large_names_the_limit() {
    let event = |seq| Event { seq, time: 1, kind: "note".into(), data: format!("\"{}\"", "x".repeat(4 * MIB)) };
    let events: Vec<Event> = (0..5).map(event).collect();
    let sessions = sessions();
    sessions.create("a").unwrap();
    let Err(Error::TooLarge(text)) = sessions.append("a", &events) else { panic!("taken") };
    assert!(text.contains("20971520"), "{text}");
    sessions.append("a", &events[..4]).unwrap();
}

#[test]
fn long_arguments_of_other_kinds_are_too_large() {
    let sessions = unreached();
    let long = "x".repeat(MIB + 1);
    assert!(matches!(sessions.create(NewSession::new("a").cwd(long.as_str())), Err(Error::TooLarge(_))));
    assert!(matches!(sessions.get_events("a", 0, 1, &[&long]), Err(Error::TooLarge(_))));
    assert!(matches!(
        sessions.list(&ListOptions { cursor: Some(long), ..Default::default() }),
        Err(Error::TooLarge(_))
    ));
}

#[test]
fn the_longest_line_fits_in_the_usual_memory() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let frame = line(0, "note", 0).len() - 1;
    let longest = line(0, "note", 16 * MIB - frame);
    assert_eq!(longest.len(), 16 * MIB + 1);
    assert_eq!(sessions.append_lines("a", &longest).unwrap(), 1);
    assert_eq!(sessions.get_lines("a", 0, 1).unwrap(), longest);
    let event = sessions.events("a", 0).next().unwrap().unwrap();
    sessions.append("a", &[Event { seq: 1, ..event.clone() }]).unwrap();
    let stamped = format!("\"{}\"", "x".repeat(16 * MIB - 100));
    assert_eq!(sessions.emit_json("a", "note", &stamped).unwrap(), 2);
    let lengths: Vec<usize> = sessions.events("a", 0).map(|event| event.unwrap().data.len()).collect();
    assert_eq!(lengths, [event.data.len(), event.data.len(), stamped.len()]);
}

#[test]
fn a_line_that_is_one_byte_too_long_is_rejected() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let frame = line(0, "note", 0).len() - 1;
    let too_long = line(0, "note", 16 * MIB - frame + 1);
    assert!(matches!(sessions.append_lines("a", &too_long), Err(Error::Rejected { index: 0, .. })));
}

#[test]
fn a_long_text_is_appended_in_batches() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let lines: String = (0..30).map(|seq| line(seq, "note", MIB)).collect();
    assert_eq!(sessions.append_lines("a", &lines).unwrap(), 30);
    assert_eq!(sessions.lines("a", 0).map(Result::unwrap).collect::<String>(), lines);
}

#[test]
fn a_rejected_line_is_counted_from_the_start_of_the_text() {
    let sessions = sessions();
    sessions.create("a").unwrap();
    let mut lines: String = (0..20).map(|seq| line(seq, "note", MIB)).collect();
    lines += "no event\n";
    assert!(matches!(sessions.append_lines("a", &lines), Err(Error::Rejected { index: 20, .. })));
    let stored = sessions.inspect("a").unwrap().length;
    assert!(stored > 0 && stored < 20, "the batches before are stored: {stored}");
}

#[test]
fn no_lines_at_all_are_no_error_where_there_is_a_session() {
    let sessions = sessions();
    with_events(&sessions, "a", 2);
    assert_eq!(sessions.append_lines("a", "").unwrap(), 2);
    assert_eq!(sessions.append_lines("b", ""), Err(Error::NotFound("b".into())));
}
