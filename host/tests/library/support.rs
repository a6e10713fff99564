//! What these tests share: one engine, and storage that can be watched and made to misbehave.

use std::sync::{Arc, LazyLock};

use serde_json::json;
use session_host::storage::{LogInfo, Order, Part, Place, Result};
use session_host::{Aside, Engine, Memory, Sessions, Storage};

/// Compiled once for all tests.
pub static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new().expect("the component compiles"));

pub fn sessions() -> Sessions {
    Sessions::new(&ENGINE, Memory::new())
}

/// A session with this many small events.
pub fn with_events(sessions: &Sessions, id: &str, count: u64) {
    sessions.create(id).unwrap();
    let lines: String = (0..count).map(|seq| line(seq, "note", 0)).collect();
    sessions.append_lines(id, &lines).unwrap();
}

/// An event as it is stored.
pub fn line(seq: u64, kind: &str, padding: usize) -> String {
    let data = json!({ "text": "x".repeat(padding) });
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":1,\"data\":{data}}}\n")
}

type Before = dyn Fn(&str, &str) -> Result<()> + Send + Sync;

/// Storage with something that happens before each call: given the call's name and the log's id, it may answer an error
/// in the call's place.
#[derive(Clone)]
pub struct Hooked {
    inner: Arc<dyn Storage>,
    before: Arc<Before>,
}

impl Hooked {
    pub fn new(before: impl Fn(&str, &str) -> Result<()> + Send + Sync + 'static) -> Self {
        Self { inner: Arc::new(Memory::new()), before: Arc::new(before) }
    }

    fn before(&self, call: &str, id: &str) -> Result<&dyn Storage> {
        (self.before)(call, id)?;
        Ok(&*self.inner)
    }
}

impl Storage for Hooked {
    fn acquire(&self, id: &str) -> Result<LogInfo> {
        self.before("acquire", id)?.acquire(id)
    }

    fn release(&self, id: &str) {
        let _ = self.before("release", id);
        self.inner.release(id);
    }

    fn publish(&self, id: &str, parts: &[Part<'_>]) -> Result<LogInfo> {
        self.before("publish", id)?.publish(id, parts)
    }

    fn append(&self, id: &str, at: u64, content: &[u8]) -> Result<()> {
        self.before("append", id)?.append(id, at, content)
    }

    fn sync(&self, id: &str) -> Result<()> {
        self.before("sync", id)?.sync(id)
    }

    fn stat(&self, id: &str) -> Result<LogInfo> {
        self.before("stat", id)?.stat(id)
    }

    fn read(&self, id: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        self.before("read", id)?.read(id, at, max)
    }

    fn set_aside(&self, id: &str, at: u64) -> Result<Aside> {
        self.before("set-aside", id)?.set_aside(id, at)
    }

    fn asides(&self, id: &str) -> Result<Vec<Aside>> {
        self.before("asides", id)?.asides(id)
    }

    fn read_aside(&self, id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        self.before("read-aside", id)?.read_aside(id, name, at, max)
    }

    fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Result<Vec<LogInfo>> {
        self.before("list", "")?.list(order, after, max)
    }

    fn remove(&self, id: &str) -> Result<()> {
        self.before("remove", id)?.remove(id)
    }

    fn save_checkpoint(&self, id: &str, content: &[u8]) -> Result<()> {
        self.before("save-checkpoint", id)?.save_checkpoint(id, content)
    }

    fn load_checkpoint(&self, id: &str) -> Result<Vec<u8>> {
        self.before("load-checkpoint", id)?.load_checkpoint(id)
    }

    fn sibling(&self) -> Result<Arc<dyn Storage>> {
        Ok(Arc::new(Self { inner: self.inner.sibling()?, before: Arc::clone(&self.before) }))
    }
}
