//! The content of a message: text, or blocks of several kinds.

use serde_json::value::RawValue;

use super::object::{Object, text};
use super::text::count as counted;

/// So many blocks of a message are shown to people.
pub const MOST_BLOCKS: usize = 1_000;

/// What `content` holds.
pub enum Content<'a> {
    /// Text alone.
    Text(String),
    /// A list of blocks.
    Blocks(Blocks<'a>),
}

/// A list of blocks. It is read block by block, and none is kept: a message may hold millions.
#[derive(Clone, Copy)]
pub struct Blocks<'a> {
    /// The JSON from the next block on.
    rest: &'a str,
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
        json.get().strip_prefix('[').map(|rest| Content::Blocks(Blocks { rest }))
    }

    /// All in one text, but for blocks beyond those that are shown.
    pub fn plain(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => {
                let mut blocks = *blocks;
                let mut shown: Vec<_> =
                    blocks.by_ref().take(MOST_BLOCKS).map(|json| Block::read(json).plain()).collect();
                shown.extend(blocks.left_out());
                shown.join(" ")
            }
        }
    }

    /// The calls of tools in it, in block order.
    pub fn calls(&self) -> impl Iterator<Item = Block<'a>> {
        self.blocks_called("tool-call")
    }

    /// The blocks of this kind.
    pub fn blocks_called(&self, kind: &'static str) -> impl Iterator<Item = Block<'a>> + use<'a> {
        self.blocks().map(Block::read).filter(move |block| block.kind == kind)
    }

    /// The words in it, without calls and results.
    pub fn words(&self) -> String {
        let Content::Blocks(blocks) = self else { return self.plain() };
        let mut words = String::new();
        for text in blocks.filter_map(|json| Block::read(json).members.text("text")) {
            if !words.is_empty() {
                words.push('\n');
            }
            words.push_str(&text);
        }
        words
    }

    fn blocks(&self) -> Blocks<'a> {
        match self {
            Content::Text(_) => Blocks { rest: "" },
            Content::Blocks(blocks) => *blocks,
        }
    }
}

impl Blocks<'_> {
    /// Tells how many are left, if any are.
    pub fn left_out(self) -> Option<String> {
        let left = self.count();
        (left > 0).then(|| format!("… {}", counted(left as u64, "more block")))
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = &'a RawValue;

    fn next(&mut self) -> Option<&'a RawValue> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter();
        let block = values.next()?.ok()?;
        let behind = self.rest.get(values.byte_offset()..).unwrap_or_default().trim_start();
        self.rest = behind.strip_prefix(',').unwrap_or_default();
        Some(block)
    }
}

impl<'a> Block<'a> {
    /// The block that a piece of JSON is.
    pub fn read(json: &'a RawValue) -> Self {
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

/// The words of a message. Content that is neither text nor a list is given as it is written.
pub fn words(message: &Object<'_>) -> String {
    let content = message.raw("content");
    content.map(|json| Content::read(json).map_or_else(|| text(json), |content| content.words())).unwrap_or_default()
}

/// What a tool answered, in one text, whether a block or an event says so.
pub fn answer(result: &Object<'_>) -> String {
    let content = result.raw("content");
    content.map(|json| Content::read(json).map_or_else(|| text(json), |content| content.plain())).unwrap_or_default()
}
