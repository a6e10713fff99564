//! A log and its asides, from one store to another.

use session_host::storage::Result;
use session_host::{Aside, LogInfo, Part, Storage, StorageError};

/// So much is held in memory. A log that is no longer comes into being whole.
const WINDOW: u32 = 8 << 20;

/// What was copied.
pub struct Copied {
    /// Of the log.
    pub bytes: u64,
    /// How many pieces.
    pub asides: usize,
}

/// Copies a session that is not there yet, durably, and compares the copy with its source. After an error nothing of it is
/// left.
pub fn transfer(from: &dyn Storage, to: &dyn Storage, id: &str) -> Result<Copied> {
    let mut copy = Copy { from, to, id, length: 0, is_there: false };
    let copied = copy.run();
    if let (Err(error), true) = (&copied, copy.is_there) {
        to.remove(id).map_err(|undo| {
            StorageError::OutcomeUnknown(format!("{error}; and what was copied can't be removed again: {undo}"))
        })?;
    }
    to.release(id);
    copied
}

/// Whether the two logs begin with the same bytes.
pub fn is_prefix(from: &dyn Storage, to: &dyn Storage, id: &str, length: u64) -> Result<bool> {
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
    fn run(&mut self) -> Result<Copied> {
        let source = self.from.stat(self.id)?;
        let mut asides = self.from.asides(self.id)?;
        asides.sort_by_key(cut_at);
        let mut kept = Vec::new();
        for aside in &asides {
            // It gets its old name where the log is as long as it was when it was cut.
            self.copy_to(cut_at(aside).min(source.length))?;
            kept.push(self.set_aside(aside)?);
        }
        self.copy_to(source.length)?;
        self.to.sync(self.id)?;
        self.compare(&source, asides.iter().zip(&kept))?;
        Ok(Copied { bytes: self.length, asides: kept.len() })
    }

    /// Goes on with the log up to this length.
    fn copy_to(&mut self, end: u64) -> Result<()> {
        while self.length < end || !self.is_there {
            let window = self.from.read(self.id, self.length, to_u32(end - self.length).min(WINDOW))?;
            if window.is_empty() && self.length < end {
                return Err(changed());
            }
            self.add(&window)?;
            self.length += window.len() as u64;
        }
        Ok(())
    }

    fn add(&mut self, content: &[u8]) -> Result<()> {
        if self.is_there {
            return self.to.append(self.id, self.length, content);
        }
        self.to.publish(self.id, &[Part::Content(content)])?;
        self.is_there = true;
        Ok(())
    }

    /// Puts one piece behind the log, and sets it aside there too.
    fn set_aside(&mut self, aside: &Aside) -> Result<Aside> {
        let mut done = 0;
        while done < aside.length {
            let piece = self.from.read_aside(self.id, &aside.name, done, WINDOW)?;
            if piece.is_empty() {
                return Err(changed());
            }
            self.to.append(self.id, self.length + done, &piece)?;
            done += piece.len() as u64;
        }
        self.to.set_aside(self.id, self.length)
    }

    fn compare<'a>(&self, source: &LogInfo, asides: impl Iterator<Item = (&'a Aside, &'a Aside)>) -> Result<()> {
        let (from, to, id) = (self.from, self.to, self.id);
        let now = from.stat(id)?;
        if (&now.identity, now.length, now.modified) != (&source.identity, source.length, source.modified) {
            return Err(changed());
        }
        let mut equal = to.stat(id)?.length == source.length && is_prefix(from, to, id, source.length)?;
        for (one, other) in asides {
            equal &= one.length == other.length
                && is_equal(
                    one.length,
                    |at, max| from.read_aside(id, &one.name, at, max),
                    |at, max| to.read_aside(id, &other.name, at, max),
                )?;
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

/// Where the log ended once it was cut off: its name begins with that.
fn cut_at(aside: &Aside) -> u64 {
    aside.name.split('.').next().and_then(|offset| offset.parse().ok()).unwrap_or(u64::MAX)
}

fn changed() -> StorageError {
    StorageError::Failed("it was changed while it was copied; copy it again".into())
}

fn to_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
