use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use session_host::{LogInfo, StorageError};

use super::{all, bytes, held_by_another, holder, lock};
use crate::twist::{Twist, Wrong, wrong};

pub const WRONG: &[Wrong] = &[
    wrong("acquires nothing", &["acquiring makes its caller the only writer"], || {
        Twist::default().acquire(|store, id| {
            let mut info = store.stat(id)?;
            info.held = true;
            Ok(info)
        })
    }),
    wrong("tells of no claim on what it acquired", &["acquiring answers what the log is like then"], || {
        Twist::default().acquire(|store, id| {
            let mut info = store.acquire(id)?;
            info.held = false;
            Ok(info)
        })
    }),
    wrong("says yes to a second writer", &["acquiring what another holds is busy"], || {
        Twist::default().acquire(|store, id| match store.acquire(id) {
            Err(StorageError::Busy(_)) => store.stat(id),
            acquired => acquired,
        })
    }),
    wrong("can't acquire twice", &["acquiring again what is held already is no error"], || {
        Twist::default().acquire(|store, id| {
            if store.stat(id)?.held {
                return Err(StorageError::Busy("it is held".into()));
            }
            store.acquire(id)
        })
    }),
    wrong("counts how often a log was acquired", &["acquiring again what is held already is no error"], || {
        let counts = Arc::new(Mutex::new(HashMap::<(usize, String), u32>::new()));
        let released = counts.clone();
        Twist::default()
            .acquire(move |store, id| {
                let info = store.acquire(id)?;
                *lock(&counts).entry((holder(store), id.into())).or_default() += 1;
                Ok(info)
            })
            .release(move |store, id| {
                let mut counts = lock(&released);
                let count = counts.entry((holder(store), id.into())).or_default();
                *count = count.saturating_sub(1);
                if *count == 0 {
                    store.release(id);
                }
            })
    }),
    wrong(
        "makes the log that it can't acquire",
        &["acquiring a log that is not there is not found, and makes none"],
        || {
            Twist::default().acquire(|store, id| match store.acquire(id) {
                Err(StorageError::NotFound) => store.publish(id, &[]),
                acquired => acquired,
            })
        },
    ),
    wrong("mends what it acquires", &["acquiring changes nothing that is stored"], || {
        Twist::default().acquire(|store, id| {
            store.acquire(id)?;
            let bytes = bytes(store, id)?;
            let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            if end < bytes.len() {
                store.set_aside(id, end as u64)?;
            }
            store.stat(id)
        })
    }),
    wrong("has one lock for all logs", &["acquiring one log holds up no other"], || {
        Twist::default().acquire(|store, id| {
            if all(store)?.iter().any(|log| log.name != id && log.held) {
                return Err(StorageError::Busy("another log is held".into()));
            }
            store.acquire(id)
        })
    }),
    wrong("releases nothing", &["releasing lets another in"], || Twist::default().release(|_, _| ())),
    wrong("makes what it releases", &["releasing what is not held does nothing"], || {
        Twist::default().release(|store, id| {
            let _ = store.publish(id, &[]);
            store.release(id);
        })
    }),
    wrong("releases what another holds", &["releasing what another holds leaves it held"], || {
        let freed = Arc::new(Mutex::new(HashSet::<String>::new()));
        let known = freed.clone();
        Twist::default()
            .release(move |store, id| {
                if held_by_another(store, id) {
                    lock(&freed).insert(id.into());
                }
                store.release(id);
            })
            .acquire(move |store, id| match store.acquire(id) {
                Err(StorageError::Busy(_)) if lock(&known).contains(id) => store.stat(id),
                acquired => acquired,
            })
    }),
    wrong("believes a log to be as it left it", &["a log that another has grown is acquired as it is now"], || {
        let left = Arc::new(Mutex::new(HashMap::<(usize, String), LogInfo>::new()));
        let known = left.clone();
        Twist::default()
            .release(move |store, id| {
                if let Ok(info) = store.stat(id) {
                    lock(&left).insert((holder(store), id.into()), info);
                }
                store.release(id);
            })
            .acquire(move |store, id| {
                let info = store.acquire(id)?;
                Ok(lock(&known).remove(&(holder(store), id.into())).unwrap_or(info))
            })
    }),
    wrong(
        "tells nobody that a log is held",
        &["a log is told to be held, by `stat` and in lists, exactly while it is"],
        || {
            Twist::default().stat(|store, id| {
                let mut info = store.stat(id)?;
                info.held = false;
                Ok(info)
            })
        },
    ),
    wrong(
        "keeps the claims of a holder that is dropped",
        &["a claim is held until its holder is dropped, and no longer"],
        || Twist::default().dropping(std::mem::forget),
    ),
    wrong(
        "ends all claims when a holder is dropped",
        &["a claim is held until its holder is dropped, and no longer"],
        || {
            let ended = Arc::new(Mutex::new(false));
            let dropped = ended.clone();
            Twist::default().dropping(move |_| *lock(&dropped) = true).acquire(move |store, id| {
                match store.acquire(id) {
                    Err(StorageError::Busy(_)) if *lock(&ended) => store.stat(id),
                    acquired => acquired,
                }
            })
        },
    ),
    wrong("lists nothing as held", &["a log is told to be held, by `stat` and in lists, exactly while it is"], || {
        Twist::default().list(|store, order, after, max| {
            let mut logs = store.list(order, after, max)?;
            logs.iter_mut().for_each(|log| log.held = false);
            Ok(logs)
        })
    }),
];
