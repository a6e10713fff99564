//! Storage for sessions over `wasi:filesystem`, and a clock over `wasi:clocks`: each log is a file of JSON lines in the first folder
//! that the host preopens. The files are those of the Rust host, so each can go on where the other stopped.
//!
//! WASI has no locks and no modes. So a claim keeps no other instance out, and the host has to see to it that each session has one
//! writer; what another one does all the same is noticed, and nothing that it wrote is written over.

mod aside;
mod checkpoint;
mod claim;
mod error;
mod folder;
mod list;
mod name;
mod publish;
mod remove;
mod store;

#[allow(missing_docs, clippy::all, unsafe_op_in_unsafe_fn)]
mod bindings {
    wit_bindgen::generate!({ world: "wasi-storage", path: "wit", generate_all });
}

use std::cell::RefCell;

use bindings::exports::agent::session::{clock, storage};
use bindings::wasi;
use error::Answer;
use storage::{Aside, LogInfo, Order, Part, Place};
use store::Store;
use wasi::clocks::wall_clock::{self, Datetime};

/// What the component's exports are implemented for.
pub struct Component;

// What a component exports has names that no other linker takes.
#[cfg(target_family = "wasm")]
bindings::export!(Component with_types_in bindings);

thread_local! {
    static STORE: RefCell<Store> = RefCell::new(Store::default());
}

fn store<T>(call: impl FnOnce(&mut Store) -> T) -> T {
    // The component model lets no call in while one runs.
    STORE.with_borrow_mut(call)
}

impl storage::Guest for Component {
    fn acquire(id: String) -> Answer<LogInfo> {
        store(|store| store.acquire(&id))
    }
    fn release(id: String) {
        store(|store| store.release(&id));
    }
    fn publish(id: String, parts: Vec<Part>) -> Answer<LogInfo> {
        store(|store| store.publish(&id, &parts))
    }
    fn append(id: String, at: u64, content: Vec<u8>) -> Answer {
        store(|store| store.append(&id, at, &content))
    }
    fn sync(id: String) -> Answer {
        store(|store| store.sync(&id))
    }
    fn stat(id: String) -> Answer<LogInfo> {
        store(|store| store.stat(&id))
    }
    fn read(id: String, at: u64, max: u32) -> Answer<Vec<u8>> {
        store(|store| store.read(&id, at, max))
    }
    fn set_aside(id: String, at: u64) -> Answer<Aside> {
        store(|store| store.set_aside(&id, at))
    }
    fn asides(id: String) -> Answer<Vec<Aside>> {
        store(|store| store.asides(&id))
    }
    fn read_aside(id: String, name: String, at: u64, max: u32) -> Answer<Vec<u8>> {
        store(|store| store.read_aside(&id, &name, at, max))
    }
    fn list(order: Order, after: Option<Place>, max: u32) -> Answer<Vec<LogInfo>> {
        store(|store| store.list(order, after.as_ref(), max))
    }
    fn remove(id: String) -> Answer {
        store(|store| store.remove(&id))
    }
    fn save_checkpoint(id: String, content: Vec<u8>) -> Answer {
        store(|store| store.save_checkpoint(&id, &content))
    }
    fn load_checkpoint(id: String) -> Answer<Vec<u8>> {
        store(|store| store.load_checkpoint(&id))
    }
}

impl clock::Guest for Component {
    fn now() -> u64 {
        milliseconds(wall_clock::now())
    }
}

/// A time as sessions write it, in milliseconds since the Unix epoch.
fn milliseconds(time: Datetime) -> u64 {
    time.seconds.saturating_mul(1000).saturating_add(u64::from(time.nanoseconds) / 1_000_000)
}
