//! `session tree`

use std::collections::HashMap;
use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use serde_json::value::RawValue;
use session_host::tree::{Branch, Direction, Entry, EntryScan, EntryType, RangeScan, Tree, TreeState};

use crate::exit::Exit;
use crate::output::{self, BOLD, DIM, width};
use crate::place::Place;
use crate::view::graph::{self, Graph};
use crate::view::{entry, state, text};

/// What `tree` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to show
    pub id: String,
    /// Print at most so many entries, the newest
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    max: u32,
}

/// An entry, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    id: &'a str,
    parent: Option<&'a str>,
    number: u64,
    timestamp: u64,
    #[serde(rename = "type")]
    kind: EntryType,
    #[serde(skip_serializing_if = "Option::is_none")]
    custom_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    branches: &'a [String],
    payload: &'a RawValue,
}

/// A branch before the first entry, as JSON.
#[derive(Serialize)]
struct Bare<'a> {
    branch: &'a str,
    tip: Option<&'a str>,
}

/// What is written beside entries, by their ids.
struct Marks {
    labels: HashMap<String, String>,
    branches: HashMap<String, Vec<String>>,
    /// Branches that stand before the first entry.
    bare: Vec<String>,
}

impl Args {
    /// Prints the entries, the newest first.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let tree = sessions.tree(&self.id);
        let told = tree.state()?;
        let marks = Marks::read(&tree)?;
        let range = RangeScan { direction: Direction::NewestFirst, limit: self.max, ..RangeScan::default() };
        let entries = tree.scan_entries(EntryScan { range, ..EntryScan::default() });
        if json {
            let mut out = output::bytes();
            for entry in entries {
                marks.write_json(&mut out, &entry?)?;
            }
            for branch in &marks.bare {
                output::json_line(&mut out, &Bare { branch, tip: None })?;
            }
            out.flush()?;
        } else {
            let mut out = output::people();
            writeln!(out, "{}", headline(&told))?;
            let mut graph = Graph::default();
            for entry in entries {
                let entry = entry?;
                let row = graph.row(&entry.structure.id, entry.structure.parent.as_deref());
                marks.write_row(&mut out, &row, &entry)?;
            }
            for branch in &marks.bare {
                writeln!(
                    out,
                    "{DIM}○{DIM:#} {BOLD}{}{BOLD:#} {DIM}stands before the first entry{DIM:#}",
                    text::name(branch)
                )?;
            }
            out.flush()?;
        }
        warn_of_refused(&told);
        state::warn_of_damage(&sessions, &self.id, "shown", place);
        Ok(Exit::Done)
    }
}

/// What the tree is called, and how large it is.
fn headline(state: &TreeState) -> String {
    let name =
        state.name.as_deref().map_or_else(String::new, |name| format!("{BOLD}{}{BOLD:#}  ", text::fit(name, 80)));
    let entries = text::count_as(state.entry_count, "entry", "entries");
    let messages = text::count(state.stats.message_count, "message");
    format!("{name}{DIM}{entries}, {messages}{DIM:#}")
}

/// Commits that changed nothing are no part of what is shown.
pub fn warn_of_refused(state: &TreeState) {
    let Some(first) = state.refused.first() else { return };
    let (count, event, reason) = (text::count(state.refused.len() as u64, "commit"), first.event, &first.reason);
    output::warn(&format!("{count} of the log broke a rule and changed nothing; the first is event {event}: {reason}"));
}

impl Marks {
    fn read(tree: &Tree<'_>) -> Result<Self> {
        let mut marks = Self { labels: HashMap::new(), branches: HashMap::new(), bare: Vec::new() };
        for label in tree.scan_values("pi.entry.label", "") {
            let label = label?;
            // What is no text labels nothing.
            marks.labels.extend(label.parse().ok().map(|text| (label.address.key, text)));
        }
        for branch in tree.branches() {
            let Branch { name, tip } = branch?;
            match tip {
                Some(tip) => marks.branches.entry(tip).or_default().push(name),
                None => marks.bare.push(name),
            }
        }
        Ok(marks)
    }

    fn of(&self, entry: &Entry) -> (&[String], Option<&str>) {
        let id = &entry.structure.id;
        (self.branches.get(id).map_or(&[], Vec::as_slice), self.labels.get(id).map(String::as_str))
    }

    fn write_json(&self, out: &mut impl Write, entry: &Entry) -> Result<()> {
        let (branches, label) = self.of(entry);
        let structure = &entry.structure;
        let line = Line {
            id: &structure.id,
            parent: structure.parent.as_deref(),
            number: structure.number,
            timestamp: structure.timestamp,
            kind: structure.kind,
            custom_type: structure.custom_type.as_deref(),
            label,
            branches,
            payload: serde_json::from_str(&entry.payload)?,
        };
        Ok(output::json_line(out, &line)?)
    }

    fn write_row(&self, out: &mut impl Write, row: &str, entry: &Entry) -> Result<()> {
        let (branches, label) = self.of(entry);
        let (who, style, said) = entry::describe(entry);
        let (id, who, marks) =
            (entry::short_id(&entry.structure.id), text::fit(&who, 14), entry::marks(branches, label));
        let used = graph::width(row)
            + 1
            + 12
            + 1
            + console::measure_text_width(&who)
            + console::measure_text_width(&marks)
            + 2;
        let said = text::fit(&said, width().saturating_sub(used).max(20));
        let said = if said.is_empty() { said } else { format!("  {said}") };
        writeln!(out, "{row} {DIM}{id:<12}{DIM:#} {style}{who}{style:#}{marks}{said}")?;
        Ok(())
    }
}
