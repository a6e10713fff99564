//! Pages of the logs in a folder. One page costs one pass over the names, and memory for the page.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};

use super::super::{Order, Place, name};
use super::disk::{Folder, Stat};

/// A log, or something that is called like one.
#[derive(Debug)]
pub(super) struct Entry {
    key: Key,
    pub(super) file: OsString,
    /// None if it can't be looked at.
    pub(super) stat: Option<Stat>,
}

impl Entry {
    /// What it is called.
    pub(super) fn name(&self) -> Cow<'_, str> {
        text(&self.file)
    }
}

/// Where an entry stands. Each order uses variants of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Id(String),
    /// Encodes no id, so it comes after all that do.
    Name(String),
    Recent(Reverse<u64>, String),
}

impl Key {
    fn new(order: Order, name: &str, modified: u64) -> Self {
        match order {
            Order::ById => name::id_of_log(name).map_or_else(|| Self::Name(name.to_owned()), Self::Id),
            Order::Recent => Self::Recent(Reverse(modified), name.to_owned()),
        }
    }
}

/// At most `max` entries behind `after`; fewer only at the end.
pub(super) fn page(folder: &impl Folder, order: Order, after: Option<&Place>, max: usize) -> io::Result<Vec<Entry>> {
    let mut after = after.map(|place| Key::new(order, &place.name, place.modified));
    let mut page = Vec::new();
    while page.len() < max {
        let wanted = max - page.len();
        let next = first(folder, order, after.as_ref(), wanted)?;
        let at_end = next.len() < wanted;
        after = next.last().map(|entry| entry.key.clone());
        for mut entry in next {
            // Where the order needs no stat, only what is on the page gets one; and what is gone by now leaves room.
            if order == Order::ById {
                let Some(stat) = stat(folder, &entry.file) else { continue };
                entry.stat = stat;
            }
            page.push(entry);
        }
        if at_end {
            break;
        }
    }
    Ok(page)
}

/// The first `max` entries behind `after`, in order.
fn first(folder: &impl Folder, order: Order, after: Option<&Key>, max: usize) -> io::Result<Vec<Entry>> {
    let mut first = BinaryHeap::new();
    for file in folder.names()? {
        let file = file?;
        if !name::is_log(file.as_encoded_bytes()) {
            continue;
        }
        let known = match order {
            Order::ById => None,
            Order::Recent => match stat(folder, &file) {
                Some(stat) => stat,
                None => continue,
            },
        };
        let key = Key::new(order, &text(&file), known.map_or(0, |stat| stat.modified));
        if after.is_some_and(|after| key <= *after) {
            continue;
        }
        if first.len() < max {
            first.push(ByKey(Entry { key, file, stat: known }));
        } else if let Some(mut last) = first.peek_mut().filter(|last| key < last.0.key) {
            *last = ByKey(Entry { key, file, stat: known });
        }
    }
    Ok(first.into_sorted_vec().into_iter().map(|ByKey(entry)| entry).collect())
}

/// None if it is gone by now; `Some(None)` if it can't be looked at: one bad file is to hide no others.
fn stat(folder: &impl Folder, file: &OsStr) -> Option<Option<Stat>> {
    match folder.stat(file) {
        Ok(stat) => Some(Some(stat)),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(_) => Some(None),
    }
}

/// A name as text that differs for different names: bytes that are no text are escaped, and so is what escapes them.
fn text(file: &OsStr) -> Cow<'_, str> {
    if let Some(name) = file.to_str().filter(|name| !name.contains('\\')) {
        return name.into();
    }
    let mut text = String::new();
    for chunk in file.as_encoded_bytes().utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', r"\\"));
        text.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    text.into()
}

struct ByKey(Entry);

impl PartialEq for ByKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.key == other.0.key
    }
}

impl Eq for ByKey {}

impl PartialOrd for ByKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.key.cmp(&other.0.key)
    }
}
