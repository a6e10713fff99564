//! Forking a branch or a whole tree into a session of its own.

use super::{Result, Store};
use crate::bindings::exports::agent::session::session_tree::ForkScope;
use crate::store::Host;
use crate::tree::Fork;
use crate::types::{NewSession, SessionHeader};

impl<H: Host> Store<H> {
    /// A new session with the numbers, ids and times of this one. Claims nothing of the source, and lets the child go.
    pub fn fork_tree(&mut self, id: &str, scope: &ForkScope, child: NewSession) -> Result<SessionHeader> {
        self.check_child(&child.id)?;
        let tip = match scope {
            ForkScope::Branch(fork) => self.tip(id, &fork.branch)?,
            ForkScope::Tree => None,
        };
        let time = self.now();
        let events = self.read_tree(id, |tree, _| {
            let fork = match scope {
                ForkScope::Branch(fork) => Fork::branch(tree, &fork.branch, tip.as_deref(), fork.cut.as_ref())?,
                ForkScope::Tree => Fork::whole(tree),
            };
            fork.parts(id, time).map(Some)
        })?;
        let header = self.child_header(id, &self.seen(id)?.sound.header, child, None)?;
        Ok(self.publish_child(id, header, events)?)
    }
}
