//! What becomes of a commit that fails: one of a line that can't be is left out, and all else stops the import.

use session_host::Error;
use session_host::tree::{TreeError, Write};

use super::lines::LONGEST;

/// Why these writes are refused.
///
/// # Errors
/// Of all that is no fault of theirs.
pub fn refusal(error: TreeError, writes: &[Write]) -> Result<String, TreeError> {
    match error {
        // A tree may be full as well.
        TreeError::Session(Error::TooLarge(_)) if bytes(writes) < LONGEST / 2 => Err(error),
        TreeError::Session(Error::TooLarge(_)) => {
            Ok("it takes more than the 16 MiB that a line of a log may have".to_owned())
        }
        TreeError::Session(Error::Rejected { reason, .. }) => Ok(reason),
        TreeError::Session(_) => Err(error),
        error => Ok(error.to_string()),
    }
}

/// How many bytes they hold, about.
fn bytes(writes: &[Write]) -> usize {
    let of = |write: &Write| match write {
        Write::Entry(entry) => entry.payload.len() + entry.id.len() + entry.custom_type.as_ref().map_or(0, String::len),
        Write::Usage(row) => row.usage.len() + row.id.len() + row.details.as_ref().map_or(0, String::len),
        Write::SetValue(value) | Write::AppendList(value) => {
            value.value.len() + value.address.namespace.len() + value.address.key.len()
        }
        Write::DeleteValue(address) | Write::DeleteList(address) => address.namespace.len() + address.key.len(),
    };
    writes.iter().map(of).sum()
}
