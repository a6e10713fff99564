//! One call of a tool, as the record tells of it.

use std::fmt;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::view::content::{self, Block};

/// One call of a tool.
#[derive(Debug, Serialize)]
pub struct Call {
    /// As the model called it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What the tool was called with, as it is written.
    pub arguments: Option<Box<RawValue>>,
    /// `requested`, `started`, `done`, `failed`.
    pub outcome: Outcome,
    /// Code of the failure, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// How far a call came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The model asked for it.
    #[default]
    Requested,
    /// The tool was started.
    Started,
    /// The tool answered.
    Done,
    /// The answer is a failure.
    Failed,
}

impl Outcome {
    /// The tool answered, be it with a failure.
    pub fn is_answer(self) -> bool {
        matches!(self, Outcome::Done | Outcome::Failed)
    }
}

impl Call {
    /// The call with this id that a block asks for.
    pub fn requested(id: String, block: &Block<'_>) -> Self {
        Self {
            id,
            name: block.members.text("name").unwrap_or_default(),
            arguments: block.members.raw("arguments").map(RawValue::to_owned),
            outcome: Outcome::Requested,
            code: None,
        }
    }

    /// The answer is a failure.
    pub fn failed(&self) -> bool {
        self.outcome == Outcome::Failed
    }

    /// The tool was started.
    pub fn started(&self) -> bool {
        self.outcome != Outcome::Requested
    }

    /// How many bytes its parts have.
    pub fn size(&self) -> usize {
        let arguments = self.arguments.as_ref().map_or(0, |arguments| arguments.get().len());
        self.id.len() + self.name.len() + arguments + self.code.as_ref().map_or(0, String::len)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}", content::call(&self.name, self.arguments.as_deref()), self.id)?;
        self.code.iter().try_for_each(|code| write!(f, "  {code}"))
    }
}
