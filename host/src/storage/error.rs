use wasmtime::component::{ComponentType, Lift, Lower};

/// Why storage did not do what it was asked. The texts are for people: they say what and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, ComponentType, Lift, Lower)]
#[component(variant)]
pub enum StorageError {
    /// There is no such log.
    #[error("there is no such log")]
    #[component(name = "not-found")]
    NotFound,
    /// The log is there already.
    #[error("the log is there already")]
    #[component(name = "already-exists")]
    AlreadyExists,
    /// Another writer holds the log.
    #[error("another writer holds the log: {0}")]
    #[component(name = "busy")]
    Busy(String),
    /// The log is another one, or does not end where the caller believes.
    #[error("the log was changed by somebody else: {0}")]
    #[component(name = "moved")]
    Moved(String),
    /// No room is left, or a limit on size is reached.
    #[error("no space is left for the log")]
    #[component(name = "no-space")]
    NoSpace,
    /// The store takes no writes at all.
    #[error("the store is read-only")]
    #[component(name = "read-only")]
    ReadOnly,
    /// The rights of this process do not reach.
    #[error("access denied: {0}")]
    #[component(name = "access-denied")]
    AccessDenied(String),
    /// This store can't name a log so.
    #[error("invalid id: {0}")]
    #[component(name = "invalid-id")]
    InvalidId(String),
    /// Some of the bytes may be stored.
    #[error("some of the bytes may be stored: {0}")]
    #[component(name = "outcome-unknown")]
    OutcomeUnknown(String),
    /// Anything else.
    #[error("{0}")]
    #[component(name = "failed")]
    Failed(String),
}

/// How a failure begins that is damage. The component hands the text on as it is.
const DAMAGED: &str = "the store is damaged: ";

impl StorageError {
    /// What a store keeps its logs in is damaged itself, so that no log can be read at all, or not this one.
    #[cfg(feature = "sqlite")]
    pub(super) fn damaged(text: impl std::fmt::Display) -> Self {
        Self::Failed(format!("{DAMAGED}{text}"))
    }

    /// Whether what the store keeps its logs in is damaged itself, and not just a log.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Failed(text) if tells_of_damage(text))
    }
}

/// Whether the text of a failure is about a store that is damaged itself.
pub(crate) fn tells_of_damage(text: &str) -> bool {
    text.starts_with(DAMAGED)
}
