//! Where in the log an event stands, roughly: a few thousand places, however long the log is.

/// How many places are kept at the most.
const PLACES: usize = 16 << 10;
/// How many bytes lie between two places while the log is short.
const FIRST_STRIDE: u64 = 8 << 10;

/// Sequence numbers with the offsets of their lines, evenly spread over the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    pub(super) places: Vec<(u64, u64)>,
    pub(super) stride: u64,
}

impl Default for Index {
    fn default() -> Self {
        Self { places: Vec::new(), stride: FIRST_STRIDE }
    }
}

impl Index {
    /// Notes that the line of `seq` begins at `offset`, if it is far enough from the last place. Called in log order.
    pub fn note(&mut self, seq: u64, offset: u64) {
        let due = self.places.last().is_none_or(|(_, last)| offset - last >= self.stride);
        if !due {
            return;
        }
        if self.places.len() == PLACES {
            let mut keep = false;
            self.places.retain(|_| {
                keep = !keep;
                keep
            });
            self.stride *= 2;
        }
        self.places.push((seq, offset));
    }

    /// The last place at or before `seq`; none before the first.
    pub fn before(&self, seq: u64) -> Option<(u64, u64)> {
        let behind = self.places.partition_point(|(at, _)| *at <= seq);
        behind.checked_sub(1).map(|at| self.places[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_last_place_before_an_event() {
        let mut index = Index::default();
        assert_eq!(index.before(5), None);
        for seq in 0..100 {
            index.note(seq, 100 + seq * 1000);
        }
        assert_eq!(index.before(0), Some((0, 100)));
        assert_eq!(index.before(8), Some((0, 100)));
        assert_eq!(index.before(9), Some((9, 9100)));
        assert_eq!(index.before(99), Some((99, 99_100)));
    }

    #[test]
    fn stays_small_and_even_however_long_the_log_is() {
        let mut index = Index::default();
        for seq in 0..2_000_000u64 {
            index.note(seq, seq * 500);
        }
        assert!(index.places.len() <= PLACES);
        for seq in [0, 1, 999_999, 1_999_999] {
            let (at, offset) = index.before(seq).unwrap();
            assert_eq!(offset, at * 500);
            assert!((seq - at) * 500 <= 2 * index.stride, "{seq} is far from {at}");
        }
    }
}
