//! Edits of the context: a line that takes an earlier entry out of what a model gets to see, or puts something else in its place.
//! An entry is written once, so all of them are written again into another tree, those edited that are.

use std::collections::{HashMap, HashSet};

use anyhow::Result;
use session_host::tree::{CommitOptions, Entry, EntryScan, EntryType, NewEntry, RangeScan, Tree, Write};

use super::kept::Kept;
use super::known::Known;
use super::limits::quoted as shown;
use super::refusal::refusal;
use super::report::Report;
use super::tail;
use crate::view::members::{Members, Writing, object_of, quoted};

/// How the type of such a line is called, and that of the entry that it becomes.
pub const EDIT: &str = "context_edit";
/// How an entry is called that is no part of the context any more.
const OMITTED: &str = "omitted";

/// The edits.
#[derive(Default)]
pub struct Edits {
    edits: Vec<Edit>,
    /// Lines of compactions that hold copies of what they kept.
    copies: Vec<u64>,
}

struct Edit {
    line: u64,
    id: String,
    target: String,
}

impl Edits {
    /// There is an edit of that entry.
    pub fn add(&mut self, line: u64, id: String, target: String) {
        self.edits.push(Edit { line, id, target });
    }

    /// The compaction of this line holds copies of messages, and nobody knows of which entries.
    pub fn copied(&mut self, line: u64) {
        self.copies.push(line);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Writes what is in a tree into another one, edited, and with what compactions kept but those whose lines are told.
    pub fn write(
        &self,
        known: &Known,
        (kept, left_out): (&Kept, &HashSet<u64>),
        (from, to): (&Tree<'_>, &Tree<'_>),
        report: &mut Report,
    ) -> Result<()> {
        let chosen = self.chosen(known, report);
        for line in self.copies.iter().filter(|_| !self.is_empty()) {
            report.context.add(*line, "the messages that it holds are seen as they were before any edit");
        }
        for entry in from.entries(EntryScan::default()) {
            let Entry { structure, payload } = entry?;
            let options = CommitOptions { first: None, timestamp: Some(structure.timestamp) };
            let (kind, custom_type) = (structure.kind, structure.custom_type);
            let mut entry = NewEntry { id: structure.id, parent: structure.parent, kind, custom_type, payload };
            if let Some(compaction) = kept.get(&entry.id) {
                let is_left_out = left_out.contains(&compaction.line);
                let entries = if is_left_out { Vec::new() } else { compaction.path(known) };
                keep(entries, to, &mut entry)?;
                if is_left_out {
                    report.context.add(compaction.line, "the messages that it kept are left out: all that were kept in this file take more than 16 MiB and four times the file; nothing is kept");
                }
            }
            let edit = chosen.get(entry.id.as_str());
            if let Some(edit) = edit {
                edit.apply(from, &mut entry, report)?;
            }
            let writes = [Write::entry(entry)];
            if let Err(error) = to.commit_with(&writes, options) {
                let line = edit.map(|edit| edit.line);
                report.context.add(line, format!("an entry keeps less than it should: {}", refusal(error, &writes)?));
                let short = writes.into_iter().map(|write| match write {
                    Write::Entry(entry) => Write::Entry(shortened(entry)),
                    write => write,
                });
                to.commit_with(&short.collect::<Vec<_>>(), options)?;
            }
        }
        for row in from.usage(RangeScan::default()) {
            to.commit(&[Write::usage(row?.row)])?;
        }
        Ok(())
    }

    /// The edit of each entry that counts. In pi that depends on the branch; here it is the last one on the current branch.
    fn chosen(&self, known: &Known, report: &mut Report) -> HashMap<&str, &Edit> {
        let current: HashSet<&str> = known.back_from(known.tip()).map(|(line, _)| line).collect();
        let mut chosen: HashMap<&str, &Edit> = HashMap::new();
        for edit in &self.edits {
            let (target, is_current) = (edit.target.as_str(), current.contains(edit.id.as_str()));
            if target.is_empty() {
                report.context.add(edit.line, "it does not say what it edits, which stays as it was");
            } else if known.get(target).is_none() {
                report.mended.add(edit.line, format!("it edits {}, which is not there", shown(target)));
            } else if current.contains(target) && !is_current {
                report.context.add(
                    edit.line,
                    format!("it edits {0} on a branch that is left; {0} stays as it was, there too", shown(target)),
                );
            } else if let Some(before) = chosen.insert(target, edit)
                && !is_current
                && known.said(Some(&edit.id), &before.id).is_none()
            {
                let (before, after) = (before.line, edit.line);
                report.context.add(
                    before,
                    format!(
                        "it edits {}, and so does line {after} on another branch; that counts on both",
                        shown(target)
                    ),
                );
            }
        }
        chosen
    }
}

/// The messages of these entries, as they are now, are what a compaction kept.
fn keep(entries: Vec<String>, tree: &Tree<'_>, compaction: &mut NewEntry) -> Result<()> {
    let Some(members) = Members::read(&compaction.payload) else { return Ok(()) };
    let tail = tail::messages(tree, entries, members.get("systemMessage"))?;
    compaction.payload = members.with("retainedTail", &tail);
    Ok(())
}

/// What is left of an entry that got too long by what it is now: none of what a compaction kept, and of another entry that there was one.
fn shortened(mut entry: NewEntry) -> NewEntry {
    match Members::read(&entry.payload).filter(|_| entry.kind == EntryType::Compaction) {
        Some(members) => entry.payload = members.with("retainedTail", "[]"),
        None => {
            entry.payload = "{}".to_owned();
            entry.kind = EntryType::Custom;
            entry.custom_type = Some(OMITTED.to_owned());
        }
    }
    entry
}

impl Edit {
    /// Edits the entry; what it said stays with it where no model looks.
    fn apply(&self, tree: &Tree<'_>, entry: &mut NewEntry, report: &mut Report) -> Result<()> {
        let Some(edit) = tree.get_entries([self.id.as_str()]).next().transpose()? else { return Ok(()) };
        let data = Members::read(&edit.payload).and_then(|payload| payload.object("data"));
        let content = data
            .as_ref()
            .and_then(|data| data.object("replacement"))
            .and_then(|replacement| replacement.get("content").filter(|content| content.starts_with(['"', '['])));
        let told = match (entry.kind, content) {
            (EntryType::Custom, _) | (EntryType::BranchSummary | EntryType::Compaction, Some(_)) => return Ok(()),
            (EntryType::Compaction, None) => {
                let sentence =
                    format!("it takes out compaction {}, whose summary can't be; it is seen again", shown(&entry.id));
                report.context.add(self.line, sentence);
                return Ok(());
            }
            (EntryType::Message, Some(content)) => match replaced(&entry.payload, content) {
                Some(payload) => {
                    entry.payload = payload;
                    "is replaced for the model; as it was, it is kept as `original`"
                }
                None => return Ok(()),
            },
            (EntryType::Message | EntryType::BranchSummary, None) => {
                self.omit(entry);
                "is taken out of what a model gets to see, and kept as a custom entry"
            }
        };
        report.mended.add(self.line, format!("what entry {} says {told}", shown(&entry.id)));
        Ok(())
    }

    /// An entry that no model gets to see, with all that it was.
    fn omit(&self, entry: &mut NewEntry) {
        let kind = if entry.kind == EntryType::Message { r#""message""# } else { r#""branch_summary""# };
        let by = quoted(&self.id);
        let data = object_of([("by", by.as_str()), ("type", kind), ("payload", entry.payload.as_str())]);
        entry.payload = object_of([("data", data.as_str())]);
        entry.kind = EntryType::Custom;
        entry.custom_type = Some(OMITTED.to_owned());
    }
}

/// The payload with this content in its message; none if it is a message whose content is never replaced.
fn replaced(payload: &str, content: &str) -> Option<String> {
    let members = Members::read(payload)?;
    let message = members.object("message")?;
    let content = match message.string("role")?.as_str() {
        "assistant" | "toolResult" if content.starts_with('"') => {
            format!("[{}]", object_of([("type", r#""text""#), ("text", content)]))
        }
        "user" | "assistant" | "toolResult" | "custom" => content.to_owned(),
        _ => return None,
    };
    let original = message.value("content");
    let edited = match original {
        Some(_) => message.with("content", &content),
        None => Writing::new().kept(message.all()).named([("content", content.as_str())]).end(),
    };
    let payload = members.with("message", &edited);
    let members = Members::read(&payload)?;
    let original = original.map(|original| ("original", original));
    Some(Writing::new().kept(members.but(&["original"])).named(original).end())
}
