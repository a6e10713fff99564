//! What is still there of all writes, in their order. Entries, rows and elements are read as they are written out; what is held is the
//! number and the address of each value and list.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::Peekable;

use anyhow::Result;
use session_host::tree::{Address, EntryScan, Kept, RangeScan, Tree, TreeError};

use super::write;

/// So many values are read at once to learn their numbers.
const VALUES: usize = 1_000;

/// Where the writes are.
pub struct Live<'a> {
    tree: Tree<'a>,
    /// By number.
    values: Vec<(u64, Address)>,
    /// By the number of their first elements.
    lists: Vec<(u64, Address)>,
    last: u64,
}

type Line = Result<(u64, write::Line), TreeError>;
type Lines<'a> = Peekable<Box<dyn Iterator<Item = Line> + 'a>>;

impl<'a> Live<'a> {
    /// Looks where they are.
    pub fn of(tree: &Tree<'a>) -> Result<Self> {
        let mut live = Self { tree: tree.clone(), values: Vec::new(), lists: Vec::new(), last: 0 };
        let addresses = tree.addresses(Kept::Values).collect::<Result<Vec<_>, _>>()?;
        for part in addresses.chunks(VALUES) {
            for value in tree.get_values(part.iter().cloned()) {
                let value = value?;
                live.values.push((value.number, value.address));
            }
        }
        live.values.sort_unstable();
        for address in tree.addresses(Kept::Lists) {
            let address = address?;
            let first =
                tree.list(address.clone(), RangeScan { limit: 1, ..RangeScan::default() }).next().transpose()?;
            live.lists.extend(first.map(|first| (first.number, address)));
        }
        live.lists.sort_unstable();
        live.last = live.find_last()?;
        Ok(live)
    }

    /// The number of the last write that is still there; zero if none is.
    pub fn last(&self) -> u64 {
        self.last
    }

    fn find_last(&self) -> Result<u64> {
        use session_host::tree::Direction::NewestFirst;
        let newest = RangeScan { limit: 1, direction: NewestFirst, ..RangeScan::default() };
        let entry = self.tree.entries(EntryScan { range: newest, ..EntryScan::default() }).next().transpose()?;
        let row = self.tree.usage(newest).next().transpose()?;
        let mut last = self.values.last().map_or(0, |(number, _)| *number);
        last = last.max(entry.map_or(0, |entry| entry.structure.number)).max(row.map_or(0, |row| row.number));
        for (_, address) in &self.lists {
            let element = self.tree.list(address.clone(), newest).next().transpose()?;
            last = last.max(element.map_or(0, |element| element.number));
        }
        Ok(last)
    }

    /// The writes as lines, in their order.
    pub fn writes(self) -> Result<impl Iterator<Item = Result<write::Line, TreeError>> + 'a> {
        let entries = self.tree.entries(EntryScan::default());
        let entries = entries.map(|entry| entry.map(|entry| (entry.structure.number, write::entry(&entry))));
        let rows = self.tree.usage(RangeScan::default());
        let rows = rows.map(|row| row.map(|row| (row.number, write::usage(&row))));
        let values = self.tree.get_values(self.values.into_iter().map(|(_, address)| address));
        let values = values
            .map(|value| value.map(|value| (value.number, write::value(&value.address, value.number, &value.value))));
        let mut merged = Merged { open: Vec::new(), next: BinaryHeap::new(), lists: self.lists, tree: self.tree };
        merged.lists.reverse();
        merged.add(Box::new(entries))?;
        merged.add(Box::new(rows))?;
        merged.add(Box::new(values))?;
        Ok(merged)
    }
}

/// Lines of several origins, by number. A list is opened when its first element is due.
struct Merged<'a> {
    tree: Tree<'a>,
    open: Vec<Lines<'a>>,
    /// The number of the next line of each, and which one it is.
    next: BinaryHeap<Reverse<(u64, usize)>>,
    /// Those that are not open yet, the first at the end.
    lists: Vec<(u64, Address)>,
}

impl<'a> Merged<'a> {
    fn add(&mut self, lines: Box<dyn Iterator<Item = Line> + 'a>) -> Result<(), TreeError> {
        self.open.push(lines.peekable());
        self.wait_for(self.open.len() - 1)
    }

    /// The next line of that origin waits for its turn.
    fn wait_for(&mut self, origin: usize) -> Result<(), TreeError> {
        let Some(lines) = self.open.get_mut(origin) else { return Ok(()) };
        match lines.peek() {
            Some(Ok((number, _))) => self.next.push(Reverse((*number, origin))),
            Some(Err(error)) => return Err(error.clone()),
            None => {}
        }
        Ok(())
    }

    fn open_lists(&mut self) -> Result<(), TreeError> {
        while let Some((_, address)) =
            self.lists.pop_if(|(first, _)| self.next.peek().is_none_or(|Reverse((next, _))| *first < *next))
        {
            let elements = self.tree.list(address.clone(), RangeScan::default());
            self.add(Box::new(elements.map(move |element| {
                element.map(|element| (element.number, write::element(&address, element.number, &element.value)))
            })))?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<Option<write::Line>, TreeError> {
        self.open_lists()?;
        let Some(Reverse((_, origin))) = self.next.pop() else { return Ok(None) };
        let line = self.open.get_mut(origin).and_then(Iterator::next).transpose()?;
        self.wait_for(origin)?;
        Ok(line.map(|(_, line)| line))
    }
}

impl Iterator for Merged<'_> {
    type Item = Result<write::Line, TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}
