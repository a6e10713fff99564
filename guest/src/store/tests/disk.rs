//! Storage in memory, with several holders.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::bindings::agent::session::storage::{Aside, LogInfo, Order, Part, Place, StorageError};
use crate::store::{Answer, Host, Store};

#[derive(Clone, Default)]
pub struct Disk(Rc<State>);

#[derive(Default)]
struct State {
    logs: RefCell<BTreeMap<String, Log>>,
    asides: RefCell<BTreeMap<(String, String), Vec<u8>>>,
    checkpoints: RefCell<BTreeMap<String, Vec<u8>>>,
    clock: Cell<u64>,
    made: Cell<u64>,
    holders: Cell<u64>,
    fail: RefCell<Option<(&'static str, StorageError)>>,
    calls_until_failure: Cell<Option<u64>>,
    read: Cell<u64>,
    writes: Cell<u64>,
}

struct Log {
    bytes: Vec<u8>,
    identity: u64,
    modified: u64,
    holder: Option<u64>,
}

/// One instance's side of the disk.
pub struct Holder {
    disk: Disk,
    me: u64,
}

impl Disk {
    /// A component instance that has just come up.
    pub fn sessions(&self) -> Store<Holder> {
        self.0.holders.set(self.0.holders.get() + 1);
        Store::new(Holder { disk: self.clone(), me: self.0.holders.get() })
    }

    /// All claims are gone, as when every process was killed.
    pub fn kill_holders(&self) {
        self.0.logs.borrow_mut().values_mut().for_each(|log| log.holder = None);
    }

    /// Puts these bytes in place as a session's log.
    pub fn put(&self, id: &str, bytes: impl AsRef<[u8]>) {
        self.0.made.set(self.0.made.get() + 1);
        let log =
            Log { bytes: bytes.as_ref().to_vec(), identity: self.0.made.get(), modified: self.tick(), holder: None };
        self.0.logs.borrow_mut().insert(id.into(), log);
    }

    /// Another program changes a log behind everybody's back.
    pub fn tamper(&self, id: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let modified = self.tick();
        let mut logs = self.0.logs.borrow_mut();
        let log = logs.get_mut(id).unwrap();
        change(&mut log.bytes);
        log.modified = modified;
    }

    pub fn bytes(&self, id: &str) -> Vec<u8> {
        self.0.logs.borrow()[id].bytes.clone()
    }

    pub fn text(&self, id: &str) -> String {
        String::from_utf8(self.bytes(id)).unwrap()
    }

    /// The checkpoint beside a session's log, empty if there is none.
    pub fn checkpoint(&self, id: &str) -> Vec<u8> {
        self.0.checkpoints.borrow().get(id).cloned().unwrap_or_default()
    }

    pub fn put_checkpoint(&self, id: &str, note: Vec<u8>) {
        self.0.checkpoints.borrow_mut().insert(id.into(), note);
    }

    pub fn asides(&self) -> Vec<Vec<u8>> {
        self.0.asides.borrow().values().cloned().collect()
    }

    /// The next call of that name fails.
    pub fn fail(&self, call: &'static str, error: StorageError) {
        *self.0.fail.borrow_mut() = Some((call, error));
    }

    /// After so many calls one fails.
    pub fn fail_after(&self, calls: u64) {
        self.0.calls_until_failure.set(Some(calls));
    }

    /// Whether the failure that was planned is still to come.
    pub fn is_to_fail(&self) -> bool {
        self.0.calls_until_failure.get().is_some()
    }

    /// How many bytes were read since the last time this was asked.
    pub fn bytes_read(&self) -> u64 {
        self.0.read.take()
    }

    /// How many calls have changed anything.
    pub fn writes(&self) -> u64 {
        self.0.writes.get()
    }

    fn tick(&self) -> u64 {
        self.0.clock.set(self.0.clock.get() + 1);
        self.0.clock.get()
    }
}

impl Holder {
    fn call<T>(&self, name: &str, id: &str, act: impl FnOnce(&mut Log) -> Answer<T>) -> Answer<T> {
        if self.disk.0.fail.borrow().as_ref().is_some_and(|(call, _)| *call == name) {
            return Err(self.disk.0.fail.take().unwrap().1);
        }
        if let Some(calls) = self.disk.0.calls_until_failure.take() {
            let left = calls.checked_sub(1).ok_or(StorageError::Failed(format!("{name} is broken")))?;
            self.disk.0.calls_until_failure.set(Some(left));
        }
        act(self.disk.0.logs.borrow_mut().get_mut(id).ok_or(StorageError::NotFound)?)
    }

    fn write<T>(&self, name: &str, id: &str, act: impl FnOnce(&mut Log) -> Answer<T>) -> Answer<T> {
        let now = self.disk.tick();
        self.disk.0.writes.set(self.disk.0.writes.get() + 1);
        self.call(name, id, |log| {
            assert_eq!(log.holder, Some(self.me), "{name} is for the holder alone");
            log.modified = now;
            act(log)
        })
    }
}

fn info(id: &str, log: &Log) -> LogInfo {
    LogInfo {
        id: Some(id.into()).filter(|id: &String| !id.starts_with('?')),
        name: format!("{id}.jsonl"),
        length: log.bytes.len() as u64,
        modified: log.modified,
        identity: log.identity.to_string(),
        held: log.holder.is_some(),
    }
}

impl Host for Holder {
    fn acquire(&self, id: &str) -> Answer<LogInfo> {
        self.call("acquire", id, |log| match log.holder {
            Some(holder) if holder != self.me => Err(StorageError::Busy(format!("holder {holder}"))),
            _ => {
                log.holder = Some(self.me);
                Ok(info(id, log))
            }
        })
    }

    fn release(&self, id: &str) {
        if let Some(log) = self.disk.0.logs.borrow_mut().get_mut(id) {
            log.holder = log.holder.filter(|holder| *holder != self.me);
        }
    }

    fn publish(&self, id: &str, parts: &[Part]) -> Answer<LogInfo> {
        if self.disk.0.logs.borrow().contains_key(id) {
            return Err(StorageError::AlreadyExists);
        }
        let mut bytes = Vec::new();
        for part in parts {
            match part {
                Part::Content(content) => bytes.extend_from_slice(content),
                Part::Copy(stretch) => {
                    let from = self.disk.bytes(&stretch.id);
                    bytes.extend_from_slice(&from[stretch.at as usize..][..stretch.length as usize]);
                }
            }
        }
        self.disk.put(id, bytes);
        self.acquire(id)
    }

    fn append(&self, id: &str, at: u64, content: &[u8]) -> Answer<()> {
        self.write("append", id, |log| {
            if log.bytes.len() as u64 != at {
                return Err(StorageError::Moved(format!("it ends at {}", log.bytes.len())));
            }
            log.bytes.extend_from_slice(content);
            Ok(())
        })
    }

    fn sync(&self, id: &str) -> Answer<()> {
        self.call("sync", id, |log| {
            assert_eq!(log.holder, Some(self.me));
            Ok(())
        })
    }

    fn stat(&self, id: &str) -> Answer<LogInfo> {
        self.call("stat", id, |log| Ok(info(id, log)))
    }

    fn read(&self, id: &str, at: u64, max: u32) -> Answer<Vec<u8>> {
        self.call("read", id, |log| {
            let from = (at as usize).min(log.bytes.len());
            let to = (from + max as usize).min(log.bytes.len());
            self.disk.0.read.set(self.disk.0.read.get() + (to - from) as u64);
            Ok(log.bytes[from..to].to_vec())
        })
    }

    fn set_aside(&self, id: &str, at: u64) -> Answer<Aside> {
        self.write("set-aside", id, |log| {
            let cut = log.bytes.split_off(at as usize);
            let aside = Aside { name: format!("{at}.aside"), length: cut.len() as u64 };
            self.disk.0.asides.borrow_mut().insert((id.into(), aside.name.clone()), cut);
            Ok(aside)
        })
    }

    fn asides(&self, id: &str) -> Answer<Vec<Aside>> {
        self.call("asides", id, |_| {
            let asides = self.disk.0.asides.borrow();
            let own = asides.iter().filter(|((of, _), _)| of == id);
            Ok(own.map(|((_, name), cut)| Aside { name: name.clone(), length: cut.len() as u64 }).collect())
        })
    }

    fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Answer<Vec<LogInfo>> {
        let logs = self.disk.0.logs.borrow();
        let mut all: Vec<LogInfo> = logs.iter().map(|(id, log)| info(id, log)).collect();
        let key = |name: &str, modified: u64| match order {
            Order::ById => (0, name.to_string()),
            Order::Recent => (u64::MAX - modified, name.to_string()),
        };
        all.sort_by_key(|log| key(&log.name, log.modified));
        all.retain(|log| after.is_none_or(|after| key(&log.name, log.modified) > key(&after.name, after.modified)));
        all.truncate(max as usize);
        Ok(all)
    }

    fn remove(&self, id: &str) -> Answer<()> {
        self.disk.0.logs.borrow_mut().remove(id);
        self.disk.0.checkpoints.borrow_mut().remove(id);
        Ok(())
    }

    fn save_checkpoint(&self, id: &str, content: &[u8]) -> Answer<()> {
        self.call("save-checkpoint", id, |log| {
            assert_eq!(log.holder, Some(self.me));
            self.disk.0.checkpoints.borrow_mut().insert(id.into(), content.to_vec());
            Ok(())
        })
    }

    fn load_checkpoint(&self, id: &str) -> Answer<Vec<u8>> {
        self.call("load-checkpoint", id, |_| Ok(self.disk.0.checkpoints.borrow().get(id).cloned().unwrap_or_default()))
    }

    fn now(&self) -> u64 {
        1000
    }
}
