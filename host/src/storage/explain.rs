//! What the operating system's errors mean to the caller.

use std::io::{self, ErrorKind};

use super::{Result, StorageError};

pub(super) trait Explain<T> {
    /// Says what was being done, and to which file of the store.
    fn explain(self, doing: &str, name: &str) -> Result<T>;
}

impl<T> Explain<T> for io::Result<T> {
    fn explain(self, doing: &str, name: &str) -> Result<T> {
        self.map_err(|error| match error.kind() {
            ErrorKind::NotFound => StorageError::NotFound,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => StorageError::NoSpace,
            ErrorKind::ReadOnlyFilesystem => StorageError::ReadOnly,
            ErrorKind::PermissionDenied => StorageError::AccessDenied(format!("can't {doing} `{name}`: {error}")),
            ErrorKind::InvalidFilename => {
                StorageError::InvalidId(format!("this file system can't have a file `{name}`: {error}"))
            }
            _ => StorageError::Failed(format!("can't {doing} `{name}`: {error}")),
        })
    }
}
