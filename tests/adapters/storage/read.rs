use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use session_host::{LogInfo, StorageError};

use super::{failed, held_by_another, lock};
use crate::twist::{Twist, Wrong, wrong};

/// Looking at a log tells something else.
fn told(change: impl Fn(&mut LogInfo) + Send + Sync + 'static) -> Twist {
    Twist::default().stat(move |store, id| {
        let mut info = store.stat(id)?;
        change(&mut info);
        Ok(info)
    })
}

/// Looking at a log tells for ever what was so when it was seen first.
fn told_once(part: fn(&mut LogInfo) -> &mut u64) -> Twist {
    let first = Mutex::new(HashMap::<String, u64>::new());
    told(move |info| {
        let now = *part(info);
        let first = *lock(&first).entry(info.identity.clone()).or_insert(now);
        *part(info) = first;
    })
}

pub const WRONG: &[Wrong] = &[
    wrong("reads a byte too much", &["reading gives just the bytes asked for", "reading no bytes gives none"], || {
        Twist::default().read(|store, id, at, max| store.read(id, at, max.saturating_add(1)))
    }),
    wrong("reads a window at a time", &["reading gives fewer bytes at the end alone"], || {
        Twist::default().read(|store, id, at, max| store.read(id, at, max.min(1 << 16)))
    }),
    wrong("can't read behind the end", &["reading at the end or behind it gives no bytes"], || {
        Twist::default().read(
            |store, id, at, max| {
                if at > store.stat(id)?.length { failed() } else { store.read(id, at, max) }
            },
        )
    }),
    wrong("reads for the holder alone", &["reading needs no claim"], || {
        Twist::default().read(|store, id, at, max| {
            if held_by_another(store, id) {
                return Err(StorageError::Busy("it is held".into()));
            }
            store.read(id, at, max)
        })
    }),
    wrong("reads a log that is not there as empty", &["reading a log that is not there is not found"], || {
        Twist::default().read(|store, id, at, max| match store.read(id, at, max) {
            Err(StorageError::NotFound) => Ok(Vec::new()),
            read => read,
        })
    }),
    wrong("sees a log where none is", &["looking at a log that is not there is not found"], || {
        Twist::default().stat(|store, id| match store.stat(id) {
            Err(StorageError::NotFound) => Ok(LogInfo {
                id: Some(id.into()),
                name: id.into(),
                length: 0,
                modified: 0,
                identity: String::new(),
                held: false,
            }),
            seen => seen,
        })
    }),
    wrong("tells the first length for ever", &["looking at a log tells its length as it grows"], || {
        told_once(|info| &mut info.length)
    }),
    wrong("tells the first time for ever", &["looking at a log tells a later time once it has grown"], || {
        told_once(|info| &mut info.modified)
    }),
    wrong("tells of no cut by its time", &["looking at a log tells a later time once it has been cut"], || {
        let before = Arc::new(Mutex::new(HashMap::new()));
        let known = before.clone();
        told(move |info| {
            if let Some(before) = lock(&known).get(&info.name) {
                info.modified = *before;
            }
        })
        .set_aside(move |store, id, at| {
            lock(&before).insert(id.to_string(), store.stat(id)?.modified);
            store.set_aside(id, at)
        })
    }),
    wrong(
        "takes a log that has grown for another",
        &["looking at a log tells the same identity however it grows or is held"],
        || told(|info| info.identity = format!("{}:{}", info.identity, info.length)),
    ),
    wrong(
        "takes a log made anew for the same",
        &["looking at a log that was removed and made anew tells another identity"],
        || {
            Twist::default().publish(|store, id, parts| {
                let mut info = store.publish(id, parts)?;
                info.identity = id.into();
                Ok(info)
            })
        },
    ),
];
