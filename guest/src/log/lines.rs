//! Lines out of windows: what is held is a window and, where a line crosses its edge, that line.

use crate::block;
use crate::line::{self, MAX_LINE, Reason, Record};
use crate::types::Error;

/// Bytes by offset.
pub trait Source {
    /// At most `max` bytes from `at`; fewer only at the end.
    fn read(&self, at: u64, max: u32) -> Result<Vec<u8>, Error>;
}

impl Source for [u8] {
    fn read(&self, at: u64, max: u32) -> Result<Vec<u8>, Error> {
        let from = usize::try_from(at).unwrap_or(usize::MAX).min(self.len());
        let to = from.saturating_add(max as usize).min(self.len());
        Ok(self[from..to].to_vec())
    }
}

/// The first window; each further one is twice as large, up to the largest. So a short read costs little.
const FIRST_WINDOW: u32 = 16 << 10;
const LARGEST_WINDOW: u32 = 512 << 10;

/// One line of a log.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Where it begins.
    pub offset: u64,
    /// Whether NUL bytes stand before everything else on it: what a loss of power leaves of what was to be written there.
    pub nul: bool,
    /// Its bytes without the LF and those NUL bytes. If that is more than [`MAX_LINE`], the first `MAX_LINE + 1` bytes.
    pub bytes: &'a [u8],
    /// How many bytes it takes in the log, the LF included.
    pub length: u64,
    /// Whether it ends with an LF; only the last line may not.
    pub ended: bool,
}

impl<'a> Line<'a> {
    /// The record that the line is; NUL bytes before it make it none.
    pub fn record(&self) -> Result<Record<'a>, Reason> {
        if self.nul { Err(Reason::from("begins with NUL bytes")) } else { self.held_record() }
    }

    /// The record that stands on the line, also behind NUL bytes.
    pub fn held_record(&self) -> Result<Record<'a>, Reason> {
        line::decode_record(self.bytes)
    }

    /// Where the next line begins.
    pub fn end(&self) -> u64 {
        self.offset + self.length
    }
}

/// Reads the lines of a stretch, one after the other.
pub struct Lines<'s, S: ?Sized> {
    source: &'s S,
    /// Where the next line begins.
    offset: u64,
    end: u64,
    window: Vec<u8>,
    /// Where in the log the window ends, and how much of it is used up.
    window_end: u64,
    used: usize,
    next_window: u32,
    /// The line that crossed the edge of a window.
    joined: Vec<u8>,
}

impl<'s, S: Source + ?Sized> Lines<'s, S> {
    /// The lines from `start`, where one begins, up to `end`.
    pub fn new(source: &'s S, start: u64, end: u64) -> Self {
        let next_window = FIRST_WINDOW;
        Self {
            source,
            offset: start,
            end,
            window: Vec::new(),
            window_end: start,
            used: 0,
            next_window,
            joined: Vec::new(),
        }
    }

    /// The same, with a first window of so many bytes.
    pub fn by_windows_from(self, next_window: u32) -> Self {
        Self { next_window, ..self }
    }

    /// The same, up to a place further on.
    pub fn up_to(self, end: u64) -> Self {
        Self { end, ..self }
    }

    /// Where the next line begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next line; none at the end.
    #[allow(clippy::should_implement_trait)] // It lends from itself, as no iterator can.
    pub fn next(&mut self) -> Result<Option<Line<'_>>, Error> {
        self.joined.clear();
        let offset = self.offset;
        let mut crossed = 0u64;
        let mut nul = false;
        loop {
            let rest = &self.window[self.used..];
            let Some(found) = block::find(b'\n', rest) else {
                crossed += rest.len() as u64;
                nul |= keep(&mut self.joined, rest);
                self.used = self.window.len();
                if self.fill()? {
                    continue;
                }
                if crossed == 0 {
                    return Ok(None);
                }
                self.offset = offset + crossed;
                return Ok(Some(Line { offset, nul, bytes: &self.joined, length: crossed, ended: false }));
            };
            let piece = self.used..self.used + found;
            self.used = piece.end + 1;
            let length = crossed + found as u64 + 1;
            self.offset = offset + length;
            if crossed == 0 {
                let line = &self.window[piece];
                let bytes = without_nul(line);
                return Ok(Some(Line { offset, nul: bytes.len() < line.len(), bytes, length, ended: true }));
            }
            nul |= keep(&mut self.joined, &self.window[piece]);
            return Ok(Some(Line { offset, nul, bytes: &self.joined, length, ended: true }));
        }
    }

    fn fill(&mut self) -> Result<bool, Error> {
        let left = self.end.saturating_sub(self.window_end);
        if left == 0 {
            return Ok(false);
        }
        let max = u32::try_from(left).unwrap_or(u32::MAX).min(self.next_window);
        // The old window goes first, so that two are never held.
        self.window = Vec::new();
        self.window = self.source.read(self.window_end, max)?;
        self.used = 0;
        self.window_end += self.window.len() as u64;
        self.next_window = (self.next_window * 2).min(LARGEST_WINDOW);
        Ok(!self.window.is_empty())
    }
}

/// Keeps as much of a line as tells that it is too long; of NUL bytes at its front only that they were there. Grows by what is
/// needed alone: doubling could use up the memory.
fn keep(joined: &mut Vec<u8>, piece: &[u8]) -> bool {
    let kept = if joined.is_empty() { without_nul(piece) } else { piece };
    let room = (MAX_LINE + 1).saturating_sub(joined.len()).min(kept.len());
    joined.reserve_exact(room);
    joined.extend_from_slice(&kept[..room]);
    kept.len() < piece.len()
}

fn without_nul(line: &[u8]) -> &[u8] {
    &line[line.iter().take_while(|byte| **byte == 0).count()..]
}
