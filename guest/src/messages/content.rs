//! What one event says to a model, as an array of content blocks. What the event wrote passes through byte for byte.

use std::borrow::Cow;

use super::plan::{Item, Kind};
use crate::json;
use crate::line::Record;
use crate::log::{NOT_STARTED, OUTCOME_UNKNOWN, for_each_call};
use crate::types::{Message, Role};

impl Item {
    /// The message that this item stands for; none if the record is not the one that was planned with.
    pub(super) fn message(&self, record: &Record<'_>) -> Option<Message> {
        let data = record.data;
        let content = match self.kind {
            Kind::User | Kind::Assistant => blocks_of(data, "content")?.into_owned(),
            Kind::Summary => blocks_of(data, "summary")?.into_owned(),
            Kind::Context => wrapped(data, "context")?,
            Kind::Steering => wrapped(data, "steering")?,
            Kind::Result => {
                let is_error = json::member(data, "isError").unwrap_or("false");
                result_block(json::member(data, "callId")?, &blocks_of(data, "content")?, is_error)
            }
            Kind::Missing { call, started } => {
                let (_, text) = if started { OUTCOME_UNKNOWN } else { NOT_STARTED };
                result_block(nth_call(data, call)?, &format!("[{}]", text_block(&quoted(text))), "true")
            }
        };
        let role = if self.kind == Kind::Assistant { Role::Assistant } else { Role::User };
        Some(Message { role, content, source: self.source })
    }
}

/// A member as content blocks: an array as it is, a string as one text block; none for anything else.
pub(super) fn blocks_of<'a>(data: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let content = json::member(data, name)?;
    match content.as_bytes().first()? {
        b'[' => Some(Cow::Borrowed(content)),
        b'"' => Some(Cow::Owned(format!("[{}]", text_block(content)))),
        _ => None,
    }
}

/// Whether a message with this content says nothing.
pub(super) fn is_empty(data: &str) -> bool {
    json::member(data, "content").is_some_and(|content| content == "\"\"" || inner(content).is_some_and(str::is_empty))
}

/// The id, as written, of the call with that index in an assistant message.
fn nth_call(data: &str, index: u32) -> Option<&str> {
    let (mut found, mut at) = (None, 0);
    for_each_call(data, |id| {
        if at == index {
            found = Some(id);
        }
        at += 1;
    });
    found
}

fn result_block(call_id: &str, content: &str, is_error: &str) -> String {
    format!(r#"[{{"type":"tool-result","toolCallId":{call_id},"content":{content},"isError":{is_error}}}]"#)
}

/// The content between a text block that opens a tag with its source and one that closes it.
fn wrapped(data: &str, tag: &str) -> Option<String> {
    let blocks = blocks_of(data, "content")?;
    let inner = inner(&blocks)?;
    let comma = if inner.is_empty() { "" } else { "," };
    let opening = match source_of(data) {
        Some(source) => format!("<{tag} source=\"{}\">", escaped(&source)),
        None => format!("<{tag}>"),
    };
    let (opening, closing) = (text_block(&quoted(&opening)), text_block(&quoted(&format!("</{tag}>"))));
    Some(format!("[{opening}{comma}{inner},{closing}]"))
}

/// Who a message is from: `source` itself if it is text, else its `kind`.
fn source_of(data: &str) -> Option<Cow<'_, str>> {
    let source = json::member(data, "source")?;
    json::text(source).or_else(|| json::member(source, "kind").and_then(json::text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// What stands between the brackets of an array.
fn inner(array: &str) -> Option<&str> {
    array.strip_prefix('[')?.strip_suffix(']').map(|inner| inner.trim_matches([' ', '\t', '\r', '\n']))
}

/// A text block around a JSON string.
fn text_block(string: &str) -> String {
    format!(r#"{{"type":"text","text":{string}}}"#)
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    json::write_string(&mut out, text);
    out
}
