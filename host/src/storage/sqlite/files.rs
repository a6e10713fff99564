//! The files that a database is made of: its own, and the two that SQLite keeps beside it while it is in use.
//!
//! SQLite goes on with a file that has lost its name. Whoever comes then makes another one, and what the first has written
//! is nowhere. So a database is the same one only as long as all three are.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::super::explain::Explain;
use super::super::{Result, StorageError};
use super::fail::{beside, name};

/// Device and inode of a file.
pub(super) type Identity = (u64, u64);

/// Which files they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) database: Identity,
    /// How many names the database has. The files beside it are found by one of them.
    links: u64,
    pub(super) wal: Option<Identity>,
    shm: Option<Identity>,
}

impl Files {
    /// Those that are there now; none if there is no database, or nothing in it.
    pub(super) fn of(path: &Path) -> Result<Option<Self>> {
        let Some(database) = look(path)? else { return Ok(None) };
        if !database.is_file() {
            return Err(StorageError::Failed(format!("`{}` is no regular file, so no database", path.display())));
        }
        if database.len() == 0 {
            return Ok(None);
        }
        let found = |ending| Ok(look(&beside(path, ending))?.as_ref().map(identity));
        let (wal, shm) = (found("-wal")?, found("-shm")?);
        Ok(Some(Self { database: identity(&database), links: database.nlink(), wal, shm }))
    }

    /// Whether none is missing of those that a database in use has.
    pub(super) fn are_all(&self) -> bool {
        self.wal.is_some() && self.shm.is_some()
    }

    /// Refuses a database that has a second name.
    pub(super) fn check_name(&self, path: &Path) -> Result<()> {
        match self.links {
            0 | 1 => Ok(()),
            links => Err(StorageError::Failed(format!(
                "the database `{}` has {links} names (hard links), and what is written by one of them is lost by the \
                 others; remove the others, or make a copy",
                name(path)
            ))),
        }
    }
}

/// That the files are others now, in words.
pub(super) fn moved(path: &Path) -> String {
    let name = name(path);
    format!(
        "the database `{name}`, or `{name}-wal` or `{name}-shm` beside it, was removed, replaced or linked while it was in use"
    )
}

pub(super) fn identity(file: &Metadata) -> Identity {
    (file.dev(), file.ino())
}

fn look(path: &Path) -> Result<Option<Metadata>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some).explain("look at", &path.display().to_string()),
    }
}
