//! The case that a component can't try: in its world no holder is ever dropped.

use std::sync::Arc;

use crate::storage::{Part, Storage, StorageError};

/// Its name.
pub const CASE: &str = "storage: a claim is held until its holder is dropped, and no longer";

/// Tries it on an empty store.
pub fn run(storage: Arc<dyn Storage>) -> Result<(), String> {
    let published = sibling(&*storage)?;
    must("publishing", published.publish("x", &[Part::Content(b"one\n")]))?;
    let (third, fourth) = (sibling(&*storage)?, sibling(&*storage)?);
    drop(third);
    is_busy("while its publisher is there, though another holder was dropped", &*fourth)?;
    drop(published);

    must("acquiring what the dropped publisher held", fourth.acquire("x"))?;
    must("appending then", fourth.append("x", 4, b"two\n"))?;
    is_busy("while who acquired it is there", &*storage)?;
    drop(fourth);

    must("acquiring what the dropped writer held", storage.acquire("x"))?;
    must("appending then", storage.append("x", 8, b"three\n"))?;
    match must("reading", storage.read("x", 0, 99))?.as_slice() {
        b"one\ntwo\nthree\n" => Ok(()),
        found => Err(format!("the log: expected all three lines, found `{}`", found.escape_ascii())),
    }
}

fn sibling(storage: &dyn Storage) -> Result<Arc<dyn Storage>, String> {
    must("making a sibling", storage.sibling())
}

fn is_busy(when: &str, storage: &dyn Storage) -> Result<(), String> {
    match storage.acquire("x") {
        Err(StorageError::Busy(_)) => Ok(()),
        found => Err(format!("acquiring a log {when}: expected Busy, found {found:?}")),
    }
}

fn must<T>(what: &str, answer: Result<T, StorageError>) -> Result<T, String> {
    answer.map_err(|error| format!("{what}: expected success, found {error:?}"))
}
