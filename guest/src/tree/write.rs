//! The data of a `tree/commit` event, written: members in one order, without white space, payloads byte for byte.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::commit::{MOST_WRITES, Refusal};
use super::payload;
use super::read::{check_address, check_name};
use super::stats;
use crate::bindings::exports::agent::session::session_tree::{Address, EntryType, NewEntry, NewUsage, NewValue, Write};
use crate::json;
use crate::line::MAX_DATA_DEPTH;

/// How deep a payload or a value may nest: the event's data, its `writes` and the write are around it.
const MAX_VALUE_DEPTH: u32 = MAX_DATA_DEPTH - 3;

/// Appends the data of the event for these writes, each of which is checked for itself: it is sound JSON, and not too deep.
pub fn encode(out: &mut String, first: u64, timestamp: u64, writes: &[Write]) -> Result<(), Refusal> {
    if writes.len() > MOST_WRITES {
        let reason = format!("one commit has at most {MOST_WRITES} writes; this one has {}", writes.len());
        return Err(Refusal::Whole(reason.into()));
    }
    // What is long must not be moved to grow.
    out.reserve(128 + writes.iter().map(room).sum::<usize>());
    open(out, first, timestamp);
    for (index, write) in (0u32..).zip(writes) {
        if index > 0 {
            out.push(',');
        }
        write_one(out, index, write)?;
    }
    out.push_str(CLOSE);
    Ok(())
}

/// Begins the data of a commit; its writes follow, divided by commas.
pub fn open(out: &mut String, first: u64, timestamp: u64) {
    // Writing to a string does not fail.
    let _ = write!(out, "{{\"firstSeq\":{first},\"timestamp\":{timestamp},\"writes\":[");
}

/// What ends the data of a commit.
pub const CLOSE: &str = "]}";

/// Begins a write of a value; the value and `}` follow.
pub fn open_value(out: &mut String, namespace: &str, key: &str) {
    open_address(out, "value", "set", namespace, key);
    out.push_str(",\"value\":");
}

/// Begins a write of an element of a list; the element and `}` follow.
fn open_element(out: &mut String, namespace: &str, key: &str) {
    open_address(out, "list", "append", namespace, key);
    out.push_str(",\"value\":");
}

fn open_address(out: &mut String, kind: &str, op: &str, namespace: &str, key: &str) {
    let _ = write!(out, "{{\"kind\":\"{kind}\",\"op\":\"{op}\",\"namespace\":");
    json::write_string(out, namespace);
    out.push_str(",\"key\":");
    json::write_string(out, key);
}

fn write_one(out: &mut String, index: u32, write: &Write) -> Result<(), Refusal> {
    match write {
        Write::Entry(entry) => write_entry(out, index, entry)?,
        Write::Usage(row) => write_usage(out, index, row)?,
        Write::SetValue(NewValue { address, value }) => {
            let value = sound(index, "value", value)?;
            check(index, address)?;
            open_value(out, &address.namespace, &address.key);
            out.push_str(value);
        }
        Write::AppendList(NewValue { address, value }) => {
            let value = sound(index, "value", value)?;
            check(index, address)?;
            open_element(out, &address.namespace, &address.key);
            out.push_str(value);
        }
        Write::DeleteValue(address) => {
            check(index, address)?;
            open_address(out, "value", "delete", &address.namespace, &address.key);
        }
        Write::DeleteList(address) => {
            check(index, address)?;
            open_address(out, "list", "delete", &address.namespace, &address.key);
        }
    }
    out.push('}');
    Ok(())
}

fn write_entry(out: &mut String, index: u32, entry: &NewEntry) -> Result<(), Refusal> {
    let payload = sound(index, "payload", &entry.payload)?;
    check_called(index, "id", &entry.id)?;
    payload::check(index, &entry.id, entry.type_, payload)?;
    if entry.type_ == EntryType::Custom && entry.custom_type.is_none() {
        return Err(Refusal::Write(index, "is a custom entry without a custom type".into()));
    }
    out.push_str("{\"kind\":\"entry\",\"id\":");
    json::write_string(out, &entry.id);
    out.push_str(",\"parentId\":");
    match &entry.parent {
        Some(parent) => json::write_string(out, parent),
        None => out.push_str("null"),
    }
    let name = match entry.type_ {
        EntryType::Message => "message",
        EntryType::Compaction => "compaction",
        EntryType::BranchSummary => "branch_summary",
        EntryType::Custom => "custom",
    };
    let _ = write!(out, ",\"type\":\"{name}\"");
    if let Some(custom_type) = &entry.custom_type {
        check_called(index, "custom type", custom_type)?;
        out.push_str(",\"customType\":");
        json::write_string(out, custom_type);
    }
    out.push_str(",\"payload\":");
    out.push_str(payload);
    Ok(())
}

fn write_usage(out: &mut String, index: u32, row: &NewUsage) -> Result<(), Refusal> {
    let usage = sound(index, "usage", &row.usage)?;
    if stats::read(usage).is_none() {
        return Err(Refusal::Write(index, "has a `usage` whose numbers are not all there".into()));
    }
    check_called(index, "id", &row.id)?;
    out.push_str("{\"kind\":\"usage\",\"id\":");
    json::write_string(out, &row.id);
    if let Some(entry) = &row.entry {
        out.push_str(",\"entryId\":");
        json::write_string(out, entry);
    }
    let _ = write!(out, ",\"adjustment\":{},\"usage\":{usage}", row.adjustment);
    if let Some(details) = &row.details {
        out.push_str(",\"details\":");
        out.push_str(sound(index, "details", details)?);
    }
    Ok(())
}

fn check(index: u32, address: &Address) -> Result<(), Refusal> {
    check_address(&address.namespace, &address.key).map_err(|reason| Refusal::Write(index, reason))
}

fn check_called(index: u32, what: &str, name: &str) -> Result<(), Refusal> {
    check_name(what, name).map_err(|reason| Refusal::Write(index, reason))
}

/// The JSON text without white space around it, if it is sound and on one line.
fn sound<'a>(index: u32, name: &str, text: &'a str) -> Result<&'a str, Refusal> {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    if json::is_surely_sound(text, MAX_VALUE_DEPTH) {
        return Ok(text);
    }
    let refused = |reason: String| Refusal::Write(index, Cow::Owned(reason));
    if text.contains(['\n', '\r']) {
        return Err(refused(format!("has a `{name}` that holds a raw line break; JSON on one line has none")));
    }
    match json::check(text, MAX_VALUE_DEPTH) {
        Ok(()) => Ok(text),
        Err(fault) => Err(refused(format!("has a `{name}` that {fault}"))),
    }
}

/// About how long a write is.
fn room(write: &Write) -> usize {
    let address = |address: &Address| 80 + address.namespace.len() + address.key.len();
    let some = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    match write {
        Write::Entry(entry) => {
            120 + entry.id.len() + some(&entry.parent) + some(&entry.custom_type) + entry.payload.len()
        }
        Write::Usage(row) => 120 + row.id.len() + some(&row.entry) + row.usage.len() + some(&row.details),
        Write::SetValue(value) | Write::AppendList(value) => address(&value.address) + value.value.len(),
        Write::DeleteValue(other) | Write::DeleteList(other) => address(other),
    }
}
