//! What the trees hold.

use std::ops::Range;

use session_host::tree::{EntryType, NewEntry, NewUsage, Write};

/// When all of it came to be.
pub const TIME: u64 = 1_763_681_581_550;

pub const VALUES: usize = 1_000;
pub const ELEMENTS: usize = 10_000;
pub const ROWS: usize = 1_000;

/// Where the list is.
pub const LIST: (&str, &str) = ("plan", "done");
/// Of the values.
pub const NAMESPACE: &str = "plan";

/// Ids are as long as UUIDs are.
pub fn id(index: usize) -> String {
    format!("0199a8e7-1c2b-7abc-8def-{index:012x}")
}

/// These entries of the branch, each behind the one before, and its tip at the last.
pub fn branch(indexes: Range<usize>) -> Vec<Write> {
    let tip = indexes
        .end
        .checked_sub(1)
        .map(|last| Write::set_value_json(("pi.branch.tip", "main"), format!("\"{}\"", id(last))));
    indexes.map(entry).chain(tip).collect()
}

/// A message of 256 bytes of text.
fn entry(index: usize) -> Write {
    let payload = format!(
        r#"{{"message":{{"role":"user","content":[{{"type":"text","text":"{:x<256}"}}],"timestamp":{TIME}}}}}"#,
        format!("What was said at place {index} of the branch. ")
    );
    let entry = NewEntry::json(id(index), EntryType::Message, payload);
    Write::entry(match index.checked_sub(1) {
        Some(before) => entry.behind(id(before)),
        None => entry,
    })
}

/// A hundred keys share all but their last two digits.
pub fn key(index: usize) -> String {
    format!("step-{index:04}")
}

pub fn values() -> Vec<Write> {
    let value = |index| Write::set_value_json((NAMESPACE, key(index)), something(index));
    (0..VALUES).map(value).collect()
}

pub fn elements() -> Vec<Write> {
    (0..ELEMENTS).map(|index| Write::append_list_json(LIST, something(index))).collect()
}

pub fn rows() -> Vec<Write> {
    let row = |index: usize| {
        let usage = format!(
            r#"{{"input":{index},"output":30,"cacheRead":900,"cacheWrite":0,"totalTokens":{},"cost":{{"input":0.1,"output":0.2,"cacheRead":0,"cacheWrite":0,"total":0.3}}}}"#,
            index + 930
        );
        Write::usage(NewUsage::json(format!("usage-{index}"), usage).of(id(index)))
    };
    (0..ROWS).map(row).collect()
}

/// About 100 bytes of JSON.
fn something(index: usize) -> String {
    format!(r#"{{"number":{index},"text":"{:.<80}"}}"#, "What is to be done next")
}
