use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use session_host::{Part, StorageError};

use super::{all, bytes, holder, is_there, lock};
use crate::twist::{Twist, Wrong, wrong};

pub const WRONG: &[Wrong] = &[
    wrong(
        "empties what it should remove",
        &[
            "removing a log leaves nothing of it to be read or listed",
            "removing a log that nobody holds needs no claim",
        ],
        || {
            Twist::default().remove(|store, id| {
                if is_there(store, id) {
                    store.acquire(id)?;
                    let _ = store.set_aside(id, 0);
                    store.release(id);
                }
                Ok(())
            })
        },
    ),
    wrong("leaves the pieces of what it removes", &["removing a log removes what was set aside for it"], || {
        let left = Arc::new(Mutex::new(HashMap::new()));
        let listed = left.clone();
        Twist::default()
            .remove(move |store, id| {
                let asides = store.asides(id)?;
                store.remove(id)?;
                lock(&left).insert(id.to_string(), asides);
                Ok(())
            })
            .asides(move |store, id| match lock(&listed).get(id) {
                Some(left) => Ok(left.clone()),
                None => store.asides(id),
            })
    }),
    wrong("leaves the checkpoint of what it removes", &["removing a log removes its checkpoint"], || {
        let left = Arc::new(Mutex::new(HashMap::new()));
        let loaded = left.clone();
        Twist::default()
            .remove(move |store, id| {
                let checkpoint = store.load_checkpoint(id)?;
                store.remove(id)?;
                lock(&left).insert(id.to_string(), checkpoint);
                Ok(())
            })
            .load_checkpoint(move |store, id| match lock(&loaded).get(id) {
                Some(left) => Ok(left.clone()),
                None => store.load_checkpoint(id),
            })
    }),
    wrong("keeps the claim on what it removes", &["removing a log ends the claim on it"], || {
        let claims = Arc::new(Mutex::new(HashSet::new()));
        let kept = claims.clone();
        Twist::default()
            .remove(move |store, id| {
                store.remove(id)?;
                lock(&claims).insert((holder(store), id.to_string()));
                Ok(())
            })
            .append(move |store, id, at, content| {
                let kept = lock(&kept).contains(&(holder(store), id.to_string()));
                if kept { Ok(()) } else { store.append(id, at, content) }
            })
    }),
    wrong("can't remove what is not there", &["removing a log that is not there is no error"], || {
        Twist::default().remove(
            |store, id| {
                if is_there(store, id) { store.remove(id) } else { Err(StorageError::NotFound) }
            },
        )
    }),
    wrong(
        "says that it removed what another holds",
        &["removing a log that another holds is busy, and leaves it"],
        || {
            Twist::default().remove(|store, id| match store.remove(id) {
                Err(StorageError::Busy(_)) => Ok(()),
                removed => removed,
            })
        },
    ),
    wrong("removes for the holder alone", &["removing a log that nobody holds needs no claim"], || {
        Twist::default().remove(|store, id| match store.stat(id) {
            Ok(log) if !log.held => Err(StorageError::Moved("it is not held".into())),
            _ => store.remove(id),
        })
    }),
    wrong("removes all whose names begin so", &["removing a log leaves all others"], || {
        Twist::default().remove(|store, id| {
            for log in all(store)? {
                if log.name.starts_with(id) {
                    store.remove(&log.name)?;
                }
            }
            Ok(())
        })
    }),
    wrong("goes on with what it removed", &["a log made anew under the name of a removed one is a fresh one"], || {
        let removed = Arc::new(Mutex::new(HashMap::new()));
        let known = removed.clone();
        Twist::default()
            .remove(move |store, id| {
                let bytes = bytes(store, id).unwrap_or_default();
                store.remove(id)?;
                lock(&removed).insert(id.to_string(), bytes);
                Ok(())
            })
            .publish(move |store, id, parts| {
                let old = lock(&known).remove(id).unwrap_or_default();
                store.publish(id, &[&[Part::Content(&old)], parts].concat())
            })
    }),
];
