use std::cmp::{Ordering, Reverse};

use session_host::storage::Result;
use session_host::{LogInfo, Order, Place, Storage, StorageError};

use super::all;
use crate::twist::{Twist, Wrong, wrong};

/// A page in another order than it should be; `key` makes it.
fn sorted<K: Ord>(
    store: &dyn Storage,
    after: Option<&Place>,
    max: u32,
    change: impl Fn(LogInfo) -> LogInfo,
    key: impl Fn(&str, u64) -> K,
) -> Result<Vec<LogInfo>> {
    let mut logs: Vec<_> = all(store)?.into_iter().map(change).collect();
    logs.sort_by_key(|log| key(&log.name, log.modified));
    let after = after.map(|place| key(&place.name, place.modified));
    logs.retain(|log| after.as_ref().is_none_or(|after| key(&log.name, log.modified).cmp(after) == Ordering::Greater));
    logs.truncate(max as usize);
    Ok(logs)
}

pub const WRONG: &[Wrong] = &[
    wrong("can't list an empty store", &["an empty store lists nothing, in either order"], || {
        Twist::default().list(|store, order, after, max| match store.list(order, after, max)? {
            none if none.is_empty() && after.is_none() && max > 0 => Err(StorageError::NotFound),
            logs => Ok(logs),
        })
    }),
    wrong("lists no lengths", &["a list tells of each log what `stat` does"], || {
        Twist::default().list(|store, order, after, max| {
            let mut logs = store.list(order, after, max)?;
            logs.iter_mut().for_each(|log| log.length = 0);
            Ok(logs)
        })
    }),
    wrong("lists by id as people sort", &["a list by id goes by the bytes of the ids"], || {
        Twist::default().list(|store, order, after, max| match order {
            Order::ById => sorted(store, after, max, |log| log, |name, _| (name.to_lowercase(), name.to_string())),
            Order::Recent => store.list(order, after, max),
        })
    }),
    wrong("lists the oldest first", &["a list of recent logs begins with the one that grew last"], || {
        Twist::default().list(|store, order, after, max| match order {
            Order::ById => store.list(order, after, max),
            Order::Recent => sorted(store, after, max, |log| log, |name, modified| (modified, name.to_string())),
        })
    }),
    wrong("lists equals backwards", &["a list of recent logs goes by name among equals, and by time else"], || {
        let same_time = |log| LogInfo { modified: 7, ..log };
        Twist::default().list(move |store, order, after, max| match order {
            Order::ById => store.list(order, after, max),
            Order::Recent => sorted(store, after, max, same_time, |name, _| Reverse(name.to_string())),
        })
    }),
    wrong(
        "begins a page with the place",
        &["a list goes on behind the place that was seen last, in pages of any size"],
        || {
            Twist::default().list(|store, order, after, max| {
                let mut logs = store.list(order, after, max)?;
                let seen = after.and_then(|place| store.stat(&place.name).ok());
                logs.splice(0..0, seen);
                logs.truncate(max as usize);
                Ok(logs)
            })
        },
    ),
    wrong("ends where the place is gone", &["a list goes on behind a place that is gone"], || {
        Twist::default().list(|store, order, after, max| match after {
            Some(place) if store.stat(&place.name).is_err() => Ok(Vec::new()),
            _ => store.list(order, after, max),
        })
    }),
    wrong(
        "goes on where the place is now",
        &["a list of recent logs goes on behind a place whose log has grown since"],
        || {
            Twist::default().list(|store, order, after, max| {
                let after = after.cloned().map(|place| match store.stat(&place.name) {
                    Ok(now) => Place { modified: now.modified, ..place },
                    Err(_) => place,
                });
                store.list(order, after.as_ref(), max)
            })
        },
    ),
    wrong("lists by time and id", &["a list by id takes no notice of when the place had changed"], || {
        Twist::default().list(|store, order, after, max| {
            let mut logs = store.list(order, after, max)?;
            if let (Order::ById, Some(place)) = (order, after) {
                logs.retain(|log| log.modified >= place.modified);
            }
            Ok(logs)
        })
    }),
    wrong(
        "lists all where none is asked for",
        &["a list holds no more than was asked for, and none if none was"],
        || {
            Twist::default()
                .list(|store, order, after, max| store.list(order, after, if max == 0 { u32::MAX } else { max }))
        },
    ),
];
