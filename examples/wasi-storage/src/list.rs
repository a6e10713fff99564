//! Pages of the logs in the folder.

use std::cmp::Reverse;

use crate::error::{Error, Io};
use crate::folder::{Folder, HERE, Stat};
use crate::name;
use crate::storage::{Order, Place};
use crate::wasi::filesystem::types::ErrorCode;

/// Where a log stands. Each order uses variants of its own.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Id(String),
    /// Encodes no id, so it comes after all that do.
    Name,
    Recent(Reverse<u64>),
}

impl Key {
    fn new(order: Order, name: &str, modified: u64) -> Self {
        match order {
            Order::ById => name::id_of_log(name).map_or(Self::Name, Self::Id),
            Order::Recent => Self::Recent(Reverse(modified)),
        }
    }
}

/// At most `max` names behind `after`, each with what is known of it: nothing if it can't be looked at. Fewer only at the end.
pub fn page(folder: &Folder, order: Order, after: Option<&Place>, max: usize) -> Io<Vec<(String, Option<Stat>)>> {
    let after = after.map(|place| (Key::new(order, &place.name, place.modified), place.name.clone()));
    let mut behind = Vec::new();
    for name in folder.names(HERE)?.into_iter().filter(|name| name::is_log(name)) {
        // Where the order needs no time, a log is looked at only once it is known to be on the page.
        let modified = match order {
            Order::ById => 0,
            Order::Recent => match stat(folder, &name) {
                Some(stat) => stat.map_or(0, |stat| stat.modified),
                None => continue,
            },
        };
        let place = (Key::new(order, &name, modified), name);
        if after.as_ref().is_none_or(|after| place > *after) {
            behind.push(place);
        }
    }
    behind.sort_unstable();

    let mut page = Vec::new();
    for (key, name) in behind {
        if page.len() == max {
            break;
        }
        let Some(mut known) = stat(folder, &name) else { continue };
        // One that grew meanwhile stands where it was found.
        if let (Some(stat), Key::Recent(Reverse(modified))) = (&mut known, key) {
            stat.modified = modified;
        }
        page.push((name, known));
    }
    Ok(page)
}

/// None if it is gone by now; `Some(None)` if it can't be looked at: one bad file is to hide no others.
fn stat(folder: &Folder, name: &str) -> Option<Option<Stat>> {
    match folder.stat(name) {
        Err(Error::Code(ErrorCode::NoEntry)) => None,
        known => Some(known.ok()),
    }
}
