//! The lines of a file, one at a time: it may be larger than the memory.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind, Read};

/// No line of a log is longer, so no longer one needs to be held.
pub const LONGEST: usize = 16 * 1024 * 1024;

/// A file that is read line by line.
pub struct Lines<R> {
    source: R,
    number: u64,
    line: Vec<u8>,
}

/// A line, without what ends it.
pub struct Line<'a> {
    /// Which one; the first is 1.
    pub number: u64,
    /// None if it is longer than any line of a log.
    text: Option<Cow<'a, str>>,
}

impl Line<'_> {
    /// What it says, or why that can't be told.
    pub fn text(&self) -> Result<&str, String> {
        match &self.text {
            None => Err("it is longer than 16 MiB".to_owned()),
            Some(_) if self.is_blank() => Err("it is blank".to_owned()),
            Some(text) => Ok(text),
        }
    }

    /// How many bytes it has; none if it is longer than any line of a log.
    pub fn bytes(&self) -> u64 {
        self.text.as_ref().map_or(0, |text| text.len() as u64)
    }

    /// Whether nothing is lost with it.
    pub fn is_blank(&self) -> bool {
        self.text.as_ref().is_some_and(|text| text.trim().is_empty())
    }
}

impl<R: BufRead> Lines<R> {
    /// Begins at the first line.
    pub fn new(source: R) -> Self {
        Self { source, number: 0, line: Vec::new() }
    }

    /// The next line; none at the end. Bytes that are no UTF-8 are read as U+FFFD, and a byte order mark is no part of the first line.
    pub fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let mut most = self.source.by_ref().take(LONGEST as u64 + 2);
        if most.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let number = self.number;
        let ended = self.line.pop_if(|last| *last == b'\n').is_some();
        self.line.pop_if(|last| *last == b'\r');
        if self.line.len() > LONGEST {
            if !ended {
                self.skip()?;
            }
            return Ok(Some(Line { number, text: None }));
        }
        let bytes = self.line.strip_prefix(b"\xef\xbb\xbf").filter(|_| number == 1).unwrap_or(&self.line);
        Ok(Some(Line { number, text: Some(String::from_utf8_lossy(bytes)) }))
    }

    /// Goes on to the end of the line.
    fn skip(&mut self) -> io::Result<()> {
        loop {
            let window = match self.source.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                window => window?,
            };
            let end = window.iter().position(|byte| *byte == b'\n');
            let (seen, done) = (end.map_or(window.len(), |end| end + 1), end.is_some() || window.is_empty());
            self.source.consume(seen);
            if done {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<(u64, Option<String>)> {
        let mut lines = Lines::new(bytes);
        let mut read = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            read.push((line.number, line.text.map(Cow::into_owned)));
        }
        read
    }

    #[test]
    fn a_line_ends_with_a_line_feed_or_with_the_file() {
        assert_eq!(read(b"a\r\n\nb"), [(1, Some("a".into())), (2, Some("".into())), (3, Some("b".into()))]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        assert_eq!(read(b"\xef\xbb\xbfa\n\xff"), [(1, Some("a".into())), (2, Some("\u{fffd}".into()))]);
    }

    #[test]
    fn a_line_longer_than_any_of_a_log_is_passed_over() {
        let whole = [vec![b'x'; LONGEST], b"\n".to_vec(), vec![b'x'; LONGEST + 9], b"\ny".to_vec()].concat();
        let read = read(&whole);
        assert_eq!(read[0].1.as_ref().map(String::len), Some(LONGEST));
        assert_eq!(read[1..], [(2, None), (3, Some("y".into()))]);
    }
}
