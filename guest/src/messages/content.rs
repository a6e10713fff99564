//! What one event says to a model, as an array of content blocks. What the event wrote passes through byte for byte.

use std::borrow::Cow;

use super::plan::{Item, Kind};
use crate::json;
use crate::line::Record;
use crate::log::{NOT_STARTED, OUTCOME_UNKNOWN};
use crate::types::{Message, Role};

impl Item {
    /// The message that this item stands for; none if the record is not the one that was planned with.
    pub(super) fn message(&self, record: &Record<'_>) -> Option<Message> {
        let data = record.data;
        let mut content = Content::default();
        match self.kind {
            Kind::User | Kind::Assistant => content.blocks(json::member(data, "content")?)?,
            Kind::Summary => content.blocks(json::member(data, "summary")?)?,
            Kind::Context => content.wrapped(data, "context")?,
            Kind::Steering => content.wrapped(data, "steering")?,
            Kind::Result => {
                let [id, blocks, is_error] = json::named(data, ["callId", "content", "isError"]);
                content.add(RESULT).add(id?).add(",\"content\":").blocks(blocks?)?;
                content.add(",\"isError\":").add(is_error.unwrap_or("false")).add("}]");
            }
            // No event says it.
            Kind::Missing { .. } => return None,
        }
        let role = if self.kind == Kind::Assistant { Role::Assistant } else { Role::User };
        Some(Message { role, content: content.0.concat(), source: self.source })
    }
}

/// The result of a call that has none; `id` is the call's, as written.
pub(super) fn missing_result(id: &str, started: bool, source: u64) -> Message {
    let (_, text) = if started { OUTCOME_UNKNOWN } else { NOT_STARTED };
    let mut content = Content::default();
    content.add(RESULT).add(id).add(",\"content\":[").text(text).add("],\"isError\":true}]");
    Message { role: Role::User, content: content.0.concat(), source }
}

const RESULT: &str = r#"[{"type":"tool-result","toolCallId":"#;

/// The pieces of a message's content; they are put together once, so that a long one is held once.
#[derive(Default)]
struct Content<'a>(Vec<Cow<'a, str>>);

impl<'a> Content<'a> {
    fn add(&mut self, piece: impl Into<Cow<'a, str>>) -> &mut Self {
        self.0.push(piece.into());
        self
    }

    /// A text block around a JSON string.
    fn text_block(&mut self, string: impl Into<Cow<'a, str>>) -> &mut Self {
        self.add(r#"{"type":"text","text":"#).add(string).add("}")
    }

    /// A text block.
    fn text(&mut self, text: &str) -> &mut Self {
        let mut string = String::new();
        json::write_string(&mut string, text);
        self.text_block(string)
    }

    /// Content blocks: an array as it is, a string as one text block; none for anything else.
    fn blocks(&mut self, content: &'a str) -> Option<()> {
        match content.as_bytes().first()? {
            b'[' => self.add(content),
            b'"' => self.add("[").text_block(content).add("]"),
            _ => return None,
        };
        Some(())
    }

    /// Content blocks between a text block that opens a tag with their source and one that closes it.
    fn wrapped(&mut self, data: &'a str, tag: &str) -> Option<()> {
        let [content, source] = json::named(data, ["content", "source"]);
        let content = content?;
        self.add("[").text(&match source.and_then(source_of) {
            Some(source) => format!("<{tag} source=\"{}\">", escaped(&source)),
            None => format!("<{tag}>"),
        });
        match inner(content) {
            Some("") => {}
            Some(inner) => drop(self.add(",").add(inner)),
            None => drop(self.add(",").text_block(content)),
        }
        self.add(",").text(&format!("</{tag}>")).add("]");
        Some(())
    }
}

/// Whether it can be content blocks: an array or a string.
pub(super) fn is_blocks(content: &str) -> bool {
    content.starts_with(['[', '"'])
}

/// Whether a message with this content says nothing.
pub(super) fn is_empty(content: &str) -> bool {
    content == "\"\"" || inner(content).is_some_and(str::is_empty)
}

/// Who a message is from: `source` itself if it is text, else its `kind`.
fn source_of(source: &str) -> Option<Cow<'_, str>> {
    json::text(source).or_else(|| json::member(source, "kind").and_then(json::text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// What stands between the brackets of an array.
fn inner(array: &str) -> Option<&str> {
    array.strip_prefix('[')?.strip_suffix(']').map(|inner| inner.trim_matches([' ', '\t', '\r', '\n']))
}
