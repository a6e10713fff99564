//! A file that is whole or as it was.

use std::fs::{self, Permissions};
use std::io::{self, BufWriter};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::Result;
use tempfile::NamedTempFile;

use crate::exit::{self, Exit, Failure};

/// Makes the file with what is written, or replaces it. After an error it is as it was.
pub fn replace<T>(path: &Path, write: impl FnOnce(&mut BufWriter<NamedTempFile>) -> Result<T>) -> Result<T> {
    let unwritable = |error: io::Error| {
        Failure::new(Exit::NoRoom, format!("can't write {}: {}", path.display(), exit::reason(&error)))
    };
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(unwritable(io::Error::other("it is no regular file")).into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As for any new file, the umask has the last word.
    let temporary = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder);
    let mut out = BufWriter::new(temporary.map_err(unwritable)?);
    let written = write(&mut out).map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) => unwritable(error).into(),
        Err(error) => error,
    })?;
    let temporary = out.into_inner().map_err(|error| unwritable(error.into_error()))?;
    temporary.persist(path).map_err(|error| unwritable(error.error))?;
    Ok(written)
}
