//! Branches drawn beside entries that come newest first: a column for each that is under way.

use console::measure_text_width;

/// What is under way.
#[derive(Default)]
pub struct Graph {
    /// The entry that each column leads to; none where the column is free.
    columns: Vec<Option<String>>,
}

impl Graph {
    /// What stands before the line of this entry. Columns that lead to it end there.
    pub fn row(&mut self, id: &str, parent: Option<&str>) -> String {
        let leads = |column: &Option<String>| column.as_deref() == Some(id);
        let at = self.columns.iter().position(leads).unwrap_or_else(|| self.free());
        let last = self.columns.iter().rposition(leads).unwrap_or(at);
        let mut row = String::new();
        for (place, column) in self.columns.iter().enumerate() {
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

/// How wide a row is.
pub fn width(row: &str) -> usize {
    measure_text_width(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(entries: &[(&str, Option<&str>)]) -> Vec<String> {
        let mut graph = Graph::default();
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
}
