//! What is known of a stored log, and how it is brought up to date.

use std::sync::atomic::{AtomicU64, Ordering};

use super::tree::Projected;
use super::{Host, Store, Stored, check_id, of_storage};
use crate::bindings::agent::session::storage::{LogInfo, StorageError};
use crate::log::{self, Sound, checkpoint};
use crate::types::{Damage, DamageKind, Error};

/// How many bytes a log grows between two checkpoints, and has at least before the first: it takes about a millisecond to
/// read them.
const CHECKPOINT_STRIDE: u64 = 1 << 20;

/// A stored log as it was last seen.
#[derive(Debug)]
pub struct Open {
    pub(super) sound: Sound,
    pub(super) damage: Option<Damage>,
    identity: String,
    length: u64,
    modified: u64,
    /// Which reading of a log from its beginning this goes on from.
    pub(super) reading: u64,
    /// How much of it was not read, but is believed to be as a checkpoint says.
    believed: u64,
    /// How much of it the last checkpoint is about.
    noted: u64,
    /// Its tree, once somebody has asked for it.
    pub(super) tree: Option<Box<Projected>>,
}

impl Open {
    /// A log that this instance has just published.
    pub(super) fn published(sound: Sound, info: LogInfo) -> Self {
        Self::of(sound, None, info)
    }

    fn of(sound: Sound, damage: Option<Damage>, info: LogInfo) -> Self {
        let LogInfo { identity, length, modified, .. } = info;
        Self { sound, damage, identity, length, modified, reading: next_reading(), believed: 0, noted: 0, tree: None }
    }

    /// The same log, of which another part turned out to be sound.
    pub(super) fn with(&self, sound: Sound) -> Self {
        let Self { length, modified, reading, believed, noted, .. } = *self;
        let (damage, identity) = (self.damage.clone(), self.identity.clone());
        Self { sound, damage, identity, length, modified, reading, believed, noted, tree: None }
    }

    /// Reads what no checkpoint tells.
    fn read<H: Host>(stored: &Stored<'_, H>, info: &LogInfo) -> Result<Self, Error> {
        if info.length >= CHECKPOINT_STRIDE {
            // A checkpoint that can't be had costs time and no more.
            let note = stored.host.load_checkpoint(stored.id).unwrap_or_default();
            if let Some(mut sound) = checkpoint::read(&note, stored, info.length, Some(stored.id))? {
                let believed = sound.end;
                let damage = sound.extend(stored, info.length)?;
                return Ok(Self { believed, noted: believed, ..Self::of(sound, damage, info.clone()) });
            }
        }
        Self::read_whole(stored, info)
    }

    /// Reads every byte.
    fn read_whole<H: Host>(stored: &Stored<'_, H>, info: &LogInfo) -> Result<Self, Error> {
        let (sound, damage) = log::read(stored, info.length, Some(stored.id))?;
        Ok(Self::of(sound, damage, info.clone()))
    }

    /// Brings what is known up to what storage says, by reading what came since; or anew, if the log is not one that grew.
    fn refresh<H: Host>(mut self, stored: &Stored<'_, H>, info: &LogInfo) -> Result<Self, Error> {
        if self.identity != info.identity || self.length > info.length {
            return Self::read(stored, info);
        }
        if self.length < info.length {
            if self.sound.unended {
                // What was its last event may turn out to go on, and to be none.
                self.reading = next_reading();
            }
            self.damage = self.sound.extend(stored, info.length)?;
            self.length = info.length;
        } else if self.modified != info.modified {
            return Self::read(stored, info);
        }
        self.modified = info.modified;
        Ok(self)
    }

    /// Whether that byte was read by nobody here.
    pub(super) fn is_believed(&self, offset: u64) -> bool {
        offset < self.believed
    }

    /// Leaves a checkpoint beside a log that is held and durable, if it has grown enough since the last.
    pub(super) fn note<H: Host>(&mut self, stored: &Stored<'_, H>) {
        if self.sound.end < self.noted + CHECKPOINT_STRIDE {
            return;
        }
        // It only saves time: if it can't be left now, it is tried again when the log has grown on.
        if let Ok(Some(note)) = checkpoint::write(stored, &self.sound) {
            self.noted = self.sound.end;
            drop(stored.host.save_checkpoint(stored.id, &note));
        }
    }

    /// Changes whenever the log does: a log only grows, and where its end is cut, what follows changes the count of events.
    pub(super) fn revision(&self) -> String {
        format!("{}:{}:{}", self.identity, self.length, self.sound.events)
    }

    /// The log ends with its sound part now.
    pub(super) fn ends_sound(&mut self) {
        self.length = self.sound.end;
    }

    /// Storage has said that the log may be another than is believed: it is read anew before anything is said of it.
    pub(super) fn doubt(&mut self, error: &StorageError) {
        if matches!(error, StorageError::Moved(_) | StorageError::OutcomeUnknown(_)) {
            self.identity.clear();
        }
    }

    fn is_doubted(&self) -> bool {
        self.identity.is_empty()
    }
}

/// A number that no reading of a log had before.
fn next_reading() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// The bytes are others than they were when they were found to be sound.
pub(super) fn changed(id: &str) -> Error {
    Error::Moved(format!("the log of session {id:?} was changed while it was read"))
}

impl<H: Host> Store<H> {
    /// Makes what is known of a log what storage has now, claimed or not, by reading what is not known yet. Answers whether
    /// some writer holds it.
    pub(super) fn look(&mut self, id: &str) -> Result<bool, Error> {
        check_id(id)?;
        if self.held.get(id).is_some_and(|open| !open.is_doubted()) {
            return Ok(true);
        }
        let info = self.stat(id)?;
        let held = self.held.contains_key(id);
        let open = self.known(id, &info)?;
        if held {
            self.held.insert(id.into(), open);
            return Ok(true);
        }
        self.remember(id, open);
        Ok(info.held)
    }

    /// What is known of a log that was just looked at.
    pub(super) fn seen(&self, id: &str) -> Result<&Open, Error> {
        let recent = || self.recent.iter().find(|(known, _)| known == id).map(|(_, open)| open);
        self.held.get(id).or_else(recent).ok_or_else(|| Error::NotFound(id.into()))
    }

    /// What is known of a log, brought up to date and handed over.
    pub(super) fn known(&mut self, id: &str, info: &LogInfo) -> Result<Open, Error> {
        let stored = Stored { host: &self.host, id };
        let recent = self.recent.iter().position(|(known, _)| known == id).map(|at| self.recent.remove(at).1);
        // Nobody else has written to a log that is held, so its own appends are all that has modified it.
        let held = self.held.remove(id).map(|open| Open { modified: info.modified, ..open });
        match held.or(recent) {
            Some(open) => open.refresh(&stored, info),
            None => Open::read(&stored, info),
        }
    }

    /// The same, every byte of it read.
    pub(super) fn known_whole(&mut self, id: &str, info: &LogInfo) -> Result<Open, Error> {
        let open = self.known(id, info)?;
        let stored = Stored { host: &self.host, id };
        if open.is_believed(0) { Open::read_whole(&stored, info) } else { Ok(open) }
    }

    /// Reads a log anew, every byte of it, because what is known of it has turned out to be wrong or is not to be believed.
    /// That of a log that is held must not be damaged: its writer goes on behind it.
    pub(super) fn read_anew(&mut self, id: &str) -> Result<(), Error> {
        let info = self.stat(id)?;
        let stored = Stored { host: &self.host, id };
        if let Some(open) = self.held.get_mut(id) {
            if info.length < open.sound.end {
                return Err(changed(id));
            }
            let (sound, damage) = log::read(&stored, open.sound.end, Some(id))?;
            if let Some(damage) = damage {
                return Err(Error::Corrupt(damage));
            }
            (open.sound, open.reading, open.believed) = (sound, next_reading(), 0);
            return Ok(());
        }
        self.recent.retain(|(known, _)| known != id);
        let open = Open::read_whole(&stored, &info)?;
        self.remember(id, open);
        Ok(())
    }

    fn remember(&mut self, id: &str, open: Open) {
        if self.recent.len() == super::RECENT {
            self.recent.remove(0);
        }
        self.recent.push((id.into(), open));
    }

    /// The log, held; an open turn goes on.
    pub(super) fn claim(&mut self, id: &str) -> Result<&mut Open, Error> {
        if !self.held.contains_key(id) {
            check_id(id)?;
            let info = self.host.acquire(id).map_err(|error| of_storage(id, error))?;
            let sound = self.known(id, &info).and_then(|open| match open.damage {
                None => Ok(open),
                Some(damage) if damage.kind == DamageKind::Torn => Err(Error::NeedsWake(damage)),
                Some(damage) => Err(Error::Corrupt(damage)),
            });
            match sound {
                Ok(open) => drop(self.held.insert(id.into(), open)),
                Err(error) => {
                    self.host.release(id);
                    return Err(error);
                }
            }
        }
        self.held.get_mut(id).ok_or_else(|| Error::NotFound(id.into()))
    }
}
