//! Forking: a new session that starts with a sound prefix of another.

use super::open::changed;
use super::{Host, Store, Stored, check_id, of_storage};
use crate::bindings::agent::session::storage::{Part, StorageError, Stretch};
use crate::line;
use crate::log::Sound;
use crate::types::{Error, NewSession, SessionHeader};

impl<H: Host> Store<H> {
    /// A new session that starts with the first `length` events of this one, or all that are sound. A turn left open by the
    /// cut is closed in the copy. Claims nothing of the source, and lets the child go.
    pub fn fork(&mut self, id: &str, length: Option<u64>, child: NewSession) -> Result<SessionHeader, Error> {
        self.check_child(&child.id)?;
        self.look(id)?;
        if self.seen(id)?.is_believed(0) {
            // What was not read is not copied.
            self.read_anew(id)?;
        }
        let source = &self.seen(id)?.sound;
        let length = length.unwrap_or(source.events);
        if length > source.events {
            let reason = format!(
                "a fork of {length} events was asked for, but the session has {} that are sound",
                source.events
            );
            return Err(Error::Refused(reason));
        }
        let start = source.body;
        let prefix = self.prefix(id, source, length)?;

        let header = self.child_header(id, &source.header, child, Some(length))?;
        let mut ending = String::from(if prefix.unended { "\n" } else { "" });
        for closer in &prefix.scope.closers(length, prefix.last_time)? {
            line::encode_record(&mut ending, &closer.into());
        }
        let mut events = Vec::new();
        if prefix.end > start {
            events.push(Part::Copy(Stretch { id: id.into(), at: start, length: prefix.end - start }));
            events.push(Part::Content(ending.into_bytes()));
        }
        self.publish_child(id, header, events)
    }

    /// Whether a fork may be called so.
    pub(super) fn check_child(&self, child: &str) -> Result<(), Error> {
        check_id(child)?;
        if self.pending.contains_key(child) { Err(Error::AlreadyExists(child.into())) } else { Ok(()) }
    }

    /// The header of a fork.
    pub(super) fn child_header(
        &self,
        id: &str,
        source: &SessionHeader,
        child: NewSession,
        seed_length: Option<u64>,
    ) -> Result<SessionHeader, Error> {
        let cwd = child.cwd.or_else(|| source.cwd.clone());
        self.header(NewSession { cwd, parent_session: Some(id.into()), ..child }, seed_length)
    }

    /// Brings a fork into being, and lets it go.
    pub(super) fn publish_child(
        &self,
        id: &str,
        header: SessionHeader,
        events: Vec<Part>,
    ) -> Result<SessionHeader, Error> {
        let mut parts = vec![Part::Content(line::encode_header(&header).into_bytes())];
        parts.extend(events);
        self.host.publish(&header.id, &parts).map_err(|error| match error {
            // What does not exist can only be the source, by now.
            StorageError::NotFound => Error::NotFound(id.into()),
            error => of_storage(&header.id, error),
        })?;
        self.host.release(&header.id);
        Ok(header)
    }

    /// The sound part of a log cut after `length` events.
    fn prefix(&self, id: &str, whole: &Sound, length: u64) -> Result<Sound, Error> {
        if length == whole.events {
            return Ok(whole.clone());
        }
        let mut prefix = Sound::new(whole.header.clone(), whole.body);
        prefix.extend_while(&Stored { host: &self.host, id }, whole.end, |record| record.seq < length)?;
        if prefix.events < length {
            return Err(changed(id));
        }
        Ok(prefix)
    }
}
