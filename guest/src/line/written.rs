//! Records as this component writes them, read in one pass.

use std::borrow::Cow;

use super::{MAX_DATA_DEPTH, MAX_LINE, MAX_NUMBER, Record};
use crate::json::{Marks, Scan};

/// The record that the line is, if its members are in order and without white space. None says nothing of it.
#[inline(always)]
pub(super) fn read(line: &[u8]) -> Option<Record<'_>> {
    if line.len() > MAX_LINE {
        return None;
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut marks = Marks::new();
    let mut scan = Scan::new(line, 0, &mut marks);
    let (kind, seq, time) = envelope(&mut scan)?;
    let start = scan.at();
    scan.value(MAX_DATA_DEPTH)?;
    let data = scan.passed(start)?;
    let ends = line.get(scan.at()..)? == b"}" && !data.starts_with(' ');
    ends.then_some(Record { seq, time, kind: Cow::Borrowed(kind), data })
}

/// The same for who reads the data next and finds out whether it is sound: only what stands around it is looked at.
pub(super) fn read_around(line: &[u8]) -> Option<Record<'_>> {
    let mut marks = Marks::new();
    let mut scan = Scan::new(line, 0, &mut marks);
    let (kind, seq, time) = envelope(&mut scan)?;
    let data = std::str::from_utf8(line.get(scan.at()..)?.strip_suffix(b"}")?).ok()?;
    Some(Record { seq, time, kind: Cow::Borrowed(kind), data })
}

/// The type, `seq` and `time` of a record, up to its data.
#[inline(always)]
fn envelope<'a>(scan: &mut Scan<'a, '_>) -> Option<(&'a str, u64, u64)> {
    scan.word(b"{\"type\":")?;
    let kind = scan.plain_string()?;
    scan.word(b",\"seq\":")?;
    let seq = scan.whole_number()?;
    scan.word(b",\"time\":")?;
    let time = scan.whole_number()?;
    scan.word(b",\"data\":")?;
    (seq <= MAX_NUMBER && time <= MAX_NUMBER).then_some((kind, seq, time))
}
