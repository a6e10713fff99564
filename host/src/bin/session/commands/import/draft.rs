//! A session that is written under a name of its own first, so that it comes into being whole.

use std::sync::Arc;

use anyhow::Result;
use session_host::tree::Tree;
use session_host::{Engine, Error, Memory, NewSession, Part, Sessions, StorageError};
use sha2::{Digest, Sha256};

use crate::place;

/// How what is not whole yet is called, before a part that is told by the name of the session.
pub const UNFINISHED: &str = "unfinished-import-";
/// A header line is no longer.
const LONGEST_HEADER: u32 = 64 << 10;

/// What is to become a session.
pub struct Draft<'a> {
    sessions: &'a Sessions,
    session: NewSession,
    /// What it is called until then.
    id: String,
}

impl<'a> Draft<'a> {
    /// An empty one. What a command that was killed has left of an earlier one is removed.
    ///
    /// # Errors
    /// [`Error::AlreadyExists`] if the session is there already; [`Error::Busy`] if it is just being made by another command.
    pub fn begin(sessions: &'a Sessions, session: NewSession) -> Result<Self> {
        if sessions.has(&session.id)? {
            return Err(Error::AlreadyExists(session.id).into());
        }
        let hash = Sha256::digest(&session.id);
        let id = hash.iter().take(8).fold(UNFINISHED.to_owned(), |id, byte| format!("{id}{byte:02x}"));
        sessions.delete(&again(&id))?;
        Self::named(sessions, session, id)
    }

    /// An empty one beside it, of the same session.
    pub fn again(&self) -> Result<Self> {
        Self::named(self.sessions, self.session.clone(), again(&self.id))
    }

    fn named(sessions: &'a Sessions, session: NewSession, id: String) -> Result<Self> {
        sessions.delete(&id)?;
        sessions.create(NewSession { id: id.clone(), ..session.clone() })?;
        Ok(Self { sessions, session, id })
    }

    /// Its tree.
    pub fn tree(&self) -> Tree<'a> {
        self.sessions.tree(&self.id)
    }

    /// Adds an event to its log.
    pub fn emit(&self, kind: &str, data: &str) -> Result<(), Error> {
        self.sessions.emit_json(&self.id, kind, data).map(drop)
    }

    /// Makes the session of it, durably.
    pub fn finish(self, engine: &Engine) -> Result<()> {
        let header = self.header(engine)?;
        let storage = self.sessions.storage();
        let length = storage.stat(&self.id)?.length;
        let start = storage.read(&self.id, 0, LONGEST_HEADER)?;
        let at = start.iter().position(|byte| *byte == b'\n').map_or(length, |end| end as u64 + 1);
        let events = Part::Copy { id: &self.id, at, length: length - at };
        match storage.publish(&self.session.id, &[Part::Content(&header), events]) {
            Ok(_) => storage.release(&self.session.id),
            Err(StorageError::AlreadyExists) => return Err(Error::AlreadyExists(self.session.id.clone()).into()),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// The header line, as the component writes it.
    fn header(&self, engine: &Engine) -> Result<Vec<u8>> {
        let sessions = place::open(engine, Arc::new(Memory::new()));
        sessions.create(self.session.clone())?;
        sessions.flush(&self.session.id)?;
        Ok(sessions.storage().read(&self.session.id, 0, LONGEST_HEADER)?)
    }
}

fn again(id: &str) -> String {
    format!("{id}-again")
}

impl Drop for Draft<'_> {
    /// Whether it has become a session or not. What can't be removed now is removed when the same session is imported again.
    fn drop(&mut self) {
        drop(self.sessions.delete(&self.id));
    }
}
