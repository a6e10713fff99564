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

/// The log in its write-ahead log, which is changed while a claim is held. Then nothing more is acknowledged until it is
/// acquired again, and all that is acknowledged since is there for whoever comes later.
fn assert_noticed(change: fn(&std::fs::File)) {
    for is_synced in [false, true] {
        let fixture = appended();
        // The database itself has the log so far.
        fixture.sql("PRAGMA wal_checkpoint(FULL)");
        for _ in 0..3 {
            let at = fixture.store.stat("x").unwrap().length;
            fixture.store.append("x", at, b"more\n").unwrap();
        }
        change(&std::fs::File::options().write(true).open(fixture.folder.path().join("x.db-wal")).unwrap());
        let text = match is_synced {
            false => assert_moved(fixture.store.append("x", 23, b"lost\n")),
            true => assert_moved(fixture.store.sync("x")),
        };
        assert!(text.contains("x.db"), "{text}");
        assert_moved(fixture.store.append("x", 23, b"lost\n"));
        let left = fixture.store.acquire("x").unwrap().length;
        assert!((8..23).contains(&left), "{left}");
        fixture.store.append("x", left, b"kept\n").unwrap();
        fixture.store.sync("x").unwrap();
        drop(fixture.store);
        let read = Sqlite::open(fixture.folder.path().join("x.db")).unwrap().read("x", 0, 99).unwrap();
        assert!(read.starts_with(b"one\ntwo\n") && read.ends_with(b"kept\n") && read.len() as u64 == left + 5);
    }
}

#[test]
fn a_write_ahead_log_that_is_emptied_is_noticed() {
    assert_noticed(|wal| wal.set_len(0).unwrap());
}

#[test]
fn a_write_ahead_log_that_is_cut_is_noticed() {
    assert_noticed(|wal| wal.set_len(32).unwrap());
    assert_noticed(|wal| wal.set_len(wal.metadata().unwrap().len() - 1).unwrap());
}

#[test]
fn a_write_ahead_log_whose_head_rots_is_noticed() {
    assert_noticed(|wal| std::os::unix::fs::FileExt::write_all_at(wal, b"rot", 1).unwrap());
    assert_noticed(|wal| std::os::unix::fs::FileExt::write_all_at(wal, b"rotten", 17).unwrap());
}

#[test]
fn a_write_ahead_log_that_was_cut_is_not_copied_into_the_database_by_the_last_who_closes_it() {
    let fixture = appended();
    fixture.sql("PRAGMA wal_checkpoint(FULL)");
    fixture.store.append("x", 8, b"lost\n").unwrap();
    let wal = std::fs::File::options().write(true).open(fixture.folder.path().join("x.db-wal")).unwrap();
    wal.set_len(32).unwrap();
    drop(fixture.store);
    let store = Sqlite::open(fixture.folder.path().join("x.db")).unwrap();
    assert_eq!(store.read("x", 0, 99).unwrap(), b"one\ntwo\n");
}

#[test]
fn a_write_ahead_log_that_others_begin_anew_is_no_harm() {
    let fixture = appended();
    for mode in ["PASSIVE", "FULL", "RESTART", "TRUNCATE"] {
        let at = fixture.store.stat("x").unwrap().length;
        fixture.store.append("x", at, b"more\n").unwrap();
        fixture.sql(&format!("PRAGMA wal_checkpoint({mode})"));
        fixture.store.sync("x").unwrap();
        fixture.store.append("x", at + 5, b"more\n").unwrap();
        fixture.store.sync("x").unwrap();
    }
}
