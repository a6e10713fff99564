//! One line of a session file of pi: a write with its number.

use session_host::tree::{Address, Entry, EntryType, UsageRow};

use crate::view::members::{Members, object_of, quoted};

/// An entry.
pub fn entry(entry: &Entry) -> String {
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
    let front = [("kind", r#""entry""#), ("id", &id), ("parentId", &parent), ("type", &kind)];
    let back = [("seq", number.as_str()), ("timestamp", timestamp.as_str())];
    object_of(
        front
            .into_iter()
            .chain(custom_type.iter().map(|json| ("customType", json.as_str())))
            .chain(payload.iter().flat_map(Members::all))
            .chain(back),
    )
}

/// A row of the ledger.
pub fn usage(UsageRow { number, row }: &UsageRow) -> String {
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
    object_of(members.into_iter().filter_map(|(name, json)| Some((name, json?))))
}

/// A value that is set.
pub fn value(address: &Address, number: u64, json: &str) -> String {
    keyed("value", "set", address, number, json)
}

/// An element that is added to a list.
pub fn element(address: &Address, number: u64, json: &str) -> String {
    keyed("list", "append", address, number, json)
}

fn keyed(kind: &str, op: &str, address: &Address, number: u64, json: &str) -> String {
    let (kind, op, number) = (quoted(kind), quoted(op), number.to_string());
    let (namespace, key) = (quoted(&address.namespace), quoted(&address.key));
    object_of([
        ("kind", kind.as_str()),
        ("op", &op),
        ("seq", &number),
        ("namespace", &namespace),
        ("key", &key),
        ("value", json),
    ])
}
