//! What is done to sessions, act by act.

use super::super::disk::simulated::Random;
use super::IDS;

#[derive(Debug, Clone, Copy)]
pub enum Act {
    Create(&'static str),
    /// So many events, the first of that length.
    Append(&'static str, u64, u64),
    Flush(&'static str),
    Wake(&'static str),
    /// Another program leaves half a line.
    Tear(&'static str),
    Fork(&'static str),
    Checkpoint(&'static str),
    Release(&'static str),
    Delete(&'static str),
    /// What follows is done by the other process.
    Switch,
    /// What follows is done on what a loss of power leaves.
    PowerCut,
}

use Act::{Append, Checkpoint, Create, Delete, Flush, Fork, PowerCut, Release, Switch, Tear, Wake};

/// One session from beginning to end, and a second one beside it.
pub const LIFE: &[Act] = &[
    Create("a"),
    Append("a", 2, 10),
    Append("a", 1, 300),
    Create("b"),
    Flush("a"),
    Append("b", 1, 10),
    Append("a", 3, 10),
    Checkpoint("a"),
    Append("b", 2, 10),
    Append("a", 1, 10),
    Flush("b"),
    Fork("a"),
    Release("a"),
    Tear("a"),
    Wake("a"),
    Append("a", 2, 10),
    Checkpoint("a"),
    Flush("a"),
    Append("a", 1, 10),
    Delete("a"),
    Create("a"),
    Append("a", 1, 10),
    Delete("b"),
    Delete("fork"),
];

/// Two processes that hand sessions to each other.
pub const TWO_WRITERS: &[Act] = &[
    Create("a"),
    Append("a", 2, 10),
    Switch,
    Wake("a"),
    Append("a", 1, 10),
    Create("b"),
    Flush("b"),
    Switch,
    Append("b", 1, 10),
    Append("a", 1, 10),
    Release("a"),
    Switch,
    Append("a", 2, 10),
    Tear("a"),
    Append("a", 1, 10),
    Release("a"),
    Switch,
    Wake("a"),
    Tear("a"),
    Append("a", 1, 10),
    Wake("a"),
    Append("a", 1, 10),
    Release("a"),
    Switch,
    Fork("a"),
    Delete("a"),
    Append("fork", 1, 10),
    Release("fork"),
    Switch,
    Delete("fork"),
];

/// A history that the seed determines.
pub fn random(random: &mut Random) -> Vec<Act> {
    let length = 6 + random.below(24);
    (0..length).map(|_| act(random)).collect()
}

fn act(random: &mut Random) -> Act {
    // Mostly about one session, so that it has a history.
    let id = if random.below(3) > 0 { IDS[0] } else { random.pick(&IDS) };
    match random.below(21) {
        0..2 => Create(id),
        2..9 => {
            let (events, longest) = (1 + random.below(3), random.pick(&[8, 40, 700, 5000]));
            Append(id, events, random.below(longest))
        }
        9..12 => Flush(id),
        12 => Wake(id),
        13 => Tear(id),
        14 => Fork(random.pick(&IDS[..2])),
        15 => Checkpoint(id),
        16..18 => Release(id),
        18 => Delete(id),
        19 => PowerCut,
        _ => Switch,
    }
}
