//! How far a log is sound, carried along as it grows: the state behind appending, waking and slicing.

use crate::line::{self, NoHeader, Record};
use crate::log::{Conversation, Index, Line, Lines, Scope, Source, matters};
use crate::types::{Damage, DamageKind, Error, Event, Recovery, SessionHeader};

/// A line's place in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has, its LF included.
    pub length: u64,
}

/// The sound part of a log. Its size does not depend on the log's.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    /// The first line.
    pub header: SessionHeader,
    /// Where the sound part ends, in bytes.
    pub end: u64,
    /// How many events it has; so also the next `seq`.
    pub events: u64,
    /// The time of the last event, or of the header.
    pub last_time: u64,
    /// The last record lacks its LF.
    pub unended: bool,
    /// What is open at its end.
    pub scope: Scope,
    /// The last `session/boundary`.
    pub boundary: Option<Span>,
    /// Where its events stand.
    pub index: Index,
    /// Where those of its events lie that messages are made of.
    pub conversation: Conversation,
    /// Where the first event begins.
    pub body: u64,
}

impl Sound {
    /// The sound part of a log that has a header and no event yet.
    pub fn new(header: SessionHeader, body: u64) -> Self {
        let last_time = header.created_at;
        Self {
            header,
            end: body,
            events: 0,
            last_time,
            unended: false,
            scope: Scope::default(),
            boundary: None,
            index: Index::default(),
            conversation: Conversation::default(),
            body,
        }
    }

    /// Goes on by one record, of which it is known that it is the next and where it lies.
    pub fn apply(&mut self, record: &Record<'_>, length: u64, ended: bool) {
        self.index.note(record.seq, self.end);
        if record.kind == "session/boundary" {
            self.boundary = Some(Span { offset: self.end, length });
        }
        if matters(&record.kind) {
            self.conversation.note(self.end, self.end + length);
        }
        self.scope.apply(record);
        self.end += length;
        self.events += 1;
        self.last_time = record.time;
        self.unended = !ended;
    }

    /// Reads on from where the sound part ended to `length`, and says where the log breaks, if it does.
    pub fn extend<S: Source + ?Sized>(&mut self, source: &S, length: u64) -> Result<Option<Damage>, Error> {
        if self.unended && self.end < length {
            // The last record had no LF. If that is what comes next, it has one now; otherwise its line goes on.
            if source.read(self.end, 1)? == b"\n" {
                self.end += 1;
                self.unended = false;
            } else {
                *self = Self::new(self.header.clone(), self.body);
            }
        }
        self.extend_while(source, length, |_| true)
    }

    /// The same, but stops before the first record that is not wanted.
    pub fn extend_while<S: Source + ?Sized>(
        &mut self,
        source: &S,
        length: u64,
        wanted: impl FnMut(&Record<'_>) -> bool,
    ) -> Result<Option<Damage>, Error> {
        self.follow(Lines::new(source, self.end, length), length, wanted)
    }

    fn follow<S: Source + ?Sized>(
        &mut self,
        mut lines: Lines<'_, S>,
        length: u64,
        mut wanted: impl FnMut(&Record<'_>) -> bool,
    ) -> Result<Option<Damage>, Error> {
        while let Some(line) = lines.next()? {
            match line.record() {
                Ok(record) if record.seq == self.events => {
                    if !wanted(&record) {
                        break;
                    }
                    self.apply(&record, line.length, line.ended);
                }
                other => {
                    let (kind, detail) = judge(&line, &other, self.events);
                    let own = u64::from(line.held_record().is_ok());
                    let records = own + count_records(lines)?;
                    let kind = if records == 0 { DamageKind::Torn } else { kind };
                    let (expected, offset) = (self.events, self.end);
                    return Ok(Some(Damage { kind, expected, offset, length: length - offset, records, detail }));
                }
            }
        }
        Ok(None)
    }

    /// The events that close the open turn; none if no turn is open.
    pub fn closers(&self) -> Result<Vec<Event>, Error> {
        self.scope.closers(self.events, self.last_time)
    }

    /// What waking would find and do. A turn that is too large to be closed hides no damage: here it has no closers, and
    /// `wake` refuses.
    pub fn recovery(&self, damage: Option<Damage>) -> Recovery {
        Recovery { damage, kept_at: None, closers: self.closers().unwrap_or_default() }
    }

    /// An event at or not far before `seq`, and where its line begins.
    pub fn place_before(&self, seq: u64) -> (u64, u64) {
        self.index.before(seq).unwrap_or((0, self.body))
    }
}

fn count_records<S: Source + ?Sized>(mut lines: Lines<'_, S>) -> Result<u64, Error> {
    let mut records = 0;
    while let Some(line) = lines.next()? {
        records += u64::from(line.held_record().is_ok());
    }
    Ok(records)
}

fn judge(line: &Line<'_>, read: &Result<Record<'_>, line::Reason>, expected: u64) -> (DamageKind, String) {
    match read {
        Ok(record) if record.seq > expected => {
            (DamageKind::Gap, format!("the record there has seq {}, but the next is {expected}", record.seq))
        }
        Ok(record) => {
            (DamageKind::Repeated, format!("the record there has seq {} again; the next is {expected}", record.seq))
        }
        Err(reason) => (DamageKind::Malformed, format!("the line there {reason}; it reads {}", excerpt(line.bytes))),
    }
}

/// The first bytes of a line, so that they can be shown.
fn excerpt(line: &[u8]) -> String {
    const SHOWN: usize = 60;
    let shown = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    let more = if line.len() > SHOWN { "…" } else { "" };
    format!("\"{}{more}\"", shown.escape_debug())
}

/// Reads a whole log: its sound part, and where it breaks, if it does.
pub fn read<S: Source + ?Sized>(source: &S, length: u64, id: Option<&str>) -> Result<(Sound, Option<Damage>), Error> {
    let mut lines = header_lines(source, length);
    match header(lines.next()?, length, id) {
        Ok(mut sound) => sound.follow(lines.up_to(length), length, |_| true).map(|damage| (sound, damage)),
        // Without its header nothing of a log is sound, but what stands behind is counted all the same.
        Err(Error::Corrupt(damage)) => {
            let records = count_records(Lines::new(source, 0, length))?;
            let kind = if records == 0 { DamageKind::Torn } else { damage.kind };
            Err(Error::Corrupt(Damage { kind, records, ..damage }))
        }
        Err(other) => Err(other),
    }
}

/// Reads a log's first line alone, and checks that it belongs to the session `id`, if that is known. On a log without a
/// header, what stands behind is not counted.
pub fn read_header<S: Source + ?Sized>(source: &S, length: u64, id: Option<&str>) -> Result<Sound, Error> {
    header(header_lines(source, length).by_windows_from(HEADER_WINDOW).next()?, length, id)
}

/// How many bytes are read first where nothing but the header is wanted: most are shorter.
const HEADER_WINDOW: u32 = 1 << 10;

/// The first line. A header is short: bytes past its longest tell that it is none.
fn header_lines<S: Source + ?Sized>(source: &S, length: u64) -> Lines<'_, S> {
    Lines::new(source, 0, length.min(line::MAX_HEADER as u64 + 2))
}

/// The log that begins with this line.
fn header(first: Option<Line<'_>>, length: u64, id: Option<&str>) -> Result<Sound, Error> {
    let whole = first.as_ref().is_some_and(|line| line.ended);
    let header = match &first {
        None => Err(NoHeader::Malformed("is missing: the log is empty".into())),
        Some(line) if line.nul => Err(NoHeader::Malformed("begins with NUL bytes".into())),
        Some(line) => match line::decode_header(line.bytes) {
            Ok(_) if !whole => Err(NoHeader::Malformed("has no LF: it was not written whole".into())),
            other => other,
        },
    };
    let reason = match header {
        Ok(header) if id.is_none_or(|id| id == header.id) => {
            return Ok(Sound::new(header, first.map_or(0, |line| line.length)));
        }
        Ok(header) => {
            format!("the log is kept as session {:?}, but its header names {:?}", id.unwrap_or_default(), header.id)
        }
        Err(NoHeader::Version(version)) => return Err(Error::UnsupportedVersion(version)),
        Err(NoHeader::Malformed(reason)) => {
            let shown = first.map_or_else(String::new, |line| format!("; it reads {}", excerpt(line.bytes)));
            format!("the header line {reason}{shown}")
        }
    };
    Err(Error::Corrupt(Damage {
        kind: DamageKind::Malformed,
        expected: 0,
        offset: 0,
        length,
        records: 0,
        detail: reason,
    }))
}
