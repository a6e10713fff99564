//! Branches, labels and the session's name: values that the tree knows of itself.

use std::borrow::Cow;

use super::pages::page;
use super::read::{size_of_value, values};
use super::{Result, Store};
use crate::bindings::exports::agent::session::session_tree::*;
use crate::json;
use crate::store::Host;
use crate::tree::{Refusal, names};

const NOW: CommitOptions = CommitOptions { first: None, timestamp: None };

impl<H: Host> Store<H> {
    /// The branches behind a name.
    pub fn branches(&mut self, id: &str, after: Option<&str>, limit: u32) -> Result<BranchPage> {
        let mut branches = Vec::new();
        let mut scan =
            ValueScan { namespace: names::TIP.into(), prefix: String::new(), after: after.map(Into::into), limit };
        loop {
            // A value there that is no branch takes no other's place.
            scan.limit = limit - branches.len() as u32;
            let ValuePage { values, more } = self.scan_values(id, &scan)?;
            let at_end = !more && (values.len() as u64) < scan.limit.into();
            scan.after = values.last().map(|value| value.address.key.clone()).or(scan.after);
            branches.extend(values.into_iter().filter_map(|value| {
                let tip = tip(&value.value)?;
                Some(Branch { name: value.address.key, tip })
            }));
            let full = branches.len() as u64 >= limit.into();
            if full || at_end || more && !branches.is_empty() {
                return Ok(BranchPage { branches, more: more && !full });
            }
        }
    }

    /// A new branch at an entry, or before the first.
    pub fn create_branch(&mut self, id: &str, name: &str, at: Option<&str>) -> Result<Committed> {
        check_name(name)?;
        if self.tip(id, name).is_ok() {
            return Err(TreeError::BranchExists(name.into()));
        }
        self.point(id, name, at)
    }

    /// Moves the tip of a branch.
    pub fn move_branch(&mut self, id: &str, name: &str, to: Option<&str>) -> Result<Committed> {
        self.tip(id, name)?;
        self.point(id, name, to)
    }

    /// Adds an entry behind the tip of a branch and moves the tip.
    pub fn append_to_branch(&mut self, id: &str, branch: &str, entry: NewEntry) -> Result<Committed> {
        let parent = self.tip(id, branch)?;
        let tip = set(names::TIP, branch, Some(&entry.id));
        self.commit(id, &[Write::Entry(NewEntry { parent, ..entry }), tip], NOW)
    }

    /// The labels of these entries that have one.
    pub fn get_labels(&mut self, id: &str, entries: &[String]) -> Result<LabelPage> {
        self.read_tree(id, |tree, writes| {
            let found = entries.iter().filter_map(|entry| {
                tree.values().get(names::LABEL, entry).map(|value| (names::LABEL, entry.as_str(), value))
            });
            let found: Vec<_> = found.collect();
            let mut rest = found.as_slice();
            loop {
                let (part, more) = page(rest.iter().copied(), u32::MAX, size_of_value);
                rest = &rest[part.len()..];
                let Some(page) = values(writes, part, more)? else { return Ok(None) };
                let labels = page.values.into_iter().filter_map(|value| {
                    let text = json::text(&value.value)?.into_owned();
                    Some(Label { entry: value.address.key, text })
                });
                let labels: Vec<_> = labels.collect();
                // A value there that is no label takes no other's place.
                if !labels.is_empty() || !more {
                    return Ok(Some(LabelPage { labels, more }));
                }
            }
        })
    }

    /// Labels an entry, or takes its label away.
    pub fn set_label(&mut self, id: &str, entry: &str, text: Option<&str>) -> Result<Committed> {
        self.commit(id, &[set_or_delete(names::LABEL, entry, text)], NOW)
    }

    /// Names the session, or takes its name away.
    pub fn set_name(&mut self, id: &str, name: Option<&str>) -> Result<Committed> {
        self.commit(id, &[set_or_delete(names::NAME, "", name)], NOW)
    }

    /// Where a branch stands.
    pub(super) fn tip(&mut self, id: &str, branch: &str) -> Result<Option<String>> {
        let address = Address { namespace: names::TIP.into(), key: branch.into() };
        let found = self.get_values(id, &[address])?;
        let value = found.values.first().and_then(|value| tip(&value.value));
        value.ok_or_else(|| TreeError::UnknownBranch(branch.into()))
    }

    fn point(&mut self, id: &str, name: &str, at: Option<&str>) -> Result<Committed> {
        self.read_tree(id, |tree, _| match at {
            Some(at) if tree.find(at).is_none() => Err(TreeError::UnknownTarget(at.into())),
            _ => Ok(Some(())),
        })?;
        self.commit(id, &[set(names::TIP, name, at)], NOW)
    }
}

/// Where a branch stands whose value this is; none if it is no branch's.
fn tip(value: &str) -> Option<Option<String>> {
    if value == "null" { Some(None) } else { json::text(value).map(Cow::into_owned).map(Some) }
}

fn check_name(name: &str) -> Result<()> {
    let reason = match name {
        "" => "a branch has a name of at least one character; this one is empty",
        _ if name.contains('\0') => "the name of a branch may not hold U+0000",
        _ => return Ok(()),
    };
    Err(Refusal::Whole(reason.into()).into())
}

fn set(namespace: &str, key: &str, text: Option<&str>) -> Write {
    let mut value = String::new();
    match text {
        Some(text) => json::write_string(&mut value, text),
        None => value.push_str("null"),
    }
    Write::SetValue(NewValue { address: Address { namespace: namespace.into(), key: key.into() }, value })
}

fn set_or_delete(namespace: &str, key: &str, text: Option<&str>) -> Write {
    match text {
        Some(_) => set(namespace, key, text),
        None => Write::DeleteValue(Address { namespace: namespace.into(), key: key.into() }),
    }
}
