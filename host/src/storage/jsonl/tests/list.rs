use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::time::{Duration, UNIX_EPOCH};

use super::*;
use crate::storage::{Order, Place};

fn names_of(list: &[LogInfo]) -> Vec<&str> {
    list.iter().map(|log| log.name.as_str()).collect()
}

/// Every log, by pages of `max`.
fn all(store: &dyn Storage, order: Order, max: u32) -> Vec<LogInfo> {
    let mut list: Vec<LogInfo> = Vec::new();
    loop {
        let after = list.last().map(|log| Place { name: log.name.clone(), modified: log.modified });
        let page = store.list(order, after.as_ref(), max).unwrap();
        let at_end = page.len() < max as usize;
        list.extend(page);
        if at_end {
            return list;
        }
    }
}

fn log_at(fixture: &Fixture, name: impl AsRef<Path>, seconds: u64) {
    let file = fs::File::create(fixture.folder.path().join(name)).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
}

#[test]
fn an_empty_folder_has_an_empty_list() {
    let fixture = fixture();
    assert!(fixture.store.list(Order::ById, None, 10).unwrap().is_empty());
    assert!(fixture.store.list(Order::Recent, None, 10).unwrap().is_empty());
}

#[test]
fn an_entry_is_what_stat_says() {
    let fixture = fixture();
    publish(&fixture.store, "X/y", "one\n");
    publish(&fixture.other(), "z", "three\n");
    let list = fixture.store.list(Order::ById, None, 10).unwrap();
    assert_eq!(list, ["X/y", "z"].map(|id| fixture.store.stat(id).unwrap()));
    assert_eq!(list.iter().map(|log| log.held).collect::<Vec<_>>(), [true, false]);
    assert_eq!(list[0].id.as_deref(), Some("X/y"));
}

#[test]
fn by_id_goes_by_the_bytes_of_the_id_and_not_of_the_name() {
    let fixture = fixture();
    for id in ["b", "a", "B", "~", "é", "a/b", "a-b", "1"] {
        publish(&fixture.store, id, "");
    }
    for max in [1, 2, 3, 8, 100] {
        let ids: Vec<_> = all(&fixture.store, Order::ById, max).into_iter().map(|log| log.id.unwrap()).collect();
        assert_eq!(ids, ["1", "B", "a", "a-b", "a/b", "b", "~", "é"]);
    }
}

#[test]
fn names_that_encode_no_id_come_last_by_their_own_bytes() {
    let fixture = fixture();
    for name in ["Upper.jsonl", "z.jsonl", "con.jsonl", ".jsonl", "with space.jsonl"] {
        log_at(&fixture, name, 1);
    }
    log_at(&fixture, OsStr::from_bytes(b"\xff.jsonl"), 1);
    for max in [1, 2, 100] {
        let list = all(&fixture.store, Order::ById, max);
        assert_eq!(
            names_of(&list),
            ["z.jsonl", ".jsonl", "Upper.jsonl", "\\xff.jsonl", "con.jsonl", "with space.jsonl"]
        );
        assert!(list[1..].iter().all(|log| log.id.is_none()));
    }
}

#[test]
fn names_that_read_alike_are_told_apart() {
    let fixture = fixture();
    let alike: [&[u8]; 5] = [b"\xff.jsonl", b"\\xff.jsonl", b"\\\\xff.jsonl", b"\\\xff.jsonl", b"\\.jsonl"];
    for name in alike {
        log_at(&fixture, OsStr::from_bytes(name), 1);
    }
    for order in [Order::ById, Order::Recent] {
        for max in [1, 2, 100] {
            let list = all(&fixture.store, order, max);
            let names: std::collections::BTreeSet<_> = names_of(&list).into_iter().collect();
            assert_eq!((list.len(), names.len()), (alike.len(), alike.len()), "{names:?}");
        }
    }
}

#[test]
fn recent_goes_by_time_and_then_by_name() {
    let fixture = fixture();
    for (name, seconds) in [("b", 5), ("a", 5), ("new", 9), ("old", 1), ("z", 5)] {
        log_at(&fixture, format!("{name}.jsonl"), seconds);
    }
    for max in [1, 2, 3, 100] {
        let list = all(&fixture.store, Order::Recent, max);
        assert_eq!(names_of(&list), ["new.jsonl", "a.jsonl", "b.jsonl", "z.jsonl", "old.jsonl"]);
        assert_eq!(list[0].modified, 9000);
    }
}

#[test]
fn the_log_at_the_place_may_be_gone() {
    let fixture = fixture();
    for (name, seconds) in [("a", 1), ("c", 3)] {
        log_at(&fixture, format!("{name}.jsonl"), seconds);
    }
    let gone = Place { name: "b.jsonl".into(), modified: 2000 };
    assert_eq!(names_of(&fixture.store.list(Order::ById, Some(&gone), 9).unwrap()), ["c.jsonl"]);
    assert_eq!(names_of(&fixture.store.list(Order::Recent, Some(&gone), 9).unwrap()), ["a.jsonl"]);
}

#[test]
fn what_is_called_like_a_log_is_listed_and_nothing_else() {
    let fixture = fixture();
    publish(&fixture.store, "good", "one\ntorn");
    fixture.store.save_checkpoint("good", b"note").unwrap();
    fixture.store.set_aside("good", 4).unwrap();
    fs::create_dir(fixture.path("folder.jsonl")).unwrap();
    symlink("nowhere", fixture.path("link.jsonl")).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, fixture.path("pipe.jsonl"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .unwrap();
    for name in ["empty.jsonl", "notes.txt", "~tmp.x.jsonl", "x.jsonl.lock", "jsonl"] {
        fs::write(fixture.path(name), "").unwrap();
    }
    for order in [Order::ById, Order::Recent] {
        let mut list = fixture.store.list(order, None, 99).unwrap();
        list.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(names_of(&list), ["empty.jsonl", "folder.jsonl", "good.jsonl", "link.jsonl", "pipe.jsonl"]);
        assert_eq!(list.iter().map(|log| log.length).collect::<Vec<_>>(), [0, 1, 4, 1, 1]);
        for log in list.iter().filter(|log| log.length == 1) {
            let text = assert_failed(fixture.store.read(log.id.as_deref().unwrap(), 0, log.length as u32));
            assert!(text.contains("must be a regular file"), "{text}");
        }
    }
}

#[test]
fn no_entries_can_be_asked_for() {
    let fixture = fixture();
    publish(&fixture.store, "x", "");
    assert!(fixture.store.list(Order::ById, None, 0).unwrap().is_empty());
    assert!(fixture.store.list(Order::Recent, None, 0).unwrap().is_empty());
}

#[test]
fn pages_hold_while_logs_come_and_go() {
    let fixture = fixture();
    for number in 0..200 {
        log_at(&fixture, format!("keep-{number:03}.jsonl"), 1);
    }
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                for number in 0..20 {
                    log_at(&fixture, format!("keep-{number:03}-and-go.jsonl"), 2);
                }
                for number in 0..20 {
                    fs::remove_file(fixture.path(&format!("keep-{number:03}-and-go.jsonl"))).unwrap();
                }
            }
        });
        for _ in 0..50 {
            let list = all(&fixture.store, Order::ById, 7);
            let kept = list.iter().filter(|log| !log.name.contains("go")).count();
            done.store(kept != 200, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(kept, 200);
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
