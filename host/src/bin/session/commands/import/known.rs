//! What is known of the lines of an old file: where each stands, and none of what it says at length.

use std::collections::HashMap;

/// All lines so far.
#[derive(Default)]
pub struct Known {
    places: HashMap<String, Place>,
    last: Option<String>,
    /// Where the session stands: at the last line, unless that says otherwise.
    tip: Option<String>,
    /// The ids of all objects of the file in their order, the header among them: version 1 counts them.
    counted: Vec<Option<String>>,
}

/// Where a line stands.
pub struct Place {
    /// The entry that it is; for one that is none any more, the one that it followed.
    pub entry: Option<String>,
    /// The line that it follows.
    pub parent: Option<String>,
    /// What it is.
    pub kind: Kind,
}

/// What a line is.
pub enum Kind {
    /// An entry that a model gets to see.
    Spoken,
    /// An entry of an application's.
    Custom,
    /// No entry any more.
    Change(Change),
}

/// What a line changes, as JSON.
pub enum Change {
    /// The model; none if the line does not say whose it is and what it is called.
    Model(Option<String>),
    /// How much it thinks.
    Thinking(Option<String>),
    /// Which tools it has.
    Tools(Option<String>),
    /// Something else.
    Other,
}

impl Known {
    /// Counts an object of the file.
    pub fn count(&mut self, id: Option<String>) {
        self.counted.push(id);
    }

    /// The id of the first object from this place in the file on that has one.
    pub fn counted_from(&self, index: u64) -> Option<&str> {
        self.counted.iter().skip(usize::try_from(index).ok()?).find_map(Option::as_deref)
    }

    /// A line is there.
    pub fn add(&mut self, id: String, place: Place) {
        self.last = Some(id.clone());
        self.tip = Some(id.clone());
        self.places.insert(id, place);
    }

    /// The line of this id.
    pub fn get(&self, id: &str) -> Option<&Place> {
        self.places.get(id)
    }

    /// The last line.
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// The session stands at this line, or before the first, until another line is there.
    pub fn stand_at(&mut self, tip: Option<String>) {
        self.tip = tip;
    }

    /// The line at which the session stands.
    pub fn tip(&self) -> Option<&str> {
        self.tip.as_deref()
    }

    /// The entry that a line is, or that it followed.
    pub fn entry_at(&self, id: &str) -> Option<&str> {
        self.get(id)?.entry.as_deref()
    }

    /// The lines from one back to the beginning. Each follows one that came before it, so there is an end.
    pub fn back_from<'k>(&'k self, id: Option<&'k str>) -> impl Iterator<Item = (&'k str, &'k Place)> {
        let line = |id: Option<&'k str>| id.and_then(|id| Some((id, self.get(id)?)));
        std::iter::successors(line(id), move |(_, place)| line(place.parent.as_deref()))
    }

    /// The entries that a model got to see, from one line on to another, the oldest first; none if the first is not before the last.
    pub fn path(&self, last: Option<&str>, first: &str) -> Option<Vec<String>> {
        let mut path = Vec::new();
        for (id, place) in self.back_from(last) {
            if matches!(place.kind, Kind::Spoken) {
                path.push(id.to_owned());
            }
            if id == first {
                path.reverse();
                return Some(path);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(lines: &[(&str, Option<&str>, Kind)]) -> Known {
        let mut known = Known::default();
        for (id, parent, kind) in lines {
            let kind = match kind {
                Kind::Spoken => Kind::Spoken,
                Kind::Custom => Kind::Custom,
                Kind::Change(_) => Kind::Change(Change::Other),
            };
            let entry = Some((*id).to_owned());
            known.add((*id).to_owned(), Place { entry, parent: parent.map(str::to_owned), kind });
        }
        known
    }

    #[test]
    fn a_path_holds_what_was_said_from_the_first_kept_on() {
        let lines = [
            ("a", None, Kind::Spoken),
            ("b", Some("a"), Kind::Change(Change::Other)),
            ("x", Some("a"), Kind::Spoken),
            ("c", Some("b"), Kind::Custom),
            ("d", Some("c"), Kind::Spoken),
        ];
        let known = known(&lines);
        assert_eq!(known.path(Some("d"), "a").unwrap(), ["a", "d"]);
        assert_eq!(known.path(Some("d"), "b").unwrap(), ["d"]);
        assert_eq!(known.path(Some("d"), "x"), None, "that is another branch");
        assert_eq!(known.path(None, "a"), None);
    }
}
