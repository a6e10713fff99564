//! A disk in memory that is full at each operation in turn.

use super::super::disk::simulated::{Disk, Fault, SimulatedFolder, Stage};
use super::super::root::Root;
use super::*;

type Folder = JsonlFolder<SimulatedFolder>;

/// Acts on a log `x` of `one\n`, on disks that are full from the first operation on, from the second, and so on.
fn on_full_disks(act: fn(&Folder) -> Result<()>) {
    for disk in [Disk::new, |seed| Disk::new(seed).without_rename()] {
        let mut refused = 0;
        for nth in 0.. {
            let disk = disk(nth);
            let store = JsonlFolder::on(Root::on(disk.folder()));
            publish(&store, "x", "one\n");
            disk.fail(Fault { nth, lasting: true, full: true, stage: Stage::Before, forgets: false });
            let answer = act(&store);
            if !disk.has_failed() {
                answer.unwrap();
                break;
            }
            // What failed where it does not matter is passed over; what is done and may not last says so.
            let told = matches!(answer, Ok(()) | Err(StorageError::NoSpace | StorageError::OutcomeUnknown(_)));
            assert!(told, "operation {nth}: {answer:?}");
            refused += u64::from(answer == Err(StorageError::NoSpace));
        }
        assert!(refused > 0);
    }
}

#[test]
fn a_log_that_finds_no_room_is_no_space() {
    on_full_disks(|store| store.publish("y", &[Part::Content(b"one\n")]).map(drop));
    on_full_disks(|store| store.publish("y", &[Part::Copy { id: "x", at: 0, length: 4 }]).map(drop));
}

#[test]
fn bytes_that_find_no_room_are_no_space() {
    on_full_disks(|store| store.append("x", 4, b"two\n"));
    on_full_disks(|store| store.sync("x"));
}

#[test]
fn what_is_set_aside_or_noted_or_removed_on_a_full_disk_is_no_space() {
    on_full_disks(|store| store.set_aside("x", 2).map(drop));
    on_full_disks(|store| store.save_checkpoint("x", b"note"));
    on_full_disks(|store| store.remove("x"));
}
