//! `session tree`

use std::collections::{HashMap, HashSet};
use std::io::Write;

use anyhow::Result;
use console::Alignment;
use serde::Serialize;
use serde_json::value::RawValue;
use session_host::Sessions;
use session_host::tree::{Branch, Direction, Entry, EntryScan, EntryType, RangeScan, Tree, TreeState};

use crate::exit::Exit;
use crate::output::{self, BOLD, DIM, width};
use crate::place::Place;
use crate::view::graph::Graph;
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

/// A branch that stands at no entry that is there, as JSON.
#[derive(Serialize)]
struct Bare<'a> {
    branch: &'a str,
    tip: Option<&'a str>,
}

/// What is written beside entries, by their ids.
struct Marks {
    labels: HashMap<String, String>,
    branches: HashMap<String, Vec<String>>,
    /// Branches that stand before the first entry, or at one that is not there.
    bare: Vec<Branch>,
}

impl Args {
    /// Prints the entries, the newest first.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let tree = sessions.tree(&self.id);
        let told = tree.state()?;
        let marks = Marks::read(&tree)?;
        let range = RangeScan { direction: Direction::NewestFirst, limit: self.max, ..RangeScan::default() };
        let entries = tree.entries(EntryScan { range, ..EntryScan::default() });
        if json {
            let mut out = output::bytes();
            for entry in entries {
                marks.write_json(&mut out, &entry?)?;
            }
            for Branch { name, tip } in &marks.bare {
                output::json_line(&mut out, &Bare { branch: name, tip: tip.as_deref() })?;
            }
            out.flush()?;
        } else {
            let mut out = output::people();
            writeln!(out, "{}", headline(&told))?;
            let mut graph = Graph::within(width() / 3);
            let mut shown = 0;
            for entry in entries {
                let entry = entry?;
                shown += 1;
                let row = graph.row(&entry.structure.id, entry.structure.parent.as_deref());
                marks.write_row(&mut out, &row, &entry)?;
            }
            if let Some(older) = told.entry_count.checked_sub(shown).filter(|older| *older > 0) {
                writeln!(out, "{DIM}… {}{DIM:#}", text::count_as(older, "older entry", "older entries"))?;
            }
            for Branch { name, tip } in &marks.bare {
                let place = tip.as_ref().map_or_else(
                    || "before the first entry".to_owned(),
                    |tip| format!("at {}, which is not there", text::name(&text::fit(tip, 40))),
                );
                let name = text::name(name);
                writeln!(out, "{DIM}○{DIM:#} {BOLD}{name}{BOLD:#} {DIM}stands {place}{DIM:#}")?;
            }
            out.flush()?;
            hint_at_events(&told, &self.id, place);
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

/// Tells people who see an empty tree where to look.
pub fn hint_at_events(state: &TreeState, id: &str, place: &Place) {
    if state.next == 1 && state.refused.is_empty() {
        let show = place.command(&format!("show {}", text::quote(id)));
        output::hint(&format!("this session has no tree; `{show}` shows its events"));
    }
}

/// Tells people who see no messages that there is a tree, if there is one.
pub fn hint_at_tree(sessions: &Sessions, id: &str, place: &Place) {
    let tree = sessions.tree(id);
    if let Some(Ok(branch)) = tree.branches().next() {
        let (id, branch) = (text::quote(id), text::quote(&branch.name));
        let (messages, tree) =
            (place.command(&format!("messages {id} --branch {branch}")), place.command(&format!("tree {id}")));
        output::hint(&format!(
            "the conversation of this session is a tree; `{messages}` shows what a model is to see of a branch, `{tree}` all of it"
        ));
    }
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
        for label in tree.values("pi.entry.label", "") {
            let label = label?;
            // What is no text labels nothing.
            marks.labels.extend(label.parse().ok().map(|text| (label.address.key, text)));
        }
        let branches = tree.branches().collect::<Result<Vec<_>, _>>()?;
        let tips: HashSet<_> = branches.iter().filter_map(|branch| branch.tip.clone()).collect();
        let there = tree.get_entries(tips).map(|entry| entry.map(|entry| entry.structure.id));
        let there = there.collect::<Result<HashSet<_>, _>>()?;
        for branch in branches {
            match branch.tip.as_ref().filter(|tip| there.contains(*tip)) {
                Some(tip) => marks.branches.entry(tip.clone()).or_default().push(branch.name),
                None => marks.bare.push(branch),
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
        let structure = &entry.structure;
        let (who, style, said) = entry::describe(structure.kind, structure.custom_type.as_deref(), &entry.payload);
        let id = console::pad_str(&entry::short_id(&structure.id), 12, Alignment::Left, None).into_owned();
        let (who, marks) = (text::fit(&who, 14), entry::marks(branches, label));
        let used = [row, &id, &who, &marks].map(console::measure_text_width).iter().sum::<usize>() + 2;
        let said = match width().saturating_sub(used + 2) {
            0..8 => String::new(),
            room => text::fit(&said, room),
        };
        let said = if said.is_empty() { said } else { format!("  {said}") };
        writeln!(out, "{row} {DIM}{id}{DIM:#} {style}{who}{style:#}{marks}{said}")?;
        Ok(())
    }
}
