use std::sync::atomic::Ordering;

use super::*;

/// A log of two lines, of which the second was appended and not synced.
fn appended() -> Fixture {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fixture.store.append("x", 4, b"two\n").unwrap();
    fixture
}

/// Makes the next sync fail.
fn break_sync(store: &Sqlite) {
    store.open_database().unwrap().wal.breaks.store(true, Ordering::SeqCst);
}

fn fail_to_sync(store: &Sqlite) {
    break_sync(store);
    let text = assert_failed(store.sync("x"));
    assert!(text.contains("x.db-wal"), "{text}");
}

/// How many pages of the write-ahead log are not in the database yet.
fn waiting(fixture: &Fixture) -> i64 {
    let database = Connection::open(fixture.path()).unwrap();
    database
        .query_row("PRAGMA wal_checkpoint(NOOP)", (), |row| Ok(row.get::<_, i64>(1)? - row.get::<_, i64>(2)?))
        .unwrap()
}

#[test]
fn after_a_failed_sync_every_call_first_writes_the_same_bytes_again() {
    let acts: [fn(&Sqlite); 6] = [
        |store| store.append("x", 8, b"").unwrap(),
        |store| store.sync("x").unwrap(),
        |store| drop(store.acquire("x").unwrap()),
        |store| drop(store.set_aside("x", 4).unwrap()),
        |store| store.save_checkpoint("x", b"").unwrap(),
        // The write-ahead log is that of all logs.
        |store| drop(publish(store, "y", "")),
    ];
    for act in acts {
        let fixture = appended();
        fail_to_sync(&fixture.store);
        let before = waiting(&fixture);
        assert!(before > 0);
        act(&fixture.store);
        assert!(waiting(&fixture) < before);
        assert!(fixture.other().read("x", 0, 99).unwrap().starts_with(b"one\n"));
    }
}

#[test]
fn a_sync_that_failed_once_can_be_asked_for_again() {
    let fixture = appended();
    for _ in 0..3 {
        fail_to_sync(&fixture.store);
    }
    fixture.store.sync("x").unwrap();
    fixture.store.append("x", 8, b"three\n").unwrap();
    assert_eq!(fixture.store.read("x", 0, 99).unwrap(), b"one\ntwo\nthree\n");
}

#[test]
fn bytes_that_a_failed_sync_has_lost_are_not_taken_for_written() {
    let fixture = appended();
    fail_to_sync(&fixture.store);
    fixture.sql("UPDATE lines SET bytes = CAST('tw?' || char(10) AS BLOB) WHERE at = 4");
    assert!(matches!(fixture.store.sync("x"), Err(StorageError::OutcomeUnknown(_))));
    assert_moved(fixture.store.append("x", 8, b"three\n"));
    fixture.store.acquire("x").unwrap();
    fixture.store.append("x", 8, b"three\n").unwrap();
}

#[test]
fn other_holders_on_the_same_database_look_at_their_bytes_too() {
    let fixture = appended();
    let sibling = fixture.store.sibling().unwrap();
    publish(&*sibling, "y", "one\n");
    sibling.append("y", 4, b"two\n").unwrap();
    fail_to_sync(&fixture.store);
    fixture.sql("UPDATE lines SET bytes = zeroblob(4) WHERE at = 4 AND session = 2");
    fixture.store.sync("x").unwrap();
    assert!(matches!(sibling.sync("y"), Err(StorageError::OutcomeUnknown(_))));
}

#[test]
fn a_log_that_can_not_be_made_durable_does_not_come_into_being() {
    let fixture = appended();
    break_sync(&fixture.store);
    assert_failed(fixture.store.publish("y", &[Part::Content(b"one\n")]));
    assert_eq!(fixture.store.stat("y"), Err(StorageError::NotFound));
    publish(&fixture.other(), "y", "other\n");
}

#[test]
fn what_was_done_before_its_sync_failed_is_told_to_be_so() {
    let fixture = appended();
    break_sync(&fixture.store);
    assert!(matches!(fixture.store.set_aside("x", 4), Err(StorageError::OutcomeUnknown(_))));
    assert_eq!(fixture.store.stat("x").unwrap().length, 4);
    break_sync(&fixture.store);
    assert!(matches!(fixture.store.remove("x"), Err(StorageError::OutcomeUnknown(_))));
    assert_eq!(fixture.store.stat("x"), Err(StorageError::NotFound));
}

#[test]
fn a_write_ahead_log_that_is_removed_is_not_taken_for_synced() {
    let fixture = appended();
    std::fs::remove_file(fixture.folder.path().join("x.db-wal")).unwrap();
    let text = assert_moved(fixture.store.sync("x"));
    assert!(text.contains("removed"), "{text}");
}
