//! What SQLite's errors mean to the caller.

use std::fs;
use std::path::Path;

use rusqlite::ErrorCode;
use rustix::fs::StatVfsMountFlags;
use rustix::process::{Resource, getrlimit};

use super::super::StorageError;

/// What to do with a database that is damaged.
const ADVICE: &str = "copy the sessions that can still be read to another store, then put back a copy of the database, or let \
                      sqlite3's `.recover` read what is left of it into another";

/// Why work on the database came to nothing.
#[derive(Debug)]
pub(super) enum Fault {
    /// SQLite's own reason.
    Sql(rusqlite::Error),
    /// What was asked for can't be.
    Refused(StorageError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StorageError> for Fault {
    fn from(error: StorageError) -> Self {
        Self::Refused(error)
    }
}

impl Fault {
    /// Says what was being done, and to which database.
    pub(super) fn explain(self, doing: &str, path: &Path) -> StorageError {
        let error = match self {
            Self::Refused(error) => return error,
            Self::Sql(error) => error,
        };
        let name = name(path);
        let text = format!("can't {doing} in the database `{name}`: {error}");
        match error.sqlite_error_code() {
            _ if is_no_space(&error, path) => StorageError::NoSpace,
            Some(ErrorCode::ReadOnly) if is_read_only(path) => StorageError::ReadOnly,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StorageError::AccessDenied(text),
            Some(ErrorCode::CannotOpen) if !is_readable(path) => StorageError::AccessDenied(text),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StorageError::Failed(format!(
                "{text}; another program keeps it from being written to, and must let go of it"
            )),
            Some(ErrorCode::NotADatabase) => {
                StorageError::damaged(format!("`{name}` is no SQLite database; if it was one, put back a copy of it"))
            }
            _ if is_damage(&error) => StorageError::damaged(format!("{text}; {ADVICE}")),
            _ => StorageError::Failed(text),
        }
    }
}

/// Whether what is there is not what was written.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
        || matches!(
            error,
            Error::InvalidColumnType(..) | Error::FromSqlConversionFailure(..) | Error::IntegralValueOutOfRange(..)
        )
}

/// What SQLite has found, looking for damage.
pub(super) fn found(found: &[String], path: &Path) -> StorageError {
    StorageError::damaged(format!("SQLite found in the database `{}`: {}; {ADVICE}", name(path), found.join(", ")))
}

/// How a database is called in what people are told.
pub(super) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Whether its disk takes no writes at all.
pub(super) fn is_read_only(path: &Path) -> bool {
    rustix::fs::statvfs(path).is_ok_and(|disk| disk.f_flag.contains(StatVfsMountFlags::RDONLY))
}

fn is_readable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::READ_OK).is_ok()
}

/// SQLite knows a full disk, but not a full disk beneath its shared memory, and not the limit on the size of a file.
pub(super) fn is_no_space(error: &rusqlite::Error, path: &Path) -> bool {
    use rusqlite::ffi::{SQLITE_IOERR_SHMOPEN, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE};
    if error.sqlite_error_code() == Some(ErrorCode::DiskFull) {
        return true;
    }
    match error.sqlite_error().map(|error| error.extended_code) {
        Some(SQLITE_IOERR_SHMSIZE) => true,
        Some(SQLITE_IOERR_WRITE | SQLITE_IOERR_SHMOPEN | SQLITE_IOERR_TRUNCATE) => {
            getrlimit(Resource::Fsize).current.is_some_and(|limit| {
                ["", "-wal", "-shm", "-journal"].iter().any(|ending| {
                    let length = fs::metadata(beside(path, ending)).map_or(0, |file| file.len());
                    // A write that crosses the limit is done up to it.
                    length >= limit
                })
            })
        }
        _ => false,
    }
}

/// The file beside a database whose name ends so.
pub(super) fn beside(path: &Path, ending: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
