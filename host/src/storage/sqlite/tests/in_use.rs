//! Files that are removed and made anew while this process uses them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::super::open::meanwhile;
use super::*;
use crate::storage::jsonl::tests::{child, child_folder, run, this_test};

/// In the child process: writes a log and is gone without closing anything, as if it was killed.
fn write_and_leave(folder: &Path) {
    let store = Sqlite::open(folder.join("x.db")).unwrap();
    publish(&store, "theirs", "from another process\n");
    std::mem::forget(store);
}

/// The database with everything in one file, and the two beside it removed.
fn strip(path: &Path) {
    Connection::open(path).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    for ending in ["-wal", "-shm"] {
        fs::remove_file(format!("{}{ending}", path.display())).unwrap();
    }
}

/// What is read by a process that has nothing open.
fn assert_all_is_there(folder: &Path) {
    let store = Sqlite::open(folder.join("x.db")).unwrap();
    for (id, bytes) in [("x", "one\ntwo\n"), ("y", "one\n"), ("theirs", "from another process\n")] {
        assert_eq!(store.read(id, 0, 99).map(|read| String::from_utf8(read).unwrap()), Ok(bytes.to_owned()), "{id}");
    }
}

#[test]
fn a_store_that_still_has_the_old_files_open_brings_no_other_to_write_over_what_is_in_the_new_ones() {
    match child_folder() {
        Some(folder) if folder.join("x.db-shm").exists() => return assert_all_is_there(&folder),
        Some(folder) => return write_and_leave(&folder),
        None => {}
    }
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let idle = fixture.other();
    publish(&idle, "y", "one\n");
    strip(&fixture.path());
    run(child(this_test!(), fixture.folder.path()));
    fixture.store.acquire("x").unwrap();
    fixture.store.append("x", 4, b"two\n").unwrap();
    fixture.store.sync("x").unwrap();
    run(child(this_test!(), fixture.folder.path()));
    assert_all_is_there(fixture.folder.path());
    assert_moved(idle.append("y", 4, b"two\n"));
}

#[test]
fn files_that_others_put_there_while_it_is_opened_are_not_taken_for_those_that_are_open() {
    match child_folder() {
        Some(folder) if folder.join("x.db-shm").exists() => return assert_all_is_there(&folder),
        Some(folder) => return write_and_leave(&folder),
        None => {}
    }
    let Fixture { store, folder } = fixture();
    publish(&store, "x", "one\n");
    publish(&store, "y", "one\n");
    drop(store);
    let (path, test): (PathBuf, _) = (folder.path().join("x.db"), this_test!());
    meanwhile::once({
        let path = path.clone();
        move || {
            strip(&path);
            run(child(test, path.parent().unwrap()));
        }
    });
    let store = Sqlite::open(&path).unwrap();
    store.acquire("x").unwrap();
    store.append("x", 4, b"two\n").unwrap();
    store.sync("x").unwrap();
    run(child(test, folder.path()));
}

#[test]
fn one_more_connection_is_not_taken_for_one_to_the_same_files_if_they_are_others_by_then() {
    let Fixture { store, folder } = fixture();
    publish(&store, "x", "one\n");
    let path = folder.path().join("x.db");
    let open = store.open_database().unwrap();
    // The one that is idle is in use, so another is opened.
    let text = open.read("look", |_| {
        let path = path.clone();
        meanwhile::once(move || {
            for name in ["x.db-wal", "x.db-shm"] {
                fs::remove_file(path.with_file_name(name)).unwrap();
            }
        });
        Ok(assert_moved(open.read("look", |_| Ok(()))))
    });
    assert!(text.unwrap().contains("x.db-shm"));
}

#[test]
fn a_database_that_is_replaced_while_it_is_opened_is_told_and_left_alone() {
    let Fixture { store, folder } = fixture();
    publish(&store, "x", "one\n");
    drop(store);
    let path = folder.path().join("x.db");
    let other = Sqlite::open(folder.path().join("other.db")).unwrap();
    publish(&other, "other", "one\n");
    std::mem::forget(other);
    meanwhile::once({
        let path = path.clone();
        move || {
            for ending in ["", "-wal", "-shm"] {
                let from = path.with_file_name(format!("other.db{ending}"));
                fs::rename(from, path.with_file_name(format!("x.db{ending}"))).unwrap();
            }
        }
    });
    assert_moved(Sqlite::open(&path));
    // The log stands in the `-wal` alone, and closing the old database removes no file of that name.
    assert_eq!(Sqlite::open(&path).unwrap().read("other", 0, 9).unwrap(), b"one\n");
}

#[test]
fn all_stores_of_a_process_on_one_database_have_it_open_together() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let open = fixture.store.open_database().unwrap();
    assert!(Arc::ptr_eq(&open, &fixture.other().open_database().unwrap()));
    drop(fixture.store);
    let kept = fixture.folder.path().join("x.db-wal");
    assert!(kept.exists());
    drop(open);
    assert!(!kept.exists(), "the last to go closes it");
}

#[test]
fn stores_that_come_and_go_at_once_find_it_closed_or_open() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    drop(fixture.store);
    let path = fixture.folder.path().join("x.db");
    thread::scope(|scope| {
        for number in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for round in 0..50 {
                    let store = Sqlite::open(path).unwrap();
                    publish(&store, &format!("{number}-{round}"), "one\n");
                }
            });
        }
    });
    let logs = Sqlite::open(&path).unwrap().list(crate::storage::Order::ById, None, 999).unwrap();
    assert_eq!(logs.len(), 201);
}
