//! Versions 1 to 3: a line an entry, and changes of names, labels and models as entries too. They become what pi's own
//! upgrade makes of them, but that entries keep their ids.

use std::io::BufRead;

use anyhow::Result;
use session_host::Error;
use session_host::tree::{CommitOptions, EntryType, NewEntry, Tree, TreeError, Write};

use super::branch::Lost;
use super::current::moved;
use super::header::{Header, time};
use super::known::{Change, Kind, Known, Place};
use super::lines::Lines;
use super::report::Report;
use super::spent::Spent;
use super::tail;
use super::values;
use crate::view::members::{Members, object_of, quoted};

/// Goes through the file.
pub struct Legacy<'a> {
    version: u64,
    tree: Tree<'a>,
    report: &'a mut Report,
    lost: Lost,
    known: Known,
    spent: Spent,
    name: Option<String>,
    labels: Vec<(String, Option<String>)>,
    /// Of the last line with a time that can be read.
    timestamp: u64,
}

impl<'a> Legacy<'a> {
    /// Begins behind the header.
    pub fn new(header: &Header, tree: Tree<'a>, report: &'a mut Report) -> Self {
        Self {
            version: header.version,
            tree,
            report,
            lost: Lost::default(),
            known: Known::default(),
            spent: Spent::default(),
            name: None,
            labels: Vec::new(),
            timestamp: header.created_at.unwrap_or(0),
        }
    }

    /// Commits what the lines hold, and then the values that come of all of them.
    pub fn run(mut self, lines: &mut Lines<impl BufRead>) -> Result<()> {
        // The header is the first object.
        self.known.count(None);
        while let Some(line) = lines.next()? {
            let read =
                line.text().and_then(|text| Members::read(text).ok_or_else(|| "it is no JSON object".to_owned()));
            if read.is_err() && !line.is_blank() {
                self.lost.line();
            }
            let taken = match read {
                Ok(members) => self.take(line.number, &members)?,
                Err(reason) => Err(reason),
            };
            if let Err(reason) = taken {
                self.report.skipped.add(line.number, reason);
            }
        }
        let values = values::of(&self.known, self.name, self.labels, self.spent, &mut self.report.mended);
        for write in values {
            let options = CommitOptions { first: None, timestamp: Some(self.timestamp) };
            match self.tree.commit_with(&[write], options) {
                Ok(_) => {}
                Err(TreeError::RefusedWrite { reason, .. }) => {
                    self.report.mended.add(None, format!("a value is left out: {reason}"))
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Takes an entry, or tells why it can't be.
    fn take(&mut self, line: u64, members: &Members<'_>) -> Result<Result<(), String>> {
        let kind = members.string("type").unwrap_or_default();
        if kind == "session" {
            return Ok(Err("it is a second header".to_owned()));
        }
        let (id, parent) = if self.version == 1 {
            (Some(format!("{line:08x}")), self.known.last().map(str::to_owned))
        } else {
            (members.string("id"), members.string("parentId"))
        };
        self.known.count(id.clone());
        let Some(id) = id else { return Ok(Err("it has no `id`".to_owned())) };
        if self.known.get(&id).is_some() {
            return Ok(Err(format!("there is an entry {id} already")));
        }
        let parent = self.parent_of(line, &id, parent);
        let place = |kind, entry: Option<String>| Place { entry, parent: parent.clone(), kind };
        let above = parent.as_deref().and_then(|parent| self.known.entry_at(parent).map(str::to_owned));
        if let Some(change) = self.change(&kind, members) {
            self.known.add(id, place(Kind::Change(change), above));
            return Ok(Ok(()));
        }
        if let Some(time) = members.value("timestamp").and_then(time) {
            self.timestamp = time;
        }
        let entry = match self.entry(line, &kind, &id, above.as_deref(), parent.as_deref(), members)? {
            Ok(entry) => entry,
            Err(reason) => {
                // What follows it follows what it followed.
                self.known.add(id, place(Kind::Change(Change::Other), above));
                return Ok(Err(reason));
            }
        };
        let options = CommitOptions { first: None, timestamp: Some(self.timestamp) };
        match self.tree.commit_with(&[Write::entry(entry)], options) {
            Ok(_) => {}
            Err(TreeError::Session(error)) if !matches!(error, Error::Rejected { .. }) => {
                return Err(error.into());
            }
            Err(error) => {
                self.known.add(id, place(Kind::Change(Change::Other), above));
                return Ok(Err(error.to_string()));
            }
        }
        self.spent.add(&kind, members);
        self.lost.read(&id);
        let kind = if kind == "custom" { Kind::Custom } else { Kind::Spoken };
        self.known.add(id.clone(), place(kind, Some(id)));
        Ok(Ok(()))
    }

    /// The parent, if it is there; else what is left of its branch.
    fn parent_of(&mut self, line: u64, id: &str, parent: Option<String>) -> Option<String> {
        let parent = parent?;
        if self.known.get(&parent).is_some() {
            return Some(parent);
        }
        let found = self.lost.instead_of(&parent);
        self.report.mended.add(line, moved(id, &parent, found.as_deref()));
        found
    }

    /// What is no entry any more.
    fn change(&mut self, kind: &str, members: &Members<'_>) -> Option<Change> {
        let raw = |name: &str| members.value(name).map(str::to_owned);
        Some(match kind {
            "model_change" => Change::Model { provider: raw("provider"), model: raw("modelId") },
            "thinking_level_change" => Change::Thinking(raw("thinkingLevel")),
            "active_tools_change" => Change::Tools(raw("activeToolNames")),
            "session_info" => {
                self.name = members.string("name").filter(|name| !name.is_empty());
                Change::Other
            }
            "label" => {
                if let Some(target) = members.string("targetId") {
                    self.labels.push((target, members.string("label").filter(|label| !label.is_empty())));
                }
                Change::Other
            }
            _ => return None,
        })
    }

    /// The entry that a line becomes.
    fn entry(
        &mut self,
        line: u64,
        kind: &str,
        id: &str,
        above: Option<&str>,
        parent: Option<&str>,
        members: &Members<'_>,
    ) -> Result<Result<NewEntry, String>> {
        let (kind, payload) = match kind {
            "message" => match self.message(members) {
                Ok(message) => (EntryType::Message, object_of([("message", message.as_str())])),
                Err(reason) => return Ok(Err(reason)),
            },
            "custom_message" => {
                let message = custom_message(members, self.timestamp);
                (EntryType::Message, object_of([("message", message.as_str())]))
            }
            "branch_summary" => (EntryType::BranchSummary, self.branch_summary(line, members)),
            "compaction" => match self.tail(line, parent, members)? {
                Ok(tail) => (EntryType::Compaction, compaction(members, &tail)),
                Err(reason) => return Ok(Err(reason)),
            },
            "custom" => {
                let data = members.value("data");
                (EntryType::Custom, object_of(data.map(|data| ("data", data))))
            }
            kind => return Ok(Err(format!("it is of a type that is not known: {kind}"))),
        };
        let custom_type = if kind == EntryType::Custom { members.string("customType") } else { None };
        Ok(Ok(NewEntry { id: id.to_owned(), parent: above.map(str::to_owned), kind, custom_type, payload }))
    }

    /// The message as it is written; before version 3, those of hooks had a role of their own.
    fn message(&self, members: &Members<'_>) -> Result<String, String> {
        let message = members.object("message").ok_or("its `message` is no object")?;
        let written = members.get("message").unwrap_or_default();
        match message.string("role") {
            None => Err("its `message` has no `role`".to_owned()),
            Some(role) if role == "hookMessage" && self.version < 3 => Ok(message.with("role", r#""custom""#)),
            Some(_) => Ok(written.to_owned()),
        }
    }

    fn branch_summary(&mut self, line: u64, members: &Members<'_>) -> String {
        let from = match members.string("fromId") {
            // How the beginning was called.
            Some(from) if from != "root" => match self.known.get(&from) {
                Some(place) => place.entry.clone(),
                None => {
                    self.report
                        .mended
                        .add(line, format!("it summarises a branch that ended at {from}, which is not there"));
                    None
                }
            },
            _ => None,
        };
        let from = from.map_or_else(|| "null".to_owned(), |from| quoted(&from));
        let (details, usage) = (members.get("details"), members.get("usage"));
        object_of(
            [("fromId", from.as_str()), ("summary", members.get("summary").unwrap_or(r#""""#))]
                .into_iter()
                .chain(details.map(|details| ("details", details)))
                .chain(usage.map(|usage| ("usage", usage)))
                .chain([("fromHook", members.get("fromHook").unwrap_or("false"))]),
        )
    }

    /// The messages that a compaction kept, as an array.
    fn tail(&mut self, line: u64, parent: Option<&str>, members: &Members<'_>) -> Result<Result<String, String>> {
        if let Some(tail) = members.get("retainedTail").filter(|tail| tail.starts_with('[')) {
            return Ok(Ok(tail.to_owned()));
        }
        let by_index = members.number("firstKeptEntryIndex").and_then(|index| self.known.counted(index));
        let Some(first) = members.string("firstKeptEntryId").or_else(|| by_index.map(str::to_owned)) else {
            self.report.mended.add(line, "it does not say what it kept; nothing is kept");
            return Ok(Ok("[]".to_owned()));
        };
        let Some(kept) = self.known.path(parent, &first) else {
            self.report
                .mended
                .add(line, format!("it kept all from {first} on, which is not on its branch; nothing is kept"));
            return Ok(Ok("[]".to_owned()));
        };
        tail::messages(&self.tree, kept)
    }
}

fn custom_message(members: &Members<'_>, timestamp: u64) -> String {
    let timestamp = timestamp.to_string();
    let written = ["customType", "content", "details", "display"].into_iter();
    let written = written.filter_map(|name| Some((name, members.value(name)?)));
    object_of([("role", r#""custom""#)].into_iter().chain(written).chain([("timestamp", timestamp.as_str())]))
}

fn compaction(members: &Members<'_>, tail: &str) -> String {
    let (details, usage) = (members.get("details"), members.get("usage"));
    object_of(
        [
            ("summary", members.get("summary").unwrap_or(r#""""#)),
            ("retainedTail", tail),
            ("tokensBefore", members.get("tokensBefore").unwrap_or("0")),
        ]
        .into_iter()
        .chain(details.map(|details| ("details", details)))
        .chain(usage.map(|usage| ("usage", usage)))
        .chain([("fromHook", members.get("fromHook").unwrap_or("false"))]),
    )
}
