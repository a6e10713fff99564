//! What was set aside can only be made again behind the log: for a moment its bytes are the end of the copy.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use session_host::storage::Result;
use session_host::{Aside, Storage, StorageError};

/// A longer piece would have to be held in memory.
const LONGEST: u32 = 8 << 20;
/// How much is read at once.
const WINDOW: u32 = 1 << 20;

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
/// to find damage and never an event: so it must begin a line, and this line not be the next record, however little of it is
/// written.
pub fn obstacle(from: &dyn Storage, id: &str, aside: &Aside) -> Result<Option<&'static str>> {
    let at = cut_at(aside);
    if at > from.stat(id)?.length {
        return Ok(Some("the log no longer reaches to where it was cut off"));
    }
    if aside.length > LONGEST.into() {
        return Ok(Some("it is longer than 8 MiB"));
    }
    let piece = read(from, id, aside)?;
    let line = piece.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_damage = match lines_before(from, id, at)? {
        // The header, and as many events as there are lines behind it.
        Some(lines @ 1..) => !could_be_record(line, lines - 1),
        Some(0) => !begins_with_object(line),
        None => false,
    };
    Ok((!is_damage).then_some("whoever reads the copy meanwhile could take it for events"))
}

/// How many lines stand before this place; none if it is in the midst of one.
fn lines_before(from: &dyn Storage, id: &str, end: u64) -> Result<Option<u64>> {
    let (mut at, mut lines, mut last) = (0, 0, b'\n');
    while at < end {
        let window = from.read(id, at, u32::try_from(end - at).unwrap_or(WINDOW).min(WINDOW))?;
        let Some(&end_of_window) = window.last() else { return Ok(None) };
        lines += window.iter().filter(|&&byte| byte == b'\n').count() as u64;
        at += window.len() as u64;
        last = end_of_window;
    }
    Ok((last == b'\n').then_some(lines))
}

/// Whether any beginning of this line could be read as the record with that `seq`.
fn could_be_record(line: &[u8], seq: u64) -> bool {
    #[derive(Deserialize)]
    struct Record<'a> {
        #[serde(borrow)]
        seq: Option<&'a RawValue>,
    }
    begins_with_object(line)
        && match Record::deserialize(&mut serde_json::Deserializer::from_slice(line)) {
            Ok(record) => record.seq.and_then(|number| number.get().parse().ok()) == Some(seq as f64),
            // Whole, but not plain: a `seq` that is there twice, say.
            Err(_) => true,
        }
}

fn begins_with_object(line: &[u8]) -> bool {
    let mut json = serde_json::Deserializer::from_slice(line);
    line.trim_ascii_start().starts_with(b"{") && IgnoredAny::deserialize(&mut json).is_ok()
}
