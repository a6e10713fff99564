use std::fs;

use super::super::disk::Folder;
use super::super::disk::simulated::{Disk, Fault, Stage};
use super::super::root::Root;
use super::*;

#[test]
fn the_end_of_a_log_is_moved_out_of_it_and_kept() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\ntorn");
    let aside = fixture.store.set_aside("x", 4).unwrap();
    assert_eq!(aside.length, 4);
    // The first 16 digits of `printf torn | sha256sum`.
    assert_eq!(aside.name, "4.00cc10cc5ab0a89f");
    assert_eq!(fixture.bytes("x.jsonl"), b"one\n");
    assert_eq!(fixture.store.asides("x").unwrap(), std::slice::from_ref(&aside));
    assert_eq!(fixture.store.read_aside("x", &aside.name, 0, 99).unwrap(), b"torn");
    assert_eq!(fixture.store.read_aside("x", &aside.name, 1, 2).unwrap(), b"or");
    assert_eq!(fixture.store.read_aside("x", &aside.name, 9, 2).unwrap(), b"");
    fixture.store.append("x", 4, b"two\n").unwrap();
    assert_eq!(fixture.names(), ["x.aside", "x.jsonl"]);
    assert_eq!(names(&fixture.path("x.aside")), [aside.name]);
}

#[test]
fn doing_it_again_after_a_crash_makes_no_second_copy() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\ntorn");
    let first = fixture.store.set_aside("x", 4).unwrap();
    // As if the cut had been lost, and another had been interrupted in its copying.
    fs::write(fixture.path("x.jsonl"), "one\ntorn").unwrap();
    fs::write(fixture.path("x.aside/~tmp"), "to").unwrap();
    fixture.store.acquire("x").unwrap();
    assert_eq!(fixture.store.set_aside("x", 4).unwrap(), first);
    assert_eq!(names(&fixture.path("x.aside")), [first.name]);
    assert_eq!(fixture.bytes("x.jsonl"), b"one\n");
}

#[test]
fn what_is_set_aside_later_comes_beside_it() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\ntorn");
    fixture.store.set_aside("x", 4).unwrap();
    fixture.store.append("x", 4, b"other").unwrap();
    fixture.store.set_aside("x", 4).unwrap();
    fixture.store.set_aside("x", 0).unwrap();
    let asides = fixture.store.asides("x").unwrap();
    let mut read: Vec<_> = asides.iter().map(|a| fixture.store.read_aside("x", &a.name, 0, 99).unwrap()).collect();
    read.sort();
    assert_eq!(read, [b"one\n".to_vec(), b"other".to_vec(), b"torn".to_vec()]);
    assert!(asides.is_sorted_by_key(|aside| &aside.name));
    assert_eq!(fixture.bytes("x.jsonl"), b"");
}

#[test]
fn many_bytes_are_kept_whole() {
    let fixture = fixture();
    let content: Vec<u8> = (0..1_000_000u32).flat_map(u32::to_le_bytes).collect();
    fixture.store.publish("x", &[Part::Content(&content)]).unwrap();
    let aside = fixture.store.set_aside("x", 1).unwrap();
    assert!(fixture.bytes(&format!("x.aside/{}", aside.name)) == content[1..]);
}

#[test]
fn an_offset_behind_the_log_sets_nothing_aside() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    for at in [4, 5, u64::MAX] {
        assert_moved(fixture.store.set_aside("x", at));
    }
    assert_eq!(fixture.names(), ["x.jsonl"]);
}

#[test]
fn a_log_without_asides_or_no_log_at_all_has_an_empty_list() {
    let fixture = fixture();
    assert!(fixture.store.asides("x").unwrap().is_empty());
    publish(&fixture.store, "x", "one\n");
    assert!(fixture.store.asides("x").unwrap().is_empty());
}

#[test]
fn a_name_that_no_aside_can_have_is_not_found_whatever_stands_there() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\ntorn");
    let aside = fixture.store.set_aside("x", 4).unwrap();
    fs::write(fixture.path("x.aside/~tmp"), "half").unwrap();
    fs::write(fixture.path("x.aside/secret"), "half").unwrap();
    for name in [
        "",
        ".",
        "..",
        "../x.jsonl",
        "~tmp",
        "secret",
        "4.",
        ".0123456789abcdef",
        "4.0123456789ABCDEF",
        "4/0123456789abcdef",
    ] {
        assert_eq!(fixture.store.read_aside("x", name, 0, 9), Err(StorageError::NotFound), "{name}");
    }
    assert_eq!(fixture.store.asides("x").unwrap(), [aside]);
}

#[test]
fn a_link_in_the_place_of_the_asides_is_not_followed() {
    let fixture = fixture();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("0.0123456789abcdef"), "secret").unwrap();
    publish(&fixture.store, "x", "one\ntorn");
    std::os::unix::fs::symlink(elsewhere.path(), fixture.path("x.aside")).unwrap();
    for refused in [
        fixture.store.asides("x").map(drop),
        fixture.store.read_aside("x", "0.0123456789abcdef", 0, 9).map(drop),
        fixture.store.set_aside("x", 4).map(drop),
        fixture.store.remove("x"),
    ] {
        let text = assert_failed(refused);
        assert!(text.contains("`x.aside`: it is a symbolic link, and must be a folder; move it away"), "{text}");
    }
    assert_eq!(fixture.bytes("x.jsonl"), b"one\ntorn");
    assert_eq!(names(elsewhere.path()), ["0.0123456789abcdef"]);
    assert_eq!(fixture.names(), ["x.aside", "x.jsonl"]);
}

#[test]
fn what_is_called_like_an_aside_and_is_no_file_is_none() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\ntorn");
    let aside = fixture.store.set_aside("x", 4).unwrap();
    let path = |name: &str| fixture.path(&format!("x.aside/{name}"));
    fs::create_dir(path("1.0123456789abcdef")).unwrap();
    std::os::unix::fs::symlink(path(&aside.name), path("2.0123456789abcdef")).unwrap();
    let pipe = path("3.0123456789abcdef");
    rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert_eq!(fixture.store.asides("x").unwrap(), [aside]);
    for name in ["1.0123456789abcdef", "2.0123456789abcdef", "3.0123456789abcdef"] {
        assert_failed(fixture.store.read_aside("x", name, 0, 9));
    }
}

#[test]
fn setting_aside_in_vain_leaves_no_empty_folder() {
    let (mut in_vain, mut nth) = (0, 0);
    loop {
        let disk = Disk::new(1);
        let store = JsonlFolder::on(Root::on(disk.folder()));
        publish(&store, "x", "one\ntorn");
        disk.fail(Fault { nth, lasting: false, full: true, stage: Stage::Before, forgets: false });
        let set_aside = store.set_aside("x", 4);
        if !disk.has_failed() {
            break;
        }
        if set_aside.is_err() && store.asides("x").unwrap().is_empty() {
            assert!(!disk.folder().exists("x.aside").unwrap(), "operation {nth}");
            in_vain += 1;
        }
        nth += 1;
    }
    assert!(in_vain > 5, "{in_vain} of {nth}");
}

#[test]
fn both_the_cut_and_what_was_set_aside_are_durable_once_it_is_done() {
    let disk = Disk::new(1);
    let store = JsonlFolder::on(Root::on(disk.folder()));
    publish(&store, "x", "one\ntorn");
    let aside = store.set_aside("x", 4).unwrap();
    let after = JsonlFolder::on(Root::on(disk.after_cut().folder()));
    assert_eq!(after.read("x", 0, 99).unwrap(), b"one\n");
    assert_eq!(after.read_aside("x", &aside.name, 0, 99).unwrap(), b"torn");
}
