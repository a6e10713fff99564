//! A session as a tree, beside maps in memory behind the same calls.

mod bare;
pub mod commit;
mod content;
pub mod open;
pub mod read;

use anyhow::{Result, ensure};
use session_host::Sessions;
use session_host::tree::{CommitOptions, Tree, Write};

use crate::place::Place;
use bare::Bare;

/// Entries, rows, elements or values of one commit.
const BATCH: usize = 250;

/// A tree of some size in a session that is awake, and the same one in maps.
pub struct Trees {
    sessions: Sessions,
    bare: Bare,
    /// How many entries it has; they are one branch.
    length: usize,
    /// The number of the list's first element.
    elements: u64,
    /// The number of the ledger's first row.
    rows: u64,
}

impl Trees {
    /// Its id.
    const ID: &str = "tree";

    pub fn fill(place: &Place) -> Result<Self> {
        let sessions = place.sessions(&place.path("tree"))?;
        sessions.create(Self::ID)?;
        let length = entries(place);
        let mut trees = Self { sessions, bare: Bare::new(&place.engine)?, length, elements: 0, rows: 0 };
        for index in (0..length).step_by(BATCH) {
            trees.commit(&content::branch(index..length.min(index + BATCH)))?;
        }
        trees.commit_all(content::values())?;
        trees.elements = trees.commit_all(content::elements())?;
        trees.rows = trees.commit_all(content::rows())?;
        trees.sessions.flush(Self::ID)?;
        Ok(trees)
    }

    fn tree(&self) -> Tree<'_> {
        self.sessions.tree(Self::ID)
    }

    /// Commits the same to both, and tells the number of the first write.
    fn commit(&self, writes: &[Write]) -> Result<u64> {
        let options = CommitOptions { first: None, timestamp: Some(content::TIME) };
        let ours = self.tree().commit_with(writes, options)?.first;
        let bare = self.bare.commit(writes, options)?.first;
        ensure!(ours == bare, "the same write has the numbers {ours} and {bare}");
        Ok(ours)
    }

    fn commit_all(&self, writes: Vec<Write>) -> Result<u64> {
        let firsts = writes.chunks(BATCH).map(|writes| self.commit(writes)).collect::<Result<Vec<_>>>()?;
        Ok(firsts.first().copied().unwrap_or_default())
    }
}

/// How many entries a tree has here.
fn entries(place: &Place) -> usize {
    place.size(10_000, 100_000)
}
