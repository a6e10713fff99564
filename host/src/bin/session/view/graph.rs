//! Branches drawn beside entries that come newest first: a column for each that is under way.

/// What is under way.
pub struct Graph {
    /// The entry that each column leads to; none where the column is free.
    columns: Vec<Option<String>>,
    /// So many columns are drawn.
    most: usize,
}

impl Graph {
    /// A drawing that takes at most so much of a line, and the mark of an entry that stands further out.
    pub fn within(width: usize) -> Self {
        Self { columns: Vec::new(), most: (width / 2).max(2) }
    }

    /// What stands before the line of this entry. Columns that lead to it end there.
    pub fn row(&mut self, id: &str, parent: Option<&str>) -> String {
        let leads = |column: &Option<String>| column.as_deref() == Some(id);
        let at = self.columns.iter().position(leads).unwrap_or_else(|| self.free());
        let last = self.columns.iter().rposition(leads).unwrap_or(at);
        let mut row = String::new();
        for (place, column) in self.columns.iter().enumerate().take(self.most) {
            let joins = place > at && place <= last;
            if place > 0 {
                row.push(if joins { '─' } else { ' ' });
            }
            row.push(match column {
                _ if place == at => '●',
                column if leads(column) => {
                    if place == last {
                        '╯'
                    } else {
                        '┴'
                    }
                }
                Some(_) => {
                    if joins {
                        '┼'
                    } else {
                        '│'
                    }
                }
                None => {
                    if joins {
                        '─'
                    } else {
                        ' '
                    }
                }
            });
        }
        if at >= self.most {
            row += " ⋯●";
        } else if last >= self.most {
            row += "─⋯";
        }
        self.columns.iter_mut().filter(|column| leads(column)).for_each(|column| *column = None);
        if let Some(column) = self.columns.get_mut(at) {
            *column = parent.map(str::to_owned);
        }
        while self.columns.pop_if(|column| column.is_none()).is_some() {}
        row.trim_end().to_owned()
    }

    /// A column that leads nowhere.
    fn free(&mut self) -> usize {
        self.columns.iter().position(Option::is_none).unwrap_or_else(|| {
            self.columns.push(None);
            self.columns.len() - 1
        })
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
