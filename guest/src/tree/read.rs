//! The data of a `tree/commit` event, read in one pass: members in any order, those not known passed over, and of doubled
//! ones the last counts.

use std::borrow::Cow;

use super::commit::{Commit, MOST_WRITES, Refusal};
use super::stats;
use crate::bindings::exports::agent::session::session_tree::{EntryType, NewUsage, UsageSum};
use crate::json::{self, Reader};

/// How many bytes an id, a namespace, a key or a custom type may have.
const MOST_NAME: usize = u16::MAX as usize;

/// One change, as it lies in its event.
#[derive(Debug, Clone, PartialEq)]
pub enum Change<'a> {
    /// An entry comes.
    Entry {
        /// Its name.
        id: Cow<'a, str>,
        /// The entry that it follows.
        parent: Option<Cow<'a, str>>,
        /// What it is.
        kind: EntryType,
        /// What the application calls it.
        custom_type: Option<Cow<'a, str>>,
        /// A JSON object, as written.
        payload: &'a str,
    },
    /// A row of the ledger comes.
    Usage {
        /// Its name.
        id: Cow<'a, str>,
        /// What it adds to the sum.
        usage: Box<UsageSum>,
    },
    /// A value is set.
    Set(Address<'a>, &'a str),
    /// A value goes.
    Unset(Address<'a>),
    /// An element is added to a list.
    Append(Address<'a>, &'a str),
    /// A list goes.
    Clear(Address<'a>),
}

/// A namespace and a key.
pub type Address<'a> = (Cow<'a, str>, Cow<'a, str>);

/// What an entry or a row takes beside its id.
pub const ID_WEIGHT: usize = 110;
/// About how much memory it takes to keep something at an address.
pub fn address_weight(namespace: &str, key: &str) -> usize {
    160 + namespace.len() + key.len()
}

/// About how much memory it takes to know one more custom type.
pub fn custom_type_weight(name: &str) -> usize {
    100 + 2 * name.len()
}

/// Reads the data of an event.
pub fn commit(data: &str) -> Result<Commit<'_>, Refusal> {
    let (mut first, mut timestamp) = (None, None);
    let mut writes = Err(Refusal::Whole("`writes` is missing, or no array".into()));
    let mut reader = Reader::new(data, json::DEEPEST);
    let read = reader.members(|reader, key| {
        if key.is("writes") {
            writes = read_writes(reader)?;
            return Ok(());
        }
        let value = reader.value()?;
        if key.is("firstSeq") {
            first = json::whole_number(value);
        } else if key.is("timestamp") {
            timestamp = json::whole_number(value);
        }
        Ok(())
    });
    let is_object = read.map_err(|_| Refusal::Broken)?;
    if !is_object {
        reader.value().map_err(|_| Refusal::Broken)?;
    }
    reader.end().map_err(|_| Refusal::Broken)?;
    let number = |number: Option<u64>, name: &str| {
        let reason = || Refusal::Whole(format!("`{name}` is missing, or no whole number up to 2^53 - 1").into());
        number.ok_or_else(reason)
    };
    Ok(Commit { first: number(first, "firstSeq")?, timestamp: number(timestamp, "timestamp")?, changes: writes? })
}

fn read_writes<'a>(reader: &mut Reader<'a>) -> json::Result<Result<Vec<(Change<'a>, &'a str)>, Refusal>> {
    let mut changes = Vec::new();
    let mut refusal = None;
    let is_array = reader.elements(|reader| {
        let mut members = Members::default();
        let write = reader.text_of(|reader| members.read(reader))?;
        if refusal.is_none() {
            match members.change() {
                _ if changes.len() == MOST_WRITES => {
                    refusal = Some(Refusal::Whole(format!("there are more than {MOST_WRITES} writes").into()));
                }
                Ok(change) => changes.push((change, write)),
                Err(reason) => refusal = Some(Refusal::Write(changes.len() as u32, reason)),
            }
        }
        Ok(())
    })?;
    if !is_array {
        reader.value()?;
        refusal = Some(Refusal::Whole("`writes` is no array".into()));
    }
    Ok(refusal.map_or(Ok(changes), Err))
}

/// One write read again, which was sound; none if it is no write.
pub fn change(write: &str) -> Option<Change<'_>> {
    members(write)?.change().ok()
}

/// The row of the ledger that is written so.
pub fn usage_row(write: &str) -> Option<NewUsage> {
    members(write)?.row().ok()
}

fn members(write: &str) -> Option<Members<'_>> {
    let mut reader = Reader::new(write, json::DEEPEST);
    let mut members = Members::default();
    members.read(&mut reader).ok()?;
    reader.end().ok()?;
    Some(members)
}

type Reason = Cow<'static, str>;

/// The members of one write, as they are written.
#[derive(Debug, Default)]
struct Members<'a> {
    kind: Option<&'a str>,
    op: Option<&'a str>,
    id: Option<&'a str>,
    parent: Option<&'a str>,
    entry_type: Option<&'a str>,
    custom_type: Option<&'a str>,
    payload: Option<&'a str>,
    entry: Option<&'a str>,
    adjustment: Option<&'a str>,
    usage: Option<&'a str>,
    details: Option<&'a str>,
    namespace: Option<&'a str>,
    key: Option<&'a str>,
    value: Option<&'a str>,
}

impl<'a> Members<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> json::Result<()> {
        let is_object = reader.members(|reader, key| {
            let value = reader.value()?;
            let place = match key.name().as_deref() {
                Some("kind") => &mut self.kind,
                Some("op") => &mut self.op,
                Some("id") => &mut self.id,
                Some("parentId") => &mut self.parent,
                Some("type") => &mut self.entry_type,
                Some("customType") => &mut self.custom_type,
                Some("payload") => &mut self.payload,
                Some("entryId") => &mut self.entry,
                Some("adjustment") => &mut self.adjustment,
                Some("usage") => &mut self.usage,
                Some("details") => &mut self.details,
                Some("namespace") => &mut self.namespace,
                Some("key") => &mut self.key,
                Some("value") => &mut self.value,
                _ => return Ok(()),
            };
            *place = Some(value);
            Ok(())
        })?;
        if is_object { Ok(()) } else { reader.value().map(drop) }
    }

    fn change(&self) -> Result<Change<'a>, Reason> {
        let kind = text(self.kind, "kind")?;
        let op = || text(self.op, "op");
        match &*kind {
            "entry" => self.entry(),
            "usage" => {
                let usage = self.usage.and_then(stats::read).ok_or("has a `usage` whose numbers are not all there")?;
                let id = self.row()?.id.into();
                Ok(Change::Usage { id, usage: Box::new(usage) })
            }
            "value" => match &*op()? {
                "set" => Ok(Change::Set(self.address()?, self.value()?)),
                "delete" => Ok(Change::Unset(self.address()?)),
                _ => Err("has an `op` that is neither \"set\" nor \"delete\"".into()),
            },
            "list" => match &*op()? {
                "append" => Ok(Change::Append(self.address()?, self.value()?)),
                "delete" => Ok(Change::Clear(self.address()?)),
                _ => Err("has an `op` that is neither \"append\" nor \"delete\"".into()),
            },
            _ => Err("is of a kind that is not known".into()),
        }
    }

    fn entry(&self) -> Result<Change<'a>, Reason> {
        let kind = entry_type(&text(self.entry_type, "type")?).ok_or("has a `type` that is not known")?;
        let custom_type = optional(self.custom_type, "customType")?;
        if kind == EntryType::Custom && custom_type.is_none() {
            return Err("is a custom entry without a `customType`".into());
        }
        if self.parent.is_none() {
            return Err("has no `parentId`".into());
        }
        if let Some(custom_type) = &custom_type {
            check_name("custom type", custom_type)?;
        }
        let payload = self.payload.filter(|payload| payload.starts_with('{')).ok_or("has no object `payload`")?;
        let parent = optional(self.parent, "parentId")?;
        Ok(Change::Entry { id: self.id()?, parent, kind, custom_type, payload })
    }

    fn id(&self) -> Result<Cow<'a, str>, Reason> {
        let id = text(self.id, "id")?;
        check_name("id", &id).map(|()| id)
    }

    fn row(&self) -> Result<NewUsage, Reason> {
        let adjustment = match self.adjustment {
            Some("true") => true,
            Some("false") | None => false,
            Some(_) => return Err("has an `adjustment` that is neither true nor false".into()),
        };
        Ok(NewUsage {
            id: self.id()?.into_owned(),
            entry: optional(self.entry, "entryId")?.map(Cow::into_owned),
            adjustment,
            usage: self.usage.ok_or("has no `usage`")?.into(),
            details: self.details.map(Into::into),
        })
    }

    fn address(&self) -> Result<Address<'a>, Reason> {
        let address = (text(self.namespace, "namespace")?, text(self.key, "key")?);
        check_address(&address.0, &address.1).map(|()| address)
    }

    fn value(&self) -> Result<&'a str, Reason> {
        self.value.ok_or_else(|| "has no `value`".into())
    }
}

/// Whether something can be kept at that address.
pub fn check_address(namespace: &str, key: &str) -> Result<(), Reason> {
    if namespace.is_empty() {
        return Err("has an empty namespace".into());
    }
    if namespace.contains('\0') || key.contains('\0') {
        return Err("has an address that holds U+0000".into());
    }
    check_name("namespace", namespace)?;
    check_name("key", key)
}

/// Whether something can be called so: whoever reads it has to name it.
pub fn check_name(what: &str, name: &str) -> Result<(), Reason> {
    if name.len() > MOST_NAME {
        return Err(format!("has a name of {} bytes for its {what}; at most {MOST_NAME} are taken", name.len()).into());
    }
    Ok(())
}

fn entry_type(name: &str) -> Option<EntryType> {
    Some(match name {
        "message" => EntryType::Message,
        "compaction" => EntryType::Compaction,
        "branch_summary" => EntryType::BranchSummary,
        "custom" => EntryType::Custom,
        _ => return None,
    })
}

fn text<'a>(value: Option<&'a str>, name: &'static str) -> Result<Cow<'a, str>, Reason> {
    value.and_then(json::text).ok_or_else(|| format!("has no text `{name}`").into())
}

fn optional<'a>(value: Option<&'a str>, name: &'static str) -> Result<Option<Cow<'a, str>>, Reason> {
    value.filter(|value| *value != "null").map(|value| text(Some(value), name)).transpose()
}
