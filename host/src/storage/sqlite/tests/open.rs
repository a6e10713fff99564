use std::fs;
use std::os::unix::fs::symlink;

use super::*;
use crate::storage::Order;
use crate::storage::jsonl::tests::{child_after, child_folder, mode, run, this_test};

#[test]
fn what_is_missing_reads_as_empty_and_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path().join("a/b/x.db")).unwrap();
    assert_eq!(store.list(Order::ById, None, 9).unwrap(), []);
    assert_eq!(store.stat("x"), Err(StorageError::NotFound));
    assert_eq!(store.acquire("x"), Err(StorageError::NotFound));
    assert_eq!(store.read("x", 0, 9), Err(StorageError::NotFound));
    assert_eq!(store.asides("x").unwrap(), []);
    assert_eq!(store.load_checkpoint("x").unwrap(), b"");
    store.remove("x").unwrap();
    assert!(names(folder.path()).is_empty());
    publish(&store, "x", "one\n");
    assert_eq!(store.read("x", 0, 9).unwrap(), b"one\n");
}

#[test]
fn an_empty_file_and_an_empty_database_are_as_good_as_missing() {
    for prepare in ["", "PRAGMA journal_mode = WAL"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        fs::write(&path, "").unwrap();
        Connection::open(&path).unwrap().execute_batch(prepare).unwrap();
        let store = Sqlite::open(&path).unwrap();
        assert_eq!(store.stat("x"), Err(StorageError::NotFound));
        publish(&store, "x", "one\n");
        assert_eq!(store.read("x", 0, 9).unwrap(), b"one\n");
    }
}

#[test]
fn one_that_is_made_by_somebody_else_meanwhile_is_seen() {
    let fixture = fixture();
    let other = fixture.other();
    publish(&other, "x", "one\n");
    assert_eq!(fixture.store.read("x", 0, 9).unwrap(), b"one\n");
}

#[test]
fn all_who_make_it_at_once_end_in_one_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/x.db");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let path = &path;
            scope.spawn(move || publish(&Sqlite::open(path).unwrap(), &number.to_string(), "one\n"));
        }
    });
    assert_eq!(Sqlite::open(&path).unwrap().list(Order::ById, None, 99).unwrap().len(), 8);
}

#[test]
fn all_files_are_for_their_owner_alone_whatever_the_umask() {
    if let Some(folder) = child_folder() {
        let store = Sqlite::open(folder.join("a/b/x.db")).unwrap();
        publish(&store, "x", "one\n");
        for name in ["x.db", "x.db-wal", "x.db-shm", "x.db.claims/x"] {
            assert_eq!(mode(folder.join("a/b").join(name)), 0o600, "{name}");
        }
        for name in ["a", "a/b", "a/b/x.db.claims"] {
            assert_eq!(mode(folder.join(name)), 0o700, "{name}");
        }
        return;
    }
    for umask in ["022", "000"] {
        let folder = tempfile::tempdir().unwrap();
        run(child_after(&format!("umask {umask}"), this_test!(), folder.path()));
    }
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    for (change, told) in [
        ("CREATE TABLE sessions (id)", "of another program"),
        ("PRAGMA application_id = 7", "of another program"),
        ("PRAGMA application_id = 1632855411; PRAGMA user_version = 2", "version 2"),
    ] {
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let before = fs::read(&path).unwrap();
        let text = assert_failed(Sqlite::open(&path));
        assert!(text.contains("x.db") && text.contains(told), "{text}");
        assert!(fs::read(&path).unwrap() == before);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn what_is_no_database_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "no database, but long enough to be taken for the head of one. ".repeat(99)).unwrap();
    fs::create_dir(path("folder")).unwrap();
    symlink("nowhere", path("link")).unwrap();
    for name in ["text", "folder", "link"] {
        let text = assert_failed(Sqlite::open(path(name)));
        assert!(text.contains(name), "{text}");
    }
    assert_failed(Sqlite::open(path("..")));
    assert_eq!(names(folder.path()), ["folder", "link", "text"]);
}

#[test]
fn all_paths_to_a_database_lead_to_the_same_claims() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    symlink("x.db", fixture.folder.path().join("link.db")).unwrap();
    assert_busy(Sqlite::open(fixture.folder.path().join("link.db")).unwrap().acquire("x"));
    assert_busy(Sqlite::open(fixture.folder.path().join("./x.db")).unwrap().acquire("x"));
}

#[test]
fn a_database_that_is_removed_or_replaced_is_noticed() {
    let changes: [fn(&Fixture); 2] = [
        |fixture| {
            for ending in ["", "-wal", "-shm"] {
                fs::remove_file(fixture.folder.path().join(format!("x.db{ending}"))).unwrap();
            }
        },
        |fixture| {
            let other = Sqlite::open(fixture.folder.path().join("y.db")).unwrap();
            publish(&other, "x", "one\n");
            drop(other);
            fs::rename(fixture.folder.path().join("y.db"), fixture.path()).unwrap();
            for ending in ["-wal", "-shm"] {
                fs::remove_file(fixture.folder.path().join(format!("x.db{ending}"))).unwrap();
            }
        },
    ];
    for change in changes {
        let fixture = fixture();
        publish(&fixture.store, "x", "one\n");
        change(&fixture);
        let text = assert_moved(fixture.store.append("x", 4, b"two\n"));
        assert!(text.contains("x.db"), "{text}");
        assert_moved(fixture.store.sync("x"));
        assert_moved(fixture.store.set_aside("x", 0));
        assert_moved(fixture.store.save_checkpoint("x", b"note"));
        if fixture.store.acquire("x") == Err(StorageError::NotFound) {
            publish(&fixture.store, "x", "one\n");
        }
        fixture.store.append("x", 4, b"two\n").unwrap();
        fixture.store.sync("x").unwrap();
        assert_eq!(fixture.other().read("x", 0, 9).unwrap(), b"one\ntwo\n");
    }
}

#[test]
fn a_file_beside_it_that_is_removed_is_noticed_before_anything_is_acknowledged() {
    for endings in [&["-shm"][..], &["-wal"], &["-wal", "-shm"]] {
        let fixture = fixture();
        publish(&fixture.store, "x", "one\n");
        // So that it stands in the database itself.
        fixture.sql("PRAGMA wal_checkpoint(TRUNCATE)");
        for ending in endings {
            fs::remove_file(fixture.folder.path().join(format!("x.db{ending}"))).unwrap();
        }
        let text = assert_moved(fixture.store.append("x", 4, b"two\n"));
        assert!(text.contains("x.db-shm"), "{text}");
        assert_moved(fixture.store.sync("x"));
        // Reading opens it anew, and makes the claim no better.
        assert_eq!(fixture.store.read("x", 0, 9).unwrap(), b"one\n");
        assert_moved(fixture.store.append("x", 4, b"two\n"));
        fixture.store.acquire("x").unwrap();
        fixture.store.append("x", 4, b"two\n").unwrap();
        fixture.store.sync("x").unwrap();
        drop(fixture.store);
        let store = Sqlite::open(fixture.folder.path().join("x.db")).unwrap();
        assert_eq!(store.read("x", 0, 9).unwrap(), b"one\ntwo\n");
    }
}

#[test]
fn what_others_have_written_since_is_not_overwritten_by_one_whose_files_are_gone() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fixture.sql("PRAGMA wal_checkpoint(TRUNCATE)");
    fixture.store.append("x", 4, b"two\n").unwrap();
    for ending in ["-wal", "-shm"] {
        fs::remove_file(fixture.folder.path().join(format!("x.db{ending}"))).unwrap();
    }
    drop(fixture.store);
    let store = Sqlite::open(fixture.folder.path().join("x.db")).unwrap();
    assert_eq!(store.read("x", 0, 9).unwrap(), b"one\n");
}

#[test]
fn a_database_with_a_second_name_is_refused() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let second = fixture.folder.path().join("second.db");
    fs::hard_link(fixture.path(), &second).unwrap();
    assert_moved(fixture.store.append("x", 4, b"two\n"));
    assert_moved(fixture.store.sync("x"));
    for path in [&second, &fixture.path()] {
        let text = assert_failed(Sqlite::open(path));
        assert!(text.contains("2 names"), "{text}");
    }
    fs::remove_file(second).unwrap();
    fixture.store.acquire("x").unwrap();
    fixture.store.append("x", 4, b"two\n").unwrap();
}

#[test]
fn a_copy_without_a_write_ahead_log_is_given_one() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let copy = fixture.folder.path().join("copy.db");
    fixture.sql(&format!("VACUUM INTO '{}'", copy.display()));
    let store = Sqlite::open(&copy).unwrap();
    store.acquire("x").unwrap();
    store.append("x", 4, b"two\n").unwrap();
    store.sync("x").unwrap();
    assert_eq!(store.read("x", 0, 9).unwrap(), b"one\ntwo\n");
}

#[test]
fn a_name_that_is_no_databases_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, told) in [("sub/", "slash"), ("x.db-wal", "-wal"), ("x.db-shm", "-shm"), ("x.db-journal", "-journal")] {
        let text = assert_failed(Sqlite::open(folder.path().join(name)));
        assert!(text.contains(told), "{text}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_database_whose_text_is_not_utf_8_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let schema = include_str!("../schema.sql");
    Connection::open(&path).unwrap().execute_batch(&format!("PRAGMA encoding = 'UTF-16'; {schema}")).unwrap();
    let text = assert_failed(Sqlite::open(&path));
    assert!(text.contains("UTF-16"), "{text}");
}

#[test]
fn what_waits_for_a_database_that_is_missing_or_empty_is_not_taken_for_nothing() {
    let changes: [fn(&std::path::Path); 2] =
        [|path| fs::remove_file(path).unwrap(), |path| fs::write(path, "").unwrap()];
    for change in changes {
        let fixture = fixture();
        let early = fixture.other();
        fs::write(fixture.folder.path().join("x.db"), "").unwrap();
        change(&fixture.path());
        fs::write(fixture.folder.path().join("x.db-wal"), "what was written last").unwrap();
        for text in [
            assert_failed(Sqlite::open(fixture.path())),
            assert_failed(early.list(Order::ById, None, 9)),
            assert_failed(early.publish("y", &[])),
        ] {
            assert!(text.contains("`x.db-wal`") && text.contains("move"), "{text}");
        }
        assert_eq!(fs::read(fixture.folder.path().join("x.db-wal")).unwrap(), b"what was written last");
    }
}

#[test]
fn a_database_whose_making_was_stopped_is_made_after_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    // A page was written to the empty file, and the journal says that there was none.
    let mut journal = vec![0; 512];
    journal[..8].copy_from_slice(&[0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
    journal[20..24].copy_from_slice(&512_u32.to_be_bytes());
    journal[24..28].copy_from_slice(&4096_u32.to_be_bytes());
    let acts: [fn(&Sqlite); 2] =
        [|store| assert_eq!(store.list(Order::ById, None, 9).unwrap(), []), |store| drop(publish(store, "x", ""))];
    for act in acts {
        fs::write(&path, [0; 4096]).unwrap();
        fs::write(folder.path().join("x.db-journal"), &journal).unwrap();
        act(&Sqlite::open(&path).unwrap());
        fs::remove_file(&path).unwrap();
    }
}
