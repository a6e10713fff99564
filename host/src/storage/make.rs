//! Folders that a store makes for itself.

use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

/// Makes a folder and those above it that are missing, for their owner alone, durably.
pub(super) fn make(path: &Path) -> io::Result<()> {
    let parent = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return Ok(()),
    };
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound && !parent.exists() => {
            make(parent)?;
            return make(path);
        }
        // Somebody else may have made it just now.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => return Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(io::Error::other(format!("`{}` is a link that leads nowhere", path.display())));
        }
        Err(error) => return Err(error),
    }
    // The umask may have taken more than it should.
    std::fs::set_permissions(path, Permissions::from_mode(0o700))?;
    File::open(parent)?.sync_all()
}
