//! What is known of the lines of an old file: where each stands, and none of what it says at length.

use std::collections::HashMap;

/// All lines so far.
#[derive(Default)]
pub struct Known {
    lines: Vec<Line>,
    /// Where each is among them.
    ids: HashMap<String, usize>,
    /// Where the session stands: at the last line, unless that says otherwise.
    tip: Option<String>,
    /// The ids of all objects of the file in their order, the header among them: version 1 counts them.
    counted: Vec<Option<String>>,
}

/// A line, with what makes the way up from it short.
struct Line {
    id: String,
    place: Place,
    parent: Option<usize>,
    /// How many lines stand above it.
    depth: usize,
    /// One further up, so that any of them is reached in a few steps.
    jump: usize,
    /// The next line at which something was said: itself, or one above it.
    spoken: Option<usize>,
    /// The bytes of all that was said down to it.
    bytes: u64,
    /// How often all was cleared away on the way down to it.
    cleared: usize,
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
    /// An entry that a compaction may keep, with so many bytes.
    Spoken(u64),
    /// An entry that none keeps: an application's, or another compaction.
    Unkept,
    /// All that came before it is cleared away.
    Clearing,
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
        let at = self.lines.len();
        let parent = place.parent.as_ref().and_then(|parent| self.ids.get(parent).copied());
        let above = parent.and_then(|parent| self.lines.get(parent));
        let (spoken, bytes) = above.map_or((None, 0), |above| (above.spoken, above.bytes));
        let (spoken, bytes) = match place.kind {
            Kind::Spoken(more) => (Some(at), bytes + more),
            _ => (spoken, bytes),
        };
        let cleared = above.map_or(0, |above| above.cleared) + usize::from(matches!(place.kind, Kind::Clearing));
        let (depth, jump) = above.zip(parent).map_or((0, at), |(above, parent)| (above.depth + 1, self.jump(parent)));
        self.tip = Some(id.clone());
        self.ids.insert(id.clone(), at);
        self.lines.push(Line { id, place, parent, depth, jump, spoken, bytes, cleared });
    }

    /// Where a line jumps to that follows this one: jumps of one length follow each other in pairs, which a longer one spans.
    fn jump(&self, parent: usize) -> usize {
        let further = |line: &Line| self.lines.get(line.jump);
        let Some(line) = self.lines.get(parent) else { return parent };
        match further(line).and_then(|middle| Some((middle, further(middle)?))) {
            Some((middle, far)) if line.depth - middle.depth == middle.depth - far.depth => middle.jump,
            _ => parent,
        }
    }

    fn line(&self, id: &str) -> Option<&Line> {
        self.lines.get(*self.ids.get(id)?)
    }

    /// The line of this id.
    pub fn get(&self, id: &str) -> Option<&Place> {
        self.line(id).map(|line| &line.place)
    }

    /// The last line.
    pub fn last(&self) -> Option<&str> {
        self.lines.last().map(|line| line.id.as_str())
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
        let first = id.and_then(|id| self.line(id));
        std::iter::successors(first, |line| self.lines.get(line.parent?)).map(|line| (line.id.as_str(), &line.place))
    }

    /// How many bytes were said from one line on to another; none if the first is not before the last, or if it was cleared away.
    pub fn said(&self, last: Option<&str>, first: &str) -> Option<u64> {
        let (last, first) = (self.line(last?)?, self.line(first)?);
        let mut above = last;
        while above.depth > first.depth {
            let far = self.lines.get(above.jump)?;
            above = if far.depth >= first.depth { far } else { self.lines.get(above.parent?)? };
        }
        let before = first.parent.and_then(|parent| self.lines.get(parent)).map_or(0, |before| before.bytes);
        (above.id == first.id && first.cleared == last.cleared).then(|| last.bytes - before)
    }

    /// The entries in which that was said, the oldest first.
    pub fn path(&self, last: Option<&str>, first: &str) -> Vec<String> {
        let Some((last, first)) = last.and_then(|last| self.line(last)).zip(self.line(first)) else {
            return Vec::new();
        };
        let spoken = |line: Option<usize>| self.lines.get(line?).filter(|line| line.depth >= first.depth);
        let back = std::iter::successors(spoken(last.spoken), |line| {
            spoken(line.parent.and_then(|parent| self.lines.get(parent)?.spoken))
        });
        let mut path: Vec<_> = back.map(|line| line.id.clone()).collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(lines: &[(&str, Option<&str>, Option<u64>)]) -> Known {
        let mut known = Known::default();
        for (id, parent, said) in lines {
            let entry = Some((*id).to_owned());
            let kind = said.map_or(Kind::Unkept, Kind::Spoken);
            known.add((*id).to_owned(), Place { entry, parent: parent.map(str::to_owned), kind });
        }
        known
    }

    #[test]
    fn a_path_holds_what_was_said_from_the_first_kept_on() {
        let known = known(&[
            ("a", None, Some(1)),
            ("b", Some("a"), None),
            ("x", Some("a"), Some(2)),
            ("c", Some("b"), None),
            ("d", Some("c"), Some(4)),
            ("e", Some("d"), None),
        ]);
        assert_eq!((known.path(Some("e"), "a"), known.said(Some("e"), "a")), (vec!["a".into(), "d".into()], Some(5)));
        assert_eq!((known.path(Some("d"), "b"), known.said(Some("d"), "b")), (vec!["d".into()], Some(4)));
        assert_eq!((known.path(Some("e"), "e"), known.said(Some("e"), "e")), (vec![], Some(0)));
        assert_eq!(known.said(Some("d"), "x"), None, "that is another branch");
        assert_eq!(known.said(Some("a"), "d"), None, "that comes later");
        assert_eq!(known.said(None, "a"), None);
    }

    #[test]
    fn any_line_of_a_long_way_is_found_in_a_few_steps() {
        let ids: Vec<String> = (0..1_000).map(|n| n.to_string()).collect();
        let mut lines = vec![(ids[0].as_str(), None, Some(1))];
        lines.extend(ids.windows(2).map(|pair| (pair[1].as_str(), Some(pair[0].as_str()), Some(1))));
        let known = known(&lines);
        for first in [0, 1, 500, 998, 999] {
            assert_eq!(known.said(Some("999"), &ids[first]), Some(1_000 - first as u64));
        }
        let jumps = std::iter::successors(Some(999), |at| Some(known.lines[*at].jump).filter(|jump| jump != at));
        assert!(jumps.count() < 20);
    }
}
