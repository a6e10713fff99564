//! What happens when the component runs out of time or memory, or storage breaks its promises: the next call goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use session_host::{Error, Limits, Memory, NewSession, Sessions, Storage, StorageError, WakeOptions};

use crate::support::{ENGINE, Hooked, line, with_events};

/// A time that is long for these calls, also on a machine with much else to do, and short for a test.
const SHORT: Duration = Duration::from_secs(1);
const LONGER: Duration = Duration::from_millis(1500);

fn limited(memory: usize, storage: impl Storage + 'static) -> Sessions {
    let limits = Limits { memory, ..Limits::default() };
    let ticks = AtomicU64::new(0);
    Sessions::builder(&ENGINE)
        .limits(limits)
        .instances(1)
        .clock(move || ticks.fetch_add(1, Ordering::Relaxed))
        .open(storage)
}

const MEMORY: usize = 4 << 20;

/// Asks for more memory than there is.
fn break_down(sessions: &Sessions) {
    let error = sessions.emit("other", "note", &"x".repeat(2 * MEMORY)).unwrap_err();
    assert_eq!(error, Error::OutOfMemory { limit: MEMORY });
}

/// An answer of storage that no instance can take.
fn monstrous() -> StorageError {
    StorageError::Failed("x".repeat(2 * MEMORY))
}

#[test]
fn after_a_fault_every_acknowledged_event_is_there_and_the_turn_goes_on() {
    let sessions = limited(MEMORY, Memory::new());
    sessions.create("a").unwrap();
    sessions.emit("a", "turn/start", &1).unwrap();
    break_down(&sessions);
    assert_eq!(sessions.emit("a", "note", &2).unwrap(), 1);
    let state = sessions.inspect("a").unwrap();
    assert_eq!((state.length, state.held), (2, true));
}

#[test]
fn a_fault_does_not_let_go_of_what_is_held() {
    let storage = Arc::new(Memory::new());
    let other = Sessions::builder(&ENGINE).open_shared(storage.sibling().unwrap());
    let limits = Limits { memory: MEMORY, ..Limits::default() };
    let sessions = Sessions::builder(&ENGINE).limits(limits).instances(1).open_shared(storage);
    with_events(&sessions, "a", 1);
    break_down(&sessions);
    assert!(matches!(other.emit("a", "note", &1), Err(Error::Busy(_))));
}

#[test]
fn a_session_that_was_only_created_outlives_the_instance() {
    let sessions = limited(MEMORY, Memory::new());
    let header = sessions.create(NewSession::new("a").cwd("/work")).unwrap();
    break_down(&sessions);
    assert_eq!(sessions.header("a").unwrap(), header, "created when it was created first");
    break_down(&sessions);
    assert_eq!(sessions.create("a"), Err(Error::AlreadyExists("a".into())));
    assert_eq!(sessions.emit("a", "note", &1).unwrap(), 0);
    break_down(&sessions);
    assert_eq!(sessions.emit("a", "note", &1).unwrap(), 1);
}

#[test]
fn a_session_that_was_created_and_dropped_does_not_come_back() {
    for drop_it in [Sessions::release, Sessions::delete] {
        let sessions = limited(MEMORY, Memory::new());
        sessions.create("a").unwrap();
        drop_it(&sessions, "a").unwrap();
        break_down(&sessions);
        assert_eq!(sessions.emit("a", "note", &1), Err(Error::NotFound("a".into())));
    }
}

#[test]
fn a_created_session_that_another_stored_meanwhile_is_not_appended_to() {
    let storage = Memory::new();
    let other = Sessions::builder(&ENGINE).open_shared(storage.sibling().unwrap());
    let sessions = limited(MEMORY, storage);
    sessions.create("a").unwrap();
    with_events(&other, "a", 1);
    other.release("a").unwrap();
    break_down(&sessions);
    assert_eq!(sessions.emit("a", "note", &1), Err(Error::AlreadyExists("a".into())));
    assert_eq!(other.inspect("a").unwrap().length, 1);
    sessions.release("a").unwrap();
    assert_eq!(sessions.emit("a", "note", &1).unwrap(), 1);
}

#[test]
fn a_call_that_computes_for_too_long_is_stopped_and_stores_nothing() {
    let slow = Arc::new(AtomicBool::new(false));
    let clock = {
        let slow = Arc::clone(&slow);
        move || {
            if slow.load(Ordering::Relaxed) {
                std::thread::sleep(LONGER);
            }
            1
        }
    };
    let limits = Limits { deadline: SHORT, ..Limits::default() };
    let sessions = Sessions::builder(&ENGINE).limits(limits).clock(clock).open(Memory::new());
    with_events(&sessions, "a", 1);
    slow.store(true, Ordering::Relaxed);
    assert_eq!(sessions.emit("a", "note", &1), Err(Error::Deadline { limit: SHORT }));
    slow.store(false, Ordering::Relaxed);
    assert_eq!(sessions.emit("a", "note", &1).unwrap(), 1);
}

#[test]
fn memory_that_the_component_does_not_fit_into_is_told() {
    assert_eq!(limited(1 << 16, Memory::new()).has("a"), Err(Error::OutOfMemory { limit: 1 << 16 }));
}

#[test]
fn time_within_storage_does_not_count() {
    let storage = Hooked::new(|call, _| {
        if call == "append" {
            std::thread::sleep(LONGER);
        }
        Ok(())
    });
    let limits = Limits { deadline: SHORT, ..Limits::default() };
    let sessions = Sessions::builder(&ENGINE).limits(limits).open(storage);
    with_events(&sessions, "a", 1);
    assert_eq!(sessions.emit("a", "note", &1).unwrap(), 1);
}

#[test]
fn a_fault_after_something_was_written_is_an_unknown_outcome() {
    let breaks = Arc::new(AtomicBool::new(false));
    let storage = {
        let breaks = Arc::clone(&breaks);
        Hooked::new(move |call, _| match call {
            "sync" if breaks.load(Ordering::Relaxed) => Err(monstrous()),
            _ => Ok(()),
        })
    };
    let sessions = limited(MEMORY, storage);
    with_events(&sessions, "a", 1);
    breaks.store(true, Ordering::Relaxed);
    let wrote = sessions.hand_off("a", &1).unwrap_err();
    assert!(matches!(&wrote, Error::OutcomeUnknown(text) if text.contains("memory")), "{wrote}");
    let wrote_nothing = sessions.flush("a");
    assert_eq!(wrote_nothing, Err(Error::OutOfMemory { limit: MEMORY }));
    breaks.store(false, Ordering::Relaxed);
    assert_eq!(sessions.inspect("a").unwrap().length, 2);
}

#[test]
fn a_wake_that_breaks_down_lets_the_session_go() {
    let breaks = Arc::new(AtomicBool::new(false));
    let storage = {
        let breaks = Arc::clone(&breaks);
        Hooked::new(move |call, _| match call {
            "asides" if breaks.load(Ordering::Relaxed) => Err(monstrous()),
            _ => Ok(()),
        })
    };
    let other = Sessions::builder(&ENGINE).open_shared(storage.sibling().unwrap());
    let sessions = limited(MEMORY, storage);
    with_events(&sessions, "a", 1);
    breaks.store(true, Ordering::Relaxed);
    sessions.wake("a", WakeOptions::default()).unwrap_err();
    assert_eq!(other.emit("a", "note", &1).unwrap(), 1);
}

#[test]
fn storage_that_panics_costs_that_call_alone() {
    let panics = Arc::new(AtomicBool::new(false));
    let storage = {
        let panics = Arc::clone(&panics);
        Hooked::new(move |call, _| {
            assert!(call != "sync" || !panics.load(Ordering::Relaxed), "storage panics");
            Ok(())
        })
    };
    let sessions = limited(MEMORY, storage);
    with_events(&sessions, "a", 1);
    sessions.create("b").unwrap();
    panics.store(true, Ordering::Relaxed);
    assert!(catch_unwind(AssertUnwindSafe(|| sessions.flush("a"))).is_err());
    panics.store(false, Ordering::Relaxed);
    sessions.flush("a").unwrap();
    assert_eq!(sessions.emit("b", "note", &1).unwrap(), 0, "a session that was only created is still there");
    assert_eq!(sessions.list(&Default::default()).unwrap().items.len(), 2);
}

#[test]
fn flushes_of_different_sessions_overlap() {
    let inside = Arc::new((Mutex::new(0), Condvar::new()));
    let storage = {
        let inside = Arc::clone(&inside);
        Hooked::new(move |call, _| {
            if call == "sync" {
                // Leaves only once another is inside too.
                let (count, changed) = &*inside;
                let mut count = count.lock().unwrap();
                *count += 1;
                changed.notify_all();
                let (_count, timeout) =
                    changed.wait_timeout_while(count, Duration::from_secs(60), |count| *count < 2).unwrap();
                assert!(!timeout.timed_out(), "a flush waits for another to end");
            }
            Ok(())
        })
    };
    let sessions = Sessions::new(&ENGINE, storage);
    let ids: Vec<String> = (0..32).map(|n| n.to_string()).collect();
    for id in &ids {
        sessions.create(id.as_str()).unwrap();
        sessions.append_lines(id, &line(0, "note", 0)).unwrap();
    }
    std::thread::scope(|scope| {
        for id in &ids {
            scope.spawn(|| sessions.flush(id).unwrap());
        }
    });
}

#[test]
fn an_instance_whose_memory_is_used_up_makes_way_for_a_fresh_one() {
    let sessions = limited(MEMORY, Memory::new());
    // Each is remembered for as long as it is held, or is to be stored; all together have no room.
    let cwd = "x".repeat(50_000);
    for n in 0..200 {
        sessions.create(NewSession::new(n.to_string()).cwd(cwd.as_str())).unwrap();
    }
    for n in 0..200 {
        assert_eq!(sessions.emit(&n.to_string(), "note", &1).unwrap(), 0);
    }
}
