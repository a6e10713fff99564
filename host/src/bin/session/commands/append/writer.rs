//! Lines become events; a line that can't is told by its number.

use std::ops::Range;
use std::str;

use anyhow::{Context, Result};
use session_host::{Error, Sessions};

use super::input::{BATCH, LONGEST_LINE};
use super::unstamped::Unstamped;
use crate::commands::emit::make_durable;
use crate::view::event::kind_of;

/// The writer of one session.
pub struct Writer<'a> {
    sessions: &'a Sessions,
    id: &'a str,
    stamp: bool,
    appended: u64,
    turn_ended: bool,
    /// The events that are appended and not yet flushed.
    unflushed: Range<u64>,
}

impl<'a> Writer<'a> {
    /// A writer that has appended nothing so far.
    pub fn new(sessions: &'a Sessions, id: &'a str, stamp: bool) -> Self {
        Self { sessions, id, stamp, appended: 0, turn_ended: false, unflushed: 0..0 }
    }

    /// How many events were appended.
    pub fn appended(&self) -> u64 {
        self.appended
    }

    /// Whether a turn ended in what is not yet flushed.
    pub fn turn_ended(&self) -> bool {
        self.turn_ended
    }

    /// Whether something was appended that is not yet flushed.
    pub fn is_ahead(&self) -> bool {
        !self.unflushed.is_empty()
    }

    /// Appends lines up to the first that can't be.
    pub fn append(&mut self, lines: &[u8]) -> Result<()> {
        let (lines, broken) = match str::from_utf8(lines) {
            Ok(lines) => (lines, None),
            Err(error) => {
                let sound = str::from_utf8(&lines[..error.valid_up_to()]).unwrap_or_default();
                let whole = &sound[..sound.rfind('\n').map_or(0, |end| end + 1)];
                let at = error.valid_up_to() - whole.len();
                // A line past every limit is not read to its end, and may break off inside a character.
                (whole, Some(too_long(&lines[whole.len()..]).unwrap_or_else(|| format!("byte {at} is no UTF-8"))))
            }
        };
        if self.stamp {
            self.emit_lines(lines)?;
        } else {
            batches(lines).try_for_each(|batch| match too_long(batch.as_bytes()) {
                Some(reason) => self.refuse(Error::Rejected { index: 0, reason }),
                None => self.append_batch(batch),
            })?;
        }
        broken.map_or(Ok(()), |reason| self.refuse(Error::Rejected { index: 0, reason }))
    }

    /// Returns once all is durable, and which events became so.
    pub fn flush(&mut self) -> Result<Range<u64>> {
        let seqs = self.unflushed.clone();
        make_durable(self.sessions, self.id, seqs.clone())?;
        self.turn_ended = false;
        self.unflushed.start = seqs.end;
        Ok(seqs)
    }

    fn append_batch(&mut self, lines: &str) -> Result<()> {
        match self.sessions.append_lines(self.id, lines) {
            Ok(length) => {
                self.took(lines.lines().count() as u64, length);
                self.turn_ended |= ends_a_turn(lines);
                Ok(())
            }
            Err(error) => {
                // All or none of a batch is stored: the lines before the bad one go again, without it.
                if let Some(sound) = self.lines_before(&error) {
                    let end = lines.split_inclusive('\n').take(sound).map(str::len).sum();
                    if end > 0 {
                        self.append_batch(&lines[..end])?;
                    }
                    return self.refuse(error);
                }
                Err(error.into())
            }
        }
    }

    /// How many lines of the batch are good, if the error is that of a line.
    fn lines_before(&self, error: &Error) -> Option<usize> {
        match error {
            Error::Rejected { index, .. } => usize::try_from(*index).ok(),
            // Where the length can't be told, the refusal still can.
            Error::Sequence { expected, .. } => {
                let length = self.sessions.inspect(self.id).ok()?.length;
                usize::try_from(expected.saturating_sub(length)).ok()
            }
            _ => None,
        }
    }

    fn emit_lines(&mut self, lines: &str) -> Result<()> {
        for line in lines.lines() {
            let read = match too_long(line.as_bytes()) {
                Some(reason) => Err(reason),
                None => Unstamped::read(line).map_err(|reason| format!("the line {reason}")),
            };
            let event = match read {
                Ok(event) => event,
                Err(reason) => return self.refuse(Error::Rejected { index: 0, reason }),
            };
            match self.sessions.emit_json(self.id, &event.kind, event.data) {
                Ok(seq) => self.took(1, seq + 1),
                Err(error @ Error::Rejected { .. }) => return self.refuse(error),
                Err(error) => return Err(error.into()),
            }
            self.turn_ended |= event.kind == "turn/end";
        }
        Ok(())
    }

    fn took(&mut self, events: u64, length: u64) {
        if self.unflushed.is_empty() {
            self.unflushed.start = length - events;
        }
        self.unflushed.end = length;
        self.appended += events;
    }

    /// Every line before was appended, so their number tells which one this is.
    fn refuse(&self, error: Error) -> Result<()> {
        Err(error).with_context(|| format!("line {}", self.appended + 1))
    }
}

/// Why the first of the lines is refused, if it is longer than any line of a log.
fn too_long(lines: &[u8]) -> Option<String> {
    let most = &lines[..lines.len().min(LONGEST_LINE + 1)];
    (most.len() > LONGEST_LINE && !most.contains(&b'\n')).then(|| "the line is longer than 16 MiB".to_owned())
}

/// The lines in batches, each so small that it is stored whole or not at all; a longer line goes alone.
fn batches(mut rest: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let most = &rest.as_bytes()[..rest.len().min(BATCH)];
        let end = match most.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => end + 1,
            None => rest.find('\n').map_or(rest.len(), |end| end + 1),
        };
        let batch;
        (batch, rest) = rest.split_at(end);
        (!batch.is_empty()).then_some(batch)
    })
}

/// Whether one of the lines is a `turn/end`. Only lines that may be are parsed.
fn ends_a_turn(lines: &str) -> bool {
    let mut rest = lines;
    while let Some(found) = rest.find("/end\"") {
        let start = rest[..found].rfind('\n').map_or(0, |end| end + 1);
        let end = rest[found..].find('\n').map_or(rest.len(), |end| found + end);
        if kind_of(&rest[start..end]).is_some_and(|kind| kind == "turn/end") {
            return true;
        }
        rest = &rest[end..];
    }
    false
}
