//! A log and its asides, from one store to another.

use session_host::storage::Result;
use session_host::{Aside, LogInfo, Part, Storage, StorageError};

use super::asides::{self, cut_at};

/// So much is read at once.
const WINDOW: u32 = 8 << 20;
/// A log that is no longer is held in memory, so that it comes into being whole.
const LONGEST_WHOLE: u64 = 256 << 20;

/// What was copied.
pub struct Copied {
    /// Of the log.
    pub bytes: u64,
    /// How many pieces.
    pub asides: usize,
}

/// Why a session was not copied.
pub struct Failed {
    /// What went wrong.
    pub error: StorageError,
    /// Why what was copied so far is still there, if it is.
    pub left: Option<StorageError>,
}

/// Copies a session that is not there yet, with these pieces set aside, durably, and compares the copy with its source. After
/// an error nothing of it is left, unless that says so.
///
/// A log without pieces that is no longer than [`LONGEST_WHOLE`] is there whole or not at all. Until another is whole, readers see
/// a beginning of it, if need be with a beginning of one piece behind it, as damage.
pub fn transfer(from: &dyn Storage, to: &dyn Storage, id: &str, asides: &[Aside]) -> Result<Copied, Failed> {
    let mut copy = Copy { from, to, id, length: 0, is_there: false };
    let copied = copy.run(asides);
    let copied = copied.map_err(|error| {
        let left = if copy.is_there { to.remove(id).err() } else { None };
        Failed { error, left }
    });
    to.release(id);
    copied
}

/// Whether what is there of a session is what a copy with these pieces has left that was stopped.
pub fn is_unfinished(from: &dyn Storage, to: &dyn Storage, id: &str, asides: &[Aside]) -> Result<bool> {
    let (whole, length, there) = (from.stat(id)?.length, to.stat(id)?.length, to.asides(id)?);
    if !there.iter().all(|aside| asides.contains(aside)) {
        return Ok(false);
    }
    if length <= whole && is_prefix(from, to, id, length)? {
        return Ok(length < whole || there.len() < asides.len());
    }
    for aside in asides {
        let at = cut_at(aside);
        let behind = length.checked_sub(at).filter(|behind| (1..=aside.length).contains(behind));
        if let Some(behind) = behind
            && is_prefix(from, to, id, at)?
            && is_equal(
                behind,
                |offset, max| from.read_aside(id, &aside.name, offset, max),
                |offset, max| to.read(id, at + offset, max),
            )?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the two logs begin with the same bytes.
fn is_prefix(from: &dyn Storage, to: &dyn Storage, id: &str, length: u64) -> Result<bool> {
    is_equal(length, |at, max| from.read(id, at, max), |at, max| to.read(id, at, max))
}

struct Copy<'a> {
    from: &'a dyn Storage,
    to: &'a dyn Storage,
    id: &'a str,
    /// Of the copy, so far.
    length: u64,
    is_there: bool,
}

impl Copy<'_> {
    fn run(&mut self, asides: &[Aside]) -> Result<Copied> {
        let source = self.from.stat(self.id)?;
        for aside in asides {
            // It gets its old name where the log is as long as it was when it was cut.
            self.copy_to(cut_at(aside))?;
            self.to.append(self.id, self.length, &asides::read(self.from, self.id, aside)?)?;
            self.to.set_aside(self.id, self.length)?;
        }
        self.copy_to(source.length)?;
        self.to.sync(self.id)?;
        self.compare(&source, asides)?;
        Ok(Copied { bytes: self.length, asides: asides.len() })
    }

    /// Goes on with the log up to this length.
    fn copy_to(&mut self, end: u64) -> Result<()> {
        if !self.is_there {
            self.publish(end.min(LONGEST_WHOLE))?;
        }
        while self.length < end {
            let window = self.read_on(end)?;
            self.to.append(self.id, self.length, &window)?;
            self.length += window.len() as u64;
        }
        Ok(())
    }

    /// Makes the log with so much of it.
    fn publish(&mut self, end: u64) -> Result<()> {
        let mut windows = Vec::new();
        while self.length < end {
            let window = self.read_on(end)?;
            self.length += window.len() as u64;
            windows.push(window);
        }
        let parts: Vec<_> = windows.iter().map(|window| Part::Content(window)).collect();
        self.to.publish(self.id, &parts)?;
        self.is_there = true;
        Ok(())
    }

    fn read_on(&self, end: u64) -> Result<Vec<u8>> {
        let window = self.from.read(self.id, self.length, to_u32(end - self.length).min(WINDOW))?;
        if window.is_empty() { Err(changed()) } else { Ok(window) }
    }

    fn compare(&self, source: &LogInfo, asides: &[Aside]) -> Result<()> {
        let (from, to, id) = (self.from, self.to, self.id);
        let now = from.stat(id)?;
        if (&now.identity, now.length, now.modified) != (&source.identity, source.length, source.modified) {
            return Err(changed());
        }
        let kept = asides::in_order(to, id)?;
        let mut equal =
            to.stat(id)?.length == source.length && is_prefix(from, to, id, source.length)? && kept == asides;
        for aside in asides {
            equal = equal && asides::read(from, id, aside)? == asides::read(to, id, aside)?;
        }
        match equal {
            true => Ok(()),
            false => Err(StorageError::Failed("the copy is not equal to its source".into())),
        }
    }
}

fn is_equal(
    length: u64,
    one: impl Fn(u64, u32) -> Result<Vec<u8>>,
    other: impl Fn(u64, u32) -> Result<Vec<u8>>,
) -> Result<bool> {
    let mut at = 0;
    while at < length {
        let max = to_u32(length - at).min(WINDOW);
        let window = one(at, max)?;
        if window.is_empty() || window != other(at, max)? {
            return Ok(false);
        }
        at += window.len() as u64;
    }
    Ok(true)
}

fn changed() -> StorageError {
    StorageError::Failed("it was changed while it was copied; copy it again".into())
}

fn to_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
