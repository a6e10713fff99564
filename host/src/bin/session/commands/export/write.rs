//! One line of a session file of pi: a write with its number.

use session_host::tree::{Address, Entry, EntryType, UsageRow};

use crate::commands::import::OF_ENTRY;
use crate::view::members::{Members, Writing, object_of, quoted};
use crate::view::text;

/// A line, and what had to be left out of it.
pub struct Line {
    /// The line itself, without what ends it.
    pub json: String,
    /// What can't be said in it.
    pub left_out: Option<String>,
}

/// An entry. A member of its payload that is called like what a line says of the entry itself has no place there.
pub fn entry(entry: &Entry) -> Line {
    let structure = &entry.structure;
    let kind = match structure.kind {
        EntryType::Message => "message",
        EntryType::Compaction => "compaction",
        EntryType::BranchSummary => "branch_summary",
        EntryType::Custom => "custom",
    };
    let (id, kind) = (quoted(&structure.id), quoted(kind));
    let parent = structure.parent.as_deref().map_or_else(|| "null".to_owned(), quoted);
    let custom_type = structure.custom_type.as_deref().map(quoted);
    let (number, timestamp) = (structure.number.to_string(), structure.timestamp.to_string());
    let payload = Members::read(&entry.payload);
    let json = Writing::new()
        .named([("kind", r#""entry""#), ("id", &id), ("parentId", &parent), ("type", &kind)])
        .named(custom_type.iter().map(|json| ("customType", json.as_str())))
        .kept(payload.iter().flat_map(|payload| payload.but(&OF_ENTRY)))
        .named([("seq", number.as_str()), ("timestamp", timestamp.as_str())])
        .end();
    let said = |name: &&&str| payload.as_ref().is_some_and(|payload| payload.value(name).is_some());
    let taken: Vec<_> = OF_ENTRY.iter().filter(said).map(|name| format!("`{name}`")).collect();
    let left_out = (!taken.is_empty()).then(|| {
        let (id, taken) = (text::fit(&structure.id, 60), taken.join(", "));
        format!("entry {id}: left out of its payload: {taken}; version 4 says something else by such names")
    });
    Line { json, left_out }
}

/// A row of the ledger.
pub fn usage(UsageRow { number, row }: &UsageRow) -> Line {
    let (id, entry, number) = (quoted(&row.id), row.entry.as_deref().map(quoted), number.to_string());
    let members = [
        ("kind", Some(r#""usage""#)),
        ("id", Some(id.as_str())),
        ("usage", Some(row.usage.as_str())),
        ("entryId", entry.as_deref()),
        ("adjustment", Some(if row.adjustment { "true" } else { "false" })),
        ("details", row.details.as_deref()),
        ("seq", Some(number.as_str())),
    ];
    whole(object_of(members.into_iter().filter_map(|(name, json)| Some((name, json?)))))
}

/// A value that is set.
pub fn value(address: &Address, number: u64, json: &str) -> Line {
    keyed("value", "set", address, number, json)
}

/// An element that is added to a list.
pub fn element(address: &Address, number: u64, json: &str) -> Line {
    keyed("list", "append", address, number, json)
}

fn keyed(kind: &str, op: &str, address: &Address, number: u64, json: &str) -> Line {
    let (kind, op, number) = (quoted(kind), quoted(op), number.to_string());
    let (namespace, key) = (quoted(&address.namespace), quoted(&address.key));
    whole(object_of([
        ("kind", kind.as_str()),
        ("op", &op),
        ("seq", &number),
        ("namespace", &namespace),
        ("key", &key),
        ("value", json),
    ]))
}

fn whole(json: String) -> Line {
    Line { json, left_out: None }
}
