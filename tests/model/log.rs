//! How far a log is sound, and what is wrong behind: `docs/format.md`.

use super::record::{Header, NoHeader, Record, header, record};

/// A log that has a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// Its first line.
    pub header: Header,
    /// Its sound events.
    pub events: Vec<Record>,
    /// Where its sound part ends.
    pub end: usize,
    /// What follows, if anything does.
    pub broken: Option<Broken>,
}

/// Damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// Of which kind.
    pub kind: Kind,
    /// The `seq` that should come.
    pub expected: u64,
    /// Where it begins.
    pub offset: usize,
    /// To the end of the log.
    pub length: usize,
    /// How many lines from there on are records.
    pub records: u64,
}

/// The kinds of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Torn,
    Malformed,
    Gap,
    Repeated,
}

/// Why these bytes are no log of that session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoLog {
    /// Its format version is another.
    Version(u64),
    /// It has no sound header.
    Broken(Broken),
}

/// Reads the whole log of a session.
pub fn read(bytes: &[u8], id: &str) -> Result<Log, NoLog> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let broken = |kind, expected: usize, place: usize| {
        let offset = lines[..place].iter().map(|line| line.len()).sum();
        let records = lines[place..].iter().filter(|line| holds_a_record(line)).count() as u64;
        let kind = if records == 0 { Kind::Torn } else { kind };
        Broken { kind, expected: expected as u64, offset, length: bytes.len() - offset, records }
    };

    let first = lines.first().copied().unwrap_or_default();
    let header = match header(without_lf(first)) {
        Ok(header) if header.id == id && first.ends_with(b"\n") => header,
        Err(NoHeader::Version(version)) => return Err(NoLog::Version(version)),
        _ => return Err(NoLog::Broken(broken(Kind::Malformed, 0, 0))),
    };

    let mut events = Vec::new();
    let mut end = first.len();
    for (place, line) in lines.iter().enumerate().skip(1) {
        let next = events.len();
        let kind = match record(without_lf(line)) {
            Some(record) if record.seq == next as u64 => {
                events.push(record);
                end += line.len();
                continue;
            }
            Some(record) if record.seq > next as u64 => Kind::Gap,
            Some(_) => Kind::Repeated,
            None => Kind::Malformed,
        };
        return Ok(Log { header, events, end, broken: Some(broken(kind, next, place)) });
    }
    Ok(Log { header, events, end, broken: None })
}

/// Whether the line is a record, behind whatever NUL bytes a loss of power has left before it.
fn holds_a_record(line: &[u8]) -> bool {
    let nul = line.iter().take_while(|byte| **byte == 0).count();
    record(without_lf(&line[nul..])).is_some()
}

fn without_lf(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}
