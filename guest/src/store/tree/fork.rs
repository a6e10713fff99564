//! Forking a branch or a whole tree into a session of its own.

use super::{Result, Store};
use crate::bindings::agent::session::storage::{Part, StorageError};
use crate::bindings::exports::agent::session::session_tree::ForkScope;
use crate::line;
use crate::store::{Host, check_id, of_storage};
use crate::tree::Fork;
use crate::types::{Error, NewSession, SessionHeader};

impl<H: Host> Store<H> {
    /// A new session with the numbers, ids and times of this one. Claims nothing of the source, and lets the child go.
    pub fn fork_tree(&mut self, id: &str, scope: &ForkScope, child: NewSession) -> Result<SessionHeader> {
        check_id(&child.id)?;
        if self.pending.contains_key(&child.id) {
            return Err(Error::AlreadyExists(child.id).into());
        }
        let tip = match scope {
            ForkScope::Branch(fork) => self.tip(id, &fork.branch)?,
            ForkScope::Tree => None,
        };
        let time = self.now();
        let mut parts = self.read_tree(id, |tree, _| {
            let fork = match scope {
                ForkScope::Branch(fork) => Fork::branch(tree, &fork.branch, tip.as_deref(), fork.cut.as_ref())?,
                ForkScope::Tree => Fork::whole(tree),
            };
            fork.parts(id, time).map(Some)
        })?;
        let source = &self.seen(id)?.sound.header;
        let cwd = child.cwd.or_else(|| source.cwd.clone());
        let header = self.header(NewSession { cwd, parent_session: Some(id.into()), ..child }, None)?;
        parts.insert(0, Part::Content(line::encode_header(&header).into_bytes()));
        self.host.publish(&header.id, &parts).map_err(|error| match error {
            // What does not exist can only be the source, by now.
            StorageError::NotFound => Error::NotFound(id.into()),
            error => of_storage(&header.id, error),
        })?;
        self.host.release(&header.id);
        Ok(header)
    }
}
