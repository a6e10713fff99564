use std::fs;
use std::os::unix::process::CommandExt;

use super::*;
use crate::storage::Order;

/// Runs the test again as somebody who is not root, in a folder that was prepared before.
pub(in crate::storage) fn run_without_rights(test: &str, prepare: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    prepare(folder.path());
    let mut command = child(test, folder.path());
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    run(command);
}

fn make(path: &Path, mode: u32) {
    fs::write(path, "one\n").unwrap();
    set_mode(path, mode);
}

#[test]
fn a_folder_that_can_not_be_written_to_can_be_read() {
    if let Some(folder) = child_folder() {
        let store = JsonlFolder::open(&folder).unwrap();
        assert_eq!(store.list(Order::ById, None, 9).unwrap().len(), 1);
        assert_eq!(store.list(Order::Recent, None, 9).unwrap().len(), 1);
        assert_eq!(store.read("x", 0, 9).unwrap(), b"one\n");
        assert!(!store.stat("x").unwrap().held);
        let text = assert_denied(store.publish("y", &[Part::Content(b"one\n")]));
        assert!(text.contains("y.jsonl") && !text.contains(folder.to_str().unwrap()), "{text}");
        assert_denied(store.acquire("x"));
        assert_denied(store.remove("x"));
        assert_eq!(store.acquire("missing"), Err(StorageError::NotFound));
        store.remove("missing").unwrap();
        return;
    }
    run_without_rights(this_test!(), |folder| {
        make(&folder.join("x.jsonl"), 0o444);
        set_mode(folder, 0o555);
    });
}

#[test]
fn a_log_that_can_not_be_read_is_listed_beside_the_others() {
    if let Some(folder) = child_folder() {
        let store = JsonlFolder::open(folder).unwrap();
        let list = store.list(Order::ById, None, 9).unwrap();
        assert_eq!(list.iter().map(|log| (log.length, log.held)).collect::<Vec<_>>(), [(4, false), (4, false)]);
        assert_eq!(store.read("open", 0, 9).unwrap(), b"one\n");
        let text = assert_denied(store.read("closed", 0, 9));
        assert!(text.contains("`closed.jsonl`"), "{text}");
        assert_denied(store.acquire("closed"));
        assert_denied(store.remove("closed"));
        return;
    }
    run_without_rights(this_test!(), |folder| {
        make(&folder.join("open.jsonl"), 0o444);
        make(&folder.join("closed.jsonl"), 0o000);
    });
}

#[test]
fn a_folder_that_can_not_be_read_is_denied_and_named() {
    if let Some(folder) = child_folder() {
        for name in ["closed", "names-only", "no-names"] {
            let text = assert_denied(JsonlFolder::open(folder.join(name)));
            assert!(text.contains(name), "{text}");
        }
        return;
    }
    run_without_rights(this_test!(), |folder| {
        for (name, mode) in [("closed", 0o000), ("names-only", 0o444), ("no-names", 0o333)] {
            fs::create_dir(folder.join(name)).unwrap();
            set_mode(folder.join(name), mode);
        }
    });
}

#[test]
fn a_folder_that_can_not_be_made_is_denied_and_named() {
    if let Some(folder) = child_folder() {
        let text = assert_denied(JsonlFolder::open(folder.join("new")));
        assert!(text.contains("new"), "{text}");
        return;
    }
    run_without_rights(this_test!(), |folder| set_mode(folder, 0o555));
}
