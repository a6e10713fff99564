use super::*;

fn lost() -> StorageError {
    StorageError::OutcomeUnknown("the answer is lost".into())
}

#[test]
fn each_operation_can_be_the_one_that_fails() {
    for nth in 1..=13 {
        let store = Faulty::new(memory(), Fault::at(nth, StorageError::Failed("as told".into())));
        let done = every_operation(&store);
        assert_eq!(done[nth as usize - 1].1, Err(StorageError::Failed("as told".into())), "{nth}");
        assert!(done[..nth as usize - 1].iter().all(|(_, done)| done.is_ok()), "{nth}: {done:?}");
        assert_eq!(store.operations(), 13);
    }
}

#[test]
fn a_lasting_fault_fails_all_from_there_on() {
    let store = Faulty::new(memory(), Fault::at(3, StorageError::NoSpace).lasting());
    let done = every_operation(&store);
    assert!(done[..2].iter().all(|(_, done)| done.is_ok()));
    assert!(done[2..].iter().all(|(_, done)| *done == Err(StorageError::NoSpace)));
    assert_eq!(store.stat("x"), Err(StorageError::NoSpace));
}

#[test]
fn what_fails_beforehand_has_done_nothing() {
    let memory = memory();
    let disk = memory.sibling().unwrap();
    let store = Faulty::new(memory, Fault::at(1, StorageError::NoSpace).lasting());
    every_operation(&store);
    assert_eq!(disk.read("x", 0, 99).unwrap(), b"one\n");
    assert_eq!(disk.stat("y"), Err(StorageError::NotFound));
    assert_eq!(disk.load_checkpoint("x").unwrap(), b"");
}

#[test]
fn half_way_means_half_the_bytes_or_the_whole_act_and_no_answer() {
    let memory = memory();
    let disk = memory.sibling().unwrap();
    let store = Faulty::new(memory, Fault::at(1, lost()).lasting().half_way());
    assert_eq!(store.append("x", 4, b"torn"), Err(lost()));
    assert_eq!(disk.read("x", 0, 99).unwrap(), b"one\nto");
    assert_eq!(store.publish("y", &[Part::Content(b"one\n")]), Err(lost()));
    assert_eq!(disk.read("y", 0, 99).unwrap(), b"one\n");
    assert_eq!(store.set_aside("x", 4), Err(lost()));
    assert_eq!(disk.asides("x").unwrap()[0].length, 2);
    assert_eq!(store.save_checkpoint("x", b"note"), Err(lost()));
    assert_eq!(disk.load_checkpoint("x").unwrap(), b"note");
    assert_eq!(store.remove("y"), Err(lost()));
    assert_eq!(disk.stat("y"), Err(StorageError::NotFound));
    assert_eq!(store.read("x", 0, 99), Err(lost()));
}

#[test]
fn siblings_count_together_and_releasing_does_not_count() {
    let store = Faulty::new(memory(), Fault::at(3, StorageError::NoSpace));
    let sibling = store.sibling().unwrap();
    store.stat("x").unwrap();
    store.release("x");
    sibling.acquire("x").unwrap();
    assert_eq!(store.stat("x"), Err(StorageError::NoSpace));
    sibling.stat("x").unwrap();
    assert_eq!(store.operations(), 4);
}
