//! Stores that break the rules, each in one way.

mod append;
mod asides;
mod checkpoints;
mod claims;
mod ids;
mod list;
mod publish;
mod read;
mod refusals;
mod remove;

use std::sync::{Mutex, MutexGuard, PoisonError};

use session_host::storage::Result;
use session_host::{LogInfo, Order, Storage, StorageError};

use crate::twist::Wrong;

/// By the themes of the cases.
pub const WRONG: &[&[Wrong]] = &[
    publish::WRONG,
    append::WRONG,
    read::WRONG,
    claims::WRONG,
    refusals::WRONG,
    asides::WRONG,
    checkpoints::WRONG,
    remove::WRONG,
    list::WRONG,
    ids::WRONG,
];

fn failed<T>() -> Result<T> {
    Err(StorageError::Failed("no".into()))
}

fn bytes(store: &dyn Storage, id: &str) -> Result<Vec<u8>> {
    store.read(id, 0, u32::MAX)
}

fn all(store: &dyn Storage) -> Result<Vec<LogInfo>> {
    store.list(Order::ById, None, u32::MAX)
}

fn is_there(store: &dyn Storage, id: &str) -> bool {
    store.stat(id).is_ok()
}

fn held_by_another(store: &dyn Storage, id: &str) -> bool {
    let before = store.stat(id).is_ok_and(|log| log.held);
    before && matches!(store.acquire(id), Err(StorageError::Busy(_)))
}

/// Which holder this is.
fn holder(store: &dyn Storage) -> usize {
    std::ptr::from_ref(store).addr()
}

fn lock<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
