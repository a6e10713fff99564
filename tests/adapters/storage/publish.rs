use session_host::{Part, StorageError};

use super::{bytes, failed, held_by_another, is_there};
use crate::twist::{Twist, Wrong, wrong};

pub const WRONG: &[Wrong] = &[
    wrong("joins its parts backwards", &["publishing joins all parts in their order"], || {
        Twist::default().publish(|store, id, parts| {
            let parts: Vec<_> = parts.iter().rev().cloned().collect();
            store.publish(id, &parts)
        })
    }),
    wrong("tells no length of what it published", &["publishing answers what the log is like then"], || {
        Twist::default().publish(|store, id, parts| {
            let mut info = store.publish(id, parts)?;
            info.length = 0;
            Ok(info)
        })
    }),
    wrong("copies one byte too early", &["publishing copies a stretch out of another log"], || {
        Twist::default().publish(|store, id, parts| {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| match part {
                    Part::Copy { id, at, length } => Part::Copy { id, at: at.saturating_sub(1), length: *length },
                    other => other.clone(),
                })
                .collect();
            store.publish(id, &parts)
        })
    }),
    wrong("can't copy from a log that another holds", &["publishing copies out of a log that another holds"], || {
        Twist::default().publish(|store, id, parts| {
            for part in parts {
                if let Part::Copy { id, .. } = part
                    && held_by_another(store, id)
                {
                    return Err(StorageError::Busy("the source is held".into()));
                }
            }
            store.publish(id, parts)
        })
    }),
    wrong("touches what it copies from", &["publishing leaves the log that it copies from as it was"], || {
        Twist::default().publish(|store, id, parts| {
            let info = store.publish(id, parts)?;
            for part in parts {
                if let Part::Copy { id, .. } = part {
                    let source = store.acquire(id)?;
                    store.append(id, source.length, b"!")?;
                    store.release(id);
                }
            }
            Ok(info)
        })
    }),
    wrong("makes no empty log", &["publishing with no part makes an empty log"], || {
        Twist::default().publish(|store, id, parts| if parts.is_empty() { failed() } else { store.publish(id, parts) })
    }),
    wrong("replaces a log", &["publishing never replaces a log"], || {
        Twist::default().publish(|store, id, parts| match store.publish(id, parts) {
            Err(StorageError::AlreadyExists) => {
                store.remove(id)?;
                store.publish(id, parts)
            }
            published => published,
        })
    }),
    wrong("says that it replaced what another holds", &["publishing never replaces a log that another holds"], || {
        Twist::default().publish(|store, id, parts| match store.publish(id, parts) {
            Err(StorageError::AlreadyExists) if held_by_another(store, id) => store.stat(id),
            published => published,
        })
    }),
    wrong("holds nothing that it published", &["publishing makes its caller the holder"], || {
        Twist::default().publish(|store, id, parts| {
            let info = store.publish(id, parts)?;
            store.release(id);
            Ok(info)
        })
    }),
    wrong(
        "copies as much as there is",
        &[
            "publishing a copy of more than there is makes no log",
            "publishing a copy from behind the end makes no log, even of no bytes",
            "publishing a copy whose end no number can name makes no log",
            "publishing what failed can be tried again",
            "a list holds a log that was published and not one that failed to be",
        ],
        || {
            Twist::default().publish(|store, id, parts| {
                let mut cut = Vec::new();
                for part in parts {
                    cut.push(match part {
                        Part::Copy { id, at, length } => {
                            let has = store.stat(id)?.length;
                            let at = (*at).min(has);
                            Part::Copy { id, at, length: (*length).min(has - at) }
                        }
                        other => other.clone(),
                    });
                }
                store.publish(id, &cut)
            })
        },
    ),
    wrong(
        "takes a log that is too short for one that is not there",
        &[
            "publishing a copy of more than there is makes no log",
            "publishing a copy from behind the end makes no log, even of no bytes",
            "publishing a copy whose end no number can name makes no log",
        ],
        || {
            Twist::default().publish(|store, id, parts| {
                store.publish(id, parts).map_err(|error| match error {
                    StorageError::Failed(_) => StorageError::NotFound,
                    error => error,
                })
            })
        },
    ),
    wrong(
        "leaves a log behind where it fails",
        &[
            "publishing a copy of more than there is makes no log",
            "publishing a copy of a log that is not there makes no log",
            "publishing what failed can be tried again",
            "a list holds a log that was published and not one that failed to be",
        ],
        || {
            Twist::default().publish(|store, id, parts| {
                store.publish(id, parts).inspect_err(|_| {
                    if !is_there(store, id) && store.publish(id, &[]).is_ok() {
                        store.release(id);
                    }
                })
            })
        },
    ),
    wrong(
        "copies nothing of a log that is not there",
        &["publishing a copy of a log that is not there makes no log"],
        || {
            Twist::default().publish(|store, id, parts| {
                let there = |part: &&Part<'_>| !matches!(part, Part::Copy { id, .. } if !is_there(store, id));
                let parts: Vec<_> = parts.iter().filter(there).cloned().collect();
                store.publish(id, &parts)
            })
        },
    ),
    wrong("keeps no carriage return", &["publishing keeps every byte there is"], || {
        Twist::default().publish(|store, id, parts| {
            store.publish(id, parts)?;
            let kept: Vec<_> = bytes(store, id)?.into_iter().filter(|byte| *byte != b'\r').collect();
            store.remove(id)?;
            store.publish(id, &[Part::Content(&kept)])
        })
    }),
    wrong("keeps a megabyte", &["publishing takes a log of several megabytes"], || {
        Twist::default().publish(|store, id, parts| {
            let info = store.publish(id, parts)?;
            if info.length > 1 << 20 {
                store.set_aside(id, 1 << 20)?;
            }
            store.stat(id)
        })
    }),
];
