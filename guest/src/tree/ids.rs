//! The ids of entries and rows of usage, which share one space of names: all text in one piece, found by hash.

use std::hash::{DefaultHasher, Hasher};

use super::series::{Series, reserve};

/// How many bytes of text lie together; no id has more.
const PIECE: usize = 1 << 16;

/// Ids, numbered in the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Ids {
    /// Pieces that are never moved; each holds whole ids.
    text: Vec<String>,
    known: Series<Known>,
    /// One more than the number of the id whose hash led there, or to a slot before; zero where none did. Always a power of
    /// two, and at least a quarter of it free.
    slots: Vec<u32>,
    /// Stirred into every hash, so that nobody who writes ids can have them all lead to one slot.
    seed: u64,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    hash: u32,
    /// Where its text begins: the piece, and the byte in it.
    start: (u16, u16),
    length: u16,
    owner: Owner,
}

/// Whose an id is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// That entry's.
    Entry(u32),
    /// A row's of the ledger.
    Usage,
}

impl Ids {
    /// None yet.
    pub fn new(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// The id of that number.
    pub fn text(&self, number: u32) -> &str {
        let Some(known) = self.known.get(number as usize) else { return "" };
        let (piece, start) = (usize::from(known.start.0), usize::from(known.start.1));
        self.text.get(piece).and_then(|text| text.get(start..start + usize::from(known.length))).unwrap_or_default()
    }

    /// Whose that id is.
    pub fn owner(&self, id: &str) -> Option<Owner> {
        // Most entries follow the one before them.
        if let Some(last) = self.known.last()
            && self.text(self.known.len() as u32 - 1) == id
        {
            return Some(last.owner);
        }
        self.find(id, self.hash(id)).ok().map(|known| known.owner)
    }

    /// Takes an id for its owner; its number. None if somebody has it, or if there is no more room for text.
    pub fn add(&mut self, id: &str, owner: Owner) -> Option<u32> {
        if self.known.len() >= self.slots.len() / 4 * 3 {
            self.grow();
        }
        let hash = self.hash(id);
        let slot = self.find(id, hash).err()?;
        let number = u32::try_from(self.known.len()).ok()?;
        let length = u16::try_from(id.len()).ok()?;
        if self.text.last().is_none_or(|piece| piece.len() + id.len() > PIECE || piece.len() == PIECE) {
            reserve(&mut self.text);
            self.text.push(String::new());
        }
        let piece = u16::try_from(self.text.len() - 1).ok()?;
        let text = self.text.last_mut()?;
        let start = (piece, u16::try_from(text.len()).ok()?);
        *self.slots.get_mut(slot)? = number.checked_add(1)?;
        text.push_str(id);
        self.known.push(Known { hash, start, length, owner });
        Some(number)
    }

    /// Forgets all but the first so many. What came last was stored behind all others, so its slot can just be freed.
    pub fn truncate(&mut self, length: usize) {
        while self.known.len() > length {
            let Some(last) = self.known.pop() else { break };
            let number = self.known.len() as u32 + 1;
            if let Some(at) = self.probe(last.hash).find(|at| self.slots[*at] == number) {
                self.slots[at] = 0;
            }
            self.text.truncate(usize::from(last.start.0) + 1);
            if let Some(piece) = self.text.last_mut() {
                piece.truncate(last.start.1.into());
            }
        }
    }

    fn hash(&self, id: &str) -> u32 {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.seed);
        hasher.write(id.as_bytes());
        hasher.finish() as u32
    }

    /// The slots in which an id of that hash may be, in order.
    fn probe(&self, hash: u32) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len().wrapping_sub(1);
        (0..self.slots.len()).map(move |step| (hash as usize).wrapping_add(step) & mask)
    }

    /// What is known of an id; else the free slot for it, if there is one.
    fn find(&self, id: &str, hash: u32) -> Result<Known, usize> {
        for at in self.probe(hash) {
            let Some(number) = self.slots[at].checked_sub(1) else { return Err(at) };
            match self.known.get(number as usize) {
                Some(known) if known.hash == hash && self.text(number) == id => return Ok(*known),
                _ => {}
            }
        }
        Err(usize::MAX)
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(16)];
        for (number, known) in (1..).zip(self.known.iter()) {
            if let Some(at) = self.probe(known.hash).find(|at| self.slots[*at] == 0) {
                self.slots[at] = number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_found_and_has_its_text_however_many_there_are() {
        let mut ids = Ids::new(7);
        for number in 0..5000u32 {
            assert_eq!(ids.add(&format!("id-{number}"), Owner::Entry(number)), Some(number));
        }
        for number in 0..5000u32 {
            let id = format!("id-{number}");
            assert_eq!((ids.owner(&id), ids.text(number)), (Some(Owner::Entry(number)), id.as_str()));
        }
        assert_eq!(ids.owner("id-5000"), None);
    }

    #[test]
    fn an_id_is_taken_once() {
        let mut ids = Ids::new(7);
        assert_eq!(ids.add("", Owner::Usage), Some(0));
        assert_eq!(ids.add("", Owner::Entry(0)), None);
        assert_eq!(ids.owner(""), Some(Owner::Usage));
    }

    #[test]
    fn what_is_forgotten_is_gone_and_all_before_it_stays() {
        let mut ids = Ids::new(7);
        for number in 0..1000u32 {
            ids.add(&number.to_string(), Owner::Entry(number));
        }
        for kept in [999, 500, 13, 0] {
            ids.truncate(kept);
            assert_eq!(ids.len(), kept);
            for number in 0..1000u32 {
                let there = (number as usize) < kept;
                assert_eq!(ids.owner(&number.to_string()), there.then_some(Owner::Entry(number)));
            }
        }
        assert_eq!(ids.add("again", Owner::Usage), Some(0));
    }

    #[test]
    fn long_ids_have_their_texts_and_one_that_is_too_long_is_not_taken() {
        let mut ids = Ids::new(7);
        let long: Vec<_> = (0..300).map(|number| format!("{number}-").repeat(number * 40 + 1)).collect();
        for id in &long {
            ids.add(id, Owner::Usage);
        }
        for (number, id) in (0..).zip(&long) {
            assert_eq!(ids.text(number), id);
        }
        ids.truncate(7);
        assert_eq!((ids.len(), ids.text(6)), (7, long[6].as_str()));
        assert_eq!(ids.add(&"x".repeat(PIECE), Owner::Usage), None);
        assert_eq!(ids.add(&"x".repeat(PIECE - 1), Owner::Usage), Some(7));
        assert_eq!(ids.add("", Owner::Usage), Some(8));
    }
}
