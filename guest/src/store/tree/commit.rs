//! Committing: every rule is checked first, then the event goes the way of every other, then the tree goes on by it.

use super::{Result, Store};
use crate::bindings::exports::agent::session::session_tree::{CommitOptions, Committed, Write};
use crate::line::{self, MAX_LINE, MAX_NUMBER, Record};
use crate::store::Host;
use crate::store::write::rejected;
use crate::tree::{COMMIT, Commit, Refusal, Tree, encode};

impl<H: Host> Store<H> {
    /// Writes all of it or none, as one event.
    pub fn commit(&mut self, id: &str, writes: &[Write], options: CommitOptions) -> Result<Committed> {
        let timestamp = options.timestamp.unwrap_or_else(|| self.now());
        if timestamp > MAX_NUMBER {
            return Err(Refusal::Whole("the timestamp ends at 2^53 - 1".into()).into());
        }
        if writes.is_empty() {
            let (next, stats) = self.read_tree(id, |tree, _| Ok(Some((tree.next(), tree.stats()))))?;
            if options.first.is_none_or(|first| first == next) {
                return Ok(Committed { first: next, timestamp, stats });
            }
        }
        let seq = self.next_seq(id)?;
        let time = self.now();
        let mut empty = Tree::new(0);
        let tree = if self.pending.contains_key(id) { &mut empty } else { self.tree(id)? };
        let first = options.first.unwrap_or(tree.next());
        if first > MAX_NUMBER {
            return Err(Refusal::Whole("the numbers end at 2^53 - 1".into()).into());
        }
        let mut line = String::new();
        line::open_record(&mut line, COMMIT, seq, time);
        let start = line.len();
        encode(&mut line, first, timestamp, writes)?;
        let end = line.len();
        line.push_str(line::RECORD_END);
        if line.len() > MAX_LINE + 1 {
            return Err(rejected(0, line::TOO_LONG).into());
        }
        let data = &line[start..end];
        let commit = Commit::read(data)?;
        tree.check(&commit)?;
        let stats = tree.stats_after(&commit);
        let record = Record { seq, time, kind: COMMIT.into(), data };
        self.write(id, &line, [(record, line.len())])?;
        Ok(Committed { first, timestamp, stats })
    }
}
