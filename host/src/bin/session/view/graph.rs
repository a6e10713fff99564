//! Branches drawn beside entries that come newest first: a column for each that is under way.

use std::collections::{BTreeSet, HashMap};

/// What is under way: each branch in a column of its own.
pub struct Graph {
    /// The columns that lead to each entry, from the left.
    leading: HashMap<String, BTreeSet<usize>>,
    /// How many columns there are, and which of them lead nowhere; the last does not.
    count: usize,
    free: BTreeSet<usize>,
    /// So many columns are drawn.
    most: usize,
}

impl Graph {
    /// A drawing that takes at most so much of a line, and the mark of an entry that stands further out.
    pub fn within(width: usize) -> Self {
        Self { leading: HashMap::new(), count: 0, free: BTreeSet::new(), most: (width / 2).max(2) }
    }

    /// What stands before the line of this entry. Columns that lead to it end there.
    pub fn row(&mut self, id: &str, parent: Option<&str>) -> String {
        let leading = self.leading.remove(id).unwrap_or_default();
        let at = leading.first().or(self.free.first()).copied().unwrap_or(self.count);
        let last = leading.last().copied().unwrap_or(at);
        let width = self.count.max(at + 1);
        let mut row = String::new();
        for place in 0..width.min(self.most) {
            let joins = place > at && place <= last;
            if place > 0 {
                row.push(if joins { '─' } else { ' ' });
            }
            row.push(match (leading.contains(&place), !self.free.contains(&place)) {
                _ if place == at => '●',
                (true, _) if place == last => '╯',
                (true, _) => '┴',
                (_, true) if joins => '┼',
                (_, true) => '│',
                _ if joins => '─',
                _ => ' ',
            });
        }
        if at >= self.most {
            row += " ⋯●";
        } else if last >= self.most {
            row += "─⋯";
        }
        self.count = width;
        self.free.extend(leading);
        self.free.insert(at);
        if let Some(parent) = parent {
            self.free.remove(&at);
            self.leading.entry(parent.to_owned()).or_default().insert(at);
        }
        while self.count > 0 && self.free.remove(&(self.count - 1)) {
            self.count -= 1;
        }
        row.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(entries: &[(&str, Option<&str>)]) -> Vec<String> {
        let mut graph = Graph::within(12);
        entries.iter().map(|(id, parent)| format!("{} {id}", graph.row(id, *parent))).collect()
    }

    #[test]
    fn a_branch_alone_is_a_line() {
        assert_eq!(draw(&[("b", Some("a")), ("a", None)]), ["● b", "● a"]);
    }

    #[test]
    fn branches_meet_where_they_began() {
        let entries =
            [("f", Some("d")), ("e", Some("b")), ("d", Some("b")), ("c", Some("a")), ("b", Some("a")), ("a", None)];
        assert_eq!(draw(&entries), ["● f", "│ ● e", "● │ d", "│ │ ● c", "●─╯ │ b", "●───╯ a"]);
    }

    #[test]
    fn a_column_that_goes_on_is_crossed() {
        let entries = [("d", Some("a")), ("c", Some("b")), ("e", Some("a")), ("b", None), ("a", None)];
        assert_eq!(draw(&entries), ["● d", "│ ● c", "│ │ ● e", "│ ● │ b", "●───╯ a"]);
        let entries = [("d", Some("a")), ("c", Some("b")), ("e", Some("a")), ("a", None), ("b", None)];
        assert_eq!(draw(&entries), ["● d", "│ ● c", "│ │ ● e", "●─┼─╯ a", "  ● b"]);
    }

    #[test]
    fn a_column_is_used_again_behind_a_root() {
        assert_eq!(draw(&[("b", None), ("a", None)]), ["● b", "● a"]);
    }

    #[test]
    fn what_stands_too_far_out_is_marked_and_takes_no_more_room() {
        let mut graph = Graph::within(6);
        let mut rows: Vec<_> = (0..5).map(|child| graph.row(&child.to_string(), Some("a"))).collect();
        rows.push(graph.row("a", None));
        assert_eq!(rows, ["●", "│ ●", "│ │ ●", "│ │ │ ⋯●", "│ │ │ ⋯●", "●─┴─┴─⋯"]);
    }
}
