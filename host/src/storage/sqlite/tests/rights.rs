use std::path::Path;

use super::*;
use crate::storage::Order;
use crate::storage::jsonl::tests::limits::{LINE, fill, run_on_a_disk};
use crate::storage::jsonl::tests::rights::run_without_rights;
use crate::storage::jsonl::tests::{assert_denied, child_after, child_folder, run, set_mode, this_test};

fn make(folder: &Path) {
    publish(&Sqlite::open(folder.join("x.db")).unwrap(), "x", "one\n");
}

fn can_be_read(store: &Sqlite) {
    assert_eq!(store.list(Order::ById, None, 9).unwrap().len(), 1);
    assert_eq!(store.list(Order::Recent, None, 9).unwrap().len(), 1);
    assert_eq!(store.read("x", 0, 9).unwrap(), b"one\n");
    assert!(!store.stat("x").unwrap().held);
    assert_eq!(store.acquire("missing"), Err(StorageError::NotFound));
    store.remove("missing").unwrap();
}

#[test]
fn a_database_in_a_folder_without_rights_to_write_can_be_read() {
    if let Some(folder) = child_folder() {
        let store = Sqlite::open(folder.join("x.db")).unwrap();
        can_be_read(&store);
        let text = assert_denied(store.publish("y", &[Part::Content(b"one\n")]));
        assert!(text.contains("x.db") && !text.contains(folder.to_str().unwrap()), "{text}");
        assert_denied(store.acquire("x"));
        assert_denied(store.remove("x"));
        assert_denied(Sqlite::open(folder.join("new.db")).unwrap().publish("x", &[]));
        return;
    }
    for (file, folder) in [(0o444, 0o555), (0o644, 0o555)] {
        run_without_rights(this_test!(), |path| {
            make(path);
            set_mode(path.join("x.db"), file);
            set_mode(path.join("x.db.claims"), 0o555);
            set_mode(path, folder);
        });
    }
}

#[test]
fn a_database_without_rights_to_write_in_a_folder_with_them_can_be_read() {
    if let Some(folder) = child_folder() {
        let store = Sqlite::open(folder.join("x.db")).unwrap();
        can_be_read(&store);
        assert_denied(store.acquire("x"));
        assert_denied(store.publish("y", &[Part::Content(b"one\n")]));
        return;
    }
    run_without_rights(this_test!(), |path| {
        make(path);
        set_mode(path.join("x.db"), 0o444);
        set_mode(path, 0o777);
    });
}

#[test]
fn a_database_that_can_not_be_read_is_denied_and_named() {
    if let Some(folder) = child_folder() {
        for name in ["x.db", "closed/x.db"] {
            let text = assert_denied(Sqlite::open(folder.join(name)));
            assert!(text.contains("x.db"), "{text}");
        }
        return;
    }
    run_without_rights(this_test!(), |path| {
        make(path);
        set_mode(path.join("x.db"), 0);
        std::fs::create_dir(path.join("closed")).unwrap();
        set_mode(path.join("closed"), 0);
    });
}

#[test]
fn a_read_only_disk_can_be_read_and_says_that_it_is_read_only() {
    if let Some(folder) = child_folder() {
        let disk = folder.join("disk");
        if std::fs::write(disk.join("try"), "").is_ok() {
            make(&disk);
            return;
        }
        let store = Sqlite::open(disk.join("x.db")).unwrap();
        can_be_read(&store);
        assert_eq!(store.acquire("x"), Err(StorageError::ReadOnly));
        assert_eq!(store.remove("x"), Err(StorageError::ReadOnly));
        assert_eq!(store.publish("y", &[Part::Content(b"one\n")]), Err(StorageError::ReadOnly));
        return;
    }
    // The disk is filled by this test as well, before it is made read-only.
    let fill = format!("\"$0\" --exact {} >/dev/null && mount -o remount,bind,ro \"$DISK\"", this_test!());
    run_on_a_disk(&fill, this_test!());
}

#[test]
fn a_write_beyond_the_limit_on_size_leaves_nothing() {
    if let Some(folder) = child_folder() {
        let store = Sqlite::open(folder.join("x.db")).unwrap();
        let at = publish(&store, "x", "one\n").length;
        let end = fill(&store, "x", at);
        assert!(end > at);
        assert_eq!(store.append("x", end, LINE), Err(StorageError::NoSpace));
        assert_eq!(store.publish("y", &[Part::Content(&vec![0; 1 << 20])]), Err(StorageError::NoSpace));
        assert_eq!(store.stat("y"), Err(StorageError::NotFound));
        assert_eq!(store.read("x", 0, u32::MAX).unwrap().len() as u64, end);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run(child_after("ulimit -f 256 && trap '' XFSZ", this_test!(), folder.path()));
    // What was acknowledged is there, and goes on where there is room.
    let store = Sqlite::open(folder.path().join("x.db")).unwrap();
    let length = store.acquire("x").unwrap().length;
    store.append("x", length, LINE).unwrap();
}

#[test]
fn a_full_disk_is_no_space_and_room_made_is_used_without_a_restart() {
    if let Some(folder) = child_folder() {
        let disk = folder.join("disk");
        let store = Sqlite::open(disk.join("x.db")).unwrap();
        let spare = disk.join("spare");
        std::fs::write(&spare, [b'y'; 200_000]).unwrap();
        let at = publish(&store, "x", "one\n").length;
        let end = fill(&store, "x", at);
        assert!(end > at);
        assert_eq!(store.append("x", end, LINE), Err(StorageError::NoSpace));
        assert_eq!(store.publish("y", &[Part::Content(&[0; 200_000])]), Err(StorageError::NoSpace));
        std::fs::remove_file(&spare).unwrap();
        store.append("x", end, LINE).unwrap();
        store.sync("x").unwrap();
        store.set_aside("x", end).unwrap();
        let mut expected = b"one\n".to_vec();
        expected.resize(end as usize, b'x');
        assert!(store.read("x", 0, u32::MAX).unwrap() == expected);
        return;
    }
    run_on_a_disk("true", this_test!());
}

/// What is in the database can be read, and nothing can be written.
fn can_only_be_read(store: &Sqlite) {
    can_be_read(store);
    assert_eq!(store.acquire("x"), Err(StorageError::NoSpace));
    assert_eq!(store.remove("x"), Err(StorageError::NoSpace));
    assert_eq!(store.publish("y", &[Part::Content(b"one\n")]), Err(StorageError::NoSpace));
}

#[test]
fn where_no_file_may_grow_a_database_can_be_read() {
    if let Some(folder) = child_folder() {
        can_only_be_read(&Sqlite::open(folder.join("x.db")).unwrap());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    run(child_after("ulimit -f 0 && trap '' XFSZ", this_test!(), folder.path()));
}

#[test]
fn on_a_full_disk_a_database_can_be_read_and_is_written_to_once_there_is_room() {
    if let Some(folder) = child_folder() {
        let disk = folder.join("disk");
        make(&disk);
        let spare = disk.join("spare");
        // As much as there is room for.
        std::fs::write(&spare, vec![b'y'; 2 << 20]).unwrap_err();
        let store = Sqlite::open(disk.join("x.db")).unwrap();
        can_only_be_read(&store);
        std::fs::remove_file(&spare).unwrap();
        store.acquire("x").unwrap();
        store.append("x", 4, b"two\n").unwrap();
        store.sync("x").unwrap();
        return;
    }
    run_on_a_disk("true", this_test!());
}
