//! Where an entry belongs whose parent was lost with a line: to what is left of its branch.

use std::collections::HashMap;

use super::limits;

/// The entries that are not there, and what stands in their place.
#[derive(Default)]
pub struct Lost {
    /// The last entry that was read.
    last: Option<String>,
    /// What came before the last line that was lost.
    before: Option<Option<String>>,
    instead: HashMap<String, Option<String>>,
}

impl Lost {
    /// An entry is there.
    pub fn read(&mut self, id: &str) {
        self.last = Some(id.to_owned());
    }

    /// A line is lost, and nobody knows what stood there.
    pub fn line(&mut self) {
        self.before = Some(self.last.clone());
    }

    /// An entry is lost whose parent is known.
    pub fn entry(&mut self, id: String, parent: Option<String>) {
        if limits::is_name(&id) && parent.as_deref().is_none_or(limits::is_name) {
            self.instead.insert(id, parent);
        }
    }

    /// What stands in the place of an entry that is not there. That may be lost too.
    pub fn instead_of(&mut self, id: &str) -> Option<String> {
        let near = self.before.as_ref().unwrap_or(&self.last);
        if !limits::is_name(id) {
            return near.clone();
        }
        let found = self.instead.entry(id.to_owned()).or_insert_with(|| near.clone());
        found.clone().filter(|found| found != id)
    }
}

/// What is said of an entry that got another parent.
pub fn moved(entry: &str, missing: &str, found: Option<&str>) -> String {
    let (entry, missing) = (limits::quoted(entry), limits::quoted(missing));
    match found.map(limits::quoted) {
        Some(found) => format!("entry {entry} followed {missing}, which is not there; it follows {found} now"),
        None => format!("entry {entry} followed {missing}, which is not there; it follows nothing now"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_followed_an_unreadable_line_follows_what_came_before_it() {
        let mut lost = Lost::default();
        lost.read("a");
        lost.line();
        lost.read("c");
        assert_eq!(lost.instead_of("b").as_deref(), Some("a"));
        lost.line();
        assert_eq!(lost.instead_of("b").as_deref(), Some("a"), "and goes on doing so");
        assert_eq!(lost.instead_of("d").as_deref(), Some("c"));
    }

    #[test]
    fn the_parent_of_an_entry_that_was_understood_that_far_stands_in_its_place() {
        let mut lost = Lost::default();
        lost.read("a");
        lost.read("z");
        lost.entry("b".into(), Some("a".into()));
        assert_eq!(lost.instead_of("b").as_deref(), Some("a"));
        lost.entry("r".into(), None);
        assert_eq!(lost.instead_of("r"), None);
    }

    #[test]
    fn an_entry_that_names_itself_is_a_root() {
        let mut lost = Lost::default();
        lost.entry("b".into(), Some("b".into()));
        assert_eq!(lost.instead_of("b"), None);
    }
}
