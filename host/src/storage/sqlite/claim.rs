//! One log in the hands of its only writer.

use std::sync::Arc;

use rusqlite::Connection;

use super::super::extent::Extent;
use super::super::{Aside, Result, StorageError};
use super::fail::Fault;
use super::lock::Lock;
use super::log::{self, Log};
use super::open::Open;
use super::{aside, files};
use crate::component::now;

/// How much is held in memory while bytes are read again.
const WINDOW: u64 = 1 << 20;

/// A lock, and what its holder knows of the log. While the claim is fit, the log that the database has by this id is the
/// same one, and as long as the extent says. Everything is refused to a claim that is unfit.
#[derive(Debug)]
pub(super) struct Claim {
    _lock: Lock,
    id: String,
    open: Arc<Open>,
    identity: String,
    extent: Extent,
    /// Where its rows end: before the log does, if some are missing.
    end: u64,
    /// How many syncs of the database had failed when the extent was last seen to be right.
    failures: u64,
    /// Somebody else changed the log; says how.
    moved: Option<String>,
}

impl Claim {
    /// A claim on a log that was just found, with the right to it in hand.
    pub(super) fn over(lock: Lock, id: &str, open: Arc<Open>, log: &Log, failures: u64) -> Self {
        let extent = Extent::synced(log.length);
        let identity = log.identity.clone();
        Self { _lock: lock, id: id.to_owned(), open, identity, extent, end: log.end, failures, moved: None }
    }

    /// Makes a claim fit again and takes the log as it stands, in whatever database is there now.
    pub(super) fn renew(&mut self, open: Arc<Open>) -> Result<Log> {
        let log = open.read(&super::of("look at a log", &self.id), |database| log::get(database, &self.id))?;
        if !Arc::ptr_eq(&open, &self.open) || log.identity != self.identity {
            self.failures = open.make_fit()?;
            self.extent = Extent::synced(log.length);
        }
        (self.open, self.identity, self.moved) = (open, log.identity.clone(), None);
        self.extent.believe(log.length);
        self.end = log.end;
        self.make_fit()?;
        Ok(log)
    }

    /// Adds bytes at the end, which must be `at`.
    pub(super) fn append(&mut self, at: u64, content: &[u8]) -> Result<()> {
        if at != self.fit()? {
            let length = self.extent.length;
            return Err(self.move_away(format!("it has {length} bytes where {at} were expected")));
        }
        self.end = self.change("append to a log", |database, log| {
            log::append(database, log, content)?;
            Ok(log.end)
        })?;
        self.extent.grow(content);
        Ok(())
    }

    /// Makes every byte of the log durable, also those that an earlier holder wrote.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.fit()?;
        let open = Arc::clone(&self.open);
        let expected = self.expected();
        let as_expected = open.read(&super::of("look at a log", &self.id), |database| {
            Ok(log::find(database, &self.id)?.is_some_and(|log| expected(&log)))
        })?;
        if !as_expected {
            return Err(self.move_away("it was changed by another program".into()));
        }
        open.sync()?;
        self.extent = Extent::synced(self.extent.length);
        Ok(())
    }

    /// Moves the end of the log out of it, durably.
    pub(super) fn set_aside(&mut self, at: u64) -> Result<Aside> {
        let length = self.fit()?;
        if at >= length {
            let id = &self.id;
            return Err(StorageError::Moved(format!("`{id}`: it has {length} bytes, so none from byte {at} on")));
        }
        let (aside, end) = self.change("set bytes aside", |database, log| {
            let aside = aside::set_aside(database, log, at)?;
            // A log that grows to the same length at once is to be told from this one.
            log.modified += 1;
            Ok((aside, log.end))
        })?;
        self.extent.believe(at);
        self.end = end;
        self.open.sync().map_err(|error| {
            let id = &self.id;
            StorageError::OutcomeUnknown(format!("`{id}` was cut at byte {at}, perhaps not durably: {error}"))
        })?;
        Ok(aside)
    }

    /// Keeps a note beside the log.
    pub(super) fn save_checkpoint(&mut self, content: &[u8]) -> Result<()> {
        self.fit()?;
        self.change_unseen("save a checkpoint", |database, log| {
            let insert = "INSERT OR REPLACE INTO checkpoints (session, bytes) VALUES (?1, ?2)";
            database.execute(insert, rusqlite::params![log.number, content])?;
            Ok(())
        })
    }

    /// Changes the log, which must be as it is believed to be, and notes when.
    fn change<T>(&mut self, doing: &str, act: impl FnOnce(&Connection, &mut Log) -> Result<T, Fault>) -> Result<T> {
        self.change_unseen(doing, |database, log| {
            log.modified = log.modified.max(now());
            let answer = act(database, log)?;
            log::save(database, log)?;
            Ok(answer)
        })
    }

    fn change_unseen<T>(
        &mut self,
        doing: &str,
        act: impl FnOnce(&Connection, &mut Log) -> Result<T, Fault>,
    ) -> Result<T> {
        let open = Arc::clone(&self.open);
        let expected = self.expected();
        let done = open.write(&super::of(doing, &self.id), |database| match log::find(database, &self.id)? {
            Some(mut log) if expected(&log) => act(database, &mut log).map(Some),
            _ => Ok(None),
        })?;
        done.ok_or_else(|| self.move_away("it was changed by another program".into()))
    }

    /// Whether a log is what this holder believes.
    fn expected(&self) -> impl Fn(&Log) -> bool + use<> {
        let (identity, length, end) = (self.identity.clone(), self.extent.length, self.end);
        move |log| log.identity == identity && log.length == length && log.end == end
    }

    /// The length of the log, if this claim is fit.
    fn fit(&mut self) -> Result<u64> {
        if let Some(how) = &self.moved {
            return Err(StorageError::Moved(how.clone()));
        }
        if !self.open.is_current()? {
            return Err(self.move_away(files::moved(&self.open.path)));
        }
        self.make_fit()?;
        Ok(self.extent.length)
    }

    /// After a failed sync: all was written again by now, and what this holder wrote must be what is read.
    fn make_fit(&mut self) -> Result<()> {
        let failures = self.open.make_fit()?;
        if failures == self.failures {
            return Ok(());
        }
        let intact =
            self.open.read("read again what a failed sync left unsafe", |database| self.is_intact(database))?;
        self.failures = failures;
        self.extent = Extent::synced(self.extent.length);
        if intact {
            return Ok(());
        }
        let why = format!("`{}`: a failed sync lost bytes that were written before", self.id);
        self.moved = Some(why.clone());
        Err(StorageError::OutcomeUnknown(why))
    }

    fn is_intact(&self, database: &Connection) -> Result<bool, Fault> {
        let Some(log) = log::find(database, &self.id)? else { return Ok(false) };
        let mut checksum = crc32fast::Hasher::new();
        let mut at = self.extent.known;
        while at < self.extent.length {
            let bytes = log::read(database, &log, at, WINDOW.min(self.extent.length - at))?;
            if bytes.is_empty() {
                return Ok(false);
            }
            checksum.update(&bytes);
            at += bytes.len() as u64;
        }
        Ok(checksum.finalize() == self.extent.checksum())
    }

    fn move_away(&mut self, how: String) -> StorageError {
        let how = format!("`{}`: {how}", self.id);
        self.moved = Some(how.clone());
        StorageError::Moved(how)
    }
}
