use std::sync::{Arc, Mutex};

use session_host::StorageError;

use super::lock;
use crate::twist::{Twist, Wrong, wrong};

pub const WRONG: &[Wrong] = &[
    wrong("keeps the beginning of a checkpoint", &["a checkpoint is read back whole or not at all"], || {
        Twist::default()
            .save_checkpoint(|store, id, content| store.save_checkpoint(id, &content[..content.len().min(4096)]))
    }),
    wrong("writes a checkpoint over the last one", &["a checkpoint is replaced whole, also by a shorter one"], || {
        Twist::default().save_checkpoint(|store, id, content| {
            let mut over = store.load_checkpoint(id)?;
            let end = content.len().min(over.len());
            over.splice(..end, content.iter().copied());
            store.save_checkpoint(id, &over)
        })
    }),
    wrong("has one checkpoint for all logs", &["a checkpoint of one log is none of another's"], || {
        let last = Arc::new(Mutex::new(Vec::new()));
        let loaded = last.clone();
        Twist::default()
            .save_checkpoint(move |store, id, content| {
                store.save_checkpoint(id, content)?;
                *lock(&last) = content.to_vec();
                Ok(())
            })
            .load_checkpoint(move |_, _| Ok(lock(&loaded).clone()))
    }),
    wrong(
        "can't load what is not there",
        &["a log that has no checkpoint, or is not there, answers an empty one"],
        || {
            Twist::default().load_checkpoint(|store, id| match store.load_checkpoint(id)? {
                none if none.is_empty() => Err(StorageError::NotFound),
                checkpoint => Ok(checkpoint),
            })
        },
    ),
    wrong(
        "claims what it saves a checkpoint of",
        &["saving a checkpoint of a log that is not held is refused as moved"],
        || {
            Twist::default().save_checkpoint(|store, id, content| {
                store.acquire(id)?;
                store.save_checkpoint(id, content)
            })
        },
    ),
    wrong(
        "finds no log to save a checkpoint of",
        &["saving a checkpoint of a log that is not held is refused as moved"],
        || {
            Twist::default().save_checkpoint(|store, id, content| {
                store.stat(id)?;
                store.save_checkpoint(id, content)
            })
        },
    ),
    wrong(
        "keeps checkpoints among the logs",
        &["saving a checkpoint changes nothing of the log, and adds none to the list"],
        || {
            Twist::default().save_checkpoint(|store, id, content| {
                store.publish(&format!("{id}.ckpt"), &[])?;
                store.save_checkpoint(id, content)
            })
        },
    ),
];
