use std::collections::BTreeSet;

use super::*;

fn contents(images: impl IntoIterator<Item = Image>, name: &str) -> BTreeSet<Option<String>> {
    let content = |image: Image| {
        let folder = Disk::restarted(&image, 0).folder();
        folder.open(name, Access::Read).ok().map(|(file, stat)| file.read(0, stat.length).unwrap())
    };
    images.into_iter().map(|image| content(image).map(|bytes| String::from_utf8(bytes).unwrap())).collect()
}

fn now(disk: &Disk) -> image::Cut {
    disk.history().pop().unwrap()
}

fn some(text: &str) -> Option<String> {
    Some(text.into())
}

/// A file of `one`, durable, in a folder of that kind.
fn disk() -> (Disk, SimulatedFile) {
    let disk = Disk::new(1);
    let file = disk.folder().create("x").unwrap();
    file.append(b"one").unwrap();
    file.sync().unwrap();
    disk.folder().sync().unwrap();
    (disk, file)
}

#[test]
fn what_was_synced_is_all_there_is_whatever_happens() {
    let (disk, _file) = disk();
    assert_eq!(contents(now(&disk).plain(), "x"), [some("one")].into());
}

#[test]
fn what_was_not_synced_is_torn_at_every_byte() {
    let (disk, file) = disk();
    file.append(b"two").unwrap();
    let found = contents(now(&disk).plain(), "x");
    assert_eq!(found, ["one", "onet", "onetw", "onetwo", "one\0\0\0"].map(some).into());
}

#[test]
fn later_writes_may_be_kept_and_earlier_ones_not() {
    let (disk, file) = disk();
    file.append(b"2").unwrap();
    file.append(b"3").unwrap();
    let found = contents((0..200).map(|seed| now(&disk).scattered(Random::new(seed))), "x");
    assert_eq!(found, ["one", "one2", "one\0", "one23", "one2\0", "one\x003", "one\0\0"].map(some).into());
}

#[test]
fn a_name_is_there_or_not_until_its_folder_is_synced() {
    let disk = Disk::new(1);
    let file = disk.folder().create("x").unwrap();
    file.append(b"one").unwrap();
    file.sync().unwrap();
    assert_eq!(contents(now(&disk).plain(), "x"), [None, some("one")].into());
    disk.folder().sync().unwrap();
    assert_eq!(contents(now(&disk).plain(), "x"), [some("one")].into());
    disk.folder().rename("x", "y").unwrap();
    for image in now(&disk).plain() {
        assert_eq!(image.names().len(), 1, "one of both names: {image:?}");
    }
}

#[test]
fn bytes_of_a_failed_sync_read_well_and_no_later_sync_keeps_them() {
    let (disk, file) = disk();
    file.append(b"two").unwrap();
    disk.fail(Fault { nth: 0, lasting: false, full: false, stage: Stage::Before, forgets: false });
    file.sync().unwrap_err();
    file.sync().unwrap();
    assert_eq!(file.read(0, 9).unwrap(), b"onetwo");
    assert!(contents(now(&disk).plain(), "x") != [some("onetwo")].into());
    file.overwrite(3, b"two").unwrap();
    file.sync().unwrap();
    assert_eq!(contents(now(&disk).plain(), "x"), [some("onetwo")].into());
}

#[test]
fn a_lock_is_against_all_other_handles_and_ends_with_its_own() {
    let (disk, file) = disk();
    file.try_lock().unwrap();
    assert!(disk.folder().is_locked("x"));
    let (other, _) = disk.folder().open("x", Access::Read).unwrap();
    assert!(matches!(other.try_lock(), Err(TryLockError::WouldBlock)));
    drop(file);
    assert!(!disk.folder().is_locked("x"));
    other.try_lock().unwrap();
}

#[test]
fn an_operation_fails_once_or_from_then_on() {
    for lasting in [false, true] {
        let (disk, file) = disk();
        disk.fail(Fault { nth: 1, lasting, full: true, stage: Stage::HalfWay, forgets: false });
        file.append(b"2").unwrap();
        assert_eq!(file.append(b"345").unwrap_err().kind(), ErrorKind::StorageFull);
        assert_eq!(file.append(b"6").is_err(), lasting);
        disk.repair();
        file.append(b"7").unwrap();
    }
}
