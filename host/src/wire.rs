//! The types of the package that Rust callers see in another form.

use wasmtime::component::{ComponentType, Lift, Lower, WasmList};

use crate::types::{self, Damage, Listed};

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct SequenceConflict {
    expected: u64,
    actual: u64,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct RejectedEvent {
    index: u32,
    reason: String,
}

/// `error` as the WIT has it: without what only a host can meet.
#[derive(Debug, ComponentType, Lift, Lower)]
#[component(variant)]
pub(crate) enum Error {
    #[component(name = "not-found")]
    NotFound(String),
    #[component(name = "already-exists")]
    AlreadyExists(String),
    #[component(name = "invalid-id")]
    InvalidId(String),
    #[component(name = "busy")]
    Busy(String),
    #[component(name = "sequence")]
    Sequence(SequenceConflict),
    #[component(name = "rejected")]
    Rejected(RejectedEvent),
    #[component(name = "refused")]
    Refused(String),
    #[component(name = "unsupported-version")]
    UnsupportedVersion(u64),
    #[component(name = "needs-wake")]
    NeedsWake(Damage),
    #[component(name = "corrupt")]
    Corrupt(Damage),
    #[component(name = "moved")]
    Moved(String),
    #[component(name = "too-large")]
    TooLarge(String),
    #[component(name = "no-space")]
    NoSpace,
    #[component(name = "read-only")]
    ReadOnly,
    #[component(name = "access-denied")]
    AccessDenied(String),
    #[component(name = "outcome-unknown")]
    OutcomeUnknown(String),
    #[component(name = "storage")]
    Storage(String),
}

impl From<Error> for crate::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound(id) => Self::NotFound(id),
            Error::AlreadyExists(id) => Self::AlreadyExists(id),
            Error::InvalidId(text) => Self::InvalidId(text),
            Error::Busy(text) => Self::Busy(text),
            Error::Sequence(SequenceConflict { expected, actual }) => Self::Sequence { expected, actual },
            Error::Rejected(RejectedEvent { index, reason }) => Self::Rejected { index: index.into(), reason },
            Error::Refused(text) => Self::Refused(text),
            Error::UnsupportedVersion(version) => Self::UnsupportedVersion(version),
            Error::NeedsWake(damage) => Self::NeedsWake(damage),
            Error::Corrupt(damage) => Self::Corrupt(damage),
            Error::Moved(text) => Self::Moved(text),
            Error::TooLarge(text) => Self::TooLarge(text),
            Error::NoSpace => Self::NoSpace,
            Error::ReadOnly => Self::ReadOnly,
            Error::AccessDenied(text) => Self::AccessDenied(text),
            Error::OutcomeUnknown(text) => Self::OutcomeUnknown(text),
            Error::Storage(text) => Self::Storage(text),
        }
    }
}

/// How an error reaches a plugin.
impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        use crate::Error as Host;
        match error {
            Host::NotFound(id) => Self::NotFound(id),
            Host::AlreadyExists(id) => Self::AlreadyExists(id),
            Host::InvalidId(text) => Self::InvalidId(text),
            Host::Busy(text) => Self::Busy(text),
            Host::Sequence { expected, actual } => Self::Sequence(SequenceConflict { expected, actual }),
            Host::Rejected { index, reason } => {
                Self::Rejected(RejectedEvent { index: index.try_into().unwrap_or(u32::MAX), reason })
            }
            Host::Refused(text) => Self::Refused(text),
            Host::UnsupportedVersion(version) => Self::UnsupportedVersion(version),
            Host::NeedsWake(damage) => Self::NeedsWake(damage),
            Host::Corrupt(damage) => Self::Corrupt(damage),
            Host::Moved(text) => Self::Moved(text),
            Host::TooLarge(text) => Self::TooLarge(text),
            Host::NoSpace => Self::NoSpace,
            Host::ReadOnly => Self::ReadOnly,
            Host::AccessDenied(text) => Self::AccessDenied(text),
            Host::OutcomeUnknown(text) => Self::OutcomeUnknown(text),
            Host::Storage(text) => Self::Storage(text),
            host @ (Host::Deadline { .. } | Host::OutOfMemory { .. } | Host::PoolFull | Host::Trapped(_)) => {
                Self::Storage(host.to_string())
            }
        }
    }
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Unreadable {
    name: String,
    id: Option<String>,
    reason: Error,
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(variant)]
pub(crate) enum ListItem {
    #[component(name = "session")]
    Session(Listed),
    #[component(name = "unreadable")]
    Unreadable(Unreadable),
}

#[derive(Debug, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct ListPage {
    items: Vec<ListItem>,
    next: Option<String>,
}

impl From<ListPage> for types::ListPage {
    fn from(page: ListPage) -> Self {
        let item = |item| match item {
            ListItem::Session(listed) => types::ListItem::Session(listed),
            ListItem::Unreadable(Unreadable { name, id, reason }) => {
                types::ListItem::Unreadable(types::Unreadable { name, id, reason: reason.into() })
            }
        };
        Self { items: page.items.into_iter().map(item).collect(), next: page.next }
    }
}

impl From<types::ListPage> for ListPage {
    fn from(page: types::ListPage) -> Self {
        let item = |item| match item {
            types::ListItem::Session(listed) => ListItem::Session(listed),
            types::ListItem::Unreadable(types::Unreadable { name, id, reason }) => {
                ListItem::Unreadable(Unreadable { name, id, reason: reason.into() })
            }
        };
        Self { items: page.items.into_iter().map(item).collect(), next: page.next }
    }
}

/// `part` of the interface `storage`; the bytes stay where the component has them.
#[derive(ComponentType, Lift)]
#[component(variant)]
pub(crate) enum Part {
    #[component(name = "content")]
    Content(WasmList<u8>),
    #[component(name = "copy")]
    Copy(Stretch),
}

#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Stretch {
    pub id: String,
    pub at: u64,
    pub length: u64,
}
