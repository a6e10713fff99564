//! JSON read where it lies: values are checked and cut out as they are written, never turned into numbers or maps.
//!
//! Nothing here calls itself, so no nesting can use up the stack.

mod marks;
mod scan;

use std::borrow::Cow;
use std::fmt;

pub(crate) use marks::Marks;
pub(crate) use scan::Scan;

use crate::block;

/// Why a text is no JSON that a record may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The text breaks off or goes wrong at this byte.
    Syntax(usize),
    /// Arrays and objects nest deeper than was allowed.
    Depth,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(at) => write!(f, "is no JSON at its byte {at}"),
            Self::Depth => write!(f, "is nested deeper than the {DEEPEST} levels that a line may have"),
        }
    }
}

/// What reading answers.
pub type Result<T> = std::result::Result<T, Fault>;

/// The deepest nesting that any caller may allow: one bit a level is kept of what is open.
pub const DEEPEST: u32 = 128;

/// Checks that the text is one JSON value that nests at most `depth` deep, with nothing but white space around it.
pub fn check(text: &str, depth: u32) -> Result<()> {
    let mut reader = Reader::new(text, depth);
    reader.value()?;
    reader.end()
}

/// Whether the text is surely such a value, and on one line. If not, [`check`] knows.
pub fn is_surely_sound(text: &str, depth: u32) -> bool {
    let mut marks = Marks::new();
    let mut scan = Scan::new(text.as_bytes(), 0, &mut marks);
    scan.value(depth.min(DEEPEST)).is_some() && scan.at() == text.len()
}

/// Calls `each` with the key and the value of every member of the object that the text is, in order.
/// Answers false, and calls nothing, if the text is another kind of value. The whole text is checked.
pub fn members<'a>(text: &'a str, depth: u32, mut each: impl FnMut(Key<'a>, &'a str)) -> Result<bool> {
    let mut reader = Reader::new(text, depth);
    let is_object = reader.members(|reader, key| {
        each(key, reader.value()?);
        Ok(())
    })?;
    if !is_object {
        reader.value()?;
    }
    reader.end().map(|()| is_object)
}

/// Calls `each` with every element of the array that the text is. Answers false, and calls nothing, if it is none.
pub fn elements<'a>(text: &'a str, depth: u32, mut each: impl FnMut(&'a str)) -> Result<bool> {
    let mut reader = Reader::new(text, depth);
    let is_array = reader.elements(|reader| {
        each(reader.value()?);
        Ok(())
    })?;
    if !is_array {
        reader.value()?;
    }
    reader.end().map(|()| is_array)
}

/// The last member of that name, as it is written; none if the text is no object or has no such member.
pub fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let [found] = named(text, [name]);
    found
}

/// The last member of each of these names, all found in one pass.
pub fn named<'a, const N: usize>(text: &'a str, names: [&str; N]) -> [Option<&'a str>; N] {
    let mut found = [None; N];
    let read = members(text, DEEPEST, |key, value| {
        if let Some(place) = names.iter().position(|name| key.is(name)) {
            found[place] = Some(value);
        }
    });
    if read.is_ok() { found } else { [None; N] }
}

/// The key of a member, as it is written between its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key<'a>(&'a str);

impl<'a> Key<'a> {
    /// What it means; none if that is no text.
    pub fn name(&self) -> Option<Cow<'a, str>> {
        if !self.0.contains('\\') {
            return Some(Cow::Borrowed(self.0));
        }
        String::from_utf8(unescape(self.0)).ok().map(Cow::Owned)
    }

    /// Whether this key means that name, however it is escaped.
    pub fn is(&self, name: &str) -> bool {
        self.0 == name || (self.0.bytes().any(|byte| byte == b'\\') && *unescape(self.0) == *name.as_bytes())
    }
}

/// Whether the value is a string.
pub fn is_string(value: &str) -> bool {
    value.starts_with('"')
}

/// Whether the value is a number.
pub fn is_number(value: &str) -> bool {
    value.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// What a JSON string means, as bytes that are equal where the meaning is; none if the value is no string.
pub fn meaning(value: &str) -> Option<Vec<u8>> {
    string_body(value).map(unescape)
}

fn string_body(value: &str) -> Option<&str> {
    value.strip_prefix('"')?.strip_suffix('"')
}

/// The text that a JSON string means; none if the value is no string, or means no text: half a surrogate pair.
pub fn text(value: &str) -> Option<Cow<'_, str>> {
    Key(string_body(value)?).name()
}

/// A whole number up to 2^53 - 1, written in digits alone.
pub fn whole_number(value: &str) -> Option<u64> {
    let plain = !value.is_empty() && value.len() <= 16 && value.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| value.parse().ok()).flatten().filter(|number| *number <= crate::line::MAX_NUMBER)
}

/// Appends the text as a JSON string, quotes included.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            other => out.push_str(&format!("\\u{other:04x}")),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

/// What a checked string body means, as WTF-8: UTF-8, in which half a surrogate pair is coded like any other character.
/// So two strings mean the same exactly if these bytes are equal.
fn unescape(body: &str) -> Vec<u8> {
    let bytes = body.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let plain = block::find(b'\\', &bytes[at..]).unwrap_or(bytes.len() - at);
        out.extend_from_slice(&bytes[at..at + plain]);
        at += plain;
        if at == bytes.len() {
            break;
        }
        let escape = bytes.get(at + 1).copied().unwrap_or(b'\\');
        at += 2;
        match escape {
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => {
                let mut unit = code_unit(bytes, at);
                at += 4;
                let paired = (0xd800..0xdc00).contains(&unit) && bytes[at.min(bytes.len())..].starts_with(b"\\u");
                if paired && (0xdc00..0xe000).contains(&code_unit(bytes, at + 2)) {
                    unit = 0x10000 + ((unit - 0xd800) << 10) + (code_unit(bytes, at + 2) - 0xdc00);
                    at += 6;
                }
                push_code_point(&mut out, unit);
            }
            plain => out.push(plain),
        }
    }
    out
}

fn code_unit(bytes: &[u8], at: usize) -> u32 {
    let digits = bytes.get(at..at + 4).unwrap_or_default();
    digits.iter().fold(0, |unit, digit| unit << 4 | char::from(*digit).to_digit(16).unwrap_or_default())
}

fn push_code_point(out: &mut Vec<u8>, point: u32) {
    match char::from_u32(point) {
        Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        // Half a surrogate pair: always three bytes.
        None => out.extend_from_slice(&[
            0xe0 | (point >> 12) as u8,
            0x80 | (point >> 6 & 0x3f) as u8,
            0x80 | (point & 0x3f) as u8,
        ]),
    }
}

/// A place in a text that is read once, from front to back.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    marks: Marks,
}

impl<'a> Reader<'a> {
    /// At the beginning of a text whose value may nest `depth` deep.
    pub fn new(text: &'a str, depth: u32) -> Self {
        Self { text, at: 0, depth: depth.min(DEEPEST), marks: Marks::new() }
    }

    /// What `read` reads, as it is written.
    pub fn text_of(&mut self, read: impl FnOnce(&mut Self) -> Result<()>) -> Result<&'a str> {
        self.space();
        let start = self.at;
        read(self)?;
        Ok(&self.text[start..self.at])
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault<T>(&self) -> Result<T> {
        Err(Fault::Syntax(self.at))
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, byte: u8) -> Result<()> {
        if self.eat(byte) { Ok(()) } else { self.fault() }
    }

    /// Nothing but white space comes.
    pub fn end(&mut self) -> Result<()> {
        self.space();
        if self.at == self.text.len() { Ok(()) } else { self.fault() }
    }

    /// Goes into the array or object that begins here, and past the white space behind its bracket.
    fn open(&mut self) -> Result<()> {
        if self.depth == 0 {
            return Err(Fault::Depth);
        }
        self.depth -= 1;
        self.at += 1;
        self.space();
        Ok(())
    }

    /// Goes through the object that begins here: `each` is called behind every key, and reads the value. Answers false, and
    /// stays before it, if here is another value.
    pub fn members(&mut self, mut each: impl FnMut(&mut Self, Key<'a>) -> Result<()>) -> Result<bool> {
        self.space();
        if self.peek() != Some(b'{') {
            return Ok(false);
        }
        self.open()?;
        if !self.eat(b'}') {
            loop {
                self.space();
                let key = self.string()?;
                self.space();
                self.expect(b':')?;
                each(self, Key(key))?;
                self.space();
                if self.eat(b'}') {
                    break;
                }
                self.expect(b',')?;
            }
        }
        self.depth += 1;
        Ok(true)
    }

    /// The same for an array: `each` is called before every element, and reads it.
    pub fn elements(&mut self, mut each: impl FnMut(&mut Self) -> Result<()>) -> Result<bool> {
        self.space();
        if self.peek() != Some(b'[') {
            return Ok(false);
        }
        self.open()?;
        if !self.eat(b']') {
            loop {
                each(self)?;
                self.space();
                if self.eat(b']') {
                    break;
                }
                self.expect(b',')?;
            }
        }
        self.depth += 1;
        Ok(true)
    }

    /// One value, as it is written.
    pub fn value(&mut self) -> Result<&'a str> {
        self.space();
        let start = self.at;
        let mut scan = Scan::new(self.text.as_bytes(), start, &mut self.marks);
        if scan.value(self.depth).is_none() {
            return self.plain_value();
        }
        self.at = scan.at();
        Ok(&self.text[start..self.at])
    }

    /// The body of the string that begins here, as it is written.
    fn string(&mut self) -> Result<&'a str> {
        let start = self.at + 1;
        let mut scan = Scan::new(self.text.as_bytes(), self.at, &mut self.marks);
        if scan.body().is_none() {
            return self.plain_string();
        }
        self.at = scan.at();
        Ok(&self.text[start..self.at - 1])
    }

    /// A value read byte by byte, to the one that is wrong.
    #[cold]
    fn plain_value(&mut self) -> Result<&'a str> {
        let start = self.at;
        let outer = self.depth;
        // One bit for each open level: whether it is an object.
        let mut objects = 0u128;
        loop {
            self.space();
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    let object = bracket == b'{';
                    self.open()?;
                    // In ASCII, `}` and `]` stand two behind their openers.
                    if self.eat(bracket + 2) {
                        self.depth += 1;
                    } else {
                        objects = objects << 1 | u128::from(object);
                        if object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => drop(self.plain_string()?),
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal("true")?,
                Some(b'f') => self.literal("false")?,
                Some(b'n') => self.literal("null")?,
                _ => return self.fault(),
            }
            // A value has ended here: leave every level that ends with it.
            loop {
                if self.depth == outer {
                    return Ok(&self.text[start..self.at]);
                }
                self.space();
                let object = objects & 1 == 1;
                if self.eat(b',') {
                    if object {
                        self.key()?;
                    }
                    break;
                }
                self.expect(if object { b'}' } else { b']' })?;
                self.depth += 1;
                objects >>= 1;
            }
        }
    }

    fn key(&mut self) -> Result<()> {
        self.space();
        self.plain_string()?;
        self.space();
        self.expect(b':')
    }

    /// The same for a string.
    #[cold]
    fn plain_string(&mut self) -> Result<&'a str> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.peek() {
                Some(byte) if byte >= 0x20 && byte != b'"' && byte != b'\\' => self.at += 1,
                Some(b'"') => {
                    self.at += 1;
                    return Ok(&self.text[start..self.at - 1]);
                }
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                        Some(b'u') => {
                            self.at += 1;
                            let digits = self.text.as_bytes().get(self.at..self.at + 4).unwrap_or_default();
                            if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                                return self.fault();
                            }
                            self.at += 4;
                        }
                        _ => return self.fault(),
                    }
                }
                _ => return self.fault(),
            }
        }
    }

    fn number(&mut self) -> Result<()> {
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { self.fault() }
    }

    fn literal(&mut self, word: &str) -> Result<()> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return self.fault();
        }
        self.at += word.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
