use std::collections::HashMap;
use std::sync::Mutex;

use session_host::{Part, StorageError};

use super::{failed, is_there, lock};
use crate::twist::{Twist, Wrong, wrong};

pub const WRONG: &[Wrong] = &[
    wrong("ends what it appends with a line feed", &["appending adds at the end and changes nothing before"], || {
        Twist::default().append(|store, id, at, content| {
            let ended = content.ends_with(b"\n");
            store.append(id, at, &[content, if ended { b"" } else { b"\n" }].concat())
        })
    }),
    wrong("turns CRLF into LF", &["appending keeps every byte there is"], || {
        Twist::default().append(|store, id, at, content| {
            let mut kept = content.to_vec();
            while let Some(at) = kept.windows(2).position(|two| two == b"\r\n") {
                kept.remove(at);
            }
            store.append(id, at, &kept)
        })
    }),
    wrong("can't append no bytes", &["appending no bytes changes nothing"], || {
        Twist::default().append(
            |store, id, at, content| {
                if content.is_empty() { failed() } else { store.append(id, at, content) }
            },
        )
    }),
    wrong("writes over the end", &["appending before the end is refused as moved, and nothing is written"], || {
        Twist::default().append(|store, id, at, content| {
            if store.stat(id)?.length > at {
                store.set_aside(id, at)?;
            }
            store.append(id, at, content)
        })
    }),
    wrong("fills a hole with zeros", &["appending behind the end is refused as moved, and leaves no hole"], || {
        Twist::default().append(|store, id, at, content| {
            let length = store.stat(id)?.length;
            if at > length && at < 1000 {
                store.append(id, length, &vec![0; (at - length) as usize])?;
            }
            store.append(id, at, content)
        })
    }),
    wrong(
        "claims whatever is appended to",
        &["appending to a log that is not held is refused as moved", "appending after a release is refused as moved"],
        || {
            Twist::default().append(|store, id, at, content| {
                store.acquire(id)?;
                store.append(id, at, content)
            })
        },
    ),
    wrong(
        "says yes to what it does not write",
        &[
            "appending before the end is refused as moved, and nothing is written",
            "appending behind the end is refused as moved, and leaves no hole",
            "appending to a log that another holds is refused as moved",
            "acquiring what another holds is busy",
            "removing a log ends the claim on it",
        ],
        || {
            Twist::default().append(|store, id, at, content| match store.append(id, at, content) {
                Err(StorageError::Moved(_)) => Ok(()),
                appended => appended,
            })
        },
    ),
    wrong(
        "makes the log that it can't append to",
        &["appending to a log that is not there is refused as moved, and makes none"],
        || {
            Twist::default().append(|store, id, at, content| match store.append(id, at, content) {
                Err(_) if !is_there(store, id) => store.publish(id, &[Part::Content(content)]).map(drop),
                appended => appended,
            })
        },
    ),
    wrong(
        "finds no log to append to",
        &[
            "appending to a log that is not there is refused as moved, and makes none",
            "removing a log ends the claim on it",
        ],
        || {
            Twist::default().append(|store, id, at, content| {
                store.stat(id)?;
                store.append(id, at, content)
            })
        },
    ),
    wrong(
        "refuses for ever what it has refused once",
        &["appending goes on after a refusal, once the log is acquired again"],
        || {
            let refused = Mutex::new(None);
            Twist::default().append(move |store, id, at, content| {
                let mut refused = lock(&refused);
                if let Some(error) = &*refused {
                    return Err(StorageError::clone(error));
                }
                store.append(id, at, content).inspect_err(|error| *refused = Some(error.clone()))
            })
        },
    ),
    wrong("shows what was appended with the next", &["appending shows to every reader when the call returns"], || {
        let waiting = Mutex::new(HashMap::<String, Vec<u8>>::new());
        Twist::default().append(move |store, id, at, content| {
            let last = lock(&waiting).insert(id.into(), content.to_vec()).unwrap_or_default();
            store.append(id, at.saturating_sub(last.len() as u64), &last)
        })
    }),
    wrong("syncs once", &["syncing what was appended succeeds, also twice and with nothing new"], || {
        let synced = Mutex::new(HashMap::<String, u64>::new());
        Twist::default().sync(move |store, id| {
            let length = store.stat(id)?.length;
            if lock(&synced).insert(id.into(), length) == Some(length) {
                return failed();
            }
            store.sync(id)
        })
    }),
    wrong("syncs whatever is asked for", &["syncing a log that is not held is refused as moved"], || {
        Twist::default().sync(|store, id| if is_there(store, id) { Ok(()) } else { store.sync(id) })
    }),
];
