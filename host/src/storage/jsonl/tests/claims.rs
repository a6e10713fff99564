use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use super::*;

#[test]
fn a_second_writer_gets_busy_at_once_and_is_told_who_writes() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let other = fixture.other();
    // The first writer never lets go: one that waited for it would wait for ever.
    let text = assert_busy(other.acquire("x"));
    assert!(text.contains("`x.jsonl`"), "{text}");
    assert!(text.contains("this process"), "{text}");
}

#[test]
fn a_sibling_is_another_holder() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let sibling = fixture.store.sibling().unwrap();
    assert_busy(sibling.acquire("x"));
    fixture.store.release("x");
    sibling.acquire("x").unwrap();
    assert_busy(fixture.store.acquire("x"));
}

#[test]
fn whoever_holds_it_may_ask_again() {
    let fixture = fixture();
    let published = publish(&fixture.store, "x", "one\n");
    assert_eq!(fixture.store.acquire("x").unwrap(), published);
    assert!(published.held);
}

#[test]
fn releasing_and_dropping_let_others_in() {
    let fixture = fixture();
    for id in ["x", "y"] {
        publish(&fixture.store, id, "one\n");
    }
    let other = fixture.other();
    fixture.store.release("x");
    fixture.store.release("never held");
    other.acquire("x").unwrap();
    assert_busy(other.acquire("y"));
    drop(fixture.store);
    other.acquire("y").unwrap();
}

#[test]
fn readers_see_that_a_log_is_held_and_are_not_held_up() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let other = fixture.other();
    assert!(other.stat("x").unwrap().held);
    assert!(fixture.store.stat("x").unwrap().held);
    assert_eq!(other.read("x", 0, 9).unwrap(), b"one\n");
    fixture.store.release("x");
    assert!(!other.stat("x").unwrap().held);
    assert!(!fixture.store.stat("x").unwrap().held);
}

#[test]
fn asking_whether_a_log_is_held_does_not_pass_for_holding_it() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fixture.store.release("x");
    let (asking, done) = (fixture.other(), std::sync::atomic::AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                asking.stat("x").unwrap();
                std::thread::sleep(Duration::from_micros(20));
            }
        });
        for _ in 0..500 {
            let acquired = fixture.store.acquire("x");
            fixture.store.release("x");
            done.store(acquired.is_err(), std::sync::atomic::Ordering::Relaxed);
            acquired.unwrap();
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn what_does_not_exist_is_not_found_and_nothing_is_made() {
    let fixture = fixture();
    assert_eq!(fixture.store.acquire("x"), Err(StorageError::NotFound));
    assert_eq!(fixture.store.stat("x"), Err(StorageError::NotFound));
    assert_eq!(fixture.store.read("x", 0, 1), Err(StorageError::NotFound));
    assert_eq!(fixture.store.read_aside("x", "0.0123456789abcdef", 0, 1), Err(StorageError::NotFound));
    assert!(fixture.names().is_empty());
}

#[test]
fn what_is_for_the_holder_alone_is_refused_to_others() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    let other = fixture.other();
    assert_moved(other.append("x", 4, b"two\n"));
    assert_moved(other.sync("x"));
    assert_moved(other.set_aside("x", 0));
    assert_moved(other.save_checkpoint("x", b"note"));
    assert_eq!(fixture.bytes("x.jsonl"), b"one\n");
    assert_eq!(fixture.names(), ["x.jsonl"]);
}

#[test]
fn a_log_made_anew_has_another_identity() {
    let fixture = fixture();
    let first = publish(&fixture.store, "x", "one\n");
    fixture.store.append("x", 4, b"two\n").unwrap();
    assert_eq!(fixture.store.stat("x").unwrap().identity, first.identity);
    fixture.store.remove("x").unwrap();
    assert_ne!(publish(&fixture.store, "x", "one\n").identity, first.identity);
}

#[test]
fn a_claim_ends_with_the_process_however_it_ends() {
    if let Some(folder) = child_folder() {
        let store = JsonlFolder::open(folder).unwrap();
        publish(&store, "x", "one\n");
        println!("\nheld");
        std::thread::sleep(Duration::from_secs(60));
        return;
    }
    let fixture = fixture();
    // Tools of another kind leave such files; none is looked at.
    fs::write(fixture.path("x.jsonl.lock"), "1").unwrap();
    let mut child = child(this_test!(), fixture.folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "held"));

    let text = assert_busy(fixture.store.acquire("x"));
    assert!(text.contains(&format!("process {}", child.id())), "{text}");
    assert_eq!(fixture.store.read("x", 0, 9).unwrap(), b"one\n");
    publish(&fixture.store, "y", "other logs are not held up\n");

    child.kill().unwrap();
    child.wait().unwrap();
    fixture.store.acquire("x").unwrap();
}

#[test]
fn a_child_process_that_is_being_started_keeps_no_claim_alive() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    assert_children_keep_no_claim(&fixture.store, &fixture.other());
}

/// Hands the claim on `x`, which the first of them has, to and fro while children are being started.
pub(in crate::storage) fn assert_children_keep_no_claim(store: &impl Storage, other: &impl Storage) {
    std::thread::scope(|scope| {
        let starting = scope.spawn(|| {
            for _ in 0..50 {
                assert!(Command::new("true").status().unwrap().success());
            }
        });
        while !starting.is_finished() {
            store.release("x");
            other.acquire("x").unwrap();
            other.release("x");
            store.acquire("x").unwrap();
        }
    });
}
