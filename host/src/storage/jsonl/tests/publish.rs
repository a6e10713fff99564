use std::fs;
use std::sync::Barrier;

use super::*;

const TEMP: &str = "~tmp.x.jsonl";

#[test]
fn a_log_is_made_of_its_parts_and_held() {
    let fixture = fixture();
    publish(&fixture.store, "source", "header\n0123456789");
    fixture.store.release("source");
    let parts = [
        Part::Content(b"<"),
        Part::Copy { id: "source", at: 7, length: 4 },
        Part::Content(b"|"),
        Part::Copy { id: "source", at: 11, length: 6 },
        Part::Copy { id: "source", at: 0, length: 0 },
    ];
    let log = fixture.store.publish("x", &parts).unwrap();
    assert_eq!(fixture.bytes("x.jsonl"), b"<0123|456789");
    assert_eq!((log.length, log.held, log.id.as_deref(), log.name.as_str()), (12, true, Some("x"), "x.jsonl"));
    assert_busy(fixture.other().acquire("x"));
    fixture.store.append("x", 12, b">").unwrap();
    assert_eq!(fixture.names(), ["source.jsonl", "x.jsonl"]);
}

#[test]
fn a_large_stretch_is_copied_whole() {
    let fixture = fixture();
    let content: Vec<u8> = (0..3_000_000u32).flat_map(u32::to_le_bytes).collect();
    fixture.store.publish("source", &[Part::Content(&content)]).unwrap();
    let length = content.len() as u64 - 2;
    fixture.store.publish("x", &[Part::Copy { id: "source", at: 1, length }]).unwrap();
    assert!(fixture.bytes("x.jsonl") == content[1..content.len() - 1]);
}

#[test]
fn the_source_of_a_stretch_may_be_held_by_another() {
    let fixture = fixture();
    publish(&fixture.other(), "source", "one\n");
    let other = fixture.other();
    other.acquire("source").unwrap();
    fixture.store.publish("x", &[Part::Copy { id: "source", at: 0, length: 4 }]).unwrap();
}

#[test]
fn a_stretch_beyond_the_source_or_of_no_source_makes_nothing() {
    let fixture = fixture();
    publish(&fixture.store, "source", "one\n");
    let of = |id, at, length| [Part::Content(b"header\n"), Part::Copy { id, at, length }];
    for (at, length) in [(0, 5), (4, 1), (9, 1), (1, u64::MAX), (u64::MAX, 1)] {
        let text = assert_failed(fixture.store.publish("x", &of("source", at, length)));
        assert!(text.contains("`source.jsonl`"), "{text}");
    }
    assert_eq!(fixture.store.publish("x", &of("missing", 0, 1)), Err(StorageError::NotFound));
    assert_eq!(fixture.names(), ["source.jsonl"]);
    assert_moved(fixture.store.append("x", 0, b"x"));
}

#[test]
fn a_log_is_never_replaced() {
    let fixture = fixture();
    publish(&fixture.other(), "x", "first\n");
    let second = [Part::Content(b"second\n")];
    assert_eq!(fixture.store.publish("x", &second), Err(StorageError::AlreadyExists));
    let holder = fixture.other();
    holder.acquire("x").unwrap();
    assert_eq!(fixture.store.publish("x", &second), Err(StorageError::AlreadyExists));
    assert_eq!(holder.publish("x", &second), Err(StorageError::AlreadyExists));
    assert_eq!(fixture.bytes("x.jsonl"), b"first\n");
    holder.append("x", 6, b"held still\n").unwrap();
    assert_eq!(fixture.names(), ["x.jsonl"]);
}

#[test]
fn of_many_who_make_the_same_log_one_succeeds() {
    let fixture = fixture();
    for round in 0..20 {
        let (id, barrier) = (format!("log-{round}"), Barrier::new(4));
        let made = std::thread::scope(|scope| {
            let threads = [0; 4].map(|_| {
                scope.spawn(|| {
                    let store = fixture.other();
                    barrier.wait();
                    match store.publish(&id, &[Part::Content(b"one\n")]) {
                        Ok(_) => 1,
                        Err(StorageError::AlreadyExists | StorageError::Busy(_)) => 0,
                        Err(error) => panic!("{error}"),
                    }
                })
            });
            threads.map(|thread| thread.join().unwrap()).iter().sum::<i32>()
        });
        assert_eq!(made, 1);
        assert_eq!(fixture.bytes(&format!("{id}.jsonl")), b"one\n");
    }
    assert!(fixture.names().iter().all(|name| !name.starts_with('~')));
}

#[test]
fn what_a_crash_has_left_is_swept_away() {
    let fixture = fixture();
    fs::write(fixture.path(TEMP), "half a l").unwrap();
    fs::write(fixture.path("x.ckpt"), "an old note").unwrap();
    fs::write(fixture.path("~tmp.x.ckpt"), "half a n").unwrap();
    fs::create_dir(fixture.path("x.aside")).unwrap();
    fs::write(fixture.path("x.aside/0.0123456789abcdef"), "old bytes").unwrap();
    publish(&fixture.store, "x", "one\n");
    assert_eq!(fixture.names(), ["x.jsonl"]);
    assert!(fixture.store.load_checkpoint("x").unwrap().is_empty());
    assert!(fixture.store.asides("x").unwrap().is_empty());
}

#[test]
fn a_leftover_that_is_another_name_of_a_log_does_that_log_no_harm() {
    let fixture = fixture();
    publish(&fixture.other(), "y", "dear bytes\n");
    fs::hard_link(fixture.path("y.jsonl"), fixture.path(TEMP)).unwrap();
    publish(&fixture.store, "x", "one\n");
    assert_eq!(fixture.bytes("y.jsonl"), b"dear bytes\n");
    assert_eq!(fixture.names(), ["x.jsonl", "y.jsonl"]);
}

#[test]
fn a_log_that_somebody_else_is_making_is_busy() {
    let fixture = fixture();
    let theirs = fs::File::create(fixture.path(TEMP)).unwrap();
    theirs.lock().unwrap();
    assert_busy(fixture.store.publish("x", &[Part::Content(b"one\n")]));
    assert_busy(fixture.store.remove("x"));
    assert_eq!(fixture.names(), [TEMP]);
    drop(theirs);
    publish(&fixture.store, "x", "one\n");
    assert_eq!(fixture.names(), ["x.jsonl"]);
}

#[test]
fn what_is_called_like_the_log_and_is_none_stays_as_it_is() {
    let fixture = fixture();
    fs::create_dir(fixture.path("x.jsonl")).unwrap();
    std::os::unix::fs::symlink("nowhere", fixture.path("y.jsonl")).unwrap();
    for id in ["x", "y"] {
        assert_eq!(fixture.store.publish(id, &[Part::Content(b"one\n")]), Err(StorageError::AlreadyExists));
    }
    assert_eq!(fixture.names(), ["x.jsonl", "y.jsonl"]);
}

#[test]
fn a_store_whose_folder_was_removed_says_so() {
    let fixture = fixture();
    fs::remove_dir(fixture.folder.path()).unwrap();
    let text = assert_failed(fixture.store.publish("x", &[Part::Content(b"one\n")]));
    assert!(text.contains("folder was removed"), "{text}");
}
