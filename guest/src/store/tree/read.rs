//! Reading a tree: what is asked for is found in memory, and what it holds is read from the log.

use super::pages::{Writes, page, within};
use super::{Result, Store};
use crate::bindings::exports::agent::session::session_tree::*;
use crate::json;
use crate::store::Host;
use crate::tree::{self, Change, Tree, change, names};

impl<H: Host> Store<H> {
    /// Where the tree stands.
    pub fn get_tree(&mut self, id: &str) -> Result<TreeState> {
        self.read_tree(id, |tree, writes| {
            let name = match tree.values().get(names::NAME, "") {
                Some(value) => {
                    let Some(page) = values(writes, vec![(names::NAME, "", value)], false)? else { return Ok(None) };
                    page.values.first().and_then(|value| json::text(&value.value)).map(|name| name.into_owned())
                }
                None => None,
            };
            Ok(Some(TreeState {
                name,
                next: tree.next(),
                stats: tree.stats(),
                entry_count: tree.entries().len() as u64,
                usage_count: tree.usages().len() as u64,
                refused: tree.refused().to_vec(),
            }))
        })
    }

    /// The entries of these ids that are there.
    pub fn get_entries(&mut self, id: &str, ids: &[String]) -> Result<EntryPage> {
        self.read_tree(id, |tree, writes| {
            let found = ids.iter().filter_map(|id| tree.entry(tree.find(id)?));
            entries(tree, writes, found, u32::MAX)
        })
    }

    /// The values at these addresses that are there.
    pub fn get_values(&mut self, id: &str, addresses: &[Address]) -> Result<ValuePage> {
        self.read_tree(id, |tree, writes| {
            let found = addresses.iter().filter_map(|address| {
                let (namespace, key) = (address.namespace.as_str(), address.key.as_str());
                tree.values().get(namespace, key).map(|value| (namespace, key, value))
            });
            let (found, more) = page(found, u32::MAX, size_of_value);
            values(writes, found, more)
        })
    }

    /// The values of a namespace whose keys begin so.
    pub fn scan_values(&mut self, id: &str, scan: &ValueScan) -> Result<ValuePage> {
        self.read_tree(id, |tree, writes| {
            let found = tree.values().scan(&scan.namespace, &scan.prefix, scan.after.as_deref());
            let found = found.map(|(key, value)| (scan.namespace.as_str(), key, value));
            let (found, more) = page(found, scan.limit, size_of_value);
            values(writes, found, more)
        })
    }

    /// Where values or lists are kept.
    pub fn addresses(&mut self, id: &str, kept: Kept, after: Option<&Address>, limit: u32) -> Result<AddressPage> {
        let after = after.map(|after| (after.namespace.as_str(), after.key.as_str()));
        let size = |(namespace, key): &(&str, &str)| namespace.len() + key.len();
        self.read_tree(id, |tree, _| {
            let (found, more) = match kept {
                Kept::Values => page(tree.values().behind(after).map(|(name, key, _)| (name, key)), limit, size),
                Kept::Lists => page(tree.lists().behind(after).map(|(name, key, _)| (name, key)), limit, size),
            };
            let address = |(namespace, key): (&str, &str)| Address { namespace: namespace.into(), key: key.into() };
            Ok(Some(AddressPage { addresses: found.into_iter().map(address).collect(), more }))
        })
    }

    /// A page of a list.
    pub fn read_list(&mut self, id: &str, address: &Address, scan: RangeScan) -> Result<ElementPage> {
        self.read_tree(id, |tree, writes| {
            let found = tree.scan_list(&address.namespace, &address.key, &scan);
            let (found, more) = page(found, scan.limit, |element| element.write.length as usize);
            let places: Vec<_> = found.iter().map(|element| element.write).collect();
            let values = writes.parts(&places, &|_, write| match change(write)? {
                Change::Append((namespace, key), value) if namespace == address.namespace && key == address.key => {
                    Some(within(write, value))
                }
                _ => None,
            })?;
            let Some(values) = values else { return Ok(None) };
            let elements =
                found.iter().zip(values).map(|(element, value)| ListElement { number: element.number, value });
            Ok(Some(ElementPage { elements: elements.collect(), more }))
        })
    }

    /// Entries on the path from one to its root.
    pub fn scan_branch(&mut self, id: &str, scan: &BranchScan) -> Result<EntryPage> {
        self.read_tree(id, |tree, writes| {
            let path = tree.scan_branch(scan).ok_or_else(|| TreeError::UnknownTarget(scan.start.clone()))?;
            entries(tree, writes, path, scan.limit)
        })
    }

    /// The same without payloads.
    pub fn scan_branch_structure(&mut self, id: &str, scan: &BranchScan) -> Result<StructurePage> {
        self.read_tree(id, |tree, _| {
            let path = tree.scan_branch(scan).ok_or_else(|| TreeError::UnknownTarget(scan.start.clone()))?;
            let (found, more) = page(path.map(|entry| structure(tree, entry)), scan.limit, size_of_structure);
            Ok(Some(StructurePage { entries: found, more }))
        })
    }

    /// Entries of the whole session by number.
    pub fn scan_entries(&mut self, id: &str, scan: &EntryScan) -> Result<EntryPage> {
        self.read_tree(id, |tree, writes| entries(tree, writes, tree.scan_entries(scan), scan.range.limit))
    }

    /// Rows of the ledger by number.
    pub fn scan_usage(&mut self, id: &str, scan: RangeScan) -> Result<UsagePage> {
        self.read_tree(id, |tree, writes| {
            let (found, more) = page(tree.scan_usage(&scan), scan.limit, |row| row.write.length as usize);
            let places: Vec<_> = found.iter().map(|row| row.write).collect();
            let Some(rows) = writes.parts(&places, &|_, write| Some(0..write.len()))? else { return Ok(None) };
            let rows = found
                .iter()
                .zip(rows)
                .map(|(row, write)| Some(UsageRow { number: row.number, row: tree::usage_row(&write)? }));
            Ok(rows.collect::<Option<_>>().map(|rows| UsagePage { rows, more }))
        })
    }
}

/// A page of entries with their payloads; none if the log does not hold them.
fn entries<'a, H: Host>(
    tree: &'a Tree,
    writes: &mut Writes<'_, H>,
    found: impl Iterator<Item = &'a tree::Entry>,
    limit: u32,
) -> Result<Option<EntryPage>> {
    let (found, more) = page(found, limit, |entry| entry.write.length as usize);
    let Some(payloads) = payloads(tree, writes, &found)? else { return Ok(None) };
    let entries =
        found.iter().zip(payloads).map(|(entry, payload)| Entry { structure: structure(tree, entry), payload });
    Ok(Some(EntryPage { entries: entries.collect(), more }))
}

/// What these entries hold; none if the log does not have it.
pub fn payloads<H: Host>(
    tree: &Tree,
    writes: &mut Writes<'_, H>,
    entries: &[&tree::Entry],
) -> Result<Option<Vec<String>>> {
    let places: Vec<_> = entries.iter().map(|entry| entry.write).collect();
    writes.parts(&places, &|index, write| match change(write)? {
        Change::Entry { id, payload, .. } if id == tree.id(entries[index]) => Some(within(write, payload)),
        _ => None,
    })
}

fn structure(tree: &Tree, entry: &tree::Entry) -> EntryStructure {
    EntryStructure {
        id: tree.id(entry).into(),
        parent: tree.parent_id(entry).map(Into::into),
        number: entry.number,
        timestamp: entry.timestamp,
        type_: entry.kind,
        custom_type: tree.custom_type_of(entry).map(Into::into),
    }
}

fn size_of_structure(entry: &EntryStructure) -> usize {
    entry.id.len() + [&entry.parent, &entry.custom_type].into_iter().flatten().map(String::len).sum::<usize>()
}

/// A value, found: its namespace, its key, and where it lies.
pub type Found<'a> = (&'a str, &'a str, &'a tree::Stored);

pub fn size_of_value(found: &Found<'_>) -> usize {
    found.2.write.length as usize
}

/// Values that were found; none if the log does not hold them.
pub fn values<H: Host>(writes: &mut Writes<'_, H>, found: Vec<Found<'_>>, more: bool) -> Result<Option<ValuePage>> {
    let places: Vec<_> = found.iter().map(|(_, _, value)| value.write).collect();
    let texts = writes.parts(&places, &|index, write| match change(write)? {
        Change::Set((namespace, key), value) if (&*namespace, &*key) == (found[index].0, found[index].1) => {
            Some(within(write, value))
        }
        _ => None,
    })?;
    let Some(texts) = texts else { return Ok(None) };
    let values = found.iter().zip(texts).map(|((namespace, key, stored), value)| {
        let address = Address { namespace: (*namespace).into(), key: (*key).into() };
        StoredValue { address, value, number: stored.number }
    });
    Ok(Some(ValuePage { values: values.collect(), more }))
}
