//! Summaries, and what they replace.

use std::collections::BTreeMap;

use super::plan::Item;
use crate::json;

/// The places that the summary of one event replaces, ends included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub start: u64,
    end: u64,
    summary: u64,
}

impl Range {
    /// The range that a summary names, which is the event `summary`; none if it names none that begins before.
    pub fn of(range: &str, summary: u64) -> Option<Self> {
        let [start, end] = json::named(range, ["start", "end"]).map(|bound| bound.and_then(json::whole_number));
        let (start, end) = (start?, end?);
        (start <= end && start < summary).then_some(Self { start, end, summary })
    }
}

/// What is left of the items once every summary has replaced what was there before it, in the order of their places.
pub(super) fn shadowed(mut items: Vec<Item>, ranges: &[Range]) -> Vec<Item> {
    if ranges.is_empty() {
        return items;
    }
    // Backwards through the log: an item is gone if a range met before, so of a later summary, holds its place.
    items.sort_by_key(Item::since);
    items.reverse();
    let mut later = ranges.iter().rev().peekable();
    let mut covered = Covered::default();
    items.retain(|item| {
        while let Some(range) = later.next_if(|range| range.summary > item.since()) {
            covered.add(range.start, range.end);
        }
        !covered.holds(item.place)
    });
    items.reverse();
    items.sort_by_key(|item| item.place);
    items
}

/// A set of places, as ranges that neither touch nor overlap.
#[derive(Default)]
struct Covered(BTreeMap<u64, u64>);

impl Covered {
    fn holds(&self, place: u64) -> bool {
        self.0.range(..=place).next_back().is_some_and(|(_, end)| *end >= place)
    }

    fn add(&mut self, mut start: u64, mut end: u64) {
        while let Some((&from, &to)) = self.0.range(..=end).next_back().filter(|(_, to)| **to >= start) {
            self.0.remove(&from);
            (start, end) = (start.min(from), end.max(to));
        }
        self.0.insert(start, end);
    }
}
