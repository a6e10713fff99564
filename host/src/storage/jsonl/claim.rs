//! One log in the hands of its only writer.

use std::fs::TryLockError;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::super::explain::Explain;
use super::super::extent::Extent;
use super::super::{Result, StorageError};
use super::disk::{Access, File, Folder, Identity, Stat};
use super::root::Root;

/// How often a writer asks again while a reader has the lock. Ours need an instant, and get longer where the machine is
/// busy: then each asking takes longer too.
const PATIENCE: u32 = 1_000;
const PAUSE: Duration = Duration::from_micros(100);

/// A lock on an open log; it ends with this value.
///
/// While the claim is fit, the log's name leads to the open file, and that is as long as the extent says. Everything is
/// refused to a claim that is unfit.
#[derive(Debug)]
pub(super) struct Claim<F: Folder> {
    root: Arc<Root<F>>,
    name: String,
    file: F::File,
    identity: Identity,
    extent: Extent,
    /// The last sync failed. The kernel may have dropped bytes that it can't be made to write by asking again.
    sync_failed: bool,
    /// Somebody else changed the log; says how.
    moved: Option<String>,
}

impl<F: Folder> Claim<F> {
    /// Becomes the writer of a log that exists. How far that reaches, [`renew`](Self::renew) says.
    pub(super) fn take(root: &Arc<Root<F>>, name: String) -> Result<Self> {
        loop {
            let (file, opened) = root.folder.open(&name, Access::Append).explain("open", &name)?;
            lock(root, &name, &file, opened.identity)?;
            // Before this writer got the lock, another may have removed the log and made it anew.
            if root.folder.leads_to(&name, opened.identity).explain("look at", &name)? {
                let mut claim = Self::over(root, name, file, opened);
                claim.extent = Extent::found(opened.length);
                if let Some(extent) = root.recall_unsynced(&claim.name, claim.identity) {
                    claim.extent = extent;
                    claim.sync_failed = true;
                }
                return Ok(claim);
            }
        }
    }

    /// Whether the log's name still leads to the file that is held.
    pub(super) fn is_current(&self) -> Result<bool> {
        self.root.folder.leads_to(&self.name, self.identity).explain("look at", &self.name)
    }

    /// A claim on a file that this writer has made, locked and synced.
    pub(super) fn over(root: &Arc<Root<F>>, name: String, file: F::File, stat: Stat) -> Self {
        let extent = Extent::synced(stat.length);
        Self { root: root.clone(), name, file, identity: stat.identity, extent, sync_failed: false, moved: None }
    }

    /// Makes a claim fit again and takes the log as it stands; [`StorageError::Moved`] if it is another one by now.
    pub(super) fn renew(&mut self) -> Result<Stat> {
        if !self.is_current()? {
            return Err(self.move_away("it was removed or replaced"));
        }
        let stat = self.file.stat().explain("look at", &self.name)?;
        self.moved = None;
        self.extent.believe(stat.length);
        self.make_fit()?;
        Ok(stat)
    }

    /// Adds bytes at the end, which must be `at`, in one write.
    pub(super) fn append(&mut self, at: u64, content: &[u8]) -> Result<()> {
        self.make_fit()?;
        if at != self.extent.length {
            return Err(self.move_away(&unexpected(self.extent.length, at)));
        }
        self.expect(at)?;
        if let Err(error) = self.file.append(content) {
            return self.roll_back(at, content).and(Err(error).explain("append to", &self.name));
        }
        self.extent.grow(content);
        // Whoever replaces the log now could as well do so when this has returned; the next write will notice.
        match self.file.stat() {
            Ok(stat) if stat.length == self.extent.length => Ok(()),
            Ok(stat) => Err(self.move_away(&unexpected(stat.length, self.extent.length))),
            Err(error) => {
                Err(self.lose_sight(format!("it was written at byte {at} and could not be looked at then: {error}")))
            }
        }
    }

    /// Makes every byte of the log durable, also those that an earlier holder wrote.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.make_fit()?;
        if let Err(error) = self.file.sync_data() {
            self.sync_failed = true;
            return Err(error).explain("sync", &self.name);
        }
        self.extent = Extent::synced(self.extent.length);
        // What was synced must be the log, and not a file that was it once.
        self.expect(self.extent.length)
    }

    /// The log and its length, if this claim is fit.
    pub(super) fn look(&mut self) -> Result<(&F::File, u64)> {
        self.make_fit()?;
        self.expect(self.extent.length)?;
        Ok((&self.file, self.extent.length))
    }

    /// Drops all bytes from `at` on, durably.
    pub(super) fn cut(&mut self, at: u64) -> Result<()> {
        self.look()?;
        self.file.truncate(at).explain("cut", &self.name)?;
        self.extent.believe(at);
        self.sync().map_err(|error| {
            StorageError::OutcomeUnknown(format!("`{}` was cut at byte {at}, perhaps not durably: {error}", self.name))
        })
    }

    fn make_fit(&mut self) -> Result<()> {
        match &self.moved {
            Some(how) => Err(StorageError::Moved(how.clone())),
            None if self.sync_failed => self.write_again(),
            None => Ok(()),
        }
    }

    /// Makes sure that the log's name still leads to this file, and that it has this length.
    fn expect(&mut self, length: u64) -> Result<()> {
        let how = match self.root.folder.stat(&self.name) {
            Ok(stat) if !stat.identity.is(self.identity) => "it was replaced by another file",
            Ok(stat) if stat.length != length => &unexpected(stat.length, length),
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => "it was removed",
            Err(error) => return Err(error).explain("look at", &self.name),
        };
        Err(self.move_away(how))
    }

    fn move_away(&mut self, how: &str) -> StorageError {
        let how = format!("`{}`: {how}", self.name);
        self.moved = Some(how.clone());
        StorageError::Moved(how)
    }

    /// Bytes may stand in the log that are not accounted for: all is refused until the log was looked at afresh.
    fn lose_sight(&mut self, why: String) -> StorageError {
        let why = format!("`{}`: {why}", self.name);
        self.moved = Some(why.clone());
        StorageError::OutcomeUnknown(why)
    }

    /// After a failed write: cuts off what was written of it, unless somebody else's bytes stand there too.
    fn roll_back(&mut self, at: u64, content: &[u8]) -> Result<()> {
        let undo = || {
            let length = self.file.stat()?.length;
            let written = length.checked_sub(at).filter(|&written| written <= content.len() as u64);
            let Some(written) = written else { return Ok(false) };
            let ours = content.starts_with(&self.file.read(at, written)?);
            if ours && written > 0 {
                self.file.truncate(at)?;
            }
            Ok::<_, io::Error>(ours)
        };
        match undo() {
            Ok(true) => Ok(()),
            Ok(false) => {
                Err(self.lose_sight(format!("writing at byte {at} failed, and somebody else wrote there too")))
            }
            Err(error) => Err(self.lose_sight(format!("writing at byte {at} failed and can't be undone: {error}"))),
        }
    }

    /// After a failed sync: puts the same bytes in their place once more, so that there is something to sync.
    fn write_again(&mut self) -> Result<()> {
        self.expect(self.extent.length)?;
        let rewrite = || {
            let (file, _) = self.root.folder.open(&self.name, Access::Overwrite)?;
            overwrite(&file, self.extent.synced, self.extent.known)?;
            let found = overwrite(&file, self.extent.known, self.extent.length)?;
            file.sync_data().map(|()| found)
        };
        let found = rewrite().explain("write again what a failed sync left unsafe in", &self.name)?;
        let intact = found == self.extent.checksum();
        self.sync_failed = false;
        self.extent = Extent::synced(self.extent.length);
        if !intact {
            return Err(self.lose_sight("a failed sync lost bytes that were written before".into()));
        }
        self.expect(self.extent.length)
    }
}

impl<F: Folder> Drop for Claim<F> {
    fn drop(&mut self) {
        // Whoever holds the log next has to know.
        if self.sync_failed {
            self.root.remember_unsynced(&self.name, self.identity, self.extent.clone());
        }
        self.file.unlock();
    }
}

/// Takes the writer's lock, or says who has it.
fn lock(root: &Root<impl Folder>, name: &str, file: &impl File, identity: Identity) -> Result<()> {
    for _ in 0..PATIENCE {
        if is_free(file.try_lock()).explain("lock", name)? {
            return Ok(());
        }
        // A lock that can be shared is no writer's: somebody asks just now whether the log is held.
        if !is_free(file.try_lock_shared()).explain("lock", name)? {
            let holder = root.holder(identity).map(|holder| format!(" ({holder})")).unwrap_or_default();
            return Err(StorageError::Busy(format!("`{name}`{holder}")));
        }
        file.unlock();
        thread::sleep(PAUSE);
    }
    Err(StorageError::Busy(format!("`{name}` is locked by another program that only reads it")))
}

fn is_free(locked: Result<(), TryLockError>) -> io::Result<bool> {
    match locked {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn unexpected(length: u64, expected: u64) -> String {
    format!("it has {length} bytes where {expected} were expected")
}

/// Writes a stretch over itself; answers the checksum of its bytes.
fn overwrite(file: &impl File, from: u64, to: u64) -> io::Result<u32> {
    let mut checksum = crc32fast::Hasher::new();
    let mut at = from;
    for window in file.windows(from..to) {
        let window = window?;
        file.overwrite(at, &window)?;
        checksum.update(&window);
        at += window.len() as u64;
    }
    Ok(checksum.finalize())
}

#[cfg(test)]
mod tests;
