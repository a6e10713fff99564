//! The sessions: what the interface `session-persistence` promises, over storage that knows bytes alone.

mod branch;
mod list;
mod open;
mod read;
mod tree;
mod wake;
mod write;

use std::collections::BTreeMap;

use crate::bindings::agent::session::storage::{Aside, LogInfo, Order, Part, Place, StorageError};
use crate::line::{self, MAX_HEADER, MAX_NUMBER};
use crate::messages::Plan;
use crate::types::{Error, NewSession, Pairing, SessionHeader};

pub use open::Open;

/// What storage answers.
pub type Answer<T> = Result<T, StorageError>;

/// What the component asks of its host: the interfaces `storage` and `clock`, where their rules stand.
#[allow(missing_docs)]
pub trait Host {
    fn acquire(&self, id: &str) -> Answer<LogInfo>;
    fn release(&self, id: &str);
    fn publish(&self, id: &str, parts: &[Part]) -> Answer<LogInfo>;
    fn append(&self, id: &str, at: u64, content: &[u8]) -> Answer<()>;
    fn sync(&self, id: &str) -> Answer<()>;
    fn stat(&self, id: &str) -> Answer<LogInfo>;
    fn read(&self, id: &str, at: u64, max: u32) -> Answer<Vec<u8>>;
    fn set_aside(&self, id: &str, at: u64) -> Answer<Aside>;
    fn asides(&self, id: &str) -> Answer<Vec<Aside>>;
    fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Answer<Vec<LogInfo>>;
    fn remove(&self, id: &str) -> Answer<()>;
    fn save_checkpoint(&self, id: &str, content: &[u8]) -> Answer<()>;
    fn load_checkpoint(&self, id: &str) -> Answer<Vec<u8>>;
    fn now(&self) -> u64;
}

/// All sessions of one host, and what is known of those in use.
pub struct Store<H> {
    host: H,
    /// Created, and not stored before their first event or flush.
    pending: BTreeMap<String, SessionHeader>,
    /// Held as their writer.
    held: BTreeMap<String, Open>,
    /// Read lately, the latest last; they are looked at again before each use.
    recent: Vec<(String, Open)>,
    /// The plan of the messages that were derived last: the next page and the next call go on from it.
    plan: Option<(PlanOf, Plan)>,
    /// What was read of trees last.
    cache: tree::Cache,
    /// How often a tree was in use.
    tree_uses: u64,
}

/// What a plan is of: a session, the reading of its log, and how much of it is derived in which way.
type PlanOf = (String, u64, Option<u64>, Pairing);

/// How many logs that are not held are remembered.
const RECENT: usize = 8;

impl<H: Host> Store<H> {
    /// No session is known yet.
    pub fn new(host: H) -> Self {
        Self {
            host,
            pending: BTreeMap::new(),
            held: BTreeMap::new(),
            recent: Vec::new(),
            plan: None,
            cache: Default::default(),
            tree_uses: 0,
        }
    }

    /// Registers a session that is stored with its first event or flush.
    pub fn create(&mut self, session: NewSession) -> Result<SessionHeader, Error> {
        let id = session.id.clone();
        if self.pending.contains_key(&id) || self.has(&id)? {
            return Err(Error::AlreadyExists(id));
        }
        let header = self.header(session, None)?;
        self.pending.insert(id, header.clone());
        Ok(header)
    }

    /// Whether the session is stored.
    pub fn has(&mut self, id: &str) -> Result<bool, Error> {
        check_id(id)?;
        match self.host.stat(id) {
            Ok(_) => Ok(true),
            Err(StorageError::NotFound) => Ok(false),
            Err(error) => Err(of_storage(id, error)),
        }
    }

    /// Removes a session and all that belongs to it.
    pub fn delete(&mut self, id: &str) -> Result<(), Error> {
        check_id(id)?;
        self.host.remove(id).map_err(|error| of_storage(id, error))?;
        self.forget(id);
        Ok(())
    }

    /// Stops being the writer and forgets what was kept in memory, also of a session that was never stored.
    pub fn release(&mut self, id: &str) -> Result<(), Error> {
        check_id(id)?;
        self.host.release(id);
        self.forget(id);
        Ok(())
    }

    fn forget(&mut self, id: &str) {
        self.pending.remove(id);
        self.held.remove(id);
        self.recent.retain(|(known, _)| known != id);
    }

    /// The header of a session that was created here and that nobody has stored yet.
    fn unborn(&mut self, id: &str) -> Result<Option<SessionHeader>, Error> {
        if self.pending.contains_key(id) && self.has(id)? {
            // Another was first; whoever reads or wakes the session means the one that is there.
            self.pending.remove(id);
        }
        Ok(self.pending.get(id).cloned())
    }

    /// The header of a new session.
    fn header(&self, session: NewSession, seed_length: Option<u64>) -> Result<SessionHeader, Error> {
        check_id(&session.id)?;
        let created_at = session.created_at.unwrap_or_else(|| self.now());
        let header = SessionHeader {
            version: line::FORMAT_VERSION,
            id: session.id,
            created_at,
            cwd: session.cwd,
            parent_session: session.parent_session,
            seed_length,
        };
        let refused = |reason: &str| Err(Error::Refused(reason.into()));
        if created_at > MAX_NUMBER {
            return refused("`created-at` ends at 2^53 - 1");
        }
        if line::encode_header(&header).len() > MAX_HEADER {
            return refused("the header would be longer than 64 KiB");
        }
        Ok(header)
    }

    fn now(&self) -> u64 {
        self.host.now().min(MAX_NUMBER)
    }
}

/// A log in storage, as a source of bytes.
struct Stored<'a, H> {
    host: &'a H,
    id: &'a str,
}

impl<H: Host> crate::log::Source for Stored<'_, H> {
    fn read(&self, at: u64, max: u32) -> Result<Vec<u8>, Error> {
        self.host.read(self.id, at, max).map_err(|error| of_storage(self.id, error))
    }
}

fn check_id(id: &str) -> Result<(), Error> {
    match id.len() {
        0 => Err(Error::InvalidId("an id has at least one byte; this one is empty".into())),
        1..=255 if !id.contains('\0') => Ok(()),
        1..=255 => Err(Error::InvalidId(format!("{id:?} holds U+0000; an id may hold any other character"))),
        length => Err(Error::InvalidId(format!("an id has at most 255 bytes; this one has {length}"))),
    }
}

/// What a storage error means for the session.
fn of_storage(id: &str, error: StorageError) -> Error {
    match error {
        StorageError::NotFound => Error::NotFound(id.into()),
        StorageError::AlreadyExists => Error::AlreadyExists(id.into()),
        StorageError::Busy(text) => Error::Busy(text),
        StorageError::Moved(text) => Error::Moved(text),
        StorageError::NoSpace => Error::NoSpace,
        StorageError::ReadOnly => Error::ReadOnly,
        StorageError::AccessDenied(text) => Error::AccessDenied(text),
        StorageError::InvalidId(text) => Error::InvalidId(text),
        StorageError::OutcomeUnknown(text) => Error::OutcomeUnknown(text),
        StorageError::Failed(text) => Error::Storage(text),
    }
}

/// What a storage error says to people.
fn words(error: &StorageError) -> &str {
    match error {
        StorageError::NotFound => "there is no such log",
        StorageError::AlreadyExists => "the log is there already",
        StorageError::NoSpace => "no space is left",
        StorageError::ReadOnly => "the store is read-only",
        StorageError::Busy(text)
        | StorageError::Moved(text)
        | StorageError::AccessDenied(text)
        | StorageError::InvalidId(text)
        | StorageError::OutcomeUnknown(text)
        | StorageError::Failed(text) => text,
    }
}

#[cfg(test)]
mod tests;
