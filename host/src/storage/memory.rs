//! Sessions in memory: gone with the last holder.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Aside, LogInfo, Order, Part, Place, Result, Storage, StorageError, id};
use crate::component::now;

/// Keeps logs in memory, for tests and for sessions that need not outlive the program. Nothing is ever durable.
///
/// ```
/// # use session_host::{Memory, Part, Storage, StorageError};
/// let memory = Memory::new();
/// memory.publish("a", &[Part::Content(b"one\n")])?;
/// memory.append("a", 4, b"two\n")?;
/// assert_eq!(memory.read("a", 0, 100)?, b"one\ntwo\n");
/// assert!(matches!(memory.sibling()?.acquire("a"), Err(StorageError::Busy(_))));
/// # Ok::<(), StorageError>(())
/// ```
#[derive(Debug)]
pub struct Memory {
    shared: Arc<Shared>,
    holder: u64,
}

#[derive(Debug, Default)]
struct Shared {
    logs: Mutex<BTreeMap<String, Log>>,
    /// What tells one holder, and one log of a name, from the next.
    count: AtomicU64,
}

#[derive(Debug, Default)]
struct Log {
    bytes: Vec<u8>,
    modified: u64,
    identity: u64,
    holder: Option<u64>,
    checkpoint: Vec<u8>,
    asides: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// A store of its own, empty.
    pub fn new() -> Self {
        Self::on(Arc::default())
    }

    fn on(shared: Arc<Shared>) -> Self {
        let holder = shared.count.fetch_add(1, Ordering::Relaxed);
        Self { shared, holder }
    }

    fn logs(&self) -> MutexGuard<'_, BTreeMap<String, Log>> {
        // Nothing here panics half-way through a change.
        self.shared.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, id: &str, act: impl FnOnce(&mut Log) -> Result<T>) -> Result<T> {
        id::check(id)?;
        act(self.logs().get_mut(id).ok_or(StorageError::NotFound)?)
    }

    fn held<T>(&self, id: &str, act: impl FnOnce(&mut Log) -> Result<T>) -> Result<T> {
        id::check(id)?;
        match self.logs().get_mut(id) {
            Some(log) if log.holder == Some(self.holder) => act(log),
            _ => Err(StorageError::Moved(format!("the log of {id:?} is not held"))),
        }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        for log in self.logs().values_mut() {
            log.holder.take_if(|holder| *holder == self.holder);
        }
    }
}

impl Storage for Memory {
    fn acquire(&self, id: &str) -> Result<LogInfo> {
        self.with(id, |log| {
            if log.holder.is_some_and(|holder| holder != self.holder) {
                return Err(StorageError::Busy(format!("another holder in this process has {id:?}")));
            }
            log.holder = Some(self.holder);
            Ok(log.info(id))
        })
    }

    fn release(&self, id: &str) {
        if let Some(log) = self.logs().get_mut(id) {
            log.holder.take_if(|holder| *holder == self.holder);
        }
    }

    fn publish(&self, id: &str, parts: &[Part<'_>]) -> Result<LogInfo> {
        id::check(id)?;
        let mut logs = self.logs();
        if logs.contains_key(id) {
            return Err(StorageError::AlreadyExists);
        }
        let mut bytes = Vec::new();
        for part in parts {
            match part {
                Part::Content(content) => bytes.extend_from_slice(content),
                Part::Copy { id, at, length } => {
                    id::check(id)?;
                    let log = logs.get(*id).ok_or(StorageError::NotFound)?;
                    let has = log.bytes.len() as u64;
                    if at.checked_add(*length).is_none_or(|end| end > has) {
                        return Err(StorageError::Failed(format!(
                            "the log of {id:?} has {has} bytes, so not {length} from byte {at} on"
                        )));
                    }
                    bytes.extend_from_slice(slice(&log.bytes, *at, *length));
                }
            }
        }
        let identity = self.shared.count.fetch_add(1, Ordering::Relaxed);
        let log = Log { bytes, identity, modified: now(), holder: Some(self.holder), ..Log::default() };
        let info = log.info(id);
        logs.insert(id.into(), log);
        Ok(info)
    }

    fn append(&self, id: &str, at: u64, content: &[u8]) -> Result<()> {
        self.held(id, |log| {
            if log.bytes.len() as u64 != at {
                let length = log.bytes.len();
                return Err(StorageError::Moved(format!("the log of {id:?} ends at {length}, not at {at}")));
            }
            log.bytes.extend_from_slice(content);
            log.modified = now();
            Ok(())
        })
    }

    fn sync(&self, id: &str) -> Result<()> {
        self.held(id, |_| Ok(()))
    }

    fn stat(&self, id: &str) -> Result<LogInfo> {
        self.with(id, |log| Ok(log.info(id)))
    }

    fn read(&self, id: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        self.with(id, |log| Ok(slice(&log.bytes, at, max.into()).to_vec()))
    }

    fn set_aside(&self, id: &str, at: u64) -> Result<Aside> {
        self.held(id, |log| {
            let cut = slice(&log.bytes, at, u64::MAX).to_vec();
            if cut.is_empty() {
                let length = log.bytes.len();
                return Err(StorageError::Moved(format!("the log of {id:?} ends at {length}; nothing is behind {at}")));
            }
            log.bytes.truncate(log.bytes.len() - cut.len());
            log.modified = now();
            let kept = log.asides.iter().find(|(name, kept)| name.starts_with(&format!("{at}.")) && **kept == cut);
            let name = kept.map_or_else(|| format!("{at}.{}", log.asides.len()), |(name, _)| name.clone());
            let aside = Aside { name: name.clone(), length: cut.len() as u64 };
            log.asides.insert(name, cut);
            Ok(aside)
        })
    }

    fn asides(&self, id: &str) -> Result<Vec<Aside>> {
        id::check(id)?;
        let logs = self.logs();
        let asides = logs.get(id).into_iter().flat_map(|log| &log.asides);
        Ok(asides.map(|(name, cut)| Aside { name: name.clone(), length: cut.len() as u64 }).collect())
    }

    fn read_aside(&self, id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        self.with(id, |log| {
            let cut = log.asides.get(name).ok_or(StorageError::NotFound)?;
            Ok(slice(cut, at, max.into()).to_vec())
        })
    }

    fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Result<Vec<LogInfo>> {
        let logs = self.logs();
        let key = |name: &str, modified: u64| match order {
            Order::ById => (0, name.to_string()),
            Order::Recent => (u64::MAX - modified, name.to_string()),
        };
        let after = after.map(|after| key(&after.name, after.modified));
        let mut keys: BTreeSet<_> = logs.iter().map(|(id, log)| key(id, log.modified)).collect();
        if let Some(after) = after {
            keys = keys.split_off(&after);
            keys.remove(&after);
        }
        Ok(keys.iter().take(max as usize).map(|(_, id)| logs[id].info(id)).collect())
    }

    fn remove(&self, id: &str) -> Result<()> {
        id::check(id)?;
        let mut logs = self.logs();
        if logs.get(id).and_then(|log| log.holder).is_some_and(|holder| holder != self.holder) {
            return Err(StorageError::Busy(format!("another holder in this process has {id:?}")));
        }
        logs.remove(id);
        Ok(())
    }

    fn save_checkpoint(&self, id: &str, content: &[u8]) -> Result<()> {
        self.held(id, |log| {
            log.checkpoint = content.to_vec();
            Ok(())
        })
    }

    fn load_checkpoint(&self, id: &str) -> Result<Vec<u8>> {
        id::check(id)?;
        Ok(self.logs().get(id).map_or_else(Vec::new, |log| log.checkpoint.clone()))
    }

    fn sibling(&self) -> Result<Arc<dyn Storage>> {
        Ok(Arc::new(Self::on(self.shared.clone())))
    }
}

impl Log {
    fn info(&self, id: &str) -> LogInfo {
        LogInfo {
            id: Some(id.into()),
            name: id.into(),
            length: self.bytes.len() as u64,
            modified: self.modified,
            identity: self.identity.to_string(),
            held: self.holder.is_some(),
        }
    }
}

/// At most `max` bytes from `at`, as many as there are.
fn slice(bytes: &[u8], at: u64, max: u64) -> &[u8] {
    let from = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let to = usize::try_from(max).map_or(bytes.len(), |max| from.saturating_add(max).min(bytes.len()));
    &bytes[from..to]
}
