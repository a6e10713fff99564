use std::thread;

use super::*;

fn append(id: &str, bytes: u64) -> Write {
    Write { operation: Operation::Append, id: id.into(), bytes }
}

#[test]
fn a_write_waits_until_it_is_let_go_and_is_done_then() {
    let memory = memory();
    let disk = memory.sibling().unwrap();
    let (store, gate) = Gated::new(memory);
    thread::scope(|scope| {
        let writer = scope.spawn(|| store.append("x", 4, b"two\n"));
        assert_eq!(gate.next(), append("x", 4));
        assert_eq!(disk.read("x", 0, 99).unwrap(), b"one\n");
        assert!(!writer.is_finished());
        assert_eq!(gate.let_go(), append("x", 4));
        assert_eq!(disk.read("x", 0, 99).unwrap(), b"one\ntwo\n");
        writer.join().unwrap().unwrap();
    });
    assert!(gate.waiting().is_empty());
}

#[test]
fn writes_go_in_the_order_in_which_they_came() {
    let memory = memory();
    publish(&memory, "y", "");
    let (store, gate) = Gated::new(memory);
    thread::scope(|scope| {
        scope.spawn(|| store.append("x", 4, b"12").unwrap());
        gate.next();
        scope.spawn(|| store.append("y", 0, b"123").unwrap());
        while gate.waiting().len() < 2 {
            thread::yield_now();
        }
        assert_eq!(gate.waiting(), [append("x", 2), append("y", 3)]);
        assert_eq!(gate.let_go(), append("x", 2));
        assert_eq!(gate.let_go(), append("y", 3));
    });
}

#[test]
fn reading_does_not_wait() {
    let (store, _gate) = Gated::new(memory());
    store.acquire("x").unwrap();
    assert_eq!(store.read("x", 0, 99).unwrap(), b"one\n");
    store.release("x");
}

#[test]
fn all_that_writes_waits() {
    let (store, gate) = Gated::new(memory());
    thread::scope(|scope| {
        let writer = scope.spawn(|| every_operation(&store));
        let writes: Vec<_> = (0..6).map(|_| gate.let_go().operation).collect();
        let done = writer.join().unwrap();
        assert!(done.iter().all(|(_, done)| done.is_ok()), "{done:?}");
        let expected: Vec<_> = done.iter().map(|(operation, _)| *operation).filter(|one| one.writes()).collect();
        assert_eq!(writes, expected);
    });
}

#[test]
fn once_the_gate_is_gone_nothing_is_written_any_more() {
    let memory = memory();
    let disk = memory.sibling().unwrap();
    let (store, gate) = Gated::new(memory);
    let sibling = store.sibling().unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| store.append("x", 4, b"two\n"));
        gate.next();
        drop(gate);
        assert!(matches!(waiting.join().unwrap(), Err(StorageError::Failed(text)) if text.contains("lost")));
    });
    assert!(matches!(store.append("x", 4, b"two\n"), Err(StorageError::Failed(_))));
    assert!(matches!(sibling.publish("y", &[]), Err(StorageError::Failed(_))));
    assert_eq!(disk.read("x", 0, 99).unwrap(), b"one\n");
    assert_eq!(store.read("x", 0, 99).unwrap(), b"one\n");
}
