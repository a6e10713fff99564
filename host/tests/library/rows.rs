//! Sessions in a database whose rows another program has changed.

use rusqlite::Connection;
use session_host::{DamageKind, Error, ListOptions, OnDamage, Sessions, Sqlite, WakeOptions};

use crate::support::{ENGINE, with_events};

/// The damage that is told of a session of four events once its database was changed so, and how many events are sound. Then
/// it is woken and goes on.
fn mended_after(change: &str, options: WakeOptions) -> (Option<DamageKind>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let open = || Sessions::new(&ENGINE, Sqlite::open(&path).unwrap());
    with_events(&open(), "x", 4);
    Connection::open(&path).unwrap().execute_batch(change).unwrap();
    let sessions = open();
    let state = sessions.inspect("x").unwrap();
    let kind = state.recovery.damage.map(|damage| damage.kind);
    if kind.is_some_and(|kind| kind != DamageKind::Torn) {
        assert!(matches!(sessions.wake("x", WakeOptions::default()), Err(Error::Corrupt(_))));
    }
    let woken = sessions.wake("x", options).unwrap();
    assert_eq!(woken.length, state.length);
    assert_eq!(woken.recovery.kept_at.is_some(), kind.is_some());
    assert_eq!(sessions.emit("x", "note", &1).unwrap(), state.length);
    assert!(open().verify("x").unwrap().recovery.damage.is_none());
    (kind, state.length)
}

#[test]
fn a_row_that_is_gone_is_damage_with_records_behind_it() {
    let gone = "DELETE FROM lines WHERE at = (SELECT at FROM lines ORDER BY at LIMIT 1 OFFSET 2)";
    assert_eq!(
        mended_after(gone, WakeOptions { on_damage: OnDamage::SetAside, ..WakeOptions::default() }),
        (Some(DamageKind::Malformed), 1)
    );
}

#[test]
fn last_rows_that_are_gone_are_a_torn_tail() {
    let gone = "DELETE FROM lines WHERE at = (SELECT max(at) FROM lines)";
    assert_eq!(mended_after(gone, WakeOptions::default()), (Some(DamageKind::Torn), 3));
}

#[test]
fn a_length_that_is_too_large_is_a_torn_tail_that_costs_no_event() {
    for length in ["length + 1", "1 << 62"] {
        let change = format!("UPDATE sessions SET length = {length}");
        assert_eq!(mended_after(&change, WakeOptions::default()), (Some(DamageKind::Torn), 4));
    }
}

#[test]
fn a_length_that_is_too_small_costs_no_event() {
    for length in ["0", "-1", "length - 1"] {
        let change = format!("UPDATE sessions SET length = {length}");
        assert_eq!(mended_after(&change, WakeOptions::default()), (None, 4));
    }
}

#[test]
fn a_row_with_too_many_bytes_costs_no_event_behind_it() {
    for bytes in
        ["bytes || bytes", "bytes || (SELECT group_concat(CAST(bytes AS TEXT), '') FROM lines) || zeroblob(500)"]
    {
        let change = format!(
            "UPDATE lines SET bytes = CAST({bytes} AS BLOB)
             WHERE at = (SELECT at FROM lines ORDER BY at LIMIT 1 OFFSET 2)"
        );
        assert_eq!(mended_after(&change, WakeOptions::default()), (None, 4));
    }
}

#[test]
fn a_stretch_too_long_to_be_missing_is_damage_of_that_session_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let open = || Sessions::new(&ENGINE, Sqlite::open(&path).unwrap());
    with_events(&open(), "x", 4);
    with_events(&open(), "y", 4);
    let change = "UPDATE lines SET at = at + (1 << 40)
                  WHERE session = 1 AND at = (SELECT max(at) FROM lines WHERE session = 1)";
    Connection::open(&path).unwrap().execute_batch(change).unwrap();
    let error = open().verify("x").unwrap_err();
    assert!(error.is_damaged_store() && error.to_string().contains("`x`"), "{error}");
    assert_eq!(open().list_all(ListOptions::default()).filter(Result::is_ok).count(), 2);
    assert_eq!(open().verify("y").unwrap().length, 4);
}
