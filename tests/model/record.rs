//! What is a record, and what is a header: `docs/format.md`.

use super::json;

const MAX_LINE: usize = 16 << 20;
const MAX_HEADER: usize = 64 << 10;
const MAX_DEPTH: usize = 128;
const MAX_NUMBER: u64 = (1 << 53) - 1;

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Record {
    pub kind: String,
    pub seq: u64,
    pub time: u64,
    pub data: String,
}

/// What of the first line matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Header {
    pub id: String,
    pub created_at: u64,
}

/// Why a line is no header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoHeader {
    /// It is one of another format version.
    Version(u64),
    /// It is none.
    Malformed,
}

/// Reads a line, without its LF, as a record.
pub fn record(line: &[u8]) -> Option<Record> {
    let line = object(line)?;
    Some(Record {
        kind: json::text(&once(&line, "type")?)?,
        seq: number(&once(&line, "seq")?)?,
        time: number(&once(&line, "time")?)?,
        data: once(&line, "data")?,
    })
}

/// Reads a line, without its LF, as a header.
pub fn header(line: &[u8]) -> Result<Header, NoHeader> {
    let version = || {
        let line = object(line).filter(|line| line.len() <= MAX_HEADER)?;
        let kind = json::text(&once(&line, "type")?)?;
        (kind == "session").then_some(())?;
        number(&once(&line, "version")?)
    };
    match version().ok_or(NoHeader::Malformed)? {
        0 => {}
        other => return Err(NoHeader::Version(other)),
    }
    let rest = || {
        let line = object(line)?;
        optional(&line, "cwd", json::text)?;
        optional(&line, "parentSession", json::text)?;
        optional(&line, "seedLength", number)?;
        Some(Header { id: json::text(&once(&line, "id")?)?, created_at: number(&once(&line, "createdAt")?)? })
    };
    rest().ok_or(NoHeader::Malformed)
}

/// The line as text, if it is a JSON object within the limits.
fn object(line: &[u8]) -> Option<String> {
    let text = String::from_utf8(line.to_vec()).ok()?;
    let fits = text.len() <= MAX_LINE && json::depth(&text) <= MAX_DEPTH;
    (fits && json::values(&text, "").is_some()).then_some(text)
}

/// The one member of that name.
fn once(object: &str, name: &str) -> Option<String> {
    let mut values = json::values(object, name)?;
    let value = values.pop()?;
    values.is_empty().then_some(value)
}

/// Succeeds if the member is not there, is `null`, or can be read.
fn optional<T>(object: &str, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<()> {
    match &json::values(object, name)?[..] {
        [] => Some(()),
        [null] if null == "null" => Some(()),
        [value] => read(value).map(drop),
        _ => None,
    }
}

fn number(value: &str) -> Option<u64> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| value.parse().ok()).flatten().filter(|number| *number <= MAX_NUMBER)
}
