//! What an entry of an old file holds: the members of its type, and whatever else is written there, byte for byte.

use crate::view::members::{Members, object_of, quoted};

/// What every line says of itself.
const OF_LINE: [&str; 4] = ["type", "id", "parentId", "timestamp"];
/// What a line of version 4 says of itself beside that, so that nothing else can be called so.
const TAKEN: [&str; 3] = ["kind", "seq", "customType"];

/// What is no part of a line that every line has.
pub fn data(members: &Members<'_>) -> String {
    members.without(&OF_LINE)
}

/// The members of a line that can't be carried over.
pub fn left_out<'m>(kind: &str, members: &'m Members<'_>) -> Vec<&'m str> {
    let is_own = |name: &str| match kind {
        "custom" => name == "customType",
        // Those two are put inside: into a message, and into data.
        "custom_message" | "context_edit" => true,
        _ => false,
    };
    members.all().map(|(name, _)| name).filter(|name| TAKEN.contains(name) && !is_own(name)).collect()
}

/// Of a message.
pub fn message(members: &Members<'_>, message: &str) -> String {
    object_of([("message", message)].into_iter().chain(rest(members, &["message"])))
}

/// Of a message of an application's.
pub fn custom_message(members: &Members<'_>, timestamp: u64) -> String {
    const WRITTEN: [&str; 4] = ["customType", "content", "details", "display"];
    let timestamp = timestamp.to_string();
    let written = WRITTEN.into_iter().filter_map(|name| Some((name, members.value(name)?)));
    let unknown = |name: &str| !WRITTEN.contains(&name) && !OF_LINE.contains(&name) && name != "role";
    let message = object_of(
        [("role", r#""custom""#)]
            .into_iter()
            .chain(written)
            .chain(members.all().filter(|(name, _)| unknown(name)))
            .chain([("timestamp", timestamp.as_str())]),
    );
    object_of([("message", message.as_str())])
}

/// Of an entry of an application's.
pub fn custom(members: &Members<'_>) -> String {
    let data = members.value("data").map(|data| ("data", data));
    object_of(data.into_iter().chain(rest(members, &["data"])))
}

/// Of the summary of a branch that ended at that entry.
pub fn branch_summary(members: &Members<'_>, from: Option<&str>) -> String {
    let from = from.map_or_else(|| "null".to_owned(), quoted);
    object_of(
        [("fromId", from.as_str()), ("summary", members.get("summary").unwrap_or(r#""""#))]
            .into_iter()
            .chain(told(members))
            .chain(rest(members, &["fromId", "summary", "details", "usage", "fromHook"])),
    )
}

/// Of a compaction that kept these messages.
pub fn compaction(members: &Members<'_>, tail: &str) -> String {
    const KNOWN: [&str; 8] = [
        "summary",
        "retainedTail",
        "firstKeptEntryId",
        "firstKeptEntryIndex",
        "tokensBefore",
        "details",
        "usage",
        "fromHook",
    ];
    object_of(
        [
            ("summary", members.get("summary").unwrap_or(r#""""#)),
            ("retainedTail", tail),
            ("tokensBefore", members.get("tokensBefore").unwrap_or("0")),
        ]
        .into_iter()
        .chain(told(members))
        .chain(rest(members, &KNOWN)),
    )
}

/// What both kinds of summaries may say.
fn told<'m>(members: &'m Members<'_>) -> impl Iterator<Item = (&'m str, &'m str)> {
    let member = |name: &'static str| members.get(name).map(|json| (name, json));
    let from_hook = ("fromHook", members.get("fromHook").unwrap_or("false"));
    [member("details"), member("usage"), Some(from_hook)].into_iter().flatten()
}

/// What is not known.
fn rest<'m>(members: &'m Members<'_>, known: &'m [&str]) -> impl Iterator<Item = (&'m str, &'m str)> {
    members.all().filter(move |(name, _)| !known.contains(name) && !OF_LINE.contains(name) && !TAKEN.contains(name))
}
