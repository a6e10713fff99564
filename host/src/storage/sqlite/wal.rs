//! The write-ahead log, in which SQLite leaves what is committed: synced by a descriptor of our own.
//!
//! SQLite takes no lock on this file, so opening and closing it does no harm; on the database it would end SQLite's.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rusqlite::Connection;

use super::super::Result;
use super::super::explain::Explain;
use super::super::lock::lock;
use super::database::sync_folder;
use super::fail::{Fault, beside, name};
use super::files::{Identity, identity};

/// How long the file's own head is, and that of each page in it.
const HEAD: usize = 32;
const FRAME_HEAD: usize = 24;

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
    /// The last page that was seen in it.
    seen: Mutex<Option<Mark>>,
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
            seen: Mutex::default(),
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

    /// Whether the file has all that SQLite believes to be in it, by the memory that its users share. Where it was cut, SQLite
    /// goes on behind the hole, and what stands there is lost with the last user.
    pub(super) fn is_whole(&self, connection: &Connection) -> Result<bool, Fault> {
        let mut seen = lock(&self.seen);
        loop {
            let pages = pages(connection)?;
            let found = self.look(pages, *seen).explain("look at", &name(&self.path))?;
            if let Some(mark) = found {
                *seen = mark;
                return Ok(true);
            }
            // Others may have begun it anew meanwhile, all of it being in the database.
            if self::pages(connection)? == pages {
                return Ok(false);
            }
        }
    }

    /// The last of so many pages; none if they are not there, or the one that was seen last is not.
    fn look(&self, pages: u64, seen: Option<Mark>) -> io::Result<Option<Option<Mark>>> {
        if pages == 0 {
            return Ok(Some(None));
        }
        let file = File::open(&self.path)?;
        let Some(head) = read(&file, 0)?.and_then(|bytes| Head::of(&bytes)) else { return Ok(None) };
        let is_there = |page| -> io::Result<bool> {
            let frame: Option<[u8; FRAME_HEAD]> = read(&file, head.offset(page))?;
            Ok(frame.is_some_and(|frame| frame[8..16] == head.salt))
        };
        let seen = seen.filter(|seen| seen.salt == head.salt);
        let is_whole = file.metadata()?.len() >= head.offset(pages + 1)
            && seen.is_none_or(|seen| seen.page <= pages)
            && is_there(pages)?
            && seen.map_or(Ok(true), |seen| is_there(seen.page))?;
        Ok(is_whole.then_some(Some(Mark { page: pages, salt: head.salt })))
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

/// A page in the write-ahead log, and the salt of all that were written since it was begun anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    page: u64,
    salt: [u8; 8],
}

/// What the head of the file says.
struct Head {
    page_size: u64,
    salt: [u8; 8],
}

impl Head {
    /// None if its checksum is wrong.
    fn of(bytes: &[u8; HEAD]) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<4>();
        let big: Vec<u32> = words.iter().map(|&word| u32::from_be_bytes(word)).collect();
        let [magic, _, page_size, _, _, _, checksum @ ..] = big.as_slice() else { return None };
        // Its last bit says in which order bytes are summed.
        let summed = |&word: &[u8; 4]| if magic & 1 == 1 { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) };
        let mut sums = [0_u32; 2];
        for pair in words.iter().take(6).map(summed).collect::<Vec<_>>().chunks(2) {
            if let [one, two] = pair {
                sums[0] = sums[0].wrapping_add(*one).wrapping_add(sums[1]);
                sums[1] = sums[1].wrapping_add(*two).wrapping_add(sums[0]);
            }
        }
        let salt = bytes.get(16..24)?.try_into().ok()?;
        (magic >> 1 == 0x377f_0682 >> 1 && checksum == sums).then_some(Self { page_size: (*page_size).into(), salt })
    }

    /// Where a page begins, the first having the number 1.
    fn offset(&self, page: u64) -> u64 {
        HEAD as u64 + (page - 1) * (FRAME_HEAD as u64 + self.page_size)
    }
}

/// How many pages SQLite believes to be in it.
fn pages(connection: &Connection) -> Result<u64, Fault> {
    let mut ask = connection.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?;
    let pages: i64 = ask.query_row((), |row| row.get(1))?;
    Ok(u64::try_from(pages).unwrap_or_default())
}

fn read<const LENGTH: usize>(file: &File, at: u64) -> io::Result<Option<[u8; LENGTH]>> {
    let mut bytes = [0; LENGTH];
    match file.read_exact_at(&mut bytes, at) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}
