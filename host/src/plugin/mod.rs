mod cursors;
mod grant;
mod linker;
mod tree;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::component::Allowance;
use crate::error::Result;
use crate::sessions::Sessions;
use crate::tree::Tree;
use crate::types::{ListItem, ListOptions, ListPage};
use cursors::Cursors;
pub use grant::Grant;
pub use linker::add_to_linker;

/// What the calls of one plugin are served by: sessions within a [`Grant`], with claims of their own.
///
/// Made by [`Sessions::plugin`], kept in the data of the plugin's store, found there by [`add_to_linker`]. When it is
/// dropped, what the plugin had claimed is free again.
pub struct PluginSessions {
    sessions: Sessions,
    grant: Grant,
    allowance: Arc<Allowance>,
    cursors: Cursors,
}

impl fmt::Debug for PluginSessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginSessions").field("grant", &self.grant).finish_non_exhaustive()
    }
}

impl PluginSessions {
    pub(crate) fn new(sessions: Sessions, grant: Grant, allowance: Arc<Allowance>) -> Self {
        Self { sessions, grant, allowance, cursors: Cursors::default() }
    }

    /// When the plugin has to be done; none, unless set. Its calls get no more time than is left until then, and the time
    /// that they spend in storage puts it off. To stop the plugin itself, compare [`deadline`](Self::deadline) with the clock
    /// in a [`Store::epoch_deadline_callback`](wasmtime::Store::epoch_deadline_callback).
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.allowance.set(deadline);
    }

    /// When the plugin has to be done, put off by the time that its calls spent in storage.
    pub fn deadline(&self) -> Option<Instant> {
        self.allowance.get()
    }

    fn now(&self) -> u64 {
        self.sessions.now()
    }

    fn read(&self, id: &str) -> Result<&Sessions> {
        self.grant.check_read(id)?;
        Ok(&self.sessions)
    }

    fn write(&self, id: &str) -> Result<&Sessions> {
        self.grant.check_write(id)?;
        Ok(&self.sessions)
    }

    fn read_tree(&self, id: &str) -> Result<Tree<'_>> {
        Ok(self.read(id)?.tree(id))
    }

    fn write_tree(&self, id: &str) -> Result<Tree<'_>> {
        Ok(self.write(id)?.tree(id))
    }

    /// A page, without what the plugin may not know of.
    fn list(&mut self, mut options: ListOptions) -> Result<ListPage> {
        options.cursor = options.cursor.map(|number| self.cursors.take_back(&number)).transpose()?;
        loop {
            let mut page = self.sessions.list(&options)?;
            page.items.retain(|item| match item {
                ListItem::Session(session) => self.grant.reads(&session.header.id),
                ListItem::Unreadable(log) => log.id.as_ref().is_some_and(|id| self.grant.reads(id)),
            });
            // An empty page with a next would tell how many sessions there are that are not granted.
            if page.items.is_empty() && page.next.is_some() {
                options.cursor = page.next;
                continue;
            }
            page.next = page.next.map(|cursor| self.cursors.hand_out(cursor));
            return Ok(page);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Memory};

    fn ids(page: &ListPage) -> Vec<&str> {
        let items = page.items.iter().map(|item| match item {
            ListItem::Session(session) => session.header.id.as_str(),
            ListItem::Unreadable(log) => panic!("{log:?}"),
        });
        items.collect()
    }

    #[test]
    fn a_plugin_lists_its_own_sessions_and_learns_of_no_other() {
        let sessions = Sessions::new(&Engine::new().unwrap(), Memory::new());
        for id in ["a/1", "a/2", "b/1", "b/2", "b/3", "c/1"] {
            sessions.create(id).unwrap();
            sessions.flush(id).unwrap();
        }
        let mut plugin = sessions.plugin(Grant::prefix("b/")).unwrap();
        let (mut found, mut cursor) = (Vec::new(), None);
        loop {
            let page = plugin.list(ListOptions { cursor, limit: 2, ..ListOptions::default() }).unwrap();
            found.extend(ids(&page).into_iter().map(String::from));
            let Some(next) = page.next else { break };
            assert!(next.parse::<u64>().is_ok(), "no name of any session: {next}");
            cursor = Some(next);
        }
        assert_eq!(found, ["b/1", "b/2", "b/3"]);
    }
}
