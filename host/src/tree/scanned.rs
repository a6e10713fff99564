use std::fmt;

use super::TreeError;
use crate::sessions::Page;

/// What a scan finds, read page by page: a tree of any size costs one page of memory. It ends after the first error.
#[must_use = "iterators are lazy"]
pub struct Scan<'a, T> {
    page: Page<T>,
    fetch: Box<Fetch<'a, T>>,
}

/// Gives the next page, and whether another may follow.
type Fetch<'a, T> = dyn FnMut() -> Result<(Vec<T>, bool), TreeError> + Send + 'a;

impl<'a, T> Scan<'a, T> {
    pub(super) fn new(fetch: impl FnMut() -> Result<(Vec<T>, bool), TreeError> + Send + 'a) -> Self {
        Self { page: Page::first(), fetch: Box::new(fetch) }
    }
}

impl<T> Iterator for Scan<'_, T> {
    type Item = Result<T, TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.page.next(&mut self.fetch)
    }
}

impl<T> fmt::Debug for Scan<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scan").finish_non_exhaustive()
    }
}

/// How much is still wanted of a scan.
pub(super) struct Left(pub u32);

impl Left {
    /// Whether to go on after a page of so many.
    pub fn more(&mut self, found: usize, more: bool) -> bool {
        self.0 = self.0.saturating_sub(u32::try_from(found).unwrap_or(u32::MAX));
        // A page that holds nothing leads nowhere.
        more && found > 0 && self.0 > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_goes_on_while_there_is_more_and_more_is_wanted() {
        let mut left = Left(5);
        assert!(left.more(3, true));
        assert!(!left.more(2, true), "nothing is wanted any more");
        assert!(!Left(5).more(3, false), "nothing is left");
        assert!(!Left(5).more(0, true), "it would go on for ever");
    }
}
