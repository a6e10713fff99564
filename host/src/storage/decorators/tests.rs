mod faulty;
mod gated;
mod instrumented;

use super::*;
use crate::storage::{Memory, Part, Storage, StorageError};

fn publish(store: &dyn Storage, id: &str, content: &str) -> LogInfo {
    store.publish(id, &[Part::Content(content.as_bytes())]).unwrap()
}

/// Does every operation once, on a store that has the log `x` of `one\n`, held.
fn every_operation(store: &dyn Storage) -> Vec<(Operation, Result<()>)> {
    vec![
        (Operation::Acquire, store.acquire("x").map(drop)),
        (Operation::Publish, store.publish("y", &[Part::Content(b"one\n")]).map(drop)),
        (Operation::Append, store.append("x", 4, b"torn")),
        (Operation::Sync, store.sync("x")),
        (Operation::Stat, store.stat("x").map(drop)),
        (Operation::Read, store.read("x", 0, 3).map(drop)),
        (Operation::SetAside, store.set_aside("x", 4).map(drop)),
        (Operation::Asides, store.asides("x").map(drop)),
        (Operation::ReadAside, store.read_aside("x", "4.0", 0, 2).map(drop)),
        (Operation::List, store.list(Order::ById, None, 9).map(drop)),
        (Operation::SaveCheckpoint, store.save_checkpoint("x", b"note!")),
        (Operation::LoadCheckpoint, store.load_checkpoint("x").map(drop)),
        (Operation::Remove, store.remove("y")),
    ]
}

/// A store with the log `x`, held by whoever gets it.
fn memory() -> Memory {
    let memory = Memory::new();
    publish(&memory, "x", "one\n");
    memory
}
