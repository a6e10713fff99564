//! A little history over storage whose nth operation fails, for every n: what was acknowledged is there, and an error
//! means that nothing was stored, unless it says that this is not known.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use session_host::storage::{Fault, Faulty};
use session_host::{
    Error, JsonlFolder, Memory, OnDamage, Pairing, Result, Sessions, Sqlite, Storage, StorageError, WakeOptions,
};

use crate::support::{ENGINE, line};

/// What storage has, seen past the fault.
struct Disk(Arc<dyn Storage>);

impl Disk {
    fn log(&self, id: &str) -> Option<Vec<u8>> {
        match self.0.stat(id) {
            Ok(_) => Some(self.0.read(id, 0, u32::MAX).unwrap()),
            Err(StorageError::NotFound) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// The whole lines of a log that are JSON: its header and events.
    fn records(&self, id: &str) -> Option<Vec<Value>> {
        let log = self.log(id)?;
        let lines = log.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        Some(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }
}

/// A history as it is played, and what must be true of it.
struct Play {
    disk: Disk,
    sessions: Sessions,
    /// Of which fault, for people.
    told: String,
    /// For each session, the data of the events that were acknowledged.
    acknowledged: Vec<(&'static str, Value)>,
}

impl Play {
    /// A call that may store something in `id`. If it fails and does not say that its outcome is unknown, nothing was stored.
    fn call<T>(&mut self, what: &str, id: &str, call: impl FnOnce(&Sessions) -> Result<T>) -> Result<T> {
        let before = self.disk.records(id);
        let answer = call(&self.sessions);
        let after = self.disk.records(id);
        match &answer {
            Ok(_) => {}
            Err(Error::OutcomeUnknown(_)) => {
                let kept =
                    before.as_ref().is_none_or(|before| after.as_ref().is_some_and(|now| now.starts_with(before)));
                assert!(kept || what == "delete", "{}: {what} lost something of {id}", self.told);
            }
            Err(error) => {
                assert_eq!(before, after, "{}: {what} of {id} failed, and stored something: {error}", self.told);
            }
        }
        answer
    }

    fn emit(&mut self, id: &'static str, kind: &str, data: Value) {
        if let Ok(seq) = self.call("emit", id, |sessions| sessions.emit(id, kind, &data)) {
            let stored = &self.disk.records(id).unwrap()[seq as usize + 1];
            assert_eq!((&stored["seq"], &stored["data"]), (&json!(seq), &data), "{}", self.told);
            self.acknowledged.push((id, data));
        }
    }

    fn append_lines(&mut self, id: &'static str, texts: [&str; 2]) {
        let Ok(state) = self.sessions.inspect(id) else { return };
        let lines: String = (state.length..).zip(texts).map(|(seq, kind)| line(seq, kind, 9)).collect();
        if self.call("append", id, |sessions| sessions.append_lines(id, &lines)).is_ok() {
            let appended = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["data"].take());
            self.acknowledged.extend(appended.map(|data| (id, data)));
        }
    }

    /// What a crash leaves: half a line at the end of a log that nobody holds.
    fn tear(&self, id: &str) {
        if let Ok(info) = self.disk.0.acquire(id) {
            self.disk.0.append(id, info.length, b"{\"type\":\"to").unwrap();
            self.disk.0.release(id);
        }
    }

    fn history(&mut self) {
        let _ = self.call("create", "a", |sessions| sessions.create("a"));
        self.emit("a", "turn/start", json!({ "turn": 1 }));
        self.emit("a", "user/message", json!({ "content": "one" }));
        self.append_lines("a", ["note/a", "note/b"]);
        let _ = self.call("flush", "a", |sessions| sessions.flush("a"));
        let _ = self.call("release", "a", |sessions| sessions.release("a"));
        self.tear("a");
        let _ = self.call("wake", "a", |sessions| sessions.wake("a", WakeOptions::default()));
        self.emit("a", "turn/start", json!({ "turn": 2 }));
        let _ = self.call("fork", "child", |sessions| sessions.fork("a", Some(2), "child"));
        self.emit("child", "note", json!("in the child"));
        let _ = self.call("read", "a", |sessions| sessions.get_events("a", 0, 9, &[]));
        let _ =
            self.call("derive", "a", |sessions| sessions.messages("a", Pairing::Paired).collect::<Result<Vec<_>>>());
        let _ = self.call("list", "a", |sessions| sessions.list(&Default::default()));
        let _ = self.call("hand-off", "a", |sessions| sessions.hand_off("a", &json!({})));
        self.emit("a", "note", json!("after the hand-off"));
        let _ = self.call("create", "gone", |sessions| sessions.create("gone"));
        let _ = self.call("flush", "gone", |sessions| sessions.flush("gone"));
        let _ = self.call("delete", "gone", |sessions| sessions.delete("gone"));
        let _ = self.call("verify", "a", |sessions| sessions.verify("a"));
        let _ = self.call("wake", "a", |sessions| sessions.wake("a", WakeOptions::default()));
        self.emit("a", "note", json!("last"));
        let _ = self.call("flush", "a", |sessions| sessions.flush("a"));
    }

    /// Once the storage is well again, every session wakes and has what was acknowledged, in order.
    fn end(self) {
        let Self { disk, sessions, told, acknowledged } = self;
        drop(sessions);
        let sessions = Sessions::builder(&ENGINE).open_shared(disk.0);
        for id in ["a", "child"] {
            let expected: Vec<_> = acknowledged.iter().filter(|(of, _)| *of == id).map(|(_, data)| data).collect();
            if expected.is_empty() && !sessions.has(id).unwrap() {
                continue;
            }
            let options = WakeOptions { on_damage: OnDamage::SetAside, ..WakeOptions::default() };
            let woken = sessions.wake(id, options).unwrap_or_else(|error| panic!("{told}: {id}: {error}"));
            let again = sessions.wake(id, WakeOptions::default()).unwrap();
            assert_eq!((again.length, again.recovery.closers.len()), (woken.length, 0), "{told}: {id}");
            let stored: Vec<Value> =
                sessions.events(id, 0).map(|event| serde_json::from_str(&event.unwrap().data).unwrap()).collect();
            let mut rest = stored.iter();
            let missing = expected.iter().find(|data| !rest.any(|stored| stored == **data));
            assert!(missing.is_none(), "{told}: {id} lacks {missing:?} in {stored:?}");
        }
    }
}

/// Plays the history; answers how many operations of storage it took.
fn play(store: impl Storage + 'static, fault: Fault) -> u64 {
    let told = format!("{fault:?}");
    let disk = Disk(store.sibling().unwrap());
    let faulty = Arc::new(Faulty::new(store, fault));
    let sessions = Sessions::builder(&ENGINE).instances(1).open_shared(Arc::clone(&faulty) as Arc<dyn Storage>);
    let mut play = Play { disk, sessions, told, acknowledged: Vec::new() };
    play.history();
    let operations = faulty.operations();
    drop(faulty);
    play.end();
    operations
}

fn play_for_every_n(fault: impl Fn(u64) -> Fault) {
    play_for_every_n_over(Memory::new, fault);
}

fn play_for_every_n_over<S: Storage + 'static>(store: impl Fn() -> S, fault: impl Fn(u64) -> Fault) {
    let mut nth = 1;
    while play(store(), fault(nth)) >= nth {
        nth += 1;
    }
    assert!(nth > 40, "the history takes so few operations: {nth}");
}

/// Every error that a store may answer with after it did nothing.
fn errors() -> Vec<StorageError> {
    let text = || "as told".to_owned();
    vec![
        StorageError::NotFound,
        StorageError::AlreadyExists,
        StorageError::Busy(text()),
        StorageError::Moved(text()),
        StorageError::NoSpace,
        StorageError::ReadOnly,
        StorageError::AccessDenied(text()),
        StorageError::InvalidId(text()),
        StorageError::OutcomeUnknown(text()),
        StorageError::Failed(text()),
    ]
}

fn lost() -> StorageError {
    StorageError::OutcomeUnknown("the answer is lost".into())
}

#[test]
fn without_a_fault_the_history_is_all_acknowledged_by_every_store() {
    let folder = tempfile::tempdir().unwrap();
    let stores: [Arc<dyn Storage>; 3] = [
        Arc::new(Memory::new()),
        Arc::new(JsonlFolder::open(folder.path()).unwrap()),
        Arc::new(Sqlite::open(folder.path().join("sessions.db")).unwrap()),
    ];
    for store in stores {
        let disk = Disk(store.sibling().unwrap());
        let sessions = Sessions::builder(&ENGINE).instances(1).open_shared(store);
        let mut play = Play { disk, sessions, told: "no fault".into(), acknowledged: Vec::new() };
        play.history();
        assert_eq!(play.acknowledged.len(), 8);
        play.end();
    }
}

#[test]
fn any_operation_may_fail_once() {
    for error in errors() {
        play_for_every_n(|nth| Fault::at(nth, error.clone()));
    }
}

#[test]
fn storage_may_fail_for_ever_from_any_operation_on() {
    for error in errors() {
        play_for_every_n(|nth| Fault::at(nth, error.clone()).lasting());
    }
}

#[test]
fn any_operation_may_be_done_half_way_and_its_outcome_unknown() {
    let half_way = |nth| Fault::at(nth, lost()).half_way();
    play_for_every_n(half_way);
    let folder = tempfile::tempdir().unwrap();
    let count = AtomicU64::new(0);
    let place = || folder.path().join(count.fetch_add(1, Ordering::Relaxed).to_string());
    play_for_every_n_over(|| JsonlFolder::open(place()).unwrap(), half_way);
    play_for_every_n_over(|| Sqlite::open(place()).unwrap(), half_way);
}

#[test]
fn from_any_operation_on_all_may_be_done_half_way() {
    play_for_every_n(|nth| Fault::at(nth, lost()).half_way().lasting());
}
