//! Which entries, rows and elements are asked for, by index: what they hold is read later, of as many as fit.

use super::projection::{Entry, Stored, Tree};
use super::series::Series;
use crate::bindings::exports::agent::session::session_tree::{BranchScan, Direction, EntryScan, EntryType, RangeScan};

impl Tree {
    /// The entries of a branch: its path is put in order, cut, filtered, begun behind the cursor. None if it has no start. The
    /// limit is left to the caller, who takes no more.
    pub fn scan_branch<'a>(&'a self, scan: &'a BranchScan) -> Option<Box<dyn Iterator<Item = &'a Entry> + 'a>> {
        let start = self.find(&scan.start)?;
        let stop_at = scan.stop_at_id.as_deref().and_then(|id| self.find_on_path(start, id));
        let stops = |entry: &Entry| Some(entry.kind) == scan.stop_at_type;
        // A scan that stops before its cursor is over.
        let stops_between = |from: Option<u32>, number: u64| {
            let mut passed = self.path(from).take_while(|entry| entry.number >= number);
            scan.stop_at_type.is_some() && passed.any(stops)
        };
        let wanted = self.wanted(scan.type_, scan.custom_type.as_deref());
        Some(match scan.direction {
            Direction::NewestFirst => {
                let cursor = scan.cursor.unwrap_or(u64::MAX);
                let last = stop_at.map_or(0, |(_, number)| number);
                if stops_between(Some(start), cursor) {
                    return Some(Box::new(std::iter::empty()));
                }
                let path = self.path(self.first_on_path(start, |entry| entry.number < cursor));
                Box::new(up_to(path.take_while(move |entry| entry.number >= last), stops).filter(wanted))
            }
            Direction::OldestFirst => {
                let cursor = scan.cursor.unwrap_or(0);
                let end = stop_at.map_or(start, |(index, _)| index);
                let passed = self.first_on_path(end, |entry| entry.number <= cursor);
                if stops_between(passed, 0) {
                    return Some(Box::new(std::iter::empty()));
                }
                let depth = passed.and_then(|index| self.entry(index)).map_or(0, |entry| entry.depth + 1);
                Box::new(up_to(self.path_down(end, depth), stops).filter(wanted))
            }
        })
    }

    /// The index and the number of the entry of that id, if it is on that path. Numbers rise along a path.
    fn find_on_path(&self, start: u32, id: &str) -> Option<(u32, u64)> {
        let index = self.find(id)?;
        let number = self.entry(index)?.number;
        (self.first_on_path(start, |entry| entry.number <= number) == Some(index)).then_some((index, number))
    }

    /// The entries of the whole session; the limit is left to the caller.
    pub fn scan_entries<'a>(&'a self, scan: &'a EntryScan) -> impl Iterator<Item = &'a Entry> + 'a {
        let wanted = self.wanted(scan.type_, scan.custom_type.as_deref());
        in_range(self.entries(), &scan.range, |entry| entry.number).filter(wanted)
    }

    /// The rows of the ledger; the limit is left to the caller.
    pub fn scan_usage(&self, scan: &RangeScan) -> impl Iterator<Item = &Stored> {
        in_range(self.usages(), scan, |row| row.number)
    }

    /// The elements of a list; the limit is left to the caller.
    pub fn scan_list(&self, namespace: &str, key: &str, scan: &RangeScan) -> impl Iterator<Item = &Stored> {
        let list = self.lists().get(namespace, key).into_iter();
        list.flat_map(|list| in_range(list, scan, |element| element.number))
    }

    fn wanted(&self, kind: Option<EntryType>, custom_type: Option<&str>) -> impl Fn(&&Entry) -> bool + use<> {
        // A custom type that no entry has is no number's.
        let custom_type = custom_type.map(|name| self.custom_type_number(name).unwrap_or(u32::MAX));
        move |entry: &&Entry| {
            kind.is_none_or(|kind| entry.kind == kind) && custom_type.is_none_or(|number| entry.is_custom(number))
        }
    }
}

/// Up to the first that stops, which is the last.
fn up_to<'a>(
    mut entries: impl Iterator<Item = &'a Entry>,
    stops: impl Fn(&Entry) -> bool,
) -> impl Iterator<Item = &'a Entry> {
    let mut stopped = false;
    std::iter::from_fn(move || {
        let entry = if stopped { None } else { entries.next() }?;
        stopped = stops(entry);
        Some(entry)
    })
}

/// Those whose numbers lie in a range, in order; they are sorted by number.
fn in_range<'a, T>(
    all: &'a Series<T>,
    scan: &RangeScan,
    number: impl Fn(&T) -> u64,
) -> Box<dyn Iterator<Item = &'a T> + 'a> {
    let from = all.partition_point(|item| number(item) < scan.from.unwrap_or(0));
    let to = all.partition_point(|item| number(item) <= scan.to.unwrap_or(u64::MAX));
    let range = all.range(from, to);
    match scan.direction {
        Direction::OldestFirst => Box::new(range),
        Direction::NewestFirst => Box::new(range.rev()),
    }
}

#[cfg(test)]
mod tests;
