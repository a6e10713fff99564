//! One writer a session, and whose it is.

use std::sync::Arc;

use session_host::{Error, Grant, Memory, Sessions, Storage, WakeOptions};

use crate::support::{ENGINE, with_events};

/// Two that share a place, as two processes would.
fn two() -> (Sessions, Sessions) {
    let first: Arc<dyn Storage> = Arc::new(Memory::new());
    let second = first.sibling().unwrap();
    let open = |storage| Sessions::builder(&ENGINE).open_shared(storage);
    (open(first), open(second))
}

fn is_busy<T: std::fmt::Debug>(result: session_host::Result<T>) -> bool {
    matches!(result, Err(Error::Busy(_)))
}

#[test]
fn a_second_writer_gets_busy_at_once_and_still_reads() {
    let (first, second) = two();
    with_events(&first, "a", 1);
    assert!(is_busy(second.emit("a", "note", &1)));
    assert!(is_busy(second.wake("a", WakeOptions::default())));
    assert!(is_busy(second.delete("a")));
    let state = second.inspect("a").unwrap();
    assert_eq!((state.length, state.held), (1, true));
}

#[test]
fn a_released_session_is_anybody_s() {
    let (first, second) = two();
    with_events(&first, "a", 1);
    first.release("a").unwrap();
    assert_eq!(second.emit("a", "note", &1).unwrap(), 1);
    assert!(is_busy(first.emit("a", "note", &1)));
}

#[test]
fn claims_go_with_the_sessions_that_hold_them() {
    let (first, second) = two();
    with_events(&first, "a", 1);
    drop(first);
    assert_eq!(second.emit("a", "note", &1).unwrap(), 1);
}

#[test]
fn a_plugin_has_claims_of_its_own() {
    let (host, _) = two();
    with_events(&host, "a", 1);
    host.release("a").unwrap();
    let plugin = host.plugin(Grant::all()).unwrap();
    assert_eq!(host.emit("a", "note", &1).unwrap(), 1);
    drop(plugin);
    assert_eq!(host.emit("a", "note", &1).unwrap(), 2);
}

#[test]
fn of_two_that_create_one_id_the_first_to_write_has_it() {
    let (first, second) = two();
    first.create("a").unwrap();
    second.create("a").unwrap();
    assert_eq!(second.emit("a", "note", &"second").unwrap(), 0);
    second.release("a").unwrap();
    assert_eq!(first.emit("a", "note", &"first"), Err(Error::AlreadyExists("a".into())));
    assert_eq!(second.inspect("a").unwrap().length, 1);
}
