//! What is read of a tree, as iterators over pages.

use super::scanned::Left;
use super::wire::ValueScan;
use super::{
    Address, Branch, BranchScan, ContextMessage, Direction, Entry, EntryScan, EntryStructure, Kept, Label, ListElement,
    RangeScan, Result, Scan, StoredValue, Tree, UsageRow, arguments,
};

/// Messages of a context in one page.
const BYTES: u32 = 1 << 20;

impl<'a> Tree<'a> {
    /// The entries of these ids that are there, in the order asked for.
    pub fn get_entries(&self, ids: impl IntoIterator<Item = impl Into<String>>) -> Scan<'a, Entry> {
        let (tree, ids) = (self.clone(), owned(ids));
        asked(ids, String::len, move |ids| {
            let page = tree.entries_call(ids)?;
            Ok((page.entries, page.more))
        })
    }

    /// The values at these addresses that are there, in the order asked for.
    ///
    /// ```
    /// # use session_host::tree::Write;
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// let tree = sessions.tree("fix-login");
    /// tree.commit(&[Write::set_value(("plan", "steps"), &["reproduce", "mend"])?])?;
    /// let stored = tree.get_values([("plan", "steps"), ("plan", "owner")]).next().expect("one is there")?;
    /// assert_eq!(stored.parse::<Vec<String>>()?, ["reproduce", "mend"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_values(&self, addresses: impl IntoIterator<Item = impl Into<Address>>) -> Scan<'a, StoredValue> {
        let (tree, addresses) = (self.clone(), owned(addresses));
        asked(addresses, arguments::address_size, move |addresses| {
            let page = tree.values_call(addresses)?;
            Ok((page.values, page.more))
        })
    }

    /// The labels of these entries that have one, in the order asked for.
    pub fn get_labels(&self, entries: impl IntoIterator<Item = impl Into<String>>) -> Scan<'a, Label> {
        let (tree, entries) = (self.clone(), owned(entries));
        asked(entries, String::len, move |entries| {
            let page = tree.labels_call(entries)?;
            Ok((page.labels, page.more))
        })
    }

    /// The values of a namespace whose keys begin so, by the code points of their keys.
    ///
    /// ```
    /// # use session_host::tree::Write;
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # let tree = sessions.tree("fix-login");
    /// # tree.commit(&[Write::set_value(("plan", "steps"), &1)?])?;
    /// for stored in tree.values("plan", "st") {
    ///     let stored = stored?;
    ///     println!("{} = {}", stored.address.key, stored.value);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(&self, namespace: impl Into<String>, prefix: impl Into<String>) -> Scan<'a, StoredValue> {
        let tree = self.clone();
        let mut scan = ValueScan { namespace: namespace.into(), prefix: prefix.into(), after: None, limit: u32::MAX };
        Scan::new(move || {
            let page = tree.scan_values_call(&scan)?;
            scan.after = page.values.last().map(|last| last.address.key.clone());
            let more = page.more && scan.after.is_some();
            Ok((page.values, more))
        })
    }

    /// Where values or lists are kept, by the code points of namespace and key.
    ///
    /// ```
    /// # use session_host::tree::{Kept, Write};
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # let tree = sessions.tree("fix-login");
    /// # tree.commit(&[Write::set_value(("plan", "steps"), &1)?])?;
    /// for address in tree.addresses(Kept::Values) {
    ///     let address = address?;
    ///     println!("{}/{}", address.namespace, address.key);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn addresses(&self, kept: Kept) -> Scan<'a, Address> {
        let (tree, mut after) = (self.clone(), None::<Address>);
        Scan::new(move || {
            let page = tree.addresses_call(kept, after.as_ref(), u32::MAX)?;
            after = page.addresses.last().cloned();
            let more = page.more && after.is_some();
            Ok((page.addresses, more))
        })
    }

    /// The elements of a list; none, if there is no such list.
    ///
    /// ```
    /// # use session_host::tree::{RangeScan, Write};
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// let tree = sessions.tree("fix-login");
    /// tree.commit(&[Write::append_list(("plan", "done"), &"reproduce")?])?;
    /// for element in tree.list(("plan", "done"), RangeScan::default()) {
    ///     println!("{}", element?.value);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list(&self, address: impl Into<Address>, scan: RangeScan) -> Scan<'a, ListElement> {
        let (tree, address) = (self.clone(), address.into());
        ranged(
            scan,
            |element: &ListElement| element.number,
            move |scan| {
                let page = tree.list_call(&address, scan)?;
                Ok((page.elements, page.more))
            },
        )
    }

    /// Entries on the path from one to its root; the error is [`UnknownTarget`](super::TreeError::UnknownTarget) if there is no entry to start at.
    pub fn branch_entries(&self, scan: BranchScan) -> Scan<'a, Entry> {
        let tree = self.clone();
        along(
            scan,
            |entry: &Entry| entry.structure.number,
            move |scan| {
                let page = tree.branch_call(scan)?;
                Ok((page.entries, page.more))
            },
        )
    }

    /// The same without payloads.
    pub fn branch_structure(&self, scan: BranchScan) -> Scan<'a, EntryStructure> {
        let tree = self.clone();
        along(
            scan,
            |entry: &EntryStructure| entry.number,
            move |scan| {
                let page = tree.structure_call(scan)?;
                Ok((page.entries, page.more))
            },
        )
    }

    /// Entries of the whole session by number.
    ///
    /// ```
    /// # use session_host::tree::{EntryScan, EntryType};
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// let summaries = EntryScan { kind: Some(EntryType::Compaction), ..EntryScan::default() };
    /// for entry in sessions.tree("fix-login").entries(summaries) {
    ///     println!("{}", entry?.payload);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entries(&self, scan: EntryScan) -> Scan<'a, Entry> {
        let tree = self.clone();
        let EntryScan { kind, custom_type, range } = scan;
        ranged(
            range,
            |entry: &Entry| entry.structure.number,
            move |range| {
                let page = tree.scan_entries_call(&EntryScan { kind, custom_type: custom_type.clone(), range })?;
                Ok((page.entries, page.more))
            },
        )
    }

    /// Rows of the ledger by number.
    pub fn usage(&self, scan: RangeScan) -> Scan<'a, UsageRow> {
        let tree = self.clone();
        ranged(
            scan,
            |row: &UsageRow| row.number,
            move |scan| {
                let page = tree.usage_call(scan)?;
                Ok((page.rows, page.more))
            },
        )
    }

    /// Every branch, by the code points of its name.
    ///
    /// ```
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # let tree = sessions.tree("fix-login");
    /// # tree.create_branch("main", None)?;
    /// for branch in tree.branches() {
    ///     let branch = branch?;
    ///     println!("{} stands at {}", branch.name, branch.tip.as_deref().unwrap_or("the beginning"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn branches(&self) -> Scan<'a, Branch> {
        let (tree, mut after) = (self.clone(), None::<String>);
        Scan::new(move || {
            let page = tree.branches_call(after.as_deref(), u32::MAX)?;
            after = page.branches.last().map(|last| last.name.clone());
            let more = page.more && after.is_some();
            Ok((page.branches, more))
        })
    }

    /// What a model is to see of a branch: from its last compaction on, that one's retained tail included, messages as they
    /// were recorded. Those that failed, were aborted or deferred are left out; custom entries are for the application to add.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use session_host::tree::NewEntry;
    /// # let sessions = session_host::Sessions::new(&session_host::Engine::new()?, session_host::Memory::new());
    /// # sessions.create("fix-login")?;
    /// # let tree = sessions.tree("fix-login");
    /// # tree.create_branch("main", None)?;
    /// # tree.append("main", NewEntry::message("a", &json!({ "role": "user", "content": "Hi." }))?)?;
    /// for message in tree.context("main") {
    ///     println!("{}", message?.message);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn context(&self, branch: impl Into<String>) -> Scan<'a, ContextMessage> {
        let (tree, branch, mut from) = (self.clone(), branch.into(), None);
        Scan::new(move || {
            let page = tree.context_call(&branch, from, BYTES)?;
            from = page.next;
            Ok((page.messages, from.is_some()))
        })
    }
}

fn owned<T>(items: impl IntoIterator<Item = impl Into<T>>) -> Vec<T> {
    items.into_iter().map(Into::into).collect()
}

/// What is there of what was asked for, in parts that fit into a call.
fn asked<'a, K: Asked<T> + Send + 'a, T: 'a>(
    keys: Vec<K>,
    size: impl Fn(&K) -> usize + Send + 'a,
    call: impl Fn(&[K]) -> Result<(Vec<T>, bool)> + Send + 'a,
) -> Scan<'a, T> {
    let mut at = 0;
    Scan::new(move || {
        let left = keys.get(at..).unwrap_or_default();
        let mut bytes = 0;
        let fits = left.iter().take_while(|key| {
            bytes += size(key) + arguments::RECORD;
            bytes <= arguments::SHORT
        });
        // One that does not fit alone is refused by the call itself.
        let part = &left[..fits.count().max(1).min(left.len())];
        if part.is_empty() {
            return Ok((Vec::new(), false));
        }
        let (found, more) = call(part)?;
        let seen = if more && !found.is_empty() { K::seen(part, &found) } else { part.len() };
        at += seen;
        Ok((found, at < keys.len()))
    })
}

/// A name of something that can be asked for.
trait Asked<T>: Sized {
    fn names(&self, found: &T) -> bool;

    /// How many of those asked for are done with: up to the last one found.
    fn seen(asked: &[Self], found: &[T]) -> usize {
        let mut rest = asked;
        for found in found {
            let at = rest.iter().position(|key| key.names(found));
            rest = at.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
        }
        asked.len() - rest.len()
    }
}

impl Asked<Entry> for String {
    fn names(&self, found: &Entry) -> bool {
        *self == found.structure.id
    }
}

impl Asked<Label> for String {
    fn names(&self, found: &Label) -> bool {
        *self == found.entry
    }
}

impl Asked<StoredValue> for Address {
    fn names(&self, found: &StoredValue) -> bool {
        *self == found.address
    }
}

/// A scan by number.
fn ranged<'a, T: 'a>(
    mut scan: RangeScan,
    number: impl Fn(&T) -> u64 + Send + 'a,
    call: impl Fn(RangeScan) -> Result<(Vec<T>, bool)> + Send + 'a,
) -> Scan<'a, T> {
    Scan::new(move || {
        let (found, more) = call(scan)?;
        let mut left = Left(scan.limit);
        let more = left.more(found.len(), more);
        scan.limit = left.0;
        let last = found.last().map_or(0, &number);
        match scan.direction {
            Direction::OldestFirst => scan.from = Some(last + 1),
            Direction::NewestFirst => scan.to = Some(last.saturating_sub(1)),
        }
        Ok((found, more))
    })
}

/// A scan along a path.
fn along<'a, T: 'a>(
    mut scan: BranchScan,
    number: impl Fn(&T) -> u64 + Send + 'a,
    call: impl Fn(&BranchScan) -> Result<(Vec<T>, bool)> + Send + 'a,
) -> Scan<'a, T> {
    Scan::new(move || {
        let (found, more) = call(&scan)?;
        let mut left = Left(scan.limit);
        let more = left.more(found.len(), more);
        scan.limit = left.0;
        scan.cursor = found.last().map(&number);
        Ok((found, more))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(entry: &str) -> Label {
        Label { entry: entry.into(), text: String::new() }
    }

    fn seen(asked: &[&str], found: &[&str]) -> usize {
        let asked: Vec<_> = asked.iter().map(ToString::to_string).collect();
        let found: Vec<_> = found.iter().map(|entry| label(entry)).collect();
        String::seen(&asked, &found)
    }

    #[test]
    fn what_was_asked_for_is_done_with_up_to_the_last_one_found() {
        assert_eq!(seen(&["a", "b", "c"], &["a"]), 1);
        assert_eq!(seen(&["a", "b", "c"], &["b"]), 2);
        assert_eq!(seen(&["a", "b", "a", "c"], &["a", "b", "a"]), 3, "the second of two that are alike");
    }

    #[test]
    fn an_answer_to_another_question_ends_the_scan() {
        assert_eq!(seen(&["a", "b"], &["z"]), 2);
    }

    #[test]
    fn keys_are_asked_for_in_parts_that_fit_a_call() {
        let keys: Vec<String> = (0..20_000).map(|n| n.to_string()).collect();
        let most = std::sync::atomic::AtomicUsize::new(0);
        let found = asked(keys.clone(), String::len, |part: &[String]| {
            most.fetch_max(part.len(), std::sync::atomic::Ordering::Relaxed);
            assert!(arguments::list("ids", part.iter().map(String::len)).is_ok());
            Ok((part.iter().map(|entry| label(entry)).collect(), false))
        });
        let found: Vec<String> = found.map(|label| label.unwrap().entry).collect();
        assert_eq!(found, keys);
        assert!(most.into_inner() < keys.len());
    }
}
