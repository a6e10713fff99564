//! The tree of a session: what the interface `session-tree` promises.

mod branches;
mod cache;
mod commit;
mod context;
mod fork;
mod pages;
mod read;

use std::mem;

use self::pages::Writes;
use super::open::changed;
use super::{Host, Open, Store, Stored};
use crate::bindings::exports::agent::session::session_tree::{RefusedWrite, TreeError};
use crate::line::{self, Record};
use crate::log::Lines;
use crate::tree::{COMMIT, MOST_WEIGHT, Refusal, Tree};
use crate::types::Error;

pub use cache::Cache;

type Result<T> = std::result::Result<T, TreeError>;

/// The tree of a log, up to some place of it.
#[derive(Debug)]
pub struct Projected {
    tree: Tree,
    /// Which reading of the log it goes on from.
    reading: u64,
    /// Up to where the log was read, and how many events that is.
    end: u64,
    events: u64,
    /// The last of them lacks its LF.
    unended: bool,
    /// How much memory it took when there was last made room for it.
    weight: usize,
    /// When it was last in use, by a count of such times.
    used: u64,
}

/// How much a tree grows before room is made for it again.
const GROWTH: usize = MOST_WEIGHT / 64;

impl Projected {
    /// Goes on by a line of the log, without its LF, which was found to be sound.
    fn follow(&mut self, line: &[u8], length: u64) -> std::result::Result<(), Refusal> {
        if line::written_type(line).is_none_or(|kind| kind == COMMIT) {
            let glanced =
                line::glance(line).ok_or(Refusal::Broken).and_then(|record| self.follow_record(line, &record));
            match glanced {
                Err(Refusal::Broken) => {
                    let record = line::decode_record(line).map_err(|_| Refusal::Broken)?;
                    self.follow_record(line, &record)?;
                }
                other => other?,
            }
        }
        self.unended = line.len() as u64 == length;
        self.end += length;
        self.events += 1;
        Ok(())
    }

    fn follow_record(&mut self, line: &[u8], record: &Record<'_>) -> std::result::Result<(), Refusal> {
        if record.seq != self.events {
            return Err(Refusal::Broken);
        }
        if record.kind != COMMIT {
            return Ok(());
        }
        let within = (record.data.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
        self.tree.follow(record.seq, self.end + within as u64, record.data)
    }

    /// The LF that the last line lacked has come.
    fn end_line(&mut self) {
        self.end += u64::from(self.unended);
        self.unended = false;
    }
}

impl Open {
    /// Brings the tree up to what is known to be sound, by reading what came since.
    fn project<H: Host>(&mut self, stored: &Stored<'_, H>) -> std::result::Result<(), Error> {
        let known = self.tree.take().filter(|projected| projected.reading == self.reading);
        let mut projected = known.unwrap_or_else(|| {
            let tree = Tree::new(stored.host.now());
            let (reading, end) = (self.reading, self.sound.body);
            Box::new(Projected { tree, reading, end, events: 0, unended: false, weight: 0, used: 0 })
        });
        if projected.end < self.sound.end {
            projected.end_line();
        }
        let mut lines = Lines::new(stored, projected.end, self.sound.end);
        while let Some(line) = lines.next()? {
            match projected.follow(line.bytes, line.length) {
                Ok(()) if !line.nul => {}
                Err(Refusal::Full) => return Err(too_large_from(stored.id, projected.events)),
                _ => return Err(changed(stored.id)),
            }
        }
        if (projected.end, projected.events) != (self.sound.end, self.sound.events) {
            return Err(changed(stored.id));
        }
        self.tree = Some(projected);
        Ok(())
    }

    /// Whether the tree is up to what is known to be sound.
    pub(super) fn is_projected(&self) -> bool {
        let current = |tree: &Projected| tree.reading == self.reading && tree.end == self.sound.end;
        self.tree.as_ref().is_some_and(|tree| current(tree))
    }

    /// Goes on with a tree that is up to date by a line that was appended, its LF included.
    pub(super) fn project_appended(&mut self, line: &[u8]) {
        let follow = |tree: &mut Projected| {
            tree.end_line();
            tree.follow(line.strip_suffix(b"\n").unwrap_or(line), line.len() as u64)
        };
        if self.tree.as_mut().is_some_and(|tree| follow(tree).is_err()) {
            // Who asks for the tree next is told why there is none.
            self.tree = None;
        }
    }

    fn tree_weight(&self) -> usize {
        self.tree.as_ref().map_or(0, |projected| projected.tree.weight())
    }
}

impl<H: Host> Store<H> {
    /// The tree of a stored session, as the log has it now.
    fn tree(&mut self, id: &str) -> Result<&mut Tree> {
        for last in [false, true] {
            self.look(id)?;
            let stored = Stored { host: &self.host, id };
            let recent = self.recent.iter_mut().find(|(known, _)| known == id).map(|(_, open)| open);
            let Some(open) = self.held.get_mut(id).or(recent) else { return Err(Error::NotFound(id.into()).into()) };
            match open.project(&stored) {
                Ok(()) => self.make_room_for(id),
                Err(Error::Moved(_)) if !last => {
                    self.read_anew(id)?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            }
            break;
        }
        let recent = self.recent.iter_mut().find(|(known, _)| known == id).map(|(_, open)| open);
        let open = self.held.get_mut(id).or(recent);
        let tree = open.and_then(|open| open.tree.as_mut()).map(|projected| &mut projected.tree);
        tree.ok_or_else(|| changed(id).into())
    }

    /// Notes that a tree is in use. If it has grown, those that were not for the longest time make room for it.
    fn make_room_for(&mut self, id: &str) {
        self.tree_uses += 1;
        let recent = self.recent.iter_mut().find(|(known, _)| known == id).map(|(_, open)| open);
        let Some(projected) = self.held.get_mut(id).or(recent).and_then(|open| open.tree.as_mut()) else { return };
        projected.used = self.tree_uses;
        let weight = projected.tree.weight();
        if weight <= projected.weight + GROWTH {
            return;
        }
        projected.weight = weight;
        let others = self.recent.iter_mut().map(|(known, open)| (&*known, open)).chain(&mut self.held);
        let others = others.filter(|(known, open)| *known != id && open.tree.is_some()).map(|(_, open)| open);
        let mut others: Vec<&mut Open> = others.collect();
        others.sort_unstable_by_key(|open| open.tree.as_ref().map_or(0, |projected| projected.used));
        let mut sum = weight + others.iter().map(|open| open.tree_weight()).sum::<usize>();
        for open in others {
            if sum <= MOST_WEIGHT {
                break;
            }
            sum -= open.tree_weight();
            open.tree = None;
        }
    }

    /// Reads from a tree and from the log beside it; a session that is not stored yet has an empty one. Where the log is not
    /// what the tree is of, all is read anew, once.
    fn read_tree<T>(
        &mut self,
        id: &str,
        mut read: impl FnMut(&Tree, &mut Writes<'_, H>) -> Result<Option<T>>,
    ) -> Result<T> {
        let unborn = self.unborn(id)?.is_some();
        for _ in 0..2 {
            if !unborn {
                self.tree(id)?;
            }
            let mut cache = mem::take(&mut self.cache);
            let stored = Stored { host: &self.host, id };
            let answer = if unborn {
                // Nothing of it is stored.
                read(&Tree::new(0), &mut Writes { stored, reading: 0, cache: &mut cache })
            } else {
                let projected = self.seen(id).ok().and_then(|open| open.tree.as_ref());
                projected.map_or(Ok(None), |projected| {
                    read(&projected.tree, &mut Writes { stored, reading: projected.reading, cache: &mut cache })
                })
            };
            self.cache = cache;
            match answer {
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) | Err(TreeError::Session(Error::Moved(_))) => self.read_anew(id)?,
                Err(error) => return Err(error),
            }
        }
        Err(changed(id).into())
    }
}

impl From<Error> for TreeError {
    fn from(error: Error) -> Self {
        Self::Session(error)
    }
}

impl From<Refusal> for TreeError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Duplicate(id) => Self::DuplicateId(id),
            Refusal::MissingParent(id) => Self::MissingParent(id),
            Refusal::Pending(id) => Self::PendingMessage(id),
            Refusal::Write(index, reason) => Self::RefusedWrite(RefusedWrite { index, reason: format!("it {reason}") }),
            Refusal::Whole(reason) => Self::RefusedWrite(RefusedWrite { index: 0, reason: reason.into_owned() }),
            Refusal::Broken => Self::RefusedWrite(RefusedWrite { index: 0, reason: refusal.to_string() }),
            Refusal::Full => too_large().into(),
        }
    }
}

fn too_large() -> Error {
    Error::TooLarge(Refusal::Full.to_string())
}

/// The log holds a larger tree than fits.
fn too_large_from(id: &str, event: u64) -> Error {
    Error::TooLarge(format!(
        "from event {event} on the tree of session {id:?} takes more than the 22 MiB that one may have; its events can be read all the same, and a fork of its first {event} events has a tree"
    ))
}
