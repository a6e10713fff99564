//! Appending: every event is checked first, then all go in one write, then what is known goes on by them.

use std::borrow::Cow;

use super::{Host, Open, Store, Stored, of_storage, words};
use crate::bindings::agent::session::storage::{Part, StorageError};
use crate::block;
use crate::line::{self, HEADER_TYPE, MAX_NUMBER, Record};
use crate::log::Sound;
use crate::types::{Error, Event, RejectedEvent, SequenceConflict};

impl<H: Host> Store<H> {
    /// Appends events that carry their own `seq`. All or none.
    pub fn append(&mut self, id: &str, events: &[Event]) -> Result<(), Error> {
        let first = self.next_seq(id)?;
        let mut lines = String::with_capacity(events.iter().map(room).sum());
        let mut lengths = Vec::with_capacity(events.len());
        for (index, (event, expected)) in (0u32..).zip(events.iter().zip(first..)) {
            check_seq(expected, event.seq)?;
            let start = lines.len();
            line::write_event(&mut lines, event).map_err(|reason| rejected(index, reason))?;
            lengths.push(lines.len() - start);
        }
        self.write(id, &lines, events.iter().map(Record::from).zip(lengths))
    }

    /// Appends events as JSON lines, kept byte for byte. All or none. Answers the log's new length in events.
    pub fn append_lines(&mut self, id: &str, mut lines: String) -> Result<u64, Error> {
        let first = self.next_seq(id)?;
        if !lines.is_empty() && !lines.ends_with('\n') {
            lines.push('\n');
        }
        let mut records = Vec::new();
        let mut rest = lines.as_str();
        for (index, expected) in (0u32..).zip(first..) {
            let Some(end) = block::find(b'\n', rest.as_bytes()) else { break };
            let record = line::decode_record(&rest.as_bytes()[..end])
                .map_err(|reason| rejected(index, format!("the line {reason}")))?;
            if record.kind == HEADER_TYPE {
                return Err(rejected(index, "the type \"session\" is the header's"));
            }
            check_seq(expected, record.seq)?;
            records.push((record, end + 1));
            rest = &rest[end + 1..];
        }
        let length = first + records.len() as u64;
        self.write(id, &lines, records)?;
        Ok(length)
    }

    /// Appends one event and gives it its `seq` and `time`.
    pub fn emit(&mut self, id: &str, kind: String, data: String) -> Result<u64, Error> {
        let seq = self.next_seq(id)?;
        let event = Event { seq, time: self.now(), type_: kind, data };
        let mut line = String::with_capacity(room(&event));
        line::write_event(&mut line, &event).map_err(|reason| rejected(0, reason))?;
        self.write(id, &line, [(Record::from(&event), line.len())])?;
        Ok(seq)
    }

    /// Returns once everything appended so far is durable; a session without events becomes durable too.
    pub fn flush(&mut self, id: &str) -> Result<(), Error> {
        if self.pending.contains_key(id) {
            return self.write(id, "", []);
        }
        self.claim(id)?;
        self.sync(id).map_err(|error| of_storage(id, error))
    }

    fn sync(&mut self, id: &str) -> Result<(), StorageError> {
        let synced = self.host.sync(id);
        if let Some(open) = self.held.get_mut(id) {
            match &synced {
                Ok(()) => open.note(&Stored { host: &self.host, id }),
                Err(error) => open.doubt(error),
            }
        }
        synced
    }

    /// Records a `session/boundary`, makes all durable, and lets the session go.
    pub fn hand_off(&mut self, id: &str, data: String) -> Result<u64, Error> {
        let seq = self.emit(id, "session/boundary".into(), data)?;
        self.sync(id).map_err(|error| {
            Error::OutcomeUnknown(format!(
                "the boundary is recorded as seq {seq}, but may not be durable: {}",
                words(&error)
            ))
        })?;
        self.release(id)?;
        Ok(seq)
    }

    /// The `seq` of the next event of a session that is pending or can be claimed.
    pub(super) fn next_seq(&mut self, id: &str) -> Result<u64, Error> {
        if self.pending.contains_key(id) { Ok(0) } else { Ok(self.claim(id)?.sound.events) }
    }

    /// Stores lines that are sound and next, and goes on by their records, each with its line's length. A pending session comes
    /// into being with them.
    pub(super) fn write<'a>(
        &mut self,
        id: &str,
        lines: &str,
        records: impl IntoIterator<Item = (Record<'a>, usize)>,
    ) -> Result<(), Error> {
        if let Some(header) = self.pending.get(id) {
            let header_line = line::encode_header(header);
            let mut sound = Sound::new(header.clone(), header_line.len() as u64);
            let parts = [Part::Content(header_line.into_bytes()), Part::Content(lines.as_bytes().to_vec())];
            let info = self.host.publish(id, &parts).map_err(|error| of_storage(id, error))?;
            for (record, length) in records {
                sound.apply(&record, length as u64, true);
            }
            self.forget(id);
            self.held.insert(id.into(), Open::published(sound, info));
            return Ok(());
        }
        let Some(open) = self.held.get_mut(id) else { return Err(Error::NotFound(id.into())) };
        open.write(&self.host, id, lines, records)
    }
}

impl Open {
    /// Adds lines that are sound and next to a log that is held.
    pub(super) fn write<'a, H: Host>(
        &mut self,
        host: &H,
        id: &str,
        lines: &str,
        records: impl IntoIterator<Item = (Record<'a>, usize)>,
    ) -> Result<(), Error> {
        if lines.is_empty() {
            return Ok(());
        }
        // The last record's own LF may be missing; it goes in the same write.
        let missing = if self.sound.unended { "\n" } else { "" };
        let content = if self.sound.unended { Cow::Owned(missing.to_string() + lines) } else { Cow::Borrowed(lines) };
        host.append(id, self.sound.end, content.as_bytes())
            .inspect_err(|error| self.doubt(error))
            .map_err(|error| of_storage(id, error))?;
        let mut rest = lines.as_bytes();
        let projected = self.is_projected();
        self.sound.end += missing.len() as u64;
        for (record, length) in records {
            self.sound.apply(&record, length as u64, true);
            if let Some((line, behind)) = rest.split_at_checked(length).filter(|_| projected) {
                self.project_appended(line);
                rest = behind;
            }
        }
        self.ends_sound();
        Ok(())
    }
}

/// About how long an event's line is. A batch may fill a third of the memory: its lines must not be moved to grow.
fn room(event: &Event) -> usize {
    event.type_.len() + event.data.len() + 96
}

fn check_seq(expected: u64, actual: u64) -> Result<(), Error> {
    if actual == expected && actual <= MAX_NUMBER {
        Ok(())
    } else {
        Err(Error::Sequence(SequenceConflict { expected, actual }))
    }
}

pub(super) fn rejected(index: u32, reason: impl Into<String>) -> Error {
    Error::Rejected(RejectedEvent { index, reason: reason.into() })
}
