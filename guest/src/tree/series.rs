//! A list that grows at its end, and never moves more than its last piece for that: what is long would need its memory twice.

/// Of how many items a piece is.
const PIECE: usize = if cfg!(test) { 8 } else { 1024 };
/// How many a piece has room for at first.
const FIRST: usize = 4;

/// What a piece takes beside its items.
const PIECE_WEIGHT: usize = 32;

/// Items in the order in which they came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series<T> {
    /// All are full but the last, and none is empty.
    pieces: Vec<Vec<T>>,
}

impl<T> Default for Series<T> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

impl<T> Series<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.len())
    }

    /// The one at that index.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.pieces.get(index / PIECE)?.get(index % PIECE)
    }

    /// The last one.
    pub fn last(&self) -> Option<&T> {
        self.pieces.last()?.last()
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.pieces.iter().flatten()
    }

    /// Those from one index up to another.
    pub fn range(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &T> {
        (from..to).filter_map(|index| self.get(index))
    }

    /// How many come before the first that is not `before`, which holds for none behind it.
    pub fn partition_point(&self, before: impl Fn(&T) -> bool) -> usize {
        let full = self.pieces.partition_point(|piece| piece.last().is_some_and(&before));
        let rest = self.pieces.get(full).map_or(0, |piece| piece.partition_point(before));
        (full * PIECE + rest).min(self.len())
    }

    /// Adds one.
    pub fn push(&mut self, item: T) {
        match self.pieces.last_mut().filter(|last| last.len() < PIECE) {
            Some(last) => {
                if last.len() == last.capacity() {
                    last.reserve_exact(last.len().min(PIECE - last.len()));
                }
                last.push(item);
            }
            None => {
                let mut piece = Vec::with_capacity(FIRST);
                piece.push(item);
                reserve(&mut self.pieces);
                self.pieces.push(piece);
            }
        }
    }

    /// Takes the last one away.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.pieces.last_mut()?.pop();
        self.pieces.pop_if(|last| last.is_empty());
        item
    }

    /// How much memory it takes, about.
    pub fn weight(&self) -> usize {
        let room = self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * PIECE + last.capacity());
        room * size_of::<T>() + self.pieces.capacity() * PIECE_WEIGHT
    }

    /// How much more it takes with one more item, about, at the most; each further one takes [`EACH`](Self::EACH) more.
    pub fn growth(&self) -> usize {
        let room = self.pieces.last().map_or(FIRST, Vec::capacity);
        room * size_of::<T>() + (self.pieces.len() / 4 + 2) * PIECE_WEIGHT + Self::EACH
    }

    /// What one of many items takes at the most.
    pub const EACH: usize = 2 * size_of::<T>() + PIECE_WEIGHT;
}

/// Makes room for one more. Doubling could use up the memory.
pub fn reserve<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 4).max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_a_vector_holds_whatever_its_length() {
        let (mut series, mut vector) = (Series::default(), Vec::new());
        for item in 0..100u32 {
            series.push(item);
            vector.push(item);
            assert_eq!((series.len(), series.last()), (vector.len(), vector.last()));
            assert_eq!(series.iter().collect::<Vec<_>>(), vector.iter().collect::<Vec<_>>());
            for bound in [0, 1, 7, 8, 9, item, item + 1, 200] {
                let before = |other: &u32| *other < bound;
                assert_eq!(series.partition_point(before), vector.partition_point(before));
                assert_eq!(series.get(bound as usize), vector.get(bound as usize));
            }
            let (from, to) = (vector.len() / 3, vector.len() / 2);
            assert!(series.range(from, to).rev().eq(vector[from..to].iter().rev()));
        }
        while let Some(item) = vector.pop() {
            assert_eq!((series.pop(), series.len()), (Some(item), vector.len()));
        }
        assert_eq!((series.pop(), series), (None, Series::default()));
    }

    #[test]
    fn however_many_are_added_it_takes_no_more_than_was_said() {
        for length in 0..60 {
            for more in 1..60 {
                let mut series = Series::default();
                (0..length).for_each(|item| series.push(item));
                let said = series.weight() + series.growth() + (more - 1) * Series::<usize>::EACH;
                (0..more).for_each(|item| series.push(item));
                assert!(series.weight() <= said, "{length} and {more}: {} is more than {said}", series.weight());
            }
        }
    }
}
