//! The content of a message: text, or blocks of several kinds.

use serde_json::value::RawValue;

use super::object::{Object, text};

/// What `content` holds.
pub enum Content<'a> {
    /// Text alone.
    Text(String),
    /// A list of blocks.
    Blocks(Vec<Block<'a>>),
}

/// One block. Each kind has members of its own.
pub struct Block<'a> {
    json: &'a RawValue,
    /// `text`, `tool-call`, `tool-result`, …; empty if it does not say.
    pub kind: String,
    /// What it holds; nothing, if it is no object.
    pub members: Object<'a>,
}

impl<'a> Content<'a> {
    /// None if it is neither text nor a list.
    pub fn read(json: &'a RawValue) -> Option<Self> {
        if json.get().starts_with('"') {
            return Some(Content::Text(text(json)));
        }
        let blocks: Vec<&RawValue> = serde_json::from_str(json.get()).ok()?;
        Some(Content::Blocks(blocks.into_iter().map(Block::read).collect()))
    }

    /// All in one text.
    pub fn plain(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => blocks.iter().map(Block::plain).collect::<Vec<_>>().join(" "),
        }
    }

    /// The calls of tools in it, in block order.
    pub fn calls(&self) -> impl Iterator<Item = &Block<'a>> {
        let blocks = match self {
            Content::Text(_) => &[][..],
            Content::Blocks(blocks) => blocks,
        };
        blocks.iter().filter(|block| block.kind == "tool-call")
    }

    /// The words in it, without calls and results.
    pub fn words(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => {
                blocks.iter().filter_map(|block| block.members.text("text")).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl<'a> Block<'a> {
    fn read(json: &'a RawValue) -> Self {
        let members = Object::read(json.get()).unwrap_or_default();
        Self { json, kind: members.text("type").unwrap_or_default(), members }
    }

    /// The block in one text.
    pub fn plain(&self) -> String {
        match (self.kind.as_str(), self.members.text("text")) {
            (_, Some(text)) => text,
            ("tool-call", _) => format!("→ {}", self.call()),
            ("tool-result", _) => format!("← {}", self.answer()),
            ("", _) => self.json.get().to_owned(),
            (kind, _) => format!("[{kind}]"),
        }
    }

    /// A call as it would be written in a program.
    pub fn call(&self) -> String {
        call(self.members.text("name").as_deref().unwrap_or("?"), self.members.raw("arguments"))
    }

    /// What a tool answered.
    pub fn answer(&self) -> String {
        answer(&self.members)
    }
}

/// A call as it would be written in a program. Arguments may be JSON, or JSON in a text.
pub fn call(name: &str, arguments: Option<&RawValue>) -> String {
    format!("{name}({})", arguments.map(text).unwrap_or_default())
}

/// What a tool answered, in one text, whether a block or an event says so.
pub fn answer(result: &Object<'_>) -> String {
    let content = result.raw("content");
    content.map(|json| Content::read(json).map_or_else(|| text(json), |content| content.plain())).unwrap_or_default()
}
