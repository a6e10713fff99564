//! What the commits of a log amount to.

use std::collections::{BTreeMap, BTreeSet};

use super::commit::{Commit, Refusal};
use super::ids::{Ids, Owner};
use super::read::{Change, ID_WEIGHT, address_weight, custom_type_weight};
use super::series::{Series, reserve};
use super::stats;
use super::table::{Place, Table};
use crate::bindings::exports::agent::session::session_tree::{EntryType, RefusedCommit, Stats, UsageSum};
use crate::line::MAX_NUMBER;

/// How much memory the trees in use may take, about: some 150,000 entries. Tests reach a smaller limit sooner.
pub const MOST_WEIGHT: usize = if cfg!(test) { 1 << 20 } else { 22 << 20 };
/// How many commits that break a rule are told.
const MOST_REFUSED: usize = 100;

/// An entry, without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub number: u64,
    /// When it was committed.
    pub timestamp: u64,
    /// Where its write lies.
    pub write: Place,
    /// The entry that it follows, one more than its index; zero for a root.
    above: u32,
    /// How many entries are above it.
    pub(super) depth: u32,
    /// The index of an entry further up, or its own.
    pub(super) shortcut: u32,
    id: u32,
    custom_type: u32,
    /// What it is.
    pub kind: EntryType,
}

impl Entry {
    /// The entry that it follows.
    pub fn parent(&self) -> Option<u32> {
        self.above.checked_sub(1)
    }
}

/// A row of the ledger, a value, or an element of a list: where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Its number.
    pub number: u64,
    /// Where its write lies.
    pub write: Place,
}

/// The tree.
#[derive(Debug, Clone)]
pub struct Tree {
    ids: Ids,
    entries: Series<Entry>,
    usages: Series<Stored>,
    /// What applications call entries, each once, and the number of each; number 0 is none.
    custom_types: (Vec<Box<str>>, BTreeMap<Box<str>, u32>),
    values: Table<Stored>,
    lists: Table<Series<Stored>>,
    next: u64,
    messages: u64,
    usage: UsageSum,
    refused: Vec<RefusedCommit>,
    weight: usize,
}

impl Tree {
    /// That of no commits. The seed is any number that who wrote the log did not know.
    pub fn new(seed: u64) -> Self {
        Self {
            ids: Ids::new(seed),
            entries: Series::default(),
            usages: Series::default(),
            custom_types: Default::default(),
            values: Table::default(),
            lists: Table::default(),
            next: 1,
            messages: 0,
            usage: stats::NOTHING,
            refused: Vec::new(),
            weight: 0,
        }
    }

    /// Goes on by one commit: the data of event `seq`, which begins at `offset` of the log. One that breaks a rule changes
    /// nothing, and is remembered as such.
    ///
    /// # Errors
    /// [`Broken`](Refusal::Broken) if that is no event's data, [`Full`](Refusal::Full) if there is no room for it.
    pub fn follow(&mut self, seq: u64, offset: u64, data: &str) -> Result<(), Refusal> {
        match Commit::read(data).and_then(|commit| self.add_ids(&commit).map(|parents| (commit, parents))) {
            Ok((commit, parents)) => {
                self.apply(&commit, &parents, |write| place(data, offset, write));
                if self.weight > MOST_WEIGHT {
                    return Err(Refusal::Full);
                }
            }
            Err(refusal @ (Refusal::Broken | Refusal::Full)) => return Err(refusal),
            Err(refusal) if self.refused.len() < MOST_REFUSED => {
                self.refused.push(RefusedCommit { event: seq, reason: refusal.to_string() });
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// Whether that commit could be the next one.
    pub fn check(&mut self, commit: &Commit<'_>) -> Result<(), Refusal> {
        let known = self.ids.len();
        self.add_ids(commit)?;
        self.ids.truncate(known);
        if self.weight + self.growth(commit) > MOST_WEIGHT { Err(Refusal::Full) } else { Ok(()) }
    }

    /// How much more memory it takes at the most after that commit.
    fn growth(&self, commit: &Commit<'_>) -> usize {
        // What several changes share is counted once: custom types, values and lists by their names.
        let mut seen = BTreeSet::new();
        let mut growth = 0;
        for (change, _) in &commit.changes {
            growth += match change {
                Change::Entry { id, custom_type, .. } => {
                    let name = custom_type.as_deref().filter(|name| !self.custom_types.1.contains_key(*name));
                    let name = name.filter(|name| seen.insert(("type", "", *name)));
                    ID_WEIGHT + id.len() + name.map_or(0, custom_type_weight)
                }
                Change::Usage { id, .. } => ID_WEIGHT + id.len(),
                Change::Set((namespace, key), _) => match self.values.get(namespace, key) {
                    None if seen.insert(("value", namespace, key)) => address_weight(namespace, key),
                    _ => 0,
                },
                Change::Append((namespace, key), _) if !seen.insert(("list", namespace, key)) => Series::<Stored>::EACH,
                Change::Append((namespace, key), _) => match self.lists.get(namespace, key) {
                    Some(list) => list.growth(),
                    None => address_weight(namespace, key) + Series::<Stored>::default().growth(),
                },
                Change::Unset(_) | Change::Clear(_) => 0,
            };
        }
        growth
    }

    /// Checks a commit and takes its ids; what stands above each of its entries. If it can't be, all is as it was.
    fn add_ids(&mut self, commit: &Commit<'_>) -> Result<Vec<u32>, Refusal> {
        if commit.first < self.next {
            let reason = format!("the first number is {}, but the next one is {}", commit.first, self.next);
            return Err(Refusal::Whole(reason.into()));
        }
        if commit.first + commit.changes.len() as u64 > MAX_NUMBER {
            return Err(Refusal::Whole("the numbers end at 2^53 - 1".into()));
        }
        let known = self.ids.len();
        let mut above = Vec::new();
        commit.changes.iter().try_for_each(|(change, _)| self.add_id(change, &mut above)).inspect_err(|_| {
            self.ids.truncate(known);
        })?;
        Ok(above)
    }

    fn add_id(&mut self, change: &Change<'_>, above: &mut Vec<u32>) -> Result<(), Refusal> {
        let (id, owner) = match change {
            Change::Entry { id, parent, .. } => {
                above.push(match parent {
                    None => 0,
                    Some(parent) => match self.ids.owner(parent) {
                        Some(Owner::Entry(index)) => index + 1,
                        _ => return Err(Refusal::MissingParent(parent.to_string())),
                    },
                });
                (id, Owner::Entry((self.entries.len() + above.len() - 1) as u32))
            }
            Change::Usage { id, .. } => (id, Owner::Usage),
            _ => return Ok(()),
        };
        match self.ids.add(id, owner) {
            Some(_) => Ok(()),
            None => Err(Refusal::Duplicate(id.to_string())),
        }
    }

    /// Goes on by a commit that was checked and whose ids are taken.
    fn apply(&mut self, commit: &Commit<'_>, above: &[u32], place: impl Fn(&str) -> Place) {
        let has_id = |change: &Change<'_>| matches!(change, Change::Entry { .. } | Change::Usage { .. });
        let mut id = (self.ids.len() - commit.changes.iter().filter(|(change, _)| has_id(change)).count()) as u32;
        let mut above = above.iter().copied();
        for (number, (change, write)) in (commit.first..).zip(&commit.changes) {
            let stored = Stored { number, write: place(write) };
            match change {
                Change::Entry { kind, custom_type, .. } => {
                    let custom_type = custom_type.as_deref().map_or(0, |name| self.custom_type(name));
                    let (write, above) = (stored.write, above.next().unwrap_or_default());
                    let root = (0, self.entries.len() as u32);
                    let (depth, shortcut) = self.shortcut_behind(above.checked_sub(1)).unwrap_or(root);
                    let (timestamp, kind) = (commit.timestamp, *kind);
                    let entry = Entry { number, timestamp, write, above, depth, shortcut, id, custom_type, kind };
                    self.entries.push(entry);
                    self.messages += u64::from(kind == EntryType::Message);
                }
                Change::Usage { usage, .. } => {
                    self.usages.push(stored);
                    stats::add(&mut self.usage, usage);
                }
                Change::Set((namespace, key), _) => self.set(namespace, key, stored),
                Change::Append((namespace, key), _) => self.append(namespace, key, stored),
                Change::Unset((namespace, key)) => {
                    if self.values.remove(namespace, key).is_some() {
                        self.weight -= address_weight(namespace, key);
                    }
                }
                Change::Clear((namespace, key)) => {
                    if let Some(list) = self.lists.remove(namespace, key) {
                        self.weight -= address_weight(namespace, key) + list.weight();
                    }
                }
            }
            if let Change::Entry { id: name, .. } | Change::Usage { id: name, .. } = change {
                self.weight += ID_WEIGHT + name.len();
                id += 1;
            }
        }
        self.next = commit.first + commit.changes.len() as u64;
    }

    fn set(&mut self, namespace: &str, key: &str, value: Stored) {
        match self.values.get_mut(namespace, key) {
            Some(known) => *known = value,
            None => {
                self.weight += address_weight(namespace, key);
                self.values.add(namespace, key, value);
            }
        }
    }

    fn append(&mut self, namespace: &str, key: &str, element: Stored) {
        match self.lists.get_mut(namespace, key) {
            Some(list) => {
                self.weight -= list.weight();
                list.push(element);
                self.weight += list.weight();
            }
            None => {
                let mut list = Series::default();
                list.push(element);
                self.weight += address_weight(namespace, key) + list.weight();
                self.lists.add(namespace, key, list);
            }
        }
    }

    fn custom_type(&mut self, name: &str) -> u32 {
        let (names, numbers) = &mut self.custom_types;
        if let Some(number) = numbers.get(name) {
            return *number;
        }
        self.weight += custom_type_weight(name);
        reserve(names);
        names.push(name.into());
        let number = names.len() as u32;
        numbers.insert(name.into(), number);
        number
    }

    /// About how much memory it takes.
    pub fn weight(&self) -> usize {
        self.weight
    }

    /// The number that the next write will have.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Totals.
    pub fn stats(&self) -> Stats {
        Stats { message_count: self.messages, usage: self.usage }
    }

    /// What they would be after a commit that was checked.
    pub fn stats_after(&self, commit: &Commit<'_>) -> Stats {
        let mut stats = self.stats();
        for (change, _) in &commit.changes {
            match change {
                Change::Entry { kind: EntryType::Message, .. } => stats.message_count += 1,
                Change::Usage { usage, .. } => stats::add(&mut stats.usage, usage),
                _ => {}
            }
        }
        stats
    }

    /// The commits that break a rule.
    pub fn refused(&self) -> &[RefusedCommit] {
        &self.refused
    }

    /// All entries, by number.
    pub fn entries(&self) -> &Series<Entry> {
        &self.entries
    }

    /// The ledger, by number.
    pub fn usages(&self) -> &Series<Stored> {
        &self.usages
    }

    /// The values.
    pub fn values(&self) -> &Table<Stored> {
        &self.values
    }

    /// The lists; the elements of each by number.
    pub fn lists(&self) -> &Table<Series<Stored>> {
        &self.lists
    }

    /// The index of the entry of that id.
    pub fn find(&self, id: &str) -> Option<u32> {
        match self.ids.owner(id) {
            Some(Owner::Entry(index)) => Some(index),
            _ => None,
        }
    }

    /// The entry at that index.
    pub fn entry(&self, index: u32) -> Option<&Entry> {
        self.entries.get(index as usize)
    }

    /// What an entry is called.
    pub fn id(&self, entry: &Entry) -> &str {
        self.ids.text(entry.id)
    }

    /// What the entry is called that an entry follows.
    pub fn parent_id(&self, entry: &Entry) -> Option<&str> {
        self.entry(entry.parent()?).map(|parent| self.id(parent))
    }

    /// What the application calls an entry.
    pub fn custom_type_of(&self, entry: &Entry) -> Option<&str> {
        let index = entry.custom_type.checked_sub(1)?;
        self.custom_types.0.get(index as usize).map(|name| &**name)
    }

    /// The number of a custom type, by which entries are told apart; none if no entry has it.
    pub(super) fn custom_type_number(&self, name: &str) -> Option<u32> {
        self.custom_types.1.get(name).copied()
    }
}

impl Entry {
    /// Whether the application calls it by the name of that number.
    pub(super) fn is_custom(&self, number: u32) -> bool {
        self.custom_type == number
    }
}

/// Where a write of the data lies in the log.
fn place(data: &str, offset: u64, write: &str) -> Place {
    let within = (write.as_ptr() as usize).wrapping_sub(data.as_ptr() as usize);
    Place { offset: offset + within as u64, length: u32::try_from(write.len()).unwrap_or(u32::MAX) }
}
