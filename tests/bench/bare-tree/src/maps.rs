use std::collections::{BTreeMap, HashMap};

use crate::bindings::agent::session::types::Error;
use crate::bindings::exports::agent::session::session_tree::{
    Address, BranchScan, Direction, Entry, EntryStructure, ListElement, NewEntry, NewUsage, NewValue, RangeScan,
    StoredValue, TreeError, UsageRow, ValueScan, Write,
};

pub type Answer<T> = Result<T, TreeError>;

/// Namespace and key.
type Key = (String, String);

/// The whole tree; every text stays as it came.
#[derive(Default)]
pub struct Maps {
    pub entries: Vec<Entry>,
    /// Index of each entry by its id.
    indexes: HashMap<String, usize>,
    values: BTreeMap<Key, (u64, String)>,
    lists: HashMap<Key, Vec<ListElement>>,
    pub usage: Vec<UsageRow>,
    /// How many writes there were.
    pub writes: u64,
}

impl Maps {
    pub fn write(&mut self, write: Write, timestamp: u64) -> Answer<()> {
        self.writes += 1;
        let number = self.writes;
        match write {
            Write::Entry(NewEntry { id, parent, type_, custom_type, payload }) => {
                self.indexes.insert(id.clone(), self.entries.len());
                let structure = EntryStructure { id, parent, number, timestamp, type_, custom_type };
                self.entries.push(Entry { structure, payload });
            }
            Write::Usage(NewUsage { id, entry, adjustment, usage, details }) => {
                self.usage.push(UsageRow { number, row: NewUsage { id, entry, adjustment, usage, details } });
            }
            Write::SetValue(NewValue { address, value }) => {
                self.values.insert((address.namespace, address.key), (number, value));
            }
            Write::AppendList(NewValue { address, value }) => {
                let list = self.lists.entry((address.namespace, address.key)).or_default();
                list.push(ListElement { number, value });
            }
            Write::DeleteValue(_) | Write::DeleteList(_) => return refuse(),
        }
        Ok(())
    }

    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.get(*self.indexes.get(id)?)
    }

    /// The path from the start to its root, beyond the cursor, in the order of the scan.
    pub fn branch(&self, scan: &BranchScan) -> Answer<Vec<&Entry>> {
        let BranchScan { start, stop_at_id, stop_at_type, type_, custom_type, direction, cursor, limit } = scan;
        if stop_at_id.is_some() || stop_at_type.is_some() || type_.is_some() || custom_type.is_some() {
            return refuse();
        }
        let start = self.entry(start).ok_or_else(|| TreeError::UnknownTarget(start.clone()))?;
        let path = std::iter::successors(Some(start), |entry| self.entry(entry.structure.parent.as_deref()?));
        let limit = *limit as usize;
        Ok(match direction {
            Direction::NewestFirst => {
                let below = cursor.unwrap_or(u64::MAX);
                path.filter(|entry| entry.structure.number < below).take(limit).collect()
            }
            Direction::OldestFirst => {
                let above = cursor.unwrap_or(0);
                let mut path: Vec<_> = path.filter(|entry| entry.structure.number > above).collect();
                path.reverse();
                path.truncate(limit);
                path
            }
        })
    }

    pub fn value(&self, key: Key) -> Option<StoredValue> {
        self.values.get_key_value(&key).map(stored)
    }

    pub fn values(&self, scan: ValueScan) -> Vec<StoredValue> {
        let ValueScan { namespace, prefix, after, limit } = scan;
        let from = after.as_ref().map_or(&prefix, |after| after.max(&prefix));
        let from = (namespace.clone(), from.clone());
        let found = self.values.range(from..);
        let found = found.take_while(|((other, key), _)| *other == namespace && key.starts_with(&prefix));
        found.filter(|((_, key), _)| Some(key) > after.as_ref()).take(limit as usize).map(stored).collect()
    }

    pub fn list(&self, key: Key) -> &[ListElement] {
        self.lists.get(&key).map_or(&[], Vec::as_slice)
    }
}

fn stored(((namespace, key), (number, value)): (&Key, &(u64, String))) -> StoredValue {
    let address = Address { namespace: namespace.clone(), key: key.clone() };
    StoredValue { address, value: value.clone(), number: *number }
}

/// Those that a scan asks for, of all, which are sorted by number.
pub fn range<T: Clone>(all: &[T], scan: &RangeScan, number: impl Fn(&T) -> u64) -> Vec<T> {
    let from = all.partition_point(|item| number(item) < scan.from.unwrap_or(0));
    let to = all.partition_point(|item| number(item) <= scan.to.unwrap_or(u64::MAX));
    let range = all.get(from..to).unwrap_or_default().iter();
    let limit = scan.limit as usize;
    match scan.direction {
        Direction::OldestFirst => range.take(limit).cloned().collect(),
        Direction::NewestFirst => range.rev().take(limit).cloned().collect(),
    }
}

/// What is not measured is not there.
pub fn refuse<T>() -> Answer<T> {
    Err(TreeError::Session(Error::Refused("maps in memory can't do that; they are the baseline of a benchmark".into())))
}
