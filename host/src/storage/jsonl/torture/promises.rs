//! What callers were told, and what follows from it.

use std::collections::{BTreeMap, BTreeSet};

use super::IDS;
use super::found::{Found, Log};

/// What was promised of each session.
#[derive(Debug, Clone)]
pub struct Promises {
    of: BTreeMap<&'static str, Promise>,
    /// The disk forgets what it could not sync, though nothing loses power.
    pub forgetful: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Promise {
    /// Whether the session would be there after a loss of power.
    pub presence: Presence,
    /// The events that were acknowledged.
    pub lines: Vec<String>,
    /// How many of these were made durable.
    pub durable: usize,
    /// All that was ever handed over, acknowledged or not.
    pub tried: BTreeSet<String>,
    /// A call is under way, or said that its outcome is unknown: `tried` may be there.
    pub unsure: bool,
    /// A turn may have been closed by a wake.
    pub closed: bool,
    /// Bytes that were set aside.
    pub asides: Vec<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Presence {
    /// Never made, or deleted: nothing of it is to be found.
    #[default]
    Absent,
    /// Being made or deleted, or that failed.
    Either,
    There,
}

/// What ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The process: what was acknowledged is there.
    Process,
    /// The machine: what was made durable is there.
    Machine,
    /// The machine, and again while the sessions were woken: open turns may be closed.
    MachineTwice,
}

impl Promises {
    pub fn none() -> Self {
        Self { of: IDS.into_iter().map(|id| (id, Promise::default())).collect(), forgetful: false }
    }

    pub fn of(&self, id: &str) -> &Promise {
        &self.of[id]
    }

    pub fn of_mut(&mut self, id: &str) -> &mut Promise {
        self.of.get_mut(id).expect("all sessions are known")
    }

    /// Power was cut, and nothing is known but what was durable.
    pub fn after_power_cut(&mut self) {
        for promise in self.of.values_mut() {
            promise.lines.truncate(promise.durable);
            promise.unsure = true;
        }
    }

    /// Which promise was not kept, if one was not.
    pub fn broken_by(&self, found: &Found, end: End) -> Option<String> {
        let end = if self.forgetful && end == End::Process { End::Machine } else { end };
        self.of.iter().find_map(|(id, promise)| {
            let broken = match found.log(id) {
                Some(log) => promise.broken_by(log, end),
                None => promise.broken_by_absence(id, found, end),
            };
            broken.map(|how| format!("session {id:?} {how}"))
        })
    }
}

impl Promise {
    /// Everything that was acknowledged is durable.
    pub fn all_durable(&mut self) {
        self.presence = Presence::There;
        self.durable = self.lines.len();
    }

    fn broken_by_absence(&self, id: &str, found: &Found, end: End) -> Option<String> {
        if self.presence == Presence::There {
            return Some("is gone".into());
        }
        if self.presence == Presence::Either && end == End::Process && !self.unsure && !self.lines.is_empty() {
            return Some("is gone, though deleting it failed".into());
        }
        // While it is being made or deleted, parts of it may lie about.
        let left = found.leftovers(id);
        (self.presence == Presence::Absent && !left.is_empty()).then(|| format!("is deleted and left {left:?}"))
    }

    fn broken_by(&self, log: &Log, end: End) -> Option<String> {
        if self.presence == Presence::Absent {
            return Some(format!("should not be there and has {:?}", log.lines));
        }
        let promised = match end {
            End::Process => self.lines.len(),
            _ => self.durable,
        };
        if !log.lines.starts_with(&self.lines[..promised]) {
            return Some(format!("was promised {:?} and has {:?}", &self.lines[..promised], log.lines));
        }
        let closed = self.closed || end == End::MachineTwice;
        let surplus = |line: &&String| !(self.tried.contains(*line) || closed && is_closer(line));
        if let Some(line) = log.lines[promised..].iter().find(surplus) {
            return Some(format!("has an event that nobody wrote: {line}"));
        }
        if end == End::Process && !self.unsure && log.lines.len() > self.lines.len() {
            return Some(format!("has events whose append was refused: {:?}", &log.lines[self.lines.len()..]));
        }
        if let Some(lost) = self.asides.iter().find(|aside| !log.asides.contains(aside)) {
            return Some(format!("lost what was set aside: {:?}", String::from_utf8_lossy(lost)));
        }
        None
    }
}

/// Whether a wake may have written it.
pub fn is_closer(line: &str) -> bool {
    ["turn/end", "step/end", "tool/result"].iter().any(|kind| line.contains(&format!("\"type\":\"{kind}\"")))
}
