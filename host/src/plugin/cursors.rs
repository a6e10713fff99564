use std::collections::VecDeque;

use crate::error::{Error, Result};

/// A plugin that goes through its sessions keeps one cursor, or a few.
const KEPT: usize = 64;

/// Stands between a plugin and the cursors of a list: those name the last log seen, which need not be one that the plugin
/// may know of. It gets a number instead.
#[derive(Default)]
pub(super) struct Cursors {
    kept: VecDeque<String>,
    /// The number of the oldest that is kept.
    first: u64,
}

impl Cursors {
    pub fn hand_out(&mut self, cursor: String) -> String {
        if self.kept.len() == KEPT {
            self.kept.pop_front();
            self.first += 1;
        }
        self.kept.push_back(cursor);
        (self.first + self.kept.len() as u64 - 1).to_string()
    }

    pub fn take_back(&self, number: &str) -> Result<String> {
        let place = number.parse::<u64>().ok().and_then(|number| usize::try_from(number.checked_sub(self.first)?).ok());
        place
            .and_then(|place| self.kept.get(place).cloned())
            .ok_or_else(|| Error::Refused(format!("the cursor {number:?} is unknown or too old; list from the start")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_went() {
        let mut cursors = Cursors::default();
        let (a, b) = (cursors.hand_out("a".into()), cursors.hand_out("b".into()));
        assert_eq!(cursors.take_back(&b).unwrap(), "b");
        assert_eq!(cursors.take_back(&a).unwrap(), "a");
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut cursors = Cursors::default();
        let first = cursors.hand_out("first".into());
        let others: Vec<_> = (0..KEPT).map(|n| cursors.hand_out(n.to_string())).collect();
        assert!(cursors.take_back(&first).is_err());
        assert!(others.iter().enumerate().all(|(n, other)| cursors.take_back(other).unwrap() == n.to_string()));
    }

    #[test]
    fn what_was_never_handed_out_is_refused() {
        assert!(Cursors::default().take_back("0").is_err());
        assert!(Cursors::default().take_back("fix-login").is_err());
    }
}
