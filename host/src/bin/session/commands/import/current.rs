//! Version 4: a line holds one write, or those of one transaction, with numbers and times of their own.

use std::collections::HashSet;
use std::io::BufRead;

use anyhow::{Context, Result};
use session_host::Engine;
use session_host::tree::{Branch, CommitOptions, EntryType, NewEntry, NewUsage, NewValue, Tree, TreeError, Write};

use super::branch::{Lost, moved};
use super::header::Header;
use super::limits::{name, quoted};
use super::lines::Lines;
use super::refusal::refusal;
use super::rehearsal::Rehearsal;
use super::report::Report;
use crate::view::members::Members;

/// What an entry says of itself, so that no member of its type can be called so.
pub const OF_ENTRY: [&str; 7] = ["kind", "id", "parentId", "type", "customType", "seq", "timestamp"];

/// Goes through the file.
pub struct Current<'a> {
    tree: Tree<'a>,
    rehearsal: Rehearsal<'a>,
    lost: Lost,
    report: &'a mut Report,
    /// Of the last entry; what comes without a time gets that.
    timestamp: Option<u64>,
}

/// A write with its number, and its time if it is an entry.
struct Numbered {
    number: u64,
    timestamp: Option<u64>,
    write: Write,
}

/// Writes that one commit can hold: their numbers follow each other, and their entries have one time.
pub struct Run {
    /// Of the first.
    pub number: u64,
    /// Of its entries; none if there is none.
    pub timestamp: Option<u64>,
    /// What is written.
    pub writes: Vec<Write>,
}

impl<'a> Current<'a> {
    /// Begins behind the header.
    pub fn new(header: &Header, tree: Tree<'a>, engine: &'a Engine, report: &'a mut Report) -> Self {
        let (rehearsal, lost) = (Rehearsal::new(engine), Lost::default());
        Self { tree, rehearsal, lost, report, timestamp: header.created_at }
    }

    /// Commits what the lines hold.
    pub fn run(mut self, header: &Header, lines: &mut Lines<impl BufRead>) -> Result<()> {
        while let Some(line) = lines.next()? {
            let read = line.text().and_then(read);
            if read.is_err() && !line.is_blank() {
                self.lost.line();
            }
            let taken = match read {
                Ok(writes) => self.commit(line.number, writes).with_context(|| format!("line {}", line.number))?,
                Err(reason) => Err(reason),
            };
            if let Err(reason) = taken {
                self.report.skipped.add(line.number, reason);
            }
        }
        self.mend_tips()?;
        if let Some(next) = header.next.filter(|next| self.tree.state().is_ok_and(|state| state.next < *next)) {
            self.tree.commit_with(&[], CommitOptions { first: Some(next), timestamp: self.timestamp })?;
        }
        Ok(())
    }

    /// Commits the writes of a line, or tells why they can't be.
    fn commit(&mut self, line: u64, writes: Vec<Numbered>) -> Result<Result<(), String>> {
        let ids: Vec<_> = writes.iter().filter_map(|numbered| entry_of(&numbered.write)).collect();
        let runs = runs(writes);
        if runs.len() > 1
            && let Some(reason) = self.rehearsal.refuses(&self.tree, &runs)?
        {
            return Ok(Err(self.lose(&ids, reason)));
        }
        for Run { number, timestamp, mut writes } in runs {
            self.timestamp = timestamp.or(self.timestamp);
            let options = CommitOptions { first: Some(number), timestamp: self.timestamp };
            while let Err(error) = self.tree.commit_with(&writes, options) {
                match error {
                    TreeError::MissingParent(parent) => self.reparent(line, &mut writes, &parent)?,
                    error => {
                        let reason = refusal(error, &writes)?;
                        return Ok(Err(self.lose(&ids, reason)));
                    }
                }
            }
            self.rehearsal.done(&writes);
        }
        ids.iter().for_each(|(id, _)| self.lost.read(id));
        Ok(Ok(()))
    }

    fn lose(&mut self, ids: &[(String, Option<String>)], reason: String) -> String {
        ids.iter().for_each(|(id, parent)| self.lost.entry(id.clone(), parent.clone()));
        reason
    }

    fn reparent(&mut self, line: u64, writes: &mut [Write], missing: &str) -> Result<()> {
        let found = self.lost.instead_of(missing);
        let found = self.standing(found)?;
        for write in writes {
            if let Write::Entry(entry) = write
                && entry.parent.as_deref() == Some(missing)
            {
                self.report.mended.add(line, moved(&entry.id, missing, found.as_deref()));
                entry.parent.clone_from(&found);
            }
        }
        Ok(())
    }

    /// The entry, or what stands in its place.
    fn standing(&mut self, mut entry: Option<String>) -> Result<Option<String>> {
        let mut seen = HashSet::new();
        while let Some(id) = entry.take() {
            if self.tree.get_entries([id.as_str()]).next().transpose()?.is_some() {
                entry = Some(id);
                break;
            }
            // Those that are lost may name each other.
            entry = if seen.insert(id.clone()) { self.lost.instead_of(&id) } else { None };
        }
        // The way is not gone again for each that follows one of them.
        seen.into_iter().for_each(|id| self.lost.entry(id, entry.clone()));
        Ok(entry)
    }

    /// Every branch stands at an entry that is there.
    fn mend_tips(&mut self) -> Result<()> {
        for branch in self.tree.branches() {
            let Branch { name, tip } = branch?;
            let found = self.standing(tip.clone())?;
            if let Some(missing) = tip.filter(|tip| found.as_ref() != Some(tip)) {
                self.tree.move_branch(&name, found.as_deref())?;
                let (name, missing) = (quoted(&name), quoted(&missing));
                let now = quoted(found.as_deref().unwrap_or("the beginning"));
                self.report
                    .mended
                    .add(None, format!("branch {name} stood at {missing}, which is not there; it stands at {now} now"));
            }
        }
        Ok(())
    }
}

fn entry_of(write: &Write) -> Option<(String, Option<String>)> {
    match write {
        Write::Entry(entry) => Some((entry.id.clone(), entry.parent.clone())),
        _ => None,
    }
}

fn runs(writes: Vec<Numbered>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for Numbered { number, timestamp, write } in writes {
        match runs.last_mut() {
            Some(run)
                if run.number + run.writes.len() as u64 == number
                    && (timestamp.is_none() || run.timestamp.is_none() || run.timestamp == timestamp) =>
            {
                run.timestamp = run.timestamp.or(timestamp);
                run.writes.push(write);
            }
            _ => runs.push(Run { number, timestamp, writes: vec![write] }),
        }
    }
    runs
}

/// The writes of a line, or what is wrong with it.
fn read(line: &str) -> Result<Vec<Numbered>, String> {
    if line.trim_start().starts_with('[') {
        let values: Vec<&serde_json::value::RawValue> = serde_json::from_str(line).map_err(|_| "it is no JSON")?;
        return values.into_iter().map(|value| read_write(value.get())).collect();
    }
    Ok(vec![read_write(line)?])
}

fn read_write(json: &str) -> Result<Numbered, String> {
    let members = Members::read(json).ok_or("it is no JSON object")?;
    let lacks = |name: &str| format!("it has no {name} that can be");
    let kind = members.string("kind").ok_or_else(|| lacks("`kind`"))?;
    let op = members.string("op").unwrap_or_default();
    let value = || {
        let value = members.value("value").ok_or_else(|| lacks("`value`"))?;
        Ok::<_, String>(NewValue { address: address(&members)?, value: value.to_owned() })
    };
    let write = match (kind.as_str(), op.as_str()) {
        ("entry", _) => Write::Entry(read_entry(&members)?),
        ("usage", _) => Write::Usage(read_usage(&members)?),
        ("value", "set") => Write::SetValue(value()?),
        ("value", "delete") => Write::DeleteValue(address(&members)?),
        ("list", "append") => Write::AppendList(value()?),
        ("list", "delete") => Write::DeleteList(address(&members)?),
        (kind, op) => {
            return Err(format!("it is of a kind that is not known: {} {}", quoted(kind), quoted(op)));
        }
    };
    let timestamp = match kind.as_str() {
        "entry" => Some(members.number("timestamp").ok_or_else(|| lacks("`timestamp`"))?),
        _ => None,
    };
    Ok(Numbered { number: members.number("seq").ok_or_else(|| lacks("`seq`"))?, timestamp, write })
}

fn read_entry(members: &Members<'_>) -> Result<NewEntry, String> {
    let kind = members.string("type").unwrap_or_default();
    Ok(NewEntry {
        id: name("id", members.string("id").ok_or("its entry has no `id`")?)?,
        // One that is no text is none of an entry that is there.
        parent: members.string("parentId").or_else(|| members.get("parentId").map(str::to_owned)),
        kind: match kind.as_str() {
            "message" => EntryType::Message,
            "compaction" => EntryType::Compaction,
            "branch_summary" => EntryType::BranchSummary,
            "custom" => EntryType::Custom,
            kind => return Err(format!("its entry is of a type that is not known: {}", quoted(kind))),
        },
        custom_type: text(members, "customType")?,
        payload: members.without(&OF_ENTRY),
    })
}

fn read_usage(members: &Members<'_>) -> Result<NewUsage, String> {
    Ok(NewUsage {
        id: name("id", members.string("id").ok_or("its row of usage has no `id`")?)?,
        entry: text(members, "entryId")?,
        adjustment: members.get("adjustment") == Some("true"),
        usage: members.get("usage").ok_or("its row of usage has no `usage`")?.to_owned(),
        details: members.value("details").map(str::to_owned),
    })
}

fn address(members: &Members<'_>) -> Result<session_host::tree::Address, String> {
    let part = |of: &str| name(of, members.string(of).ok_or_else(|| format!("it has no `{of}`"))?);
    Ok((part("namespace")?, part("key")?).into())
}

/// What else is called somehow, if it is.
fn text(members: &Members<'_>, of: &str) -> Result<Option<String>, String> {
    match members.get(of) {
        None => Ok(None),
        Some(_) => Ok(Some(name(of, members.string(of).ok_or_else(|| format!("its `{of}` is no Unicode text"))?)?)),
    }
}
