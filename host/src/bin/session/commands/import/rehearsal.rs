//! A transaction of version 4 whose entries have times of their own takes several commits here. So that it is there whole or not at all, it is
//! committed to an empty session first: what can be found out without that session is looked up beforehand.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::Result;
use session_host::tree::{CommitOptions, Tree, Write};
use session_host::{Engine, Memory, Sessions};

use super::current::Run;
use super::refusal::refusal;
use crate::place;

/// What the session is called in which it is tried.
const ID: &str = "rehearsal";

/// Tries transactions.
pub struct Rehearsal<'a> {
    engine: &'a Engine,
    sessions: Option<Sessions>,
    /// The ids of all rows of usage, which no entry may have.
    rows: HashSet<String>,
}

impl<'a> Rehearsal<'a> {
    /// None was tried yet.
    pub fn new(engine: &'a Engine) -> Self {
        Self { engine, sessions: None, rows: HashSet::new() }
    }

    /// These writes are in the session.
    pub fn done<'w>(&mut self, writes: impl IntoIterator<Item = &'w Write>) {
        self.rows.extend(writes.into_iter().filter_map(|write| match write {
            Write::Usage(row) => Some(row.id.clone()),
            _ => None,
        }));
    }

    /// Why not all of this can be committed to the tree; none if it can.
    pub fn refuses(&mut self, tree: &Tree<'_>, runs: &[Run]) -> Result<Option<String>> {
        if let Some(first) = runs.first()
            && first.number < tree.state()?.next
        {
            return Ok(Some(format!("its number {} is taken already", first.number)));
        }
        let writes = || runs.iter().flat_map(|run| &run.writes);
        for id in writes().filter_map(id) {
            if self.rows.contains(id) || tree.get_entries([id]).next().transpose()?.is_some() {
                return Ok(Some(format!("an entry or a row of usage is called {} already", super::limits::quoted(id))));
            }
        }
        let sessions = self.sessions.get_or_insert_with(|| place::open(self.engine, Arc::new(Memory::new())));
        sessions.create(ID)?;
        let refused = play(&sessions.tree(ID), runs);
        sessions.delete(ID)?;
        refused
    }
}

/// Commits it to an empty tree, where what is not in it is no parent.
fn play(tree: &Tree<'_>, runs: &[Run]) -> Result<Option<String>> {
    let mut written: HashSet<String> = HashSet::new();
    for run in runs {
        let mut writes = run.writes.clone();
        for write in &mut writes {
            if let Write::Entry(new) = write {
                new.parent = new.parent.take().filter(|parent| written.contains(parent));
                written.insert(new.id.clone());
            }
        }
        let options = CommitOptions { first: Some(run.number), timestamp: run.timestamp };
        if let Err(error) = tree.commit_with(&writes, options) {
            return Ok(Some(refusal(error, &writes)?));
        }
    }
    Ok(None)
}

fn id(write: &Write) -> Option<&str> {
    match write {
        Write::Entry(entry) => Some(&entry.id),
        Write::Usage(row) => Some(&row.id),
        _ => None,
    }
}
