//! The write-ahead log, in which SQLite leaves what is committed: synced by a descriptor of our own.
//!
//! SQLite takes no lock on this file, so opening and closing it does no harm; on the database it would end SQLite's.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::super::Result;
use super::super::jsonl::fail::Explain;
use super::super::jsonl::root::lock;
use super::database::sync_folder;
use super::fail::{beside, name};

#[derive(Debug, Default)]
pub(super) struct Wal {
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
    /// Opens it, if it isn't open.
    pub(super) fn watch(&self, database: &Path) -> Result<()> {
        let mut file = lock(&self.file);
        match open(&mut file, database) {
            Ok(_) => Ok(()),
            // SQLite makes it with the first change.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error).explain("open", &name(&beside(database, "-wal"))),
        }
    }

    /// One at a time: the system tells of an error once, and whoever syncs next must know of it.
    pub(super) fn sync(&self, database: &Path, heal: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut file = lock(&self.file);
        self.heal(&mut file, heal)?;
        self.sync_file(&mut file, database).explain("sync", &name(&beside(database, "-wal"))).inspect_err(|_| {
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

    fn sync_file(&self, file: &mut Option<File>, database: &Path) -> io::Result<()> {
        #[cfg(test)]
        if self.breaks.swap(false, Ordering::SeqCst) {
            return Err(io::Error::other("the disk is gone"));
        }
        match open(file, database) {
            Ok(file) => file.sync_data(),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(io::Error::other("it was removed while the database was in use"))
            }
            Err(error) => Err(error),
        }
    }
}

/// The file that is the write-ahead log now, its name durable.
fn open<'a>(file: &'a mut Option<File>, database: &Path) -> io::Result<&'a File> {
    let path = beside(database, "-wal");
    let place = |file: fs::Metadata| (file.dev(), file.ino());
    let now = fs::metadata(&path).map(place)?;
    let current = match file.take() {
        Some(open) if open.metadata().map(place)? == now => open,
        _ => {
            let open = File::open(&path)?;
            sync_folder(database)?;
            open
        }
    };
    Ok(file.insert(current))
}
