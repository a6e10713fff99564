use std::os::unix::fs::FileExt;

use tempfile::TempDir;

use super::super::disk::OsFolder;
use super::super::disk::simulated::Disk;
use super::*;

/// A claim on a log of `one\n`, which another holder may not have synced, and two lines of this holder's own.
fn claim() -> (TempDir, Claim<OsFolder>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.jsonl"), "one\n").unwrap();
    let root = Arc::new(Root::open(folder.path()).unwrap());
    let mut claim = Claim::take(&root, "x.jsonl".into()).unwrap();
    claim.append(4, b"two\n").unwrap();
    claim.append(8, b"three\n").unwrap();
    (folder, claim)
}

fn log(folder: &TempDir) -> Vec<u8> {
    std::fs::read(folder.path().join("x.jsonl")).unwrap()
}

/// What a kernel does that can't write a page: it forgets what was to be written there.
fn lose(folder: &TempDir, at: u64) {
    let file = std::fs::OpenOptions::new().write(true).open(folder.path().join("x.jsonl")).unwrap();
    file.write_all_at(b"\0\0\0", at).unwrap();
}

#[test]
fn until_a_sync_all_bytes_of_earlier_holders_count_as_unsafe() {
    let (_folder, mut claim) = claim();
    assert_eq!((claim.extent.synced, claim.extent.known, claim.extent.length), (0, 4, 14));
    claim.sync().unwrap();
    assert_eq!((claim.extent.synced, claim.extent.known, claim.extent.length), (14, 14, 14));
}

#[test]
fn after_a_failed_sync_every_call_first_writes_the_same_bytes_again() {
    type Act = fn(&mut Claim<OsFolder>) -> Result<()>;
    let acts: [Act; 4] = [
        |claim| claim.append(14, b"four\n"),
        |claim| claim.sync(),
        |claim| claim.renew().map(drop),
        |claim| claim.look().map(drop),
    ];
    for act in acts {
        let (folder, mut claim) = claim();
        claim.sync_failed = true;
        act(&mut claim).unwrap();
        assert!(!claim.sync_failed);
        assert_eq!(claim.extent.synced, 14);
        assert!(log(&folder).starts_with(b"one\ntwo\nthree\n"));
    }
}

#[test]
fn bytes_that_a_failed_sync_has_lost_are_not_taken_for_written() {
    let (folder, mut claim) = claim();
    claim.sync_failed = true;
    lose(&folder, 5);
    assert!(matches!(claim.sync(), Err(StorageError::OutcomeUnknown(_))));
    assert!(matches!(claim.append(14, b"four\n"), Err(StorageError::Moved(_))));
    claim.renew().unwrap();
    claim.append(14, b"four\n").unwrap();
}

#[test]
fn a_claim_that_can_not_write_again_stays_unfit() {
    let (folder, mut claim) = claim();
    claim.sync_failed = true;
    // Another file is in the way of opening the log a second time.
    let log = folder.path().join("x.jsonl");
    std::fs::rename(&log, folder.path().join("away")).unwrap();
    assert!(matches!(claim.sync(), Err(StorageError::Moved(_))));
    assert!(claim.sync_failed);
    std::fs::rename(folder.path().join("away"), &log).unwrap();
    claim.renew().unwrap();
    assert!(!claim.sync_failed);
}

#[test]
fn the_next_holder_learns_of_a_failed_sync() {
    let (folder, mut claim) = claim();
    let root = claim.root.clone();
    claim.sync_failed = true;
    drop(claim);
    let mut claim = Claim::take(&root, "x.jsonl".into()).unwrap();
    assert!(claim.sync_failed);
    drop(claim);
    lose(&folder, 9);
    claim = Claim::take(&root, "x.jsonl".into()).unwrap();
    assert!(matches!(claim.sync(), Err(StorageError::OutcomeUnknown(_))));
}

#[test]
fn a_failed_sync_says_nothing_of_another_log_of_that_name() {
    let (folder, mut claim) = claim();
    let root = claim.root.clone();
    claim.sync_failed = true;
    drop(claim);
    std::fs::remove_file(folder.path().join("x.jsonl")).unwrap();
    std::fs::write(folder.path().join("x.jsonl"), "anew\n").unwrap();
    assert!(!Claim::take(&root, "x.jsonl".into()).unwrap().sync_failed);
}

#[test]
fn a_failed_write_is_rolled_back() {
    let (folder, mut claim) = claim();
    claim.file.append(b"fo").unwrap();
    claim.roll_back(14, b"four\n").unwrap();
    claim.roll_back(14, b"four\n").unwrap();
    assert_eq!(log(&folder), b"one\ntwo\nthree\n");
    claim.append(14, b"four\n").unwrap();
}

#[test]
fn a_failed_write_is_not_rolled_back_over_bytes_of_another() {
    for foreign in ["theirs\n", "fo and theirs\n"] {
        let (folder, mut claim) = claim();
        claim.file.append(foreign.as_bytes()).unwrap();
        assert!(matches!(claim.roll_back(14, b"four\n"), Err(StorageError::OutcomeUnknown(_))));
        assert!(log(&folder).ends_with(foreign.as_bytes()));
        assert!(matches!(claim.append(14, b"four\n"), Err(StorageError::Moved(_))));
    }
}

/// A log that nobody holds, and a reader who has just begun to ask whether it is held, and is not given time to go on.
fn probed() -> (Disk, Arc<Root<impl Folder>>, impl File) {
    let disk = Disk::new(0);
    drop(disk.folder().create("x.jsonl").unwrap());
    let (reader, _) = disk.folder().open("x.jsonl", Access::Read).unwrap();
    reader.try_lock_shared().unwrap();
    (disk.clone(), Arc::new(Root::on(disk.folder())), reader)
}

#[test]
fn whoever_asks_whether_a_log_is_held_never_passes_for_a_writer_however_slow() {
    let (disk, root, reader) = probed();
    thread::scope(|scope| {
        let writer = scope.spawn(|| Claim::take(&root, "x.jsonl".into()).map(drop));
        while disk.refusals() < 100 && !writer.is_finished() {
            thread::yield_now();
        }
        drop(reader);
        writer.join().unwrap().unwrap();
    });
}

#[test]
fn a_writer_is_told_from_readers_by_the_first_look() {
    let (disk, root, reader) = probed();
    drop(reader);
    let _writer = Claim::take(&root, "x.jsonl".into()).unwrap();
    let before = disk.refusals();
    assert!(matches!(Claim::take(&root, "x.jsonl".into()), Err(StorageError::Busy(_))));
    assert_eq!(disk.refusals() - before, 2, "one for writing, one for reading");
}

#[test]
fn a_lock_that_a_reader_never_gives_back_is_told_in_the_end() {
    let (_disk, root, _reader) = probed();
    let Err(StorageError::Busy(text)) = Claim::take(&root, "x.jsonl".into()) else { panic!("it is locked") };
    assert!(text.contains("only reads"), "{text}");
}
