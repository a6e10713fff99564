//! One line of a log: the header or a record, read in any order of members and written in one.

mod written;

use std::borrow::Cow;

use crate::json;
use crate::types::{Event, SessionHeader};

/// The on-disk format that is read and written.
pub const FORMAT_VERSION: u32 = 0;
/// The largest `seq`, `time` and other whole number: what every host's numbers hold exactly.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;
/// The longest line, its LF not counted.
pub const MAX_LINE: usize = 16 << 20;
/// The longest header line: a page of a list holds many.
pub const MAX_HEADER: usize = 64 << 10;
/// Why an event is rejected whose line would be longer.
pub const TOO_LONG: &str = "the event is longer than the 16 MiB that a line may have";
/// How deep a line may nest. The record itself is the first level.
pub const MAX_DEPTH: u32 = 128;
/// How deep an event's data may nest.
pub const MAX_DATA_DEPTH: u32 = MAX_DEPTH - 1;
/// The type that marks the header line; no event may have it.
pub const HEADER_TYPE: &str = "session";

/// Why a line is not what it should be, as the end of a sentence: «has no `seq`».
pub type Reason = Cow<'static, str>;

/// An event as it lies in its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its position.
    pub seq: u64,
    /// When it was written.
    pub time: u64,
    /// Its type.
    pub kind: Cow<'a, str>,
    /// Its data, as written.
    pub data: &'a str,
}

impl Record<'_> {
    /// The event, in memory of its own.
    pub fn to_event(&self) -> Event {
        Event { seq: self.seq, time: self.time, type_: self.kind.to_string(), data: self.data.to_string() }
    }
}

impl<'a> From<&'a Event> for Record<'a> {
    fn from(event: &'a Event) -> Self {
        Self { seq: event.seq, time: event.time, kind: Cow::Borrowed(&event.type_), data: &event.data }
    }
}

/// Reads a line, without its LF, as a record.
pub fn decode_record(line: &[u8]) -> Result<Record<'_>, Reason> {
    written::read(line).map_or_else(|| decode_any_record(line), Ok)
}

/// What a line looks like without a look at its data: a record, if that turns out to be sound. None, and data that is not, says
/// nothing of it.
pub fn glance(line: &[u8]) -> Option<Record<'_>> {
    written::read_around(line)
}

/// Reads a record whose members are in any order.
#[cold]
fn decode_any_record(line: &[u8]) -> Result<Record<'_>, Reason> {
    let text = text_of(line)?;
    let [mut kind, mut seq, mut time, mut data] =
        [Member::new("type"), Member::new("seq"), Member::new("time"), Member::new("data")];
    read_members(text, [&mut kind, &mut seq, &mut time, &mut data])?;
    Ok(Record { seq: seq.whole_number()?, time: time.whole_number()?, kind: kind.text()?, data: data.value()? })
}

/// The type of a line that stands first and without escapes, as this component writes it; none if it has to be looked for.
pub fn written_type(line: &[u8]) -> Option<&str> {
    let rest = line.strip_prefix(b"{\"type\":\"")?;
    let end = rest.iter().take(80).position(|byte| *byte == b'"' || *byte == b'\\')?;
    if rest[end] == b'\\' {
        return None;
    }
    std::str::from_utf8(&rest[..end]).ok()
}

/// Why a log's first line is no header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoHeader {
    /// It is one, of another format version.
    Version(u64),
    /// It is none.
    Malformed(Reason),
}

impl From<Reason> for NoHeader {
    fn from(reason: Reason) -> Self {
        Self::Malformed(reason)
    }
}

/// Reads a line, without its LF, as a header. The version is judged before the rest.
pub fn decode_header(line: &[u8]) -> Result<SessionHeader, NoHeader> {
    if line.starts_with(b"\xef\xbb\xbf") {
        return Err(Reason::from("begins with a byte-order mark (EF BB BF)").into());
    }
    if line.len() > MAX_HEADER {
        return Err(Reason::from("is longer than the 64 KiB that a header may have").into());
    }
    let text = text_of(line)?;
    let [mut kind, mut version, mut id] = [Member::new("type"), Member::new("version"), Member::new("id")];
    let [mut created_at, mut seed_length] = [Member::new("createdAt"), Member::new("seedLength")];
    let [mut cwd, mut parent] = [Member::new("cwd"), Member::new("parentSession")];
    let members = [&mut kind, &mut version, &mut id, &mut created_at, &mut cwd, &mut parent, &mut seed_length];
    read_members(text, members)?;
    if kind.text()? != HEADER_TYPE {
        return Err(Reason::from("is no header: its `type` is not \"session\"").into());
    }
    match version.whole_number()? {
        0 => {}
        other => return Err(NoHeader::Version(other)),
    }
    Ok(SessionHeader {
        version: FORMAT_VERSION,
        id: id.text()?.into_owned(),
        created_at: created_at.whole_number()?,
        cwd: cwd.optional(Member::text)?.map(Cow::into_owned),
        parent_session: parent.optional(Member::text)?.map(Cow::into_owned),
        seed_length: seed_length.optional(Member::whole_number)?,
    })
}

/// Appends the record as a line, LF included.
pub fn encode_record(out: &mut String, record: &Record<'_>) {
    open_record(out, &record.kind, record.seq, record.time);
    out.push_str(record.data);
    out.push_str(RECORD_END);
}

/// Begins a record's line; its data and [`RECORD_END`] follow.
pub fn open_record(out: &mut String, kind: &str, seq: u64, time: u64) {
    out.push_str("{\"type\":");
    json::write_string(out, kind);
    push_number(out, ",\"seq\":", seq);
    push_number(out, ",\"time\":", time);
    out.push_str(",\"data\":");
}

/// What ends a record's line, LF included.
pub const RECORD_END: &str = "}\n";

/// The header as a line, LF included.
pub fn encode_header(header: &SessionHeader) -> String {
    let mut out = format!("{{\"type\":\"{HEADER_TYPE}\",\"version\":{FORMAT_VERSION},\"id\":");
    json::write_string(&mut out, &header.id);
    push_number(&mut out, ",\"createdAt\":", header.created_at);
    for (key, value) in [(",\"cwd\":", &header.cwd), (",\"parentSession\":", &header.parent_session)] {
        if let Some(value) = value {
            out.push_str(key);
            json::write_string(&mut out, value);
        }
    }
    if let Some(length) = header.seed_length {
        push_number(&mut out, ",\"seedLength\":", length);
    }
    out.push_str("}\n");
    out
}

/// Appends an event as a line, or says why it can't be stored and appends nothing.
pub fn write_event(out: &mut String, event: &Event) -> Result<(), Reason> {
    if event.type_ == HEADER_TYPE {
        return Err(Reason::from("the type \"session\" is the header's"));
    }
    if event.time > MAX_NUMBER || event.seq > MAX_NUMBER {
        return Err(Reason::from("`seq` and `time` end at 2^53 - 1"));
    }
    if !json::is_surely_sound(&event.data, MAX_DATA_DEPTH) {
        check_data(&event.data)?;
    }
    let start = out.len();
    encode_record(out, &Record::from(event));
    if out.len() - start - 1 > MAX_LINE {
        out.truncate(start);
        return Err(Reason::from(TOO_LONG));
    }
    Ok(())
}

fn check_data(data: &str) -> Result<(), Reason> {
    if data.contains(['\n', '\r']) {
        return Err(Reason::from("the event's `data` holds a raw line break; JSON on one line has none"));
    }
    json::check(data, MAX_DATA_DEPTH).map_err(|fault| Reason::from(format!("the event's `data` {fault}")))
}

fn push_number(out: &mut String, key: &str, number: u64) {
    use std::fmt::Write;
    out.push_str(key);
    // Writing to a string does not fail.
    let _ = write!(out, "{number}");
}

fn text_of(line: &[u8]) -> Result<&str, Reason> {
    if line.len() > MAX_LINE {
        return Err(Reason::from("is longer than 16 MiB"));
    }
    std::str::from_utf8(line).map_err(|fault| Reason::from(format!("is no UTF-8 at its byte {}", fault.valid_up_to())))
}

/// One member that is looked for, and what was found.
struct Member<'a> {
    name: &'static str,
    value: Option<&'a str>,
    doubled: bool,
}

impl<'a> Member<'a> {
    fn new(name: &'static str) -> Self {
        Self { name, value: None, doubled: false }
    }

    fn value(&self) -> Result<&'a str, Reason> {
        if self.doubled {
            return Err(Reason::from(format!("has `{}` twice", self.name)));
        }
        self.value.ok_or_else(|| Reason::from(format!("has no `{}`", self.name)))
    }

    fn whole_number(&self) -> Result<u64, Reason> {
        let no_number = || Reason::from(format!("has a `{}` that is no whole number up to 2^53 - 1", self.name));
        json::whole_number(self.value()?).ok_or_else(no_number)
    }

    fn text(&self) -> Result<Cow<'a, str>, Reason> {
        json::text(self.value()?).ok_or_else(|| Reason::from(format!("has a `{}` that is no text", self.name)))
    }

    fn optional<T>(&self, read: impl Fn(&Self) -> Result<T, Reason>) -> Result<Option<T>, Reason> {
        if self.value.is_none_or(|value| value == "null") && !self.doubled { Ok(None) } else { read(self).map(Some) }
    }
}

fn read_members<'a, const N: usize>(text: &'a str, mut wanted: [&mut Member<'a>; N]) -> Result<(), Reason> {
    let object = json::members(text, MAX_DEPTH, |key, value| {
        if let Some(member) = wanted.iter_mut().find(|member| key.is(member.name)) {
            member.doubled |= member.value.replace(value).is_some();
        }
    });
    match object {
        Ok(true) => Ok(()),
        Ok(false) => Err(Reason::from("is no JSON object")),
        Err(fault) => Err(Reason::from(fault.to_string())),
    }
}

#[cfg(test)]
mod tests;
