//! Sound JSON passed over fast.
//!
//! A scan answers yes, or «look closer»: then [`super::Reader`] says what is wrong, or that nothing is. So it may refuse what
//! is rare, as more than one space in a row, and there is one source of errors.
//!
//! Strings are most of a log, and nothing in them matters but where they end. So their quotes are marked for 64 bytes at a
//! time ([`Marks`]), escapes are checked on the way, and a string is passed over by looking for the next mark. What stands
//! between strings is gone through byte by byte.

use super::marks::Marks;
use crate::block::BLOCK;

/// The deepest nesting that is passed over: one bit a level in a word, and one more to mark their number.
const DEEPEST: u32 = 63;

/// A place in a text that is passed over once, from front to back.
pub(crate) struct Scan<'a, 'm> {
    text: &'a [u8],
    at: usize,
    /// Apart, so that all else of a scan fits into registers.
    marks: &'m mut Marks,
    /// The quotes that are left of the block at `block`.
    quotes: u64,
    block: usize,
}

impl<'a, 'm> Scan<'a, 'm> {
    /// At `at`, outside of strings. The text may be no UTF-8. Marks are of one text, and scans that share them go forward.
    #[inline(always)]
    pub fn new(text: &'a [u8], at: usize, marks: &'m mut Marks) -> Self {
        Self { text, at, marks, quotes: 0, block: 0 }
    }

    /// How far the text is passed over.
    #[inline(always)]
    pub fn at(&self) -> usize {
        self.at
    }

    /// What was passed over from `start` on; none if it is no UTF-8.
    #[inline(always)]
    pub fn passed(&self, start: usize) -> Option<&'a str> {
        let passed = self.text.get(start..self.at)?;
        if !self.marks.ascii {
            return std::str::from_utf8(passed).ok();
        }
        debug_assert!(passed.is_ascii());
        // SAFETY: all bytes are ASCII. Those of strings lie in marked blocks, and those blocks hold nothing else; every other
        // byte that was passed over was compared with an ASCII one.
        Some(unsafe { std::str::from_utf8_unchecked(passed) })
    }

    /// Passes over just these bytes, which are ASCII, and may hold quotes.
    #[inline(always)]
    pub fn word<const N: usize>(&mut self, word: &[u8; N]) -> Option<()> {
        let there = self.text.get(self.at..)?.first_chunk()?;
        self.at += N;
        (there == word).then_some(())
    }

    /// Passes over a string that holds no escape and nothing but ASCII; its body.
    #[inline(always)]
    pub fn plain_string(&mut self) -> Option<&'a str> {
        let body = self.body()?;
        if self.at > self.marks.odd && body.iter().any(|byte| *byte == b'\\' || !byte.is_ascii()) {
            return None;
        }
        // SAFETY: all bytes are ASCII: the blocks in which they lie hold nothing else, or each was looked at.
        Some(unsafe { std::str::from_utf8_unchecked(body) })
    }

    /// Passes over a whole number of up to 16 digits; its value.
    #[inline(always)]
    pub fn whole_number(&mut self) -> Option<u64> {
        const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
        let leads_with_zero = self.peek() == b'0';
        let (high, digits) = self.up_to_eight_digits()?;
        if digits < 8 {
            return (digits == 1 || digits > 1 && !leads_with_zero).then_some(high);
        }
        let (low, digits) = self.up_to_eight_digits()?;
        (!leads_with_zero).then_some(high * POWERS[digits] + low)
    }

    /// The digits here: what number they are, and how many there are. None near the end of the text.
    #[inline(always)]
    fn up_to_eight_digits(&mut self) -> Option<(u64, usize)> {
        const EACH: u64 = u64::from_ne_bytes([1; 8]);
        let bytes = u64::from_le_bytes(*self.text.get(self.at..)?.first_chunk()?) ^ (EACH * u64::from(b'0'));
        // Any other byte than 0 to 9 has its highest bit now. Sums carry only to the bytes behind, so the first hit is right.
        let others = (bytes.wrapping_add(EACH * 0x76) | bytes) & (EACH * 0x80);
        let count = others.trailing_zeros() as usize / 8;
        if count == 0 {
            return Some((0, 0));
        }
        self.at += count;
        // Leading zeros make them eight. Then tens of bytes, of pairs, and of fours are added up side by side.
        let digits = bytes << (64 - 8 * count);
        let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
        let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
        let number = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff;
        Some((number, count))
    }

    /// Passes over the string here, if one is; its body.
    #[inline(always)]
    pub fn body(&mut self) -> Option<&'a [u8]> {
        if self.peek() != b'"' {
            return None;
        }
        let start = self.at + 1;
        self.find_quotes()?;
        self.string()?;
        self.text.get(start..self.at - 1)
    }

    /// Passes over a value that nests at most `depth` deep, and one space before it.
    #[inline(always)]
    pub fn value(&mut self, depth: u32) -> Option<()> {
        let depth = depth.min(DEEPEST);
        // One bit for each open level: whether it is an object. The bit above them all is always set.
        let mut open = 1_u64;
        self.find_quotes()?;
        loop {
            match self.token() {
                b'"' => self.string()?,
                first @ (b'{' | b'[') => {
                    if open >> depth != 0 {
                        return None;
                    }
                    self.at += 1;
                    // In ASCII, `}` and `]` stand two behind their openers.
                    if self.token() != first + 2 {
                        let object = first == b'{';
                        open = open << 1 | u64::from(object);
                        if object {
                            self.key()?;
                        }
                        continue;
                    }
                    self.at += 1;
                }
                b'-' | b'0'..=b'9' => self.number()?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => return None,
            }
            // A value has ended here: leave every level that ends with it.
            loop {
                if open == 1 {
                    return Some(());
                }
                let next = self.token();
                self.at += 1;
                let object = open & 1 == 1;
                if next == b',' {
                    if object {
                        self.key()?;
                    }
                    break;
                }
                if next != if object { b'}' } else { b']' } {
                    return None;
                }
                open >>= 1;
            }
        }
    }

    #[inline(always)]
    fn key(&mut self) -> Option<()> {
        if self.token() != b'"' {
            return None;
        }
        self.string()?;
        if self.token() != b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// The byte here; none of JSON's at the end.
    #[inline(always)]
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or_default()
    }

    /// The byte here, or behind one space.
    #[inline(always)]
    fn token(&mut self) -> u8 {
        let byte = self.peek();
        if byte != b' ' {
            return byte;
        }
        self.at += 1;
        self.peek()
    }

    /// Passes over the string whose quote is here, and is the first one left.
    #[inline(always)]
    fn string(&mut self) -> Option<()> {
        self.next_quote()?;
        self.at = self.next_quote()? + 1;
        Some(())
    }

    #[inline(always)]
    fn next_quote(&mut self) -> Option<usize> {
        while self.quotes == 0 {
            self.block += BLOCK;
            self.quotes = self.marks.of_block(self.text, self.block)?;
        }
        let at = self.block + self.quotes.trailing_zeros() as usize;
        self.quotes &= self.quotes - 1;
        Some(at)
    }

    /// Finds the quotes from here on.
    #[inline(always)]
    fn find_quotes(&mut self) -> Option<()> {
        self.block = self.at / BLOCK * BLOCK;
        self.quotes = self.marks.of_block(self.text, self.block)? & u64::MAX << (self.at % BLOCK);
        Some(())
    }

    #[inline(always)]
    fn number(&mut self) -> Option<()> {
        self.at += usize::from(self.peek() == b'-');
        if self.peek() == b'0' {
            self.at += 1;
        } else {
            self.at = digits(self.text, self.at)?;
        }
        if matches!(self.peek(), b'.' | b'e' | b'E') {
            self.at = fraction(self.text, self.at)?;
        }
        Some(())
    }
}

/// Where the digits end that begin at `at`; none if there are none.
#[inline(always)]
fn digits(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    while text.get(end).is_some_and(u8::is_ascii_digit) {
        end += 1;
    }
    (end > at).then_some(end)
}

/// Where a number's fraction and exponent end.
#[inline(never)]
fn fraction(text: &[u8], mut at: usize) -> Option<usize> {
    if text.get(at) == Some(&b'.') {
        at = digits(text, at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = matches!(text.get(at + 1), Some(b'+' | b'-'));
        at = digits(text, at + 1 + usize::from(sign))?;
    }
    Some(at)
}

#[cfg(test)]
mod tests;
