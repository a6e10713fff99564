//! Plays a history, and keeps account of what its calls promised.

use std::sync::Arc;

use super::super::disk::simulated::{Disk, Random};
use super::super::disk::{Access, File, Folder};
use super::history::Act;
use super::promises::{Presence, Promise, Promises, is_closer};
use super::{IDS, lines, sessions, store};
use crate::error::{Error, Result};
use crate::sessions::Sessions;
use crate::storage::Storage;
use crate::types::{NewSession, OnDamage, OpenTurn, WakeOptions};

/// A disk until it loses power, with what was promised from each of its changes on.
pub type Phase = (Disk, Vec<(usize, Promises)>);

/// Two writers, one disk.
pub struct Player {
    pub disk: Disk,
    pub promises: Promises,
    promised_at: Vec<(usize, Promises)>,
    /// Disks that lost power before this one.
    earlier: Vec<Phase>,
    writers: [Sessions; 2],
    at_work: usize,
    random: Random,
}

const GO_ON: WakeOptions = WakeOptions { open_turn: OpenTurn::Keep, on_damage: OnDamage::SetAside };
const CLOSE: WakeOptions = WakeOptions { open_turn: OpenTurn::Close, on_damage: OnDamage::SetAside };

impl Player {
    /// Two processes that know of each other by the disk alone.
    pub fn new(disk: Disk, promises: Promises, random: Random) -> Self {
        let writers = [(); 2].map(|()| sessions(Arc::new(store(&disk))));
        Self::with(disk, promises, random, writers)
    }

    /// Two writers in one process.
    pub fn siblings(disk: Disk, promises: Promises, random: Random) -> Self {
        let storage = store(&disk);
        let sibling = storage.sibling().expect("a sibling takes no call to the disk");
        let writers = [sessions(Arc::new(storage)), sessions(sibling)];
        Self::with(disk, promises, random, writers)
    }

    fn with(disk: Disk, promises: Promises, random: Random, writers: [Sessions; 2]) -> Self {
        let promised_at = vec![(0, promises.clone())];
        Self { disk, promises, promised_at, earlier: Vec::new(), writers, at_work: 0, random }
    }

    /// All that happened, for a judge.
    pub fn phases(self) -> Vec<Phase> {
        let mut phases = self.earlier;
        phases.push((self.disk, self.promised_at));
        phases
    }

    pub fn play(&mut self, history: &[Act]) {
        for act in history {
            let answer = self.act(*act);
            if let Err(error) = answer {
                let ordinary = matches!(error, Error::NotFound(_) | Error::AlreadyExists(_) | Error::Busy(_));
                let mended =
                    matches!(error, Error::Moved(_) | Error::NeedsWake(_) | Error::Sequence { expected: 0, .. });
                assert!(ordinary || mended || self.disk.has_failed(), "{act:?} on a disk without fault: {error}");
            }
        }
    }

    fn act(&mut self, act: Act) -> Result<()> {
        match act {
            Act::Create(id) => self.writer().create(NewSession::new(id)).map(drop),
            Act::Append(id, events, length) => self.append(id, events, length),
            Act::Flush(id) => self.flush(id),
            Act::Wake(id) => self.wake(id, CLOSE),
            Act::Tear(id) => {
                self.tear(id);
                Ok(())
            }
            Act::Fork(id) => self.fork(id),
            Act::Checkpoint(id) => {
                let note = vec![b'n'; self.random.below(40) as usize];
                // It only saves time: nothing is promised of it.
                let _saved = self.writer().storage().save_checkpoint(id, &note);
                Ok(())
            }
            Act::Release(id) => self.writer().release(id),
            Act::Delete(id) => self.delete(id),
            Act::Switch => {
                self.at_work = 1 - self.at_work;
                Ok(())
            }
            Act::PowerCut => self.power_cut(),
        }
    }

    fn writer(&self) -> &Sessions {
        &self.writers[self.at_work]
    }

    /// From the next change of the disk on, this is what was promised.
    fn promise(&mut self) {
        self.promised_at.push((self.disk.changes(), self.promises.clone()));
    }

    /// A call begins that may bring the session into being, or add to it. Answers what was promised before.
    fn begin(&mut self, id: &'static str) -> Promise {
        let promise = self.promises.of_mut(id);
        let before = promise.clone();
        if before.presence == Presence::Absent {
            promise.presence = Presence::Either;
        }
        promise.unsure = true;
        self.promise();
        before
    }

    /// A call ends.
    fn end<T>(&mut self, id: &'static str, before: Promise, answer: &Result<T>, kept: impl FnOnce(&mut Promise)) {
        let untouched = self.promised_at.last().is_some_and(|(change, _)| *change == self.disk.changes());
        let promise = self.promises.of_mut(id);
        match answer {
            Ok(_) => {
                promise.unsure = before.unsure;
                kept(promise);
            }
            Err(_) if untouched => *promise = before,
            Err(error) => promise.unsure = before.unsure || matches!(error, Error::OutcomeUnknown(_)),
        }
        self.promise();
    }

    /// What a caller does who was told that the log is not what it was: looks.
    fn heal<T>(&mut self, id: &'static str, answer: Result<T>) -> Result<()> {
        let unsure = self.promises.of(id).unsure;
        let looks = match answer {
            Err(Error::Moved(_) | Error::OutcomeUnknown(_) | Error::NeedsWake(_)) => true,
            // Who does not know how long the log is may well be wrong.
            Err(Error::Sequence { .. }) if unsure => true,
            // It was only created here, and meanwhile another has stored it.
            Err(Error::Sequence { expected: 0, .. }) => {
                self.writer().release(id)?;
                false
            }
            _ => false,
        };
        if looks {
            let woken = self.wake(id, GO_ON);
            assert!(woken.is_ok() || self.disk.has_failed(), "{id:?} does not wake: {woken:?}");
        }
        answer.map(drop)
    }

    fn append(&mut self, id: &'static str, events: u64, length: u64) -> Result<()> {
        let first = self.promises.of(id).lines.len() as u64;
        let length_of = |seq| if seq == first { length } else { 3 };
        let written: Vec<_> = (first..first + events).map(|seq| line(seq, length_of(seq), &mut self.random)).collect();
        self.promises.of_mut(id).tried.extend(written.iter().cloned());
        let before = self.begin(id);
        let answer = self.writer().append_lines(id, &written.concat());
        let is_new = before.presence == Presence::Absent;
        self.end(id, before, &answer, |promise| {
            // The log took the events, so it was as long as was believed.
            promise.unsure = false;
            promise.lines.extend(written);
            // The first append is the one that makes the session, durably.
            if is_new {
                promise.all_durable();
            }
        });
        self.heal(id, answer)
    }

    fn flush(&mut self, id: &'static str) -> Result<()> {
        let before = self.begin(id);
        let answer = self.writer().flush(id);
        self.end(id, before, &answer, Promise::all_durable);
        self.heal(id, answer)
    }

    fn wake(&mut self, id: &'static str, options: WakeOptions) -> Result<()> {
        self.promises.of_mut(id).closed |= options.open_turn == OpenTurn::Close;
        let before = self.begin(id);
        let woken = self.writer().wake(id, options);
        let is_stored = woken.as_ref().is_ok_and(|state| state.revision != "unborn");
        if !is_stored {
            let promise = before.clone();
            // A wake that fails late has closed the turn all the same; the next one finds nothing to do.
            let closed = before.presence != Presence::Absent && options.open_turn == OpenTurn::Close;
            self.end(id, before, &woken, |now| *now = promise);
            self.promises.of_mut(id).unsure |= closed && woken.is_err();
            self.promise();
            return woken.map(drop);
        }
        let stored = self.stored();
        let found = lines(&stored, id)?;
        let kept = woken.as_ref().ok().and_then(|state| state.recovery.kept_at.as_ref());
        let aside = kept.map(|name| stored.read_aside(id, name, 0, u32::MAX)).transpose()?;
        let must = if self.promises.forgetful { before.durable } else { before.lines.len() };
        assert!(found.starts_with(&before.lines[..must]), "{found:?} lacks some of {:?}", before.lines);
        let known = |line: &&String| before.tried.contains(*line) || (before.closed && is_closer(line));
        assert!(found.iter().all(|line| known(&line)), "{found:?} has what nobody wrote: {:?}", before.tried);
        self.end(id, before, &woken, |promise| {
            promise.tried.extend(found.iter().cloned());
            promise.unsure = false;
            promise.lines = found;
            promise.asides.extend(aside);
            promise.all_durable();
        });
        woken.map(drop)
    }

    /// What is stored now, read by somebody for whom no disk fails.
    fn stored(&self) -> Sessions {
        sessions(Arc::new(store(&Disk::restarted(&self.disk.as_it_is(), 0))))
    }

    /// Another program leaves half a line.
    fn tear(&mut self, id: &'static str) {
        let torn = format!("{{\"type\":\"torn\",\"seq\":{}", self.random.below(1000));
        if let Ok((file, _)) = self.disk.folder().open(format!("{id}.jsonl"), Access::Append) {
            let _written = file.append(torn.as_bytes());
        }
    }

    fn fork(&mut self, id: &'static str) -> Result<()> {
        const CHILD: &str = "fork";
        let before = self.begin(CHILD);
        if before.presence != Presence::There {
            let tried = self.promises.of(id).tried.clone();
            let child = self.promises.of_mut(CHILD);
            child.tried.extend(tried);
            child.closed = true;
            self.promise();
        }
        let answer = self.writer().fork(id, None, NewSession::new(CHILD));
        let found = if answer.is_ok() { lines(&self.stored(), CHILD)? } else { Vec::new() };
        self.end(CHILD, before, &answer, |child| {
            child.tried.extend(found.iter().cloned());
            child.unsure = false;
            child.lines = found;
            child.all_durable();
        });
        answer.map(drop)
    }

    fn delete(&mut self, id: &'static str) -> Result<()> {
        let before = self.begin(id);
        let promise = self.promises.of_mut(id);
        promise.presence = Presence::Either;
        promise.asides.clear();
        self.promise();
        let answer = self.writer().delete(id);
        self.end(id, before, &answer, |promise| *promise = Promise::default());
        answer
    }

    /// Another machine goes on with what is found, and looks at every session first.
    fn power_cut(&mut self) -> Result<()> {
        let cut = self.disk.history().pop().expect("the disk as it is, at least");
        let after = Disk::restarted(&cut.scattered(self.random.clone()), self.random.number());
        let mut promises = self.promises.clone();
        promises.after_power_cut();
        let next = Self::new(after, promises, Random::new(self.random.number()));
        let before = std::mem::replace(self, next);
        self.earlier = before.phases();
        IDS.into_iter().try_for_each(|id| match self.wake(id, GO_ON) {
            Err(Error::NotFound(_)) if self.promises.of(id).presence != Presence::There => Ok(()),
            woken => woken,
        })
    }

    /// The disk works again: so do the sessions at once, or at least once they were woken.
    pub fn goes_on_after_repair(&mut self) {
        self.disk.repair();
        for (id, writer) in IDS.into_iter().flat_map(|id| [(id, 1), (id, 0)]) {
            self.at_work = writer;
            let _free = self.writers[1 - writer].release(id);
            if self.promises.of(id).presence != Presence::There {
                continue;
            }
            let goes_on = |answer: Result<()>| {
                answer.unwrap_or_else(|error| panic!("{id:?} does not go on after the disk was repaired: {error}"));
            };
            let told = self.append(id, 1, 5);
            // Whoever was told to look has looked, and what was torn was set aside.
            goes_on(told.or_else(|_| self.append(id, 1, 5)));
            goes_on(self.flush(id));
        }
    }
}

/// An event of about that length. Turns begin and end.
fn line(seq: u64, length: u64, random: &mut Random) -> String {
    let kind = random.pick(&["turn/start", "user/message", "note", "note", "turn/end"]);
    let text = "words ".repeat(length as usize / 6);
    let data = format!("{{\"turn\":1,\"text\":\"{text}{}\"}}", random.below(1_000_000));
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":{},\"data\":{data}}}\n", 1_763_681_581_550 + seq)
}
