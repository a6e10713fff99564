/// SplitMix64: numbers that one seed determines.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number that this seed and those parts of a name determine, and hardly another.
    pub fn of(seed: u64, parts: &[u64]) -> Self {
        parts.iter().fold(Self(seed), |mut random, part| Self(random.number() ^ part.wrapping_mul(0x9e37_79b9)))
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of the numbers below `end`; 0 if there is none.
    pub fn below(&mut self, end: u64) -> u64 {
        self.number() % end.max(1)
    }

    pub fn coin(&mut self) -> bool {
        self.number() & 1 == 1
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}
