//! The content of a message: text, or blocks of several kinds.

use serde::Deserialize;
use serde_json::Value;

/// What `content` holds.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// Text alone.
    Text(String),
    /// A list of blocks.
    Blocks(Vec<Block>),
}

/// One block. Each kind fills members of its own.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// `text`, `tool-call`, `tool-result`, …
    #[serde(rename = "type", default)]
    pub kind: String,
    /// What is said.
    pub text: Option<String>,
    /// Which call.
    pub id: Option<String>,
    /// The tool.
    pub name: Option<String>,
    /// What the tool is called with.
    pub arguments: Option<Value>,
    /// The call that is answered.
    pub tool_call_id: Option<String>,
    /// The answer.
    pub content: Option<Box<Content>>,
    /// The answer is a failure.
    #[serde(default)]
    pub is_error: bool,
}

impl Content {
    /// All in one text.
    pub fn plain(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Blocks(blocks) => blocks.iter().map(Block::plain).collect::<Vec<_>>().join(" "),
        }
    }

    /// The calls of tools in it, in block order.
    pub fn calls(&self) -> impl Iterator<Item = &Block> {
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
            Content::Blocks(blocks) => blocks.iter().filter_map(|b| b.text.as_deref()).collect::<Vec<_>>().join("\n"),
        }
    }
}

impl Block {
    /// The block in one text.
    pub fn plain(&self) -> String {
        match (self.kind.as_str(), &self.text) {
            (_, Some(text)) => text.clone(),
            ("tool-call", _) => format!("→ {}", self.call()),
            ("tool-result", _) => format!("← {}", self.content.as_ref().map(|c| c.plain()).unwrap_or_default()),
            (kind, _) => format!("[{kind}]"),
        }
    }

    /// A call as it would be written in a program.
    pub fn call(&self) -> String {
        call(self.name.as_deref().unwrap_or("?"), self.arguments.as_ref())
    }
}

/// A call as it would be written in a program. Arguments may be JSON, or JSON in a text.
pub fn call(name: &str, arguments: Option<&Value>) -> String {
    match arguments {
        None | Some(Value::Null) => format!("{name}()"),
        Some(Value::String(text)) => format!("{name}({text})"),
        Some(value) => format!("{name}({value})"),
    }
}
