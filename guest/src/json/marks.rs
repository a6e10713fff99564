//! Where strings begin and end: the quotes of a text, found a block at a time, ahead of whoever goes through it.

use crate::block::{BLOCK, Block};

/// Of how many blocks the marks are kept.
const KEPT: usize = 8;

/// The quotes of a text that no backslash escapes, up to some place.
pub(crate) struct Marks {
    /// Up to where they are marked.
    end: usize,
    /// One bit a byte, for the last blocks before `end`, each block in its place of a ring.
    quotes: [u64; KEPT],
    /// One if the byte at `end` is escaped.
    escaped: u64,
    /// Where the first block begins that holds a backslash or a byte beyond ASCII.
    pub odd: usize,
    /// Whether all bytes before `end` are ASCII.
    pub ascii: bool,
}

impl Marks {
    #[inline(always)]
    pub fn new() -> Self {
        Self { end: 0, quotes: [0; KEPT], escaped: 0, odd: usize::MAX, ascii: true }
    }

    /// The quotes of the block at `at`, which moves forward from call to call. None if there is no such block, or if one up to
    /// it holds what no string may: a control character or a wrong escape.
    #[inline(always)]
    pub fn of_block(&mut self, text: &[u8], at: usize) -> Option<u64> {
        let marked = at < self.end || self.go_on(text, at);
        marked.then(|| self.quotes[at / BLOCK % KEPT])
    }

    /// Marks some blocks more, up to that of `at` at the least, if all is as it should be.
    #[inline(never)]
    fn go_on(&mut self, text: &[u8], at: usize) -> bool {
        while self.end <= at {
            let (blocks, rest) = text.get(self.end..).unwrap_or_default().as_chunks();
            let sound = if blocks.is_empty() {
                !rest.is_empty() && self.mark_rest(text, rest)
            } else {
                blocks.iter().take(KEPT).all(|block| self.mark(text, Block(block), 0))
            };
            if !sound {
                return false;
            }
        }
        true
    }

    /// Marks what is left of a text at its end: as the last bytes of a block that was there before, or of spaces.
    fn mark_rest(&mut self, text: &[u8], rest: &[u8]) -> bool {
        match text.last_chunk() {
            Some(block) => self.mark(text, Block(block), BLOCK - rest.len()),
            None => {
                let mut block = [b' '; BLOCK];
                block[..rest.len()].copy_from_slice(rest);
                self.mark(text, Block(&block), 0)
            }
        }
    }

    /// Marks a block, of which the first `past` bytes are marked already.
    #[inline(always)]
    fn mark(&mut self, text: &[u8], block: Block<'_>, past: usize) -> bool {
        let mut quotes = block.equal(b'"') >> past;
        if !block.is_plain() || self.escaped != 0 {
            if block.controls() >> past != 0 {
                return false;
            }
            let (escaped, next) = self.escaped_by(block.equal(b'\\') >> past);
            if !self.are_code_units(text, escaped & !(block.escapes() >> past)) {
                return false;
            }
            // Only now: whoever asks for a refused block again is to find all as it was.
            self.escaped = next;
            self.odd = self.odd.min(self.end);
            self.ascii &= block.beyond_ascii() >> past == 0;
            quotes &= !escaped;
        }
        self.quotes[self.end / BLOCK % KEPT] = quotes;
        self.end += BLOCK;
        true
    }

    /// The bytes of a block that are escaped, by its backslashes or the last one before it; and one if its own last byte
    /// escapes the next.
    fn escaped_by(&self, backslashes: u64) -> (u64, u64) {
        // Of a run of backslashes, every second one escapes the byte behind it. Taking the run from the odd bits borrows
        // through it if it begins on an even one, and so tells the two kinds apart.
        const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
        let escaping = backslashes & !self.escaped;
        let codes = (escaping << 1 | ODD).wrapping_sub(escaping) ^ ODD;
        let escaped = codes ^ (backslashes | self.escaped);
        (escaped, (codes & backslashes) >> (BLOCK - 1))
    }

    /// Whether each of these escaped bytes is a `u` with four hexadecimal digits behind it.
    fn are_code_units(&self, text: &[u8], mut escaped: u64) -> bool {
        while escaped != 0 {
            let at = self.end + escaped.trailing_zeros() as usize;
            let digits = text.get(at..at + 5).and_then(|unit| unit.strip_prefix(b"u"));
            if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                return false;
            }
            escaped &= escaped - 1;
        }
        true
    }
}
