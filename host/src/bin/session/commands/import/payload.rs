//! What an entry of an old file holds: the members of its type, and whatever else is written there, byte for byte.

use super::current::OF_ENTRY;
use crate::view::members::{Member, Members, Writing, object_of, quoted};

/// What every line says of itself.
const OF_LINE: [&str; 4] = ["type", "id", "parentId", "timestamp"];
/// What an entry of version 4 says of itself beside that, so that nothing else can be called so.
const TAKEN: [&str; 3] = ["kind", "seq", "customType"];

/// What is no part of a line that every line has.
pub fn data(members: &Members<'_>) -> String {
    members.without(&OF_LINE)
}

/// The members of a line that can't be carried over.
pub fn left_out<'m>(kind: &str, members: &'m Members<'_>) -> Vec<&'m str> {
    let is_taken = |name: &str| match kind {
        "custom" => TAKEN.contains(&name) && name != "customType",
        // Those two are put inside: into a message, and into data.
        "custom_message" => name == "role",
        "context_edit" => false,
        _ => TAKEN.contains(&name),
    };
    members.all().map(|member| member.name.as_str()).filter(|name| is_taken(name)).collect()
}

/// Of a message.
pub fn message(members: &Members<'_>, message: &str) -> String {
    Writing::new().named([("message", message)]).kept(rest(members, &["message"])).end()
}

/// Of a message of an application's.
pub fn custom_message(members: &Members<'_>, timestamp: u64) -> String {
    const WRITTEN: [&str; 4] = ["customType", "content", "details", "display"];
    const KNOWN: [&str; 9] =
        ["customType", "content", "details", "display", "role", "type", "id", "parentId", "timestamp"];
    let timestamp = timestamp.to_string();
    let message = Writing::new()
        .named([("role", r#""custom""#)])
        .named(WRITTEN.into_iter().filter_map(|name| Some((name, members.value(name)?))))
        .kept(members.but(&KNOWN))
        .named([("timestamp", timestamp.as_str())])
        .end();
    object_of([("message", message.as_str())])
}

/// Of an entry of an application's.
pub fn custom(members: &Members<'_>) -> String {
    let data = members.value("data").map(|data| ("data", data));
    Writing::new().named(data).kept(rest(members, &["data"])).end()
}

/// Of the summary of a branch that ended at that entry.
pub fn branch_summary(members: &Members<'_>, from: Option<&str>) -> String {
    const KNOWN: [&str; 5] = ["fromId", "summary", "details", "usage", "fromHook"];
    let from = from.map_or_else(|| "null".to_owned(), quoted);
    Writing::new()
        .named([("fromId", from.as_str()), ("summary", members.get("summary").unwrap_or(r#""""#))])
        .named(told(members))
        .kept(rest(members, &KNOWN))
        .end()
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
    Writing::new()
        .named([
            ("summary", members.get("summary").unwrap_or(r#""""#)),
            ("retainedTail", tail),
            ("tokensBefore", members.get("tokensBefore").unwrap_or("0")),
        ])
        .named(told(members))
        .kept(rest(members, &KNOWN))
        .end()
}

/// What both kinds of summaries may say.
fn told<'m>(members: &'m Members<'_>) -> impl Iterator<Item = (&'m str, &'m str)> {
    let member = |name: &'static str| members.get(name).map(|json| (name, json));
    let from_hook = ("fromHook", members.get("fromHook").unwrap_or("false"));
    [member("details"), member("usage"), Some(from_hook)].into_iter().flatten()
}

/// What is not known.
fn rest<'m, 'a>(members: &'m Members<'a>, known: &'m [&str]) -> impl Iterator<Item = &'m Member<'a>> {
    members.but(known).filter(|member| !OF_ENTRY.contains(&member.name.as_str()))
}
