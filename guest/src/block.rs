//! 64 bytes looked at together. Each mask has one bit a byte, the lowest for the first.

/// How many bytes a block has.
pub(crate) const BLOCK: usize = 64;

/// As many bytes as a mask has bits.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a>(pub &'a [u8; BLOCK]);

/// The first place of that byte.
pub(crate) fn find(byte: u8, bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(block) = bytes[at..].first_chunk() {
        let places = Block(block).equal(byte);
        if places != 0 {
            return Some(at + places.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    bytes[at..].iter().position(|other| *other == byte).map(|place| at + place)
}

/// How often that byte is there.
#[cfg(feature = "store")]
pub(crate) fn count(byte: u8, bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks();
    let whole: u64 = blocks.iter().map(|block| u64::from(Block(block).equal(byte).count_ones())).sum();
    whole + rest.iter().filter(|other| **other == byte).count() as u64
}

/// Four vectors of 16 bytes. LLVM makes no such code of the loops below, which are twenty times slower.
#[cfg(target_arch = "wasm32")]
mod vectors {
    use std::arch::wasm32::*;

    use super::Block;

    impl Block<'_> {
        #[inline(always)]
        fn parts(self) -> [v128; 4] {
            let first: *const v128 = self.0.as_ptr().cast();
            // SAFETY: these are the 64 bytes that the reference is to, and a load needs no alignment.
            [0, 1, 2, 3].map(|part| unsafe { v128_load(first.add(part)) })
        }

        #[inline(always)]
        fn mask(self, judge: impl Fn(v128) -> v128) -> u64 {
            let [a, b, c, d] = self.parts().map(|part| u64::from(i8x16_bitmask(judge(part))));
            a | b << 16 | c << 32 | d << 48
        }

        /// The bytes that are this one.
        #[inline(always)]
        pub fn equal(self, byte: u8) -> u64 {
            self.mask(|part| u8x16_eq(part, u8x16_splat(byte)))
        }

        /// The control characters.
        #[inline(always)]
        pub fn controls(self) -> u64 {
            self.mask(|part| u8x16_lt(part, u8x16_splat(0x20)))
        }

        /// The bytes that are no ASCII.
        #[inline(always)]
        pub fn beyond_ascii(self) -> u64 {
            self.mask(|part| part)
        }

        /// The bytes that may stand behind a backslash, except `u`.
        #[inline(always)]
        pub fn escapes(self) -> u64 {
            // Each has another low half, but for `b` and `r`.
            let by_low_half = u8x16(0, 0, b'"', 0, b't', 0, b'f', 0, 0, 0, 0, 0, b'\\', 0, b'n', b'/');
            self.mask(|part| {
                let known = u8x16_eq(part, u8x16_swizzle(by_low_half, v128_and(part, u8x16_splat(0x0f))));
                let others = v128_or(u8x16_eq(part, u8x16_splat(b'b')), u8x16_eq(part, u8x16_splat(b'r')));
                v128_or(known, others)
            })
        }

        /// Whether there is no backslash, no control character, and nothing but ASCII.
        #[inline(always)]
        pub fn is_plain(self) -> bool {
            // As signed bytes, those beyond ASCII are below zero.
            let odd = |part| v128_or(i8x16_lt(part, i8x16_splat(0x20)), u8x16_eq(part, u8x16_splat(b'\\')));
            let [a, b, c, d] = self.parts().map(odd);
            !v128_any_true(v128_or(v128_or(a, b), v128_or(c, d)))
        }
    }
}

/// The same, for where the tests run.
#[cfg(not(target_arch = "wasm32"))]
impl Block<'_> {
    fn mask(self, judge: impl Fn(u8) -> bool) -> u64 {
        (0..).zip(self.0).fold(0, |mask, (place, byte)| mask | u64::from(judge(*byte)) << place)
    }

    /// The bytes that are this one.
    pub fn equal(self, byte: u8) -> u64 {
        self.mask(|other| other == byte)
    }

    /// The control characters.
    pub fn controls(self) -> u64 {
        self.mask(|byte| byte < 0x20)
    }

    /// The bytes that are no ASCII.
    pub fn beyond_ascii(self) -> u64 {
        self.mask(|byte| byte >= 0x80)
    }

    /// The bytes that may stand behind a backslash, except `u`.
    pub fn escapes(self) -> u64 {
        self.mask(|byte| b"\"\\/bfnrt".contains(&byte))
    }

    /// Whether there is no backslash, no control character, and nothing but ASCII.
    pub fn is_plain(self) -> bool {
        self.controls() | self.beyond_ascii() | self.equal(b'\\') == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_place_of_a_byte_is_found_wherever_it_is() {
        for length in 0..200 {
            let mut bytes = vec![b'a'; length];
            assert_eq!(find(b'\n', &bytes), None);
            for place in (0..length).rev() {
                bytes[place] = b'\n';
                assert_eq!(find(b'\n', &bytes), Some(place));
            }
        }
    }
    #[test]
    #[cfg(feature = "store")]
    fn a_byte_is_counted_wherever_it_is() {
        for length in 0..200 {
            let mut bytes = vec![b'a'; length];
            assert_eq!(count(b'\n', &bytes), 0);
            for place in 0..length {
                bytes[place] = b'\n';
                assert_eq!(count(b'\n', &bytes), place as u64 + 1);
            }
        }
    }
}
