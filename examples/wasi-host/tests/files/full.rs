//! A disk with no room left. The test runs itself again with a small one.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use wasi_host::bindings::agent::session::types::Error;

use crate::support::Wasi;

/// Says where the small disk is.
const DISK: &str = "WASI_HOST_TEST_DISK";

#[test]
fn on_a_full_disk_nothing_is_stored_in_part_and_what_there_is_room_for_goes_on() {
    match env::var_os(DISK) {
        Some(disk) => fill(Path::new(&disk)),
        None => {
            run_on_a_small_disk("full::on_a_full_disk_nothing_is_stored_in_part_and_what_there_is_room_for_goes_on")
        }
    }
}

fn fill(disk: &Path) {
    let large = format!("{{\"text\":\"{}\"}}", "x".repeat(30_000));
    let mut wasi = Wasi::open(disk);
    wasi.create("x").unwrap();
    let mut stored = 0;
    let refused = loop {
        match wasi.emit("x", "note", &large) {
            Ok(seq) => stored = seq + 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::NoSpace), "{refused:?}");
    assert!(stored > 0);
    let log = fs::read(disk.join("x.jsonl")).unwrap();
    assert_eq!(log.iter().filter(|&&byte| byte == b'\n').count() as u64, stored + 1);
    assert_eq!(log.last(), Some(&b'\n'));

    wasi.create("y").unwrap();
    assert!(matches!(wasi.emit("y", "note", &large), Err(Error::NoSpace)));
    let names: Vec<_> = fs::read_dir(disk).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["x.jsonl"]);

    assert_eq!(wasi.emit("x", "note", "{}").unwrap(), stored);
    wasi.flush("x").unwrap();
}

fn run_on_a_small_disk(test: &str) {
    let folder = tempfile::tempdir().unwrap();
    let in_namespace = || {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh"]).env(DISK, folder.path());
        command
    };
    let mount = format!("mount -t tmpfs -o size=256k none \"${DISK}\"");
    if !in_namespace().args(["-c", &mount]).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED {test}: this user has no Linux namespaces, so no disk can be mounted");
        return;
    }
    let mut child = in_namespace();
    child.args(["-c", &format!("{mount} && exec \"$0\" \"$@\"")]);
    let status = child.arg(env::current_exe().unwrap()).args(["--exact", test]).status().unwrap();
    assert!(status.success(), "{status}");
}
