//! The types of `session-tree` that Rust callers see in another form, or not at all.

use wasmtime::component::{ComponentType, Lift, Lower};

use super::{
    Address, Branch, ContextMessage, Entry, EntryStructure, Label, ListElement, StoredValue, TreeError, UsageRow,
};
use crate::wire::Error;

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct RefusedWrite {
    index: u32,
    reason: String,
}

/// `tree-error` as the WIT has it.
#[derive(Debug, ComponentType, Lift, Lower)]
#[component(variant)]
pub(crate) enum WireError {
    #[component(name = "session")]
    Session(Error),
    #[component(name = "duplicate-id")]
    DuplicateId(String),
    #[component(name = "missing-parent")]
    MissingParent(String),
    #[component(name = "unknown-branch")]
    UnknownBranch(String),
    #[component(name = "branch-exists")]
    BranchExists(String),
    #[component(name = "unknown-target")]
    UnknownTarget(String),
    #[component(name = "pending-message")]
    PendingMessage(String),
    #[component(name = "not-on-branch")]
    NotOnBranch(String),
    #[component(name = "not-a-lane")]
    NotALane(String),
    #[component(name = "reserved-namespace")]
    ReservedNamespace(String),
    #[component(name = "refused-write")]
    RefusedWrite(RefusedWrite),
}

impl From<WireError> for TreeError {
    fn from(error: WireError) -> Self {
        match error {
            WireError::Session(error) => Self::Session(error.into()),
            WireError::DuplicateId(id) => Self::DuplicateId(id),
            WireError::MissingParent(id) => Self::MissingParent(id),
            WireError::UnknownBranch(name) => Self::UnknownBranch(name),
            WireError::BranchExists(name) => Self::BranchExists(name),
            WireError::UnknownTarget(id) => Self::UnknownTarget(id),
            WireError::PendingMessage(id) => Self::PendingMessage(id),
            WireError::NotOnBranch(id) => Self::NotOnBranch(id),
            WireError::NotALane(name) => Self::NotALane(name),
            WireError::ReservedNamespace(name) => Self::ReservedNamespace(name),
            WireError::RefusedWrite(RefusedWrite { index, reason }) => Self::RefusedWrite { index, reason },
        }
    }
}

/// How an error reaches a plugin.
impl From<TreeError> for WireError {
    fn from(error: TreeError) -> Self {
        match error {
            TreeError::Session(error) => Self::Session(error.into()),
            TreeError::DuplicateId(id) => Self::DuplicateId(id),
            TreeError::MissingParent(id) => Self::MissingParent(id),
            TreeError::UnknownBranch(name) => Self::UnknownBranch(name),
            TreeError::BranchExists(name) => Self::BranchExists(name),
            TreeError::UnknownTarget(id) => Self::UnknownTarget(id),
            TreeError::PendingMessage(id) => Self::PendingMessage(id),
            TreeError::NotOnBranch(id) => Self::NotOnBranch(id),
            TreeError::NotALane(name) => Self::NotALane(name),
            TreeError::ReservedNamespace(name) => Self::ReservedNamespace(name),
            TreeError::RefusedWrite { index, reason } => Self::RefusedWrite(RefusedWrite { index, reason }),
        }
    }
}

/// Which values.
#[derive(Debug, Clone, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct ValueScan {
    pub namespace: String,
    pub prefix: String,
    pub after: Option<String>,
    pub limit: u32,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct EntryPage {
    pub entries: Vec<Entry>,
    pub more: bool,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct StructurePage {
    pub entries: Vec<EntryStructure>,
    pub more: bool,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct UsagePage {
    pub rows: Vec<UsageRow>,
    pub more: bool,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct ValuePage {
    pub values: Vec<StoredValue>,
    pub more: bool,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct AddressPage {
    pub addresses: Vec<Address>,
    pub more: bool,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct ElementPage {
    pub elements: Vec<ListElement>,
    pub more: bool,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct BranchPage {
    pub branches: Vec<Branch>,
    pub more: bool,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct LabelPage {
    pub labels: Vec<Label>,
    pub more: bool,
}

/// A place in a branch's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct ContextPlace {
    number: u64,
    index: u32,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct ContextPage {
    pub messages: Vec<ContextMessage>,
    pub next: Option<ContextPlace>,
}
