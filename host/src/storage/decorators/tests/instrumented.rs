use super::*;

#[test]
fn every_call_is_counted_under_its_name() {
    let store = Instrumented::new(memory());
    let counters = store.counters();
    for (operation, done) in every_operation(&store) {
        done.unwrap();
        let count = counters.of(operation);
        assert_eq!((count.calls, count.errors), (1, 0), "{operation}");
    }
    store.release("x");
    assert_eq!(counters.of(Operation::Release).calls, 1);
    assert_eq!(counters.total().calls, 14);
    assert_eq!(counters.total().time, Operation::ALL.iter().map(|&operation| counters.of(operation).time).sum());
}

#[test]
fn bytes_are_those_handed_over_and_those_that_came_back() {
    let store = Instrumented::new(memory());
    let counters = store.counters();
    every_operation(&store);
    let bytes: Vec<_> = [
        Operation::Publish,
        Operation::Append,
        Operation::Read,
        Operation::ReadAside,
        Operation::SaveCheckpoint,
        Operation::LoadCheckpoint,
    ]
    .map(|operation| counters.of(operation).bytes)
    .into();
    assert_eq!(bytes, [4, 4, 3, 2, 5, 5]);
    store.publish("z", &[Part::Content(b"12"), Part::Copy { id: "x", at: 1, length: 3 }]).unwrap();
    assert_eq!(counters.of(Operation::Publish).bytes, 9);
}

#[test]
fn errors_are_counted_and_siblings_count_together() {
    let store = Instrumented::new(memory());
    let counters = store.counters();
    let sibling = store.sibling().unwrap();
    assert!(sibling.acquire("x").is_err());
    assert!(store.acquire("missing").is_err());
    store.acquire("x").unwrap();
    let count = counters.of(Operation::Acquire);
    assert_eq!((count.calls, count.errors), (3, 2));
}

#[test]
fn operations_are_called_as_in_the_interface() {
    assert_eq!(Operation::SetAside.to_string(), "set-aside");
    assert_eq!(
        Operation::ALL.iter().map(|operation| *operation as usize).collect::<Vec<_>>(),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    );
}
