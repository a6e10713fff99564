//! The path from an entry to its root, and shortcuts on it.
//!
//! Beside the entry that it follows, each knows one further up, so that any entry of a path is found in steps that grow with
//! the logarithm of its length (Myers, "An applicative random-access stack", 1983).

use super::projection::{Entry, Tree};

/// How many entries are sought at once by who goes down a path: at first, and at the most.
const FIRST_STRETCH: u32 = if cfg!(test) { 2 } else { 64 };
const MOST_STRETCH: u32 = 4096;

impl Tree {
    /// The entries from one up to its root.
    pub fn path(&self, start: Option<u32>) -> impl Iterator<Item = &Entry> {
        let mut at = start;
        std::iter::from_fn(move || {
            let entry = self.entry(at?)?;
            at = entry.parent();
            Some(entry)
        })
    }

    /// How far from the root an entry behind this one stands, and which one it shall know further up; none for a root.
    pub(super) fn shortcut_behind(&self, parent: Option<u32>) -> Option<(u32, u32)> {
        let parent = parent?;
        let entry = self.entry(parent)?;
        let far = self.entry(entry.shortcut)?;
        let farther = self.entry(far.shortcut)?;
        let alike = entry.depth - far.depth == far.depth - farther.depth;
        Some((entry.depth + 1, if alike { far.shortcut } else { parent }))
    }

    /// The first entry of a path for which something holds; what holds for one must hold for all above it.
    pub(super) fn first_on_path(&self, start: u32, holds: impl Fn(&Entry) -> bool) -> Option<u32> {
        let mut at = start;
        loop {
            let entry = self.entry(at)?;
            if holds(entry) {
                return Some(at);
            }
            at = match self.entry(entry.shortcut) {
                Some(far) if entry.shortcut != at && !holds(far) => entry.shortcut,
                _ => entry.parent()?,
            };
        }
    }

    /// The entries of the path of `end` from the one of that depth down, in this order. Only those that are taken cost.
    pub(super) fn path_down(&self, end: u32, depth: u32) -> impl Iterator<Item = &Entry> {
        let last = self.entry(end).map_or(0, |entry| entry.depth);
        let (mut depth, mut stretch) = (depth, FIRST_STRETCH);
        let mut upward: Vec<&Entry> = Vec::new();
        std::iter::from_fn(move || {
            if upward.is_empty() && depth <= last {
                let to = last.min(depth.saturating_add(stretch - 1));
                let lowest = self.first_on_path(end, |entry| entry.depth <= to);
                upward.extend(self.path(lowest).take((to - depth + 1) as usize));
                (depth, stretch) = (to + 1, (stretch * 2).min(MOST_STRETCH));
            }
            upward.pop()
        })
    }
}
