use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::*;
use crate::storage::jsonl::tests::claims::assert_children_keep_no_claim;
use crate::storage::jsonl::tests::{child, child_folder, this_test};

#[test]
fn a_second_writer_gets_busy_at_once_and_is_told_who_writes() {
    let fixture = fixture();
    publish(&fixture.store, "X", "one\n");
    for second in [&fixture.other() as &dyn Storage, &*fixture.store.sibling().unwrap()] {
        // The first writer never lets go: one that waited for it would wait for ever.
        let text = assert_busy(second.acquire("X"));
        assert!(text.contains("`~58` (this process)"), "{text}");
        assert_busy(second.remove("X"));
        assert_moved(second.append("X", 4, b"two\n"));
        assert_moved(second.sync("X"));
        assert_moved(second.set_aside("X", 0));
        assert_moved(second.save_checkpoint("X", b"note"));
        assert_eq!(second.read("X", 0, 9).unwrap(), b"one\n");
        assert!(second.stat("X").unwrap().held);
    }
    fixture.store.append("X", 4, b"two\n").unwrap();
}

#[test]
fn releasing_and_dropping_let_others_in_and_leave_nothing() {
    let fixture = fixture();
    for id in ["x", "y"] {
        publish(&fixture.store, id, "one\n");
    }
    let other = fixture.other();
    assert_eq!(names(&fixture.folder.path().join("x.db.claims")), ["x", "y"]);
    fixture.store.release("x");
    assert!(!other.stat("x").unwrap().held);
    other.acquire("x").unwrap();
    assert_busy(other.acquire("y"));
    drop(fixture.store);
    other.acquire("y").unwrap();
    drop(other);
    assert!(names(&fixture.folder.path().join("x.db.claims")).is_empty());
}

#[test]
fn whoever_holds_it_may_ask_again() {
    let fixture = fixture();
    let published = publish(&fixture.store, "x", "one\n");
    assert_eq!(fixture.store.acquire("x").unwrap(), published);
    fixture.store.append("x", 4, b"two\n").unwrap();
    assert_eq!(fixture.store.acquire("x").unwrap().length, 8);
}

#[test]
fn asking_whether_a_log_is_held_does_not_pass_for_holding_it() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    fixture.store.release("x");
    let (asking, done) = (fixture.other(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                asking.stat("x").unwrap();
                std::thread::sleep(Duration::from_micros(20));
            }
        });
        for _ in 0..500 {
            let acquired = fixture.store.acquire("x");
            fixture.store.release("x");
            done.store(acquired.is_err(), Ordering::Relaxed);
            acquired.unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_killed_process_leaves_no_claim_and_loses_nothing_that_it_was_told_is_there() {
    if let Some(folder) = child_folder() {
        let store = Sqlite::open(folder.join("x.db")).unwrap();
        let mut at = publish(&store, "x", "0\n").length;
        for number in 1.. {
            let line = format!("{number}\n");
            store.append("x", at, line.as_bytes()).unwrap();
            at += line.len() as u64;
            println!("\nacknowledged {at}");
        }
    }
    let fixture = fixture();
    let mut child = child(this_test!(), fixture.folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut acknowledged = lines.by_ref().filter_map(|line| Some(line.strip_prefix("acknowledged ")?.parse().unwrap()));
    let first: u64 = acknowledged.nth(200).unwrap();

    let text = assert_busy(fixture.store.acquire("x"));
    assert!(text.contains(&format!("process {}", child.id())), "{text}");
    assert!(fixture.store.stat("x").unwrap().length >= first);
    publish(&fixture.store, "y", "other logs are not held up\n");

    child.kill().unwrap();
    child.wait().unwrap();
    let last: u64 = acknowledged.last().unwrap_or(first);
    let length = fixture.store.acquire("x").unwrap().length;
    assert!(length >= last, "{length} bytes are there, and {last} were acknowledged");
    let expected: String = (0..).map(|number| format!("{number}\n")).take(length as usize).collect();
    assert_eq!(fixture.store.read("x", 0, u32::MAX).unwrap(), &expected.as_bytes()[..length as usize]);
}

#[test]
fn a_child_process_that_is_being_started_keeps_no_claim_alive() {
    let fixture = fixture();
    publish(&fixture.store, "x", "one\n");
    assert_children_keep_no_claim(&fixture.store, &fixture.other());
}

#[test]
fn many_threads_write_many_logs() {
    let fixture = fixture();
    let ids: Vec<_> = (0..8).map(|number| format!("log-{number}")).collect();
    std::thread::scope(|scope| {
        for id in &ids {
            let store = fixture.store.sibling().unwrap();
            scope.spawn(move || {
                let mut at = publish(&*store, id, "one\n").length;
                for _ in 0..50 {
                    store.append(id, at, b"more\n").unwrap();
                    store.sync(id).unwrap();
                    at += 5;
                }
            });
        }
    });
    for id in &ids {
        assert_eq!(fixture.store.stat(id).unwrap().length, 254);
    }
}
