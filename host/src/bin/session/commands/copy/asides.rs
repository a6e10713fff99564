//! What was set aside can only be made again behind the log: for a moment its bytes are the end of the copy.

use serde::Deserialize;
use serde::de::IgnoredAny;
use session_host::storage::Result;
use session_host::{Aside, Storage, StorageError};

/// A longer piece would have to be held in memory.
const LONGEST: u32 = 8 << 20;

/// The pieces of a session in the order in which they can be made again.
pub fn in_order(from: &dyn Storage, id: &str) -> Result<Vec<Aside>> {
    let mut asides = from.asides(id)?;
    asides.sort_by_key(cut_at);
    Ok(asides)
}

/// Where the log ended once the piece was cut off: its name begins with that.
pub fn cut_at(aside: &Aside) -> u64 {
    aside.name.split('.').next().and_then(|offset| offset.parse().ok()).unwrap_or(u64::MAX)
}

/// The bytes of a piece.
pub fn read(from: &dyn Storage, id: &str, aside: &Aside) -> Result<Vec<u8>> {
    let bytes = from.read_aside(id, &aside.name, 0, LONGEST)?;
    match bytes.len() as u64 == aside.length {
        true => Ok(bytes),
        false => Err(StorageError::Failed(format!("what was set aside as {} can't be read whole", aside.name))),
    }
}

/// Why a piece can't be copied, if it can't. Whoever reads the copy before the piece is set aside there, or after a kill, has
/// to find damage and never an event: so it must begin a line, and this line no record, however little of it is written.
pub fn obstacle(from: &dyn Storage, id: &str, aside: &Aside) -> Result<Option<&'static str>> {
    let at = cut_at(aside);
    Ok(if at > from.stat(id)?.length {
        Some("the log no longer reaches to where it was cut off")
    } else if aside.length > LONGEST.into() {
        Some("it is longer than 8 MiB")
    } else if !begins_line(from, id, at)? || begins_with_record(&read(from, id, aside)?) {
        Some("whoever reads the copy meanwhile could take it for events")
    } else {
        None
    })
}

fn begins_line(from: &dyn Storage, id: &str, at: u64) -> Result<bool> {
    Ok(match at.checked_sub(1) {
        Some(before) => from.read(id, before, 1)? == b"\n",
        None => true,
    })
}

/// Whether any beginning of these bytes could be read as a record: that is an object on one line.
fn begins_with_record(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut json = serde_json::Deserializer::from_slice(line);
    line.trim_ascii_start().starts_with(b"{") && IgnoredAny::deserialize(&mut json).is_ok()
}
