use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use session_host::storage::Result;
use session_host::{Part, Storage, StorageError};

use super::{holder, lock};
use crate::twist::{Twist, Wrong, wrong};

const ANOTHERS: &[&str] = &["what is refused while another holds the log leaves the other its claim"];
const NOBODYS: &[&str] = &["what is refused on a log that nobody holds claims nothing"];
const OWN: &[&str] = &["what is refused to the holder of the log leaves it its claim"];
const SOURCE: &[&str] = &["publishing leaves the claim on the log that it copies from as it was"];
const LOOKS: &[&str] = &["what needs no claim changes none"];

/// Logs whose claims count no more: whoever asks for one gets it.
#[derive(Clone, Default)]
struct Ended(Arc<Mutex<HashSet<String>>>);

impl Ended {
    fn twist(&self) -> Twist {
        let Self(ended) = self.clone();
        Twist::default().acquire(move |store, id| match store.acquire(id) {
            Err(StorageError::Busy(_)) if lock(&ended).contains(id) => store.stat(id),
            acquired => acquired,
        })
    }

    fn end(&self, id: &str) {
        lock(&self.0).insert(id.into());
    }

    /// Ends the claim on the log, if this was refused.
    fn if_refused<T>(&self, id: &str, answer: Result<T>) -> Result<T> {
        answer.inspect_err(|_| self.end(id))
    }
}

/// Claims the log, if this was refused.
fn claimed<T>(store: &dyn Storage, id: &str, answer: Result<T>) -> Result<T> {
    answer.inspect_err(|_| drop(store.acquire(id)))
}

/// What a publication copies from.
fn sources<'a>(parts: &'a [Part<'_>]) -> impl Iterator<Item = &'a str> {
    parts.iter().filter_map(|part| match part {
        Part::Copy { id, .. } => Some(*id),
        Part::Content(_) => None,
    })
}

pub const WRONG: &[Wrong] = &[
    wrong("ends the claim that an append fails for", ANOTHERS, || {
        let ended = Ended::default();
        ended.twist().append(move |store, id, at, content| ended.if_refused(id, store.append(id, at, content)))
    }),
    wrong("ends the claim that a sync fails for", ANOTHERS, || {
        let ended = Ended::default();
        ended.twist().sync(move |store, id| ended.if_refused(id, store.sync(id)))
    }),
    wrong("ends the claim that a cut fails for", ANOTHERS, || {
        let ended = Ended::default();
        ended.twist().set_aside(move |store, id, at| ended.if_refused(id, store.set_aside(id, at)))
    }),
    wrong("ends the claim that a checkpoint fails for", ANOTHERS, || {
        let ended = Ended::default();
        ended
            .twist()
            .save_checkpoint(move |store, id, content| ended.if_refused(id, store.save_checkpoint(id, content)))
    }),
    wrong("ends the claim on what it does not publish", ANOTHERS, || {
        let ended = Ended::default();
        ended.twist().publish(move |store, id, parts| ended.if_refused(id, store.publish(id, parts)))
    }),
    wrong("ends the claim on what it does not remove", ANOTHERS, || {
        let ended = Ended::default();
        ended.twist().remove(move |store, id| ended.if_refused(id, store.remove(id)))
    }),
    wrong("lets the holder write no more once it has refused another", ANOTHERS, || {
        let barred = Arc::new(Mutex::new(HashSet::<String>::new()));
        let known = barred.clone();
        Twist::default()
            .publish(move |store, id, parts| {
                store.publish(id, parts).inspect_err(|_| {
                    lock(&barred).insert(id.into());
                })
            })
            .append(move |store, id, at, content| {
                if lock(&known).contains(id) {
                    return Err(StorageError::Moved("it is not held".into()));
                }
                store.append(id, at, content)
            })
    }),
    wrong("claims what it refuses to append to", NOBODYS, || {
        Twist::default().append(|store, id, at, content| claimed(store, id, store.append(id, at, content)))
    }),
    wrong("claims what it refuses to sync", NOBODYS, || {
        Twist::default().sync(|store, id| claimed(store, id, store.sync(id)))
    }),
    wrong("claims what it refuses to cut", NOBODYS, || {
        Twist::default().set_aside(|store, id, at| claimed(store, id, store.set_aside(id, at)))
    }),
    wrong("claims what it refuses to save a checkpoint of", NOBODYS, || {
        Twist::default().save_checkpoint(|store, id, content| claimed(store, id, store.save_checkpoint(id, content)))
    }),
    wrong("claims what it refuses to publish", NOBODYS, || {
        Twist::default().publish(|store, id, parts| claimed(store, id, store.publish(id, parts)))
    }),
    wrong("lets go of what it holds and refuses to publish", OWN, || {
        Twist::default().publish(|store, id, parts| store.publish(id, parts).inspect_err(|_| store.release(id)))
    }),
    wrong("lets go of what it refuses to append to", OWN, || {
        Twist::default()
            .append(|store, id, at, content| store.append(id, at, content).inspect_err(|_| store.release(id)))
    }),
    wrong("lets go of what it refuses to cut", OWN, || {
        Twist::default().set_aside(|store, id, at| store.set_aside(id, at).inspect_err(|_| store.release(id)))
    }),
    wrong("holds what it failed to publish", &["publishing that fails holds nothing"], || {
        let holders = Mutex::new(HashMap::<String, usize>::new());
        Twist::default().publish(move |store, id, parts| {
            if lock(&holders).get(id).is_some_and(|of| *of != holder(store)) {
                return Err(StorageError::Busy("it is being made".into()));
            }
            store.publish(id, parts).inspect_err(|_| {
                lock(&holders).insert(id.into(), holder(store));
            })
        })
    }),
    wrong("lets go of what it copies from", SOURCE, || {
        Twist::default().publish(|store, id, parts| {
            sources(parts).for_each(|source| store.release(source));
            store.publish(id, parts)
        })
    }),
    wrong("claims what it copies from", SOURCE, || {
        Twist::default().publish(|store, id, parts| {
            sources(parts).for_each(|source| drop(store.acquire(source)));
            store.publish(id, parts)
        })
    }),
    wrong("ends another's claim on what it copies from", SOURCE, || {
        let ended = Ended::default();
        ended.twist().publish(move |store, id, parts| {
            sources(parts).for_each(|source| ended.end(source));
            store.publish(id, parts)
        })
    }),
    wrong("claims what it reads", LOOKS, || {
        Twist::default().read(|store, id, at, max| {
            let _ = store.acquire(id);
            store.read(id, at, max)
        })
    }),
    wrong("lets go of what it looks for a checkpoint of", LOOKS, || {
        Twist::default().load_checkpoint(|store, id| {
            store.release(id);
            store.load_checkpoint(id)
        })
    }),
    wrong("ends the claims on all that it lists", LOOKS, || {
        let ended = Ended::default();
        ended.twist().list(move |store, order, after, max| {
            let logs = store.list(order, after, max)?;
            logs.iter().for_each(|log| ended.end(&log.name));
            Ok(logs)
        })
    }),
];
