//! What the storage makes of the folder that it is given, and of what others do there.

use std::fs;
use std::os::unix::fs::symlink;

use wasi_host::bindings::agent::session::types::{Error, ListItem, ListOptions, ListOrder};
use wasmtime_wasi::FsPerms;

use crate::support::Wasi;

#[test]
fn without_a_folder_every_call_says_what_is_missing() {
    let mut wasi = Wasi::within(None, FsPerms::ReadWrite);
    let Err(Error::Storage(why)) = wasi.wake("x") else { panic!("there is no folder") };
    assert_eq!(why, "the host has preopened no folder; give it the one for the sessions");
}

#[test]
fn a_folder_that_may_only_be_read_is_read_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Wasi::open(folder.path());
    writer.create("x").unwrap();
    writer.emit("x", "a", "{}").unwrap();
    let before = fs::read(folder.path().join("x.jsonl")).unwrap();

    let mut reader = Wasi::that_may(FsPerms::ReadOnly, folder.path());
    assert_eq!(reader.lines("x").unwrap().lines().count(), 1);
    assert!(matches!(reader.emit("x", "b", "{}"), Err(Error::AccessDenied(_))));
    reader.create("y").unwrap();
    assert!(matches!(reader.flush("y"), Err(Error::AccessDenied(_))));
    assert!(matches!(reader.delete("x"), Err(Error::AccessDenied(_))));
    assert_eq!(fs::read(folder.path().join("x.jsonl")).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_a_second_instance_appends_is_noticed_and_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (Wasi::open(folder.path()), Wasi::open(folder.path()));
    one.create("x").unwrap();
    one.emit("x", "a", r#"{"by":1}"#).unwrap();
    two.emit("x", "b", r#"{"by":2}"#).unwrap();
    assert!(matches!(one.emit("x", "c", "{}"), Err(Error::Moved(_))));
    // Woken, the first goes on behind what the second wrote.
    assert_eq!(one.wake("x").unwrap().length, 2);
    assert_eq!(one.emit("x", "c", "{}").unwrap(), 2);
    let lines = one.lines("x").unwrap();
    assert!(lines.contains(r#"{"by":1}"#) && lines.contains(r#"{"by":2}"#), "{lines}");
}

#[test]
fn a_log_that_another_instance_removes_and_makes_anew_is_not_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (Wasi::open(folder.path()), Wasi::open(folder.path()));
    one.create("x").unwrap();
    one.emit("x", "old", "{}").unwrap();
    two.delete("x").unwrap();
    two.create("x").unwrap();
    two.emit("x", "new", "{}").unwrap();
    assert!(matches!(one.emit("x", "old", "{}"), Err(Error::Moved(_))));
    assert!(!two.lines("x").unwrap().contains("old"));
}

#[test]
fn links_are_not_followed() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut wasi = Wasi::open(folder.path());
    wasi.create("real").unwrap();
    wasi.emit("real", "a", "{}").unwrap();
    symlink("real.jsonl", folder.path().join("inside.jsonl")).unwrap();
    symlink(outside.path().join("x.jsonl"), folder.path().join("outside.jsonl")).unwrap();
    for id in ["inside", "outside"] {
        let Err(Error::Storage(why)) = wasi.wake(id) else { panic!("{id} is a link") };
        assert!(why.contains("it is a symbolic link, and must be a regular file"), "{why}");
        assert!(matches!(wasi.delete(id), Err(Error::Storage(_))));
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn what_is_called_like_a_log_and_is_none_is_listed_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("folder.jsonl")).unwrap();
    fs::write(folder.path().join("NoId.jsonl"), "x").unwrap();
    fs::write(folder.path().join("~tmp.x.jsonl"), "x").unwrap();
    let mut wasi = Wasi::open(folder.path());
    let all = ListOptions { order: ListOrder::ById, cwd: None, parent_session: None, cursor: None, limit: 10 };
    let page = wasi.sessions.agent_session_session_persistence().call_list(&mut wasi.store, &all).unwrap().unwrap();
    let listed: Vec<_> = page
        .items
        .iter()
        .map(|item| match item {
            ListItem::Session(session) => panic!("{session:?} is no session"),
            ListItem::Unreadable(unreadable) => (unreadable.name.as_str(), unreadable.id.as_deref()),
        })
        .collect();
    assert_eq!(listed, [("folder.jsonl", Some("folder")), ("NoId.jsonl", None)]);
}

#[test]
fn what_was_never_set_aside_is_not_removed_with_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut wasi = Wasi::open(folder.path());
    wasi.create("x").unwrap();
    wasi.emit("x", "a", "{}").unwrap();
    fs::create_dir(folder.path().join("x.aside")).unwrap();
    fs::write(folder.path().join("x.aside/diary"), "dear").unwrap();
    let Err(Error::Storage(why)) = wasi.delete("x") else { panic!("a file of somebody's is in the way") };
    assert!(why.contains("x.aside/diary") && why.contains("move it away"), "{why}");
    assert!(folder.path().join("x.jsonl").exists() && folder.path().join("x.aside/diary").exists());
}

#[test]
fn what_a_crash_left_is_swept_by_who_makes_that_log() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("~tmp.x.jsonl"), "half").unwrap();
    fs::write(folder.path().join("x.ckpt"), "of an older log").unwrap();
    let mut wasi = Wasi::open(folder.path());
    wasi.create("x").unwrap();
    wasi.emit("x", "a", "{}").unwrap();
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["x.jsonl"]);
}
