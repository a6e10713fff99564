//! What can be the id of a session, for every store.

use super::{Result, StorageError};

const ID_MAX: usize = 255;

/// Any text of 1 to 255 bytes without U+0000.
pub(super) fn check(id: &str) -> Result<()> {
    let invalid = |why: String| Err(StorageError::InvalidId(why));
    if id.is_empty() {
        return invalid("an id has at least one byte".into());
    }
    if id.len() > ID_MAX {
        return invalid(format!("this one has {} bytes, and an id has at most {ID_MAX}", id.len()));
    }
    if id.contains('\0') {
        return invalid("an id can't contain U+0000".into());
    }
    Ok(())
}
