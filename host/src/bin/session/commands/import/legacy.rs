//! Versions 1 to 3: a line an entry, and changes of names, labels and models as entries too. They become what pi's own
//! upgrade makes of them, but that entries keep their ids.

use std::io::BufRead;

use anyhow::{Context, Result};
use session_host::tree::{CommitOptions, EntryType, NewEntry, NewUsage, Tree, TreeError, Write};

use super::branch::{Lost, moved};
use super::change::{self, Said};
use super::edits::{EDIT, Edits};
use super::header::{Header, time};
use super::kept::Kept;
use super::known::{Change, Kind, Known, Place};
use super::limits::{self, quoted as shown};
use super::lines::{LONGEST, Lines};
use super::payload;
use super::refusal::refusal;
use super::report::Report;
use super::spent::Spent;
use super::tail;
use super::values::{self, Label};
use crate::view::members::{Members, object_of};

/// What those who went on from pi write beside its own lines: it changes nothing that a model gets to see.
const HARMLESS: [&str; 5] = ["credential_pin", "mode_change", "service_tier_change", "session_init", "ttsr_injection"];

/// Goes through the file.
pub struct Legacy<'a> {
    version: u64,
    tree: Tree<'a>,
    report: &'a mut Report,
    lost: Lost,
    known: Known,
    edits: Edits,
    kept: Kept,
    spent: Spent,
    name: Option<String>,
    labels: Vec<Label>,
    /// How much of the file was read.
    bytes: u64,
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
            edits: Edits::default(),
            kept: Kept::default(),
            spent: Spent::default(),
            name: header.title.clone(),
            labels: Vec::new(),
            bytes: 0,
            timestamp: header.created_at.unwrap_or(0),
        }
    }

    /// Commits what the lines hold.
    pub fn read(&mut self, lines: &mut Lines<impl BufRead>) -> Result<()> {
        // The header is the first object.
        self.known.count(None);
        while let Some(line) = lines.next()? {
            self.bytes += line.bytes();
            let read =
                line.text().and_then(|text| Members::read(text).ok_or_else(|| "it is no JSON object".to_owned()));
            if read.is_err() && !line.is_blank() {
                self.lost.line();
            }
            let taken = match read {
                Ok(members) => {
                    let taken = self.take(line.number, &members).with_context(|| format!("line {}", line.number))?;
                    if taken.is_err() && members.string("type").as_deref() == Some(EDIT) {
                        self.report.context.add(line.number, "what it edits stays as it was");
                    }
                    taken
                }
                Err(reason) => Err(reason),
            };
            if let Err(reason) = taken {
                self.report.skipped.add(line.number, reason);
            }
        }
        Ok(())
    }

    /// Whether some of what is committed has to be another: it is edited, or it was not known how much of it there is.
    pub fn is_edited(&self) -> bool {
        !self.edits.is_empty() || self.kept.is_much()
    }

    /// Commits all of it to this tree instead, edited.
    pub fn edit_into(&mut self, tree: Tree<'a>) -> Result<()> {
        let left_out = self.kept.left_out(&self.known, self.bytes);
        self.edits.write(&self.known, (&self.kept, &left_out), (&self.tree, &tree), self.report)?;
        self.tree = tree;
        Ok(())
    }

    /// Commits the values that come of all lines.
    pub fn finish(self) -> Result<()> {
        let values = values::of(&self.known, self.name, self.labels, self.spent, &mut self.report.mended);
        for write in values {
            let options = CommitOptions { first: None, timestamp: Some(self.timestamp) };
            let writes = [write];
            if let Err(error) = self.tree.commit_with(&writes, options) {
                let reason = refusal(error, &writes)?;
                self.report.mended.add(None, format!("a value is left out: {reason}"));
            }
        }
        Ok(())
    }

    /// Takes an entry, or tells why it can't be.
    fn take(&mut self, line: u64, members: &Members<'_>) -> Result<Result<(), String>> {
        let kind = members.string("type").unwrap_or_default();
        if kind == "session" {
            self.known.count(None);
            return Ok(Err("it is a second header".to_owned()));
        }
        let (id, parent) = if self.version == 1 {
            (Some(format!("{line:08x}")), self.known.last().map(str::to_owned))
        } else {
            // One that is no text is none of an entry that is there.
            let parent = members.get("parentId").map(str::to_owned);
            (members.string("id"), members.string("parentId").or(parent))
        };
        let id = id.ok_or_else(|| "it has no `id`".to_owned()).and_then(|id| limits::name("id", id));
        self.known.count(id.as_ref().ok().cloned());
        let id = match id {
            Ok(id) if self.known.get(&id).is_some() => Err(format!("there is an entry {} already", shown(&id))),
            id => id,
        };
        let id = match id {
            Ok(id) => id,
            Err(reason) => return Ok(Err(reason)),
        };
        let parent = self.parent_of(line, &id, parent);
        let place = |kind, entry: Option<String>| Place { entry, parent: parent.clone(), kind };
        let above = parent.as_deref().and_then(|parent| self.known.entry_at(parent).map(str::to_owned));
        match kind.as_str() {
            "leaf" => {
                self.known.add(id, place(Kind::Change(Change::Other), above));
                return Ok(self.stand_at(line, members));
            }
            "reset_boundary" => {
                self.known.add(id, place(Kind::Clearing, None));
                self.report
                    .mended
                    .add(line, "a model gets to see nothing that came before it; what follows it follows nothing now");
                return Ok(Ok(()));
            }
            "usage" | "model_usage" => {
                self.known.add(id.clone(), place(Kind::Change(Change::Other), above));
                return self.usage(id, members);
            }
            _ => {}
        }
        if let Some(change) = self.change(line, &kind, members) {
            self.known.add(id, place(Kind::Change(change), above));
            return Ok(Ok(()));
        }
        let written = members.get("timestamp");
        let time = written.and_then(time);
        self.timestamp = time.unwrap_or(self.timestamp);
        let entry = match self.entry(line, &kind, &id, above.as_deref(), parent.as_deref(), members)? {
            Ok(entry) => entry,
            Err(reason) => {
                // What follows it follows what it followed.
                self.known.add(id, place(Kind::Change(Change::Other), above));
                return Ok(Err(reason));
            }
        };
        let bytes = entry.payload.len() as u64;
        let options = CommitOptions { first: None, timestamp: Some(self.timestamp) };
        let writes = [Write::entry(entry)];
        if let Err(error) = self.tree.commit_with(&writes, options) {
            let reason = refusal(error, &writes)?;
            self.known.add(id, place(Kind::Change(Change::Other), above));
            return Ok(Err(reason));
        }
        if written.is_some() && time.is_none() {
            self.report.mended.add(line, "its time can't be read; it gets that of the entry before it");
        }
        for name in payload::left_out(&kind, members) {
            self.report.mended.add(line, format!("its member `{name}` is left out: version 4 has one of that name"));
        }
        self.spent.add(&kind, members);
        self.lost.read(&id);
        if kind == EDIT {
            let target = members.string("targetId").filter(|target| limits::is_name(target));
            self.edits.add(line, id.clone(), target.unwrap_or_default());
        }
        let kind = match kind.as_str() {
            "custom" | "compaction" | EDIT => Kind::Unkept,
            _ => Kind::Spoken(bytes),
        };
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

    /// What a line says that is no entry any more.
    fn change(&mut self, line: u64, kind: &str, members: &Members<'_>) -> Option<Change> {
        Some(match change::read(line, kind, members, &mut self.report.mended)? {
            Said::Change(change) => change,
            Said::Name(name) => {
                self.name = name;
                Change::Other
            }
            Said::Label { target, label } => {
                self.labels.push(Label { line, target, label });
                Change::Other
            }
        })
    }

    /// The session stands where a line says, or at what is left of that branch.
    fn stand_at(&mut self, line: u64, members: &Members<'_>) -> Result<(), String> {
        let target = members.string("targetId");
        if target.is_none() && members.value("targetId") != Some("null") {
            return Err("it does not say where the session stands".to_owned());
        }
        let found = match target {
            Some(target) if self.known.get(&target).is_none() => {
                let found = self.lost.instead_of(&target);
                let (target, now) = (shown(&target), shown(found.as_deref().unwrap_or("the beginning")));
                self.report
                    .context
                    .add(line, format!("the session stood at {target}, which is not there; it stands at {now} now"));
                found
            }
            target => target,
        };
        self.known.stand_at(found);
        Ok(())
    }

    /// A row of the ledger: its usage as it is written if that can be, else what can be read of it.
    fn usage(&mut self, id: String, members: &Members<'_>) -> Result<Result<(), String>> {
        let Some(usage) = members.object("usage") else {
            return Ok(Err("it has no `usage`; that is missing from the sum".to_owned()));
        };
        let mut spent = Spent::default();
        spent.add_usage(&usage);
        let details = members.without(&["type", "id", "parentId", "usage"]);
        for usage in [members.get("usage").unwrap_or_default().to_owned(), spent.json()] {
            let row = NewUsage::json(id.clone(), usage).details(details.clone());
            let writes = [Write::usage(row)];
            match self.tree.commit(&writes) {
                Ok(_) => return Ok(Ok(())),
                Err(TreeError::RefusedWrite { .. }) => {}
                Err(error) => return Ok(Err(refusal(error, &writes)?)),
            }
        }
        Ok(Err("its `usage` can't be a row of the ledger; that is missing from the sum".to_owned()))
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
        let is_edit = kind == EDIT;
        let (kind, payload) = match kind {
            "message" => match self.message(members) {
                Ok(message) => (EntryType::Message, payload::message(members, &message)),
                Err(reason) => return Ok(Err(reason)),
            },
            "custom_message" => (EntryType::Message, payload::custom_message(members, self.timestamp)),
            "branch_summary" => {
                let from = self.ended_at(line, members);
                (EntryType::BranchSummary, payload::branch_summary(members, from.as_deref()))
            }
            "compaction" => {
                let tail = self.tail(line, id, parent, members)?;
                (EntryType::Compaction, payload::compaction(members, &tail))
            }
            "custom" => (EntryType::Custom, payload::custom(members)),
            EDIT => (EntryType::Custom, object_of([("data", payload::data(members).as_str())])),
            kind => return Ok(Err(unknown(kind))),
        };
        let custom_type = match kind {
            EntryType::Custom if is_edit => Some(EDIT.to_owned()),
            EntryType::Custom => match members.string("customType").map(|kind| limits::name("customType", kind)) {
                Some(Err(reason)) => return Ok(Err(reason)),
                custom_type => custom_type.and_then(Result::ok),
            },
            _ => None,
        };
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

    /// The entry at which the branch ended that a line summarises.
    fn ended_at(&mut self, line: u64, members: &Members<'_>) -> Option<String> {
        // How the beginning was called.
        let from = members.string("fromId").filter(|from| from != "root")?;
        if let Some(place) = self.known.get(&from) {
            return place.entry.clone();
        }
        let from = shown(&from);
        self.report.mended.add(line, format!("it summarises a branch that ended at {from}, which is not there"));
        None
    }

    /// The messages that a compaction kept, as an array.
    fn tail(&mut self, line: u64, id: &str, parent: Option<&str>, members: &Members<'_>) -> Result<String> {
        let system = members.get("systemMessage").filter(|system| system.starts_with('{'));
        if let Some(tail) = members.get("retainedTail").filter(|tail| tail.starts_with('[')) {
            self.edits.copied(line);
            return Ok(tail.to_owned());
        }
        let by_index = members.number("firstKeptEntryIndex").and_then(|index| self.known.counted_from(index));
        let first = members.string("firstKeptEntryId").or_else(|| by_index.map(str::to_owned));
        // What stands around them takes room too.
        let around = payload::compaction(members, "[]").len() + id.len() + 4096;
        let room = LONGEST.saturating_sub(around) as u64;
        let kept = match first {
            // What keeps nothing names itself.
            Some(first) if first == id => Ok(Vec::new()),
            Some(first) => self.kept.add(&self.known, (line, id), (parent, &first), (room, self.bytes)),
            None => Err("it does not say what it kept".to_owned()),
        };
        let kept = kept.unwrap_or_else(|reason| {
            self.report.context.add(line, format!("{reason}; nothing is kept"));
            Vec::new()
        });
        tail::messages(&self.tree, kept, system)
    }
}

/// Why a line of this type is left out.
fn unknown(kind: &str) -> String {
    let kind = shown(kind);
    match HARMLESS.contains(&kind.as_ref()) {
        true => format!("there is no place for a {kind}; it changed nothing that a model gets to see"),
        false => {
            format!("it is of a type that is not known: {kind}; if it changed what a model gets to see, that is lost")
        }
    }
}
