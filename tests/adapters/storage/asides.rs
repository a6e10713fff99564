use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};

use session_host::{Aside, StorageError};

use super::{all, failed, is_there, lock};
use crate::twist::{Twist, Wrong, wrong};

/// Pieces under names of another kind: for each name of a log's, what it is really called and how long it is.
type Renamed = Arc<Mutex<BTreeMap<(String, String), Aside>>>;

/// Calls each piece as `name` says, of the offset and of how many there are already.
fn renamed(name: fn(u64, usize) -> String) -> Twist {
    let kept = Renamed::default();
    let (listed, read) = (kept.clone(), kept.clone());
    Twist::default()
        .set_aside(move |store, id, at| {
            let real = store.set_aside(id, at)?;
            let mut kept = lock(&kept);
            let name = name(at, kept.len());
            kept.insert((id.into(), name.clone()), real.clone());
            Ok(Aside { name, ..real })
        })
        .asides(move |_, id| {
            let listed = lock(&listed);
            let of_id = listed.iter().filter(|((of, _), _)| of == id);
            Ok(of_id.map(|((_, name), real)| Aside { name: name.clone(), length: real.length }).collect())
        })
        .read_aside(move |store, id, name, at, max| {
            let real = lock(&read).get(&(id.into(), name.into())).map(|real| real.name.clone());
            store.read_aside(id, &real.ok_or(StorageError::NotFound)?, at, max)
        })
}

pub const WRONG: &[Wrong] = &[
    wrong("throws away what it cuts", &["setting aside cuts the log and keeps what was cut"], || {
        Twist::default().read_aside(|store, id, name, _, _| store.read_aside(id, name, u64::MAX, 0))
    }),
    wrong("cuts a byte too much", &["setting aside leaves what precedes, and the log goes on from there"], || {
        Twist::default().set_aside(|store, id, at| store.set_aside(id, at.saturating_sub(1)))
    }),
    wrong("empties no log", &["setting aside from the first byte on empties the log"], || {
        Twist::default().set_aside(|store, id, at| if at == 0 { failed() } else { store.set_aside(id, at) })
    }),
    wrong("keeps a window of what it cuts", &["setting aside keeps every byte there is"], || {
        const KEPT: u64 = 1 << 16;
        Twist::default().read_aside(|store, id, name, at, max| {
            let left = KEPT.saturating_sub(at).min(max.into());
            store.read_aside(id, name, at, left as u32)
        })
    }),
    wrong("keeps one piece for each place", &["setting aside several times keeps each piece"], || {
        renamed(|at, _| at.to_string())
    }),
    wrong(
        "keeps the same piece again and again",
        &["setting the same bytes aside again at the same place makes no second copy"],
        || renamed(|at, count| format!("{at}.{count}")),
    ),
    wrong(
        "keeps a piece of no bytes",
        &["setting aside at the end or behind it is refused as moved, and keeps nothing"],
        || {
            Twist::default().set_aside(|store, id, at| match store.set_aside(id, at) {
                Err(StorageError::Moved(_)) => Ok(Aside { name: "none".into(), length: 0 }),
                cut => cut,
            })
        },
    ),
    wrong(
        "claims what it cuts",
        &["setting aside on a log that is not held is refused as moved, and nothing is cut"],
        || {
            Twist::default().set_aside(|store, id, at| {
                store.acquire(id)?;
                store.set_aside(id, at)
            })
        },
    ),
    wrong("lists pieces backwards", &["what was set aside is listed by name, with lengths"], || {
        Twist::default().asides(|store, id| {
            let mut asides = store.asides(id)?;
            asides.reverse();
            Ok(asides)
        })
    }),
    wrong("reads pieces whole", &["what was set aside is read in pieces, fewer bytes at its end alone"], || {
        Twist::default().read_aside(|store, id, name, _, _| store.read_aside(id, name, 0, u32::MAX))
    }),
    wrong("forgets pieces with the claim", &["what was set aside stays when the log grows and is released"], || {
        let released = Arc::new(Mutex::new(HashSet::<String>::new()));
        let gone = released.clone();
        Twist::default()
            .release(move |store, id| {
                lock(&released).insert(id.into());
                store.release(id);
            })
            .asides(move |store, id| if lock(&gone).contains(id) { Ok(Vec::new()) } else { store.asides(id) })
    }),
    wrong("keeps the pieces of all logs together", &["what was set aside of one log is none of another's"], || {
        Twist::default()
            .asides(|store, _| {
                let mut asides = Vec::new();
                for log in all(store)? {
                    asides.extend(store.asides(&log.name)?);
                }
                Ok(asides)
            })
            .read_aside(|store, _, name, at, max| {
                let mut reads = all(store)?.into_iter().map(|log| store.read_aside(&log.name, name, at, max));
                reads.find(Result::is_ok).unwrap_or(Err(StorageError::NotFound))
            })
    }),
    wrong(
        "finds a piece by the beginning of its name",
        &["what was never set aside is not found, whatever its name"],
        || {
            Twist::default().read_aside(|store, id, name, at, max| {
                let asides = store.asides(id)?;
                let piece = asides.iter().find(|aside| aside.name.starts_with(name)).ok_or(StorageError::NotFound)?;
                store.read_aside(id, &piece.name, at, max)
            })
        },
    ),
    wrong("finds no log to cut", &["a log that is not there has nothing set aside"], || {
        Twist::default().set_aside(|store, id, at| {
            store.stat(id)?;
            store.set_aside(id, at)
        })
    }),
    wrong("can't list the pieces of no log", &["a log that is not there has nothing set aside"], || {
        Twist::default().asides(
            |store, id| {
                if is_there(store, id) { store.asides(id) } else { Err(StorageError::NotFound) }
            },
        )
    }),
];
