//! What a new process finds on a disk, and that finding it is all there is to be done.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::disk::simulated::{Disk, Image};
use super::{IDS, lines, sessions, store};
use crate::error::Error;
use crate::sessions::Sessions;
use crate::storage::{Order, Storage};
use crate::types::{OnDamage, OpenTurn, SessionState, WakeOptions};

/// The sessions of a disk after they were woken.
#[derive(Debug)]
pub struct Found {
    logs: BTreeMap<&'static str, Log>,
    /// The files before anything was woken.
    names: Vec<String>,
    /// The disk afterwards.
    pub disk: Disk,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Log {
    /// The events that were there, without those that closed an open turn.
    pub lines: Vec<String>,
    /// All that was set aside.
    pub asides: Vec<Vec<u8>>,
}

const AS_IT_IS: WakeOptions = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::Refuse };
const SET_ASIDE: WakeOptions = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::SetAside };

impl Found {
    /// Wakes every session, and sees that waking is durable and that a second one changes nothing.
    pub fn on(image: &Image) -> Result<Self, String> {
        let disk = Disk::restarted(image, image.fingerprint());
        let storage = Arc::new(store(&disk));
        let first = sessions(storage.clone());
        let mut logs = BTreeMap::new();
        for id in IDS {
            if let Some(state) = wake(&first, id)? {
                logs.insert(id, Log::of(&first, id, &state).map_err(|error| format!("session {id:?}: {error}"))?);
            }
        }
        let listed = storage.list(Order::ById, None, 99).map_err(|error| error.to_string())?;
        let listed: BTreeSet<_> = listed.into_iter().filter_map(|info| info.id).collect();
        if listed != logs.keys().map(|id| id.to_string()).collect() {
            return Err(format!("{listed:?} are listed, and {:?} wake", logs.keys()));
        }
        drop((first, storage));
        let found = Self { logs, names: image.names(), disk };
        found.is_durable()?;
        found.wakes_to_the_same()?;
        Ok(found)
    }

    pub fn log(&self, id: &str) -> Option<&Log> {
        self.logs.get(id)
    }

    /// Files that belong to a session, the log itself included.
    pub fn leftovers(&self, id: &str) -> Vec<&String> {
        let own = format!("{id}.");
        let of_it = |name: &&String| name.strip_prefix("~tmp.").unwrap_or(name).starts_with(&own);
        self.names.iter().filter(of_it).collect()
    }

    fn is_durable(&self) -> Result<(), String> {
        let (lives, lasts) = (store(&Disk::restarted(&self.disk.as_it_is(), 0)), store(&self.disk.after_cut()));
        for id in self.logs.keys() {
            let [lives, lasts] = [&lives, &lasts].map(|store| store.read(id, 0, u32::MAX));
            if lives != lasts {
                return Err(format!("session {id:?} was woken and is not durable"));
            }
        }
        Ok(())
    }

    fn wakes_to_the_same(&self) -> Result<(), String> {
        let before = self.disk.as_it_is().fingerprint();
        let second = sessions(Arc::new(store(&self.disk)));
        for id in self.logs.keys() {
            let state = second.wake(id, AS_IT_IS).map_err(|error| format!("session {id:?} woke once: {error}"))?;
            if state.recovery.damage.is_some() || !state.recovery.closers.is_empty() {
                return Err(format!("a second wake of session {id:?} does something again: {:?}", state.recovery));
            }
        }
        match self.disk.as_it_is().fingerprint() == before {
            true => Ok(()),
            false => Err("a second wake changes the disk".into()),
        }
    }
}

/// None if there is no such session.
fn wake(sessions: &Sessions, id: &str) -> Result<Option<SessionState>, String> {
    let woken = match sessions.wake(id, AS_IT_IS) {
        Err(Error::NotFound(_)) => return Ok(None),
        Err(Error::Corrupt(_)) => sessions.wake(id, SET_ASIDE),
        woken => woken,
    };
    woken.map(Some).map_err(|error| format!("session {id:?} does not wake: {error}"))
}

impl Log {
    fn of(sessions: &Sessions, id: &str, state: &SessionState) -> crate::error::Result<Self> {
        let mut lines = lines(sessions, id)?;
        lines.truncate(lines.len() - state.recovery.closers.len());
        let asides = sessions.asides(id)?.into_iter();
        let read = |aside: crate::storage::Aside| sessions.read_aside(id, &aside.name, 0, u32::MAX);
        Ok(Self { lines, asides: asides.map(read).collect::<Result<_, _>>()? })
    }
}
