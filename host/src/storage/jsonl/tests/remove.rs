use std::fs;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, mknodat};

use super::super::disk::Folder;
use super::super::disk::simulated::{Disk, Fault, Stage};
use super::super::root::Root;
use super::*;

#[test]
fn a_log_goes_with_all_that_belongs_to_it() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\ntorn");
    publish(&fixture.store, "x2", "another\n");
    fixture.store.set_aside("x", 4).unwrap();
    fixture.store.save_checkpoint("x", b"note").unwrap();
    fs::write(fixture.path("~tmp.x.ckpt"), "half a note").unwrap();
    fs::write(fixture.path("~tmp.x.jsonl"), "half a log").unwrap();
    fs::write(fixture.path("x.aside/~tmp"), "half an aside").unwrap();
    fixture.store.remove("x").unwrap();
    assert_eq!(fixture.names(), ["x2.jsonl"]);
    assert_eq!(fixture.store.stat("x"), Err(StorageError::NotFound));
    assert_moved(fixture.store.append("x", 4, b"two\n"));
}

#[test]
fn a_log_need_not_be_held_to_be_removed() {
    let fixture = fixture();
    publish(&fixture.other(), "x", "one\n");
    fixture.store.remove("x").unwrap();
    assert!(fixture.names().is_empty());
}

#[test]
fn a_log_that_another_holds_stays_whole() {
    let fixture = fixture();
    let other = fixture.other();
    publish(&other, "x", "one\n");
    other.save_checkpoint("x", b"note").unwrap();
    assert_busy(fixture.store.remove("x"));
    assert_eq!(fixture.names(), ["x.ckpt", "x.jsonl"]);
    other.append("x", 4, b"two\n").unwrap();
}

#[test]
fn removing_what_does_not_exist_sweeps_what_is_left_of_it() {
    let fixture = fixture();
    fixture.store.remove("x").unwrap();
    fs::write(fixture.path("~tmp.x.jsonl"), "half a log").unwrap();
    fs::write(fixture.path("x.ckpt"), "note").unwrap();
    fs::create_dir(fixture.path("x.aside")).unwrap();
    fixture.store.remove("x").unwrap();
    assert!(fixture.names().is_empty());
}

#[test]
fn a_leftover_name_of_the_log_itself_goes_too() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fs::hard_link(fixture.path("x.jsonl"), fixture.path("~tmp.x.jsonl")).unwrap();
    fixture.store.remove("x").unwrap();
    assert!(fixture.names().is_empty());
}

#[test]
fn a_log_that_was_replaced_while_it_was_held_can_be_removed() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fs::write(fixture.path("new"), "theirs\n").unwrap();
    fs::rename(fixture.path("new"), fixture.path("x.jsonl")).unwrap();
    fixture.store.remove("x").unwrap();
    assert!(fixture.names().is_empty());
    publish(&fixture.store, "x", "anew\n");
}

#[test]
fn a_log_that_somebody_removed_while_it_was_held_is_no_error() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fixture.store.save_checkpoint("x", b"note").unwrap();
    fs::remove_file(fixture.path("x.jsonl")).unwrap();
    fixture.store.remove("x").unwrap();
    assert!(fixture.names().is_empty());
}

/// Puts something into the way of removing a log that has an aside: the path of it, and how it is put there.
type Foreign = (&'static str, fn(PathBuf));

const FOREIGN: [Foreign; 8] = [
    ("x.aside/backup", |path| fs::create_dir(path).unwrap()),
    ("x.aside/notes", |path| fs::write(path, "of the user").unwrap()),
    ("x.aside/~tmp", |path| fs::create_dir(path).unwrap()),
    ("x.aside/0.0123456789abcdef", |path| fs::create_dir(path).unwrap()),
    ("x.aside/0.0123456789abcdef", |path| symlink("elsewhere", path).unwrap()),
    ("x.aside/0.0123456789abcdef", |path| mknodat(CWD, path, FileType::Fifo, 0o600.into(), 0).unwrap()),
    ("x.ckpt", |path| fs::create_dir(path).unwrap()),
    ("~tmp.x.ckpt", |path| fs::create_dir(path).unwrap()),
];

#[test]
fn where_something_foreign_is_in_the_way_nothing_is_removed() {
    for (path, put) in FOREIGN {
        let fixture = fixture();
        publish(&fixture.store, "x", "one\ntorn");
        let aside = fixture.store.set_aside("x", 4).unwrap();
        put(fixture.path(path));
        let text = assert_failed(fixture.store.remove("x"));
        assert!(text.contains(&format!("`{path}`")) && text.contains("move it away"), "{text}");
        assert!(fixture.path(path).symlink_metadata().is_ok());
        assert_eq!(fixture.store.read_aside("x", &aside.name, 0, 9).unwrap(), b"torn");
        fixture.store.append("x", 4, b"held still\n").unwrap();
    }
}

#[test]
fn what_is_in_the_way_of_a_new_log_is_told_in_the_same_words() {
    for (path, put) in FOREIGN {
        let fixture = fixture();
        fs::create_dir(fixture.path("x.aside")).unwrap();
        put(fixture.path(path));
        for refused in [fixture.store.publish("x", &[]).map(drop), fixture.store.remove("x")] {
            let text = assert_failed(refused);
            assert!(text.contains(&format!("`{path}`")) && text.contains("move it away"), "{text}");
        }
        assert!(fixture.path(path).symlink_metadata().is_ok());
    }
}

#[test]
fn asides_stay_with_a_log_that_may_not_be_removed() {
    if let Some(folder) = child_folder() {
        let store = JsonlFolder::open(&folder).unwrap();
        assert_denied(store.remove("x"));
        assert_eq!(store.asides("x").unwrap().len(), 1);
        return;
    }
    rights::run_without_rights(this_test!(), |folder| {
        fs::write(folder.join("x.jsonl"), "one\n").unwrap();
        fs::create_dir(folder.join("x.aside")).unwrap();
        fs::write(folder.join("x.aside/4.00cc10cc5ab0a89f"), "torn").unwrap();
        for (path, mode) in [("x.jsonl", 0o666), ("x.aside", 0o777), ("", 0o555)] {
            set_mode(folder.join(path), mode);
        }
    });
}

#[test]
fn a_leftover_name_of_the_log_itself_is_gone_durably() {
    let disk = Disk::new(1);
    let store = JsonlFolder::on(Root::on(disk.folder()));
    publish(&store, "x", "one\n");
    disk.folder().link("x.jsonl", "~tmp.x.jsonl").unwrap();
    disk.folder().sync().unwrap();
    store.remove("x").unwrap();
    for image in disk.history().pop().unwrap().plain() {
        assert!(image.names().is_empty(), "{image:?}");
    }
}

#[test]
fn a_removal_that_fails_leaves_the_log_unless_it_says_that_it_may_not() {
    for nth in 0..20 {
        let disk = Disk::new(1);
        let store = JsonlFolder::on(Root::on(disk.folder()));
        publish(&store, "x", "one\n");
        disk.fail(Fault { nth, lasting: false, full: false, stage: Stage::Before, forgets: false });
        if let Err(StorageError::Failed(text)) = store.remove("x") {
            assert!(disk.folder().exists("x.jsonl").unwrap(), "operation {nth}: {text}");
        }
        disk.repair();
        store.remove("x").unwrap();
        assert_eq!(disk.as_it_is().names(), Vec::<String>::new(), "operation {nth}");
    }
}
