//! Sessions under WASI, called with fewer words.

use std::path::Path;
use std::sync::LazyLock;

use wasi_host::bindings::agent::session::types::{Error, NewSession, OnDamage, OpenTurn, SessionState, WakeOptions};
use wasi_host::{Compiled, Host};
use wasmtime::{Engine, Store};
use wasmtime_wasi::FsPerms;

/// An instance of the component.
pub struct Wasi {
    pub store: Store<Host>,
    pub sessions: wasi_host::Sessions,
}

impl Wasi {
    /// Those of a folder.
    pub fn open(folder: &Path) -> Self {
        Self::that_may(FsPerms::ReadWrite, folder)
    }

    /// The same with fewer rights.
    pub fn that_may(may: FsPerms, folder: &Path) -> Self {
        Self::within(Some(folder), may)
    }

    /// In that folder, or in none.
    pub fn within(folder: Option<&Path>, may: FsPerms) -> Self {
        static COMPILED: LazyLock<Compiled> = LazyLock::new(|| Compiled::new(&Engine::default()).unwrap());
        let (store, sessions) = COMPILED.open(Host::new(folder, may).unwrap()).unwrap();
        Self { store, sessions }
    }

    /// Makes a session, which is stored with its first event.
    pub fn create(&mut self, id: &str) -> Result<(), Error> {
        let new = NewSession { id: id.into(), cwd: None, parent_session: None, created_at: Some(1) };
        self.sessions.agent_session_session_persistence().call_create(&mut self.store, &new).unwrap().map(drop)
    }

    /// Appends one event.
    pub fn emit(&mut self, id: &str, kind: &str, data: &str) -> Result<u64, Error> {
        self.sessions.agent_session_session_persistence().call_emit_event(&mut self.store, id, kind, data).unwrap()
    }

    /// Wakes a session.
    pub fn wake(&mut self, id: &str) -> Result<SessionState, Error> {
        let how = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::Refuse };
        self.sessions.agent_session_session_persistence().call_wake(&mut self.store, id, how).unwrap()
    }

    /// Its events, as they are stored.
    pub fn lines(&mut self, id: &str) -> Result<String, Error> {
        let sessions = self.sessions.agent_session_session_persistence();
        sessions.call_get_lines(&mut self.store, id, 0, 1 << 20).unwrap()
    }

    /// Makes them durable.
    pub fn flush(&mut self, id: &str) -> Result<(), Error> {
        self.sessions.agent_session_session_persistence().call_flush(&mut self.store, id).unwrap()
    }

    /// Removes it.
    pub fn delete(&mut self, id: &str) -> Result<(), Error> {
        self.sessions.agent_session_session_persistence().call_delete(&mut self.store, id).unwrap()
    }
}
