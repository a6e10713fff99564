//! The write-ahead log, in which SQLite leaves what is committed: synced by a descriptor of our own.
//!
//! SQLite takes no lock on this file, so opening and closing it does no harm; on the database it would end SQLite's.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::super::Result;
use super::super::explain::Explain;
use super::super::lock::lock;
use super::database::sync_folder;
use super::fail::{beside, name};
use super::files::{Identity, identity};

#[derive(Debug)]
pub(super) struct Wal {
    path: PathBuf,
    /// The file that SQLite has open.
    identity: Option<Identity>,
    /// Kept open, so that an error that the system has in between is told to the next sync.
    file: Mutex<Option<File>>,
    /// The last sync failed. The kernel may have dropped bytes that it can't be made to write by asking again.
    failed: AtomicBool,
    failures: AtomicU64,
    /// Makes the next sync fail.
    #[cfg(test)]
    pub(super) breaks: AtomicBool,
}

impl Wal {
    pub(super) fn of(database: &Path, identity: Option<Identity>) -> Self {
        Self {
            path: beside(database, "-wal"),
            identity,
            file: Mutex::default(),
            failed: AtomicBool::default(),
            failures: AtomicU64::default(),
            #[cfg(test)]
            breaks: AtomicBool::default(),
        }
    }

    /// Opens it, if it isn't open.
    pub(super) fn watch(&self) -> Result<()> {
        self.open(&mut lock(&self.file)).map(drop).explain("open", &name(&self.path))
    }

    /// One at a time: the system tells of an error once, and whoever syncs next must know of it.
    pub(super) fn sync(&self, heal: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut file = lock(&self.file);
        self.heal(&mut file, heal)?;
        self.sync_file(&mut file).explain("sync", &name(&self.path)).inspect_err(|_| {
            self.failures.fetch_add(1, Ordering::SeqCst);
            self.failed.store(true, Ordering::SeqCst);
        })
    }

    /// Heals what a failed sync has left. Answers how often one has failed so far.
    pub(super) fn make_fit(&self, heal: impl FnOnce() -> Result<()>) -> Result<u64> {
        if self.failed.load(Ordering::SeqCst) {
            self.heal(&mut lock(&self.file), heal)?;
        }
        Ok(self.failures.load(Ordering::SeqCst))
    }

    fn heal(&self, file: &mut Option<File>, heal: impl FnOnce() -> Result<()>) -> Result<()> {
        if self.failed.load(Ordering::SeqCst) {
            heal()?;
            *file = None;
            self.failed.store(false, Ordering::SeqCst);
        }
        Ok(())
    }

    fn sync_file(&self, file: &mut Option<File>) -> io::Result<()> {
        #[cfg(test)]
        if self.breaks.swap(false, Ordering::SeqCst) {
            return Err(io::Error::other("the disk is gone"));
        }
        self.open(file)?.sync_data()
    }

    /// The file, its name durable.
    fn open<'a>(&self, file: &'a mut Option<File>) -> io::Result<&'a File> {
        let current = match file.take() {
            Some(open) => open,
            None => {
                let open = File::open(&self.path)?;
                if Some(identity(&open.metadata()?)) != self.identity {
                    return Err(io::Error::other("it was replaced while the database was in use"));
                }
                sync_folder(&self.path)?;
                open
            }
        };
        Ok(file.insert(current))
    }
}
