//! A note of how far a log was sound, so that going on with a long log does not take reading it all.
//!
//! It only saves time. It is believed where the log begins and, at the note's end, ends with the bytes that the note
//! knew; anything else about it that is odd makes it no note.

use std::hash::{DefaultHasher, Hasher};

use super::{Index, Scope, Sound, Source, Span, conversation::Conversation, read_header};
use crate::line::MAX_NUMBER;
use crate::types::Error;

/// What a note begins with. Whoever writes another form begins it otherwise.
const MARK: &[u8] = b"session checkpoint 2\n";
/// How many bytes before the note's end must be as they were.
const TAIL: u64 = 4 << 10;

/// The note for a log; none while a record lacks its LF or tool calls wait, since both soon pass.
pub fn write<S: Source + ?Sized>(source: &S, sound: &Sound) -> Result<Option<Vec<u8>>, Error> {
    let Some(opened) = sound.scope.without_calls().filter(|_| !sound.unended) else { return Ok(None) };
    let mut fields = Fields(Vec::new());
    for number in [sound.body, sound.end, sound.events, sound.last_time] {
        fields.number(number);
    }
    for name in opened {
        fields.number(u64::from(name.is_some()));
        fields.text(name.unwrap_or_default());
    }
    let boundary = sound.boundary.unwrap_or(Span { offset: 0, length: 0 });
    fields.number(boundary.offset);
    fields.number(boundary.length);
    fields.pairs(sound.index.stride, &sound.index.places);
    fields.pairs(sound.conversation.gap, &sound.conversation.stretches);

    let mut note = MARK.to_vec();
    note.extend_from_slice(&hash(&[&fields.0]).to_le_bytes());
    note.extend_from_slice(&seal(source, sound.body, sound.end)?.to_le_bytes());
    note.append(&mut fields.0);
    Ok(Some(note))
}

/// What the note says of the log with so many bytes, if it may be believed.
pub fn read<S: Source + ?Sized>(
    note: &[u8],
    source: &S,
    length: u64,
    id: Option<&str>,
) -> Result<Option<Sound>, Error> {
    let Some((sealed, claims)) = unwrap(note).filter(|(_, claims)| claims.end <= length) else { return Ok(None) };
    // A header that can't be read is told by who reads the whole log.
    let Ok(Sound { header, body, .. }) = read_header(source, length, id) else { return Ok(None) };
    if body != claims.body || seal(source, body, claims.end)? != sealed {
        return Ok(None);
    }
    Ok(Some(Sound {
        header,
        end: claims.end,
        events: claims.events,
        last_time: claims.last_time,
        unended: false,
        scope: claims.scope,
        boundary: claims.boundary,
        index: claims.index,
        conversation: claims.conversation,
        body,
    }))
}

/// What a note says.
struct Claims {
    body: u64,
    end: u64,
    events: u64,
    last_time: u64,
    scope: Scope,
    boundary: Option<Span>,
    index: Index,
    conversation: Conversation,
}

/// The seal of a note that is whole, and what it says.
fn unwrap(note: &[u8]) -> Option<(u64, Claims)> {
    let note = note.strip_prefix(MARK)?;
    let (own, note) = note.split_first_chunk()?;
    let (sealed, fields) = note.split_first_chunk()?;
    if hash(&[fields]) != u64::from_le_bytes(*own) {
        return None;
    }
    let mut read = Read(fields);
    let [body, end, events, last_time] = read.numbers()?;
    let scope = Scope::at([read.opened()?, read.opened()?])?;
    let [offset, length] = read.numbers()?;
    let (stride, places) = read.pairs()?;
    let (gap, stretches) = read.pairs()?;

    let inside = |offset: u64| (body..end).contains(&offset);
    let sound = body <= end
        && events.max(last_time) <= MAX_NUMBER
        && (length == 0 || inside(offset) && length <= end - offset)
        && (stride > 0 && gap > 0 && read.0.is_empty())
        && places.iter().all(|(seq, offset)| *seq < events && inside(*offset))
        && places.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1)
        && stretches.iter().all(|(from, to)| from < to && inside(*from) && *to <= end)
        && stretches.is_sorted_by(|a, b| a.1 <= b.0);
    let claims = Claims {
        body,
        end,
        events,
        last_time,
        scope,
        boundary: (length > 0).then_some(Span { offset, length }),
        index: Index { places, stride },
        conversation: Conversation { stretches, gap },
    };
    sound.then_some((u64::from_le_bytes(*sealed), claims))
}

/// Says which log it is, up to there: its header, and what it ends with.
fn seal<S: Source + ?Sized>(source: &S, body: u64, end: u64) -> Result<u64, Error> {
    let header = source.read(0, u32::try_from(body).unwrap_or(u32::MAX))?;
    let tail = source.read(end.saturating_sub(TAIL), TAIL.min(end) as u32)?;
    Ok(hash(&[&header, &tail]))
}

/// Not against people who want to deceive: whoever can write notes can write logs.
fn hash(parts: &[&[u8]]) -> u64 {
    // A later standard library may hash otherwise; then notes written with this one are dropped.
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write_u64(part.len() as u64);
        hasher.write(part);
    }
    hasher.finish()
}

/// Numbers in as few bytes as they need, seven bits each, the lowest first.
struct Fields(Vec<u8>);

impl Fields {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// A number, and pairs each written as what it has more than the last.
    fn pairs(&mut self, number: u64, pairs: &[(u64, u64)]) {
        self.number(number);
        self.number(pairs.len() as u64);
        let mut last = (0, 0);
        for pair in pairs {
            self.number(pair.0 - last.0);
            self.number(pair.1 - last.1);
            last = *pair;
        }
    }
}

/// Reads what [`Fields`] wrote.
struct Read<'a>(&'a [u8]);

impl<'a> Read<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn numbers<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    /// What a turn or step is called, if one is open.
    fn opened(&mut self) -> Option<Option<&'a str>> {
        let [is_open] = self.numbers()?;
        let name = self.text()?;
        (is_open <= 1).then_some((is_open == 1).then_some(name))
    }

    fn pairs(&mut self) -> Option<(u64, Vec<(u64, u64)>)> {
        let [number, count] = self.numbers()?;
        // A pair has two bytes at least, so no count makes room for more than there is.
        let mut pairs = Vec::with_capacity(usize::try_from(count).ok()?.min(self.0.len() / 2));
        let mut last = (0u64, 0u64);
        for _ in 0..count {
            let [first, second] = self.numbers()?;
            last = (last.0.checked_add(first)?, last.1.checked_add(second)?);
            pairs.push(last);
        }
        Some((number, pairs))
    }
}
