use super::*;

pub(in crate::storage) const LINE: &[u8] = &[b'x'; 1000];

/// Appends until there is no space, and sees that nothing of what failed is left.
pub(in crate::storage) fn fill(store: &impl Storage, id: &str, mut at: u64) -> u64 {
    loop {
        match store.append(id, at, LINE) {
            Ok(()) => at += LINE.len() as u64,
            Err(error) => {
                assert_eq!(error, StorageError::NoSpace);
                assert_eq!(store.stat(id).unwrap().length, at);
                return at;
            }
        }
    }
}

#[test]
fn a_write_beyond_the_limit_on_size_leaves_nothing_and_the_writer_goes_on() {
    if let Some(folder) = child_folder() {
        let store = JsonlFolder::open(folder).unwrap();
        let at = publish(&store, "x", "one\n").length;
        let end = fill(&store, "x", at);
        assert!(end > at);
        assert_eq!(store.append("x", end, LINE), Err(StorageError::NoSpace));
        // What still fits is taken, without asking for the log again.
        store.append("x", end, b"two\n").unwrap();
        store.sync("x").unwrap();
        assert_eq!(store.read("x", end, 99).unwrap(), b"two\n");
        // A log that does not fit does not come into being.
        assert_eq!(store.publish("y", &[Part::Content(&vec![0; 1 << 20])]), Err(StorageError::NoSpace));
        assert_eq!(
            store.publish("z", &[Part::Copy { id: "x", at: 0, length: end }, Part::Content(LINE)]),
            Err(StorageError::NoSpace)
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run(child_after("ulimit -f 16 && trap '' XFSZ", this_test!(), folder.path()));
    assert_eq!(names(folder.path()), ["x.jsonl"]);
}

#[test]
fn a_full_disk_is_no_space_and_room_made_is_used_without_a_restart() {
    if let Some(folder) = child_folder() {
        let store = JsonlFolder::open(folder.join("disk")).unwrap();
        publish(&store, "spare", &"y".repeat(100_000));
        let at = publish(&store, "x", "one\n").length;
        let end = fill(&store, "x", at);
        assert_eq!(store.append("x", end, LINE), Err(StorageError::NoSpace));
        assert_eq!(store.publish("y", &[Part::Content(&[0; 8192])]), Err(StorageError::NoSpace));
        assert_eq!(store.save_checkpoint("x", &[0; 8192]), Err(StorageError::NoSpace));
        assert_eq!(store.set_aside("x", 4), Err(StorageError::NoSpace));
        assert_eq!(store.stat("x").unwrap().length, end);
        store.remove("spare").unwrap();
        store.append("x", end, LINE).unwrap();
        store.sync("x").unwrap();
        store.set_aside("x", end).unwrap();
        let mut expected = b"one\n".to_vec();
        expected.resize(end as usize, b'x');
        assert!(store.read("x", 0, u32::MAX).unwrap() == expected);
        assert_eq!(names(&folder.join("disk")), ["x.aside", "x.jsonl"]);
        return;
    }
    run_on_a_disk("true", this_test!());
}

#[test]
fn a_read_only_disk_can_be_read_and_says_that_it_is_read_only() {
    if let Some(folder) = child_folder() {
        let store = JsonlFolder::open(folder.join("disk")).unwrap();
        assert_eq!(store.list(crate::storage::Order::ById, None, 9).unwrap().len(), 1);
        assert_eq!(store.read("x", 0, 9).unwrap(), b"one\n");
        assert!(!store.stat("x").unwrap().held);
        assert_eq!(store.acquire("x"), Err(StorageError::ReadOnly));
        assert_eq!(store.remove("x"), Err(StorageError::ReadOnly));
        assert_eq!(store.publish("y", &[Part::Content(b"one\n")]), Err(StorageError::ReadOnly));
        assert_eq!(store.acquire("missing"), Err(StorageError::NotFound));
        store.remove("missing").unwrap();
        return;
    }
    run_on_a_disk("echo one > \"$DISK/x.jsonl\" && mount -o remount,bind,ro \"$DISK\"", this_test!());
}

/// Runs the test again with a small disk of its own at `disk` in its folder.
pub(in crate::storage) fn run_on_a_disk(prepare: &str, test: &str) {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let root = rustix::process::geteuid().is_root();
    let mount = "mount -t tmpfs -o size=1m none \"$DISK\"";
    let in_namespace = || {
        let mut command = Command::new("unshare");
        command.arg("--mount").args((!root).then_some("--map-root-user")).arg("sh").env("DISK", &disk);
        command
    };
    if !in_namespace().args(["-c", mount]).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED {test}: neither root nor a user of Linux namespaces, so no disk can be mounted");
        return;
    }
    let mut command = in_namespace();
    through_shell(&mut command, &format!("{mount} && {prepare}"));
    run(as_child(command, test, folder.path()));
}
