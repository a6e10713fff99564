use std::io;
use std::time::Duration;

use crate::storage::{StorageError, tells_of_damage};
use crate::types::Damage;

/// What a call on [`Sessions`](crate::Sessions) answers.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Every way in which a call can fail. Nothing was stored, but for [`OutcomeUnknown`](Error::OutcomeUnknown), and for
/// [`Moved`](Error::Moved) where the log was changed during the call itself.
///
/// The texts are for people: what was wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// There is no session of this id.
    #[error("there is no session {0:?}; check the id, or list the sessions there are")]
    NotFound(String),
    /// A session of this id is there already.
    #[error("the session {0:?} exists already; choose another id, or wake it to go on with it")]
    AlreadyExists(String),
    /// No session can be called so; the text says why.
    #[error("invalid id: {0}")]
    InvalidId(String),
    /// Another writer holds the session.
    #[error("the session is held by another writer ({0}); wait until it lets go, or only read")]
    Busy(String),
    /// The batch does not continue the log.
    #[error("the log goes on with seq {expected}, not {actual}; number the events from {expected}")]
    Sequence {
        /// The next `seq` of the log.
        expected: u64,
        /// The one that was handed over.
        actual: u64,
    },
    /// An event that cannot be stored.
    #[error("event {index} of the batch cannot be stored: {reason}")]
    Rejected {
        /// Its index in what was handed over.
        index: u64,
        /// Why.
        reason: String,
    },
    /// What was asked for can't be: more events than there are, a cursor of nobody's, a header that is too long.
    #[error("refused: {0}")]
    Refused(String),
    /// The log carries a format version that this release does not read.
    #[error("the log has format version {0}, which this release does not read; use a newer one")]
    UnsupportedVersion(u64),
    /// The log has a torn tail.
    #[error("the log has a torn tail of {} bytes at offset {}, after {} sound events ({}); wake the session first", .0.length, .0.offset, .0.expected, .0.detail)]
    NeedsWake(Damage),
    /// The log is damaged and records stand behind the damage. It is left as it was.
    #[error("{}", corrupt(.0))]
    Corrupt(Damage),
    /// The log was changed or replaced by somebody else while it was held.
    #[error("the log was changed by somebody else while it was held: {0}; wake the session again")]
    Moved(String),
    /// What was handed over, or the answer, would not fit.
    #[error("too large: {0}")]
    TooLarge(String),
    /// No room is left where the sessions are kept.
    #[error("no space is left where the sessions are kept; make room and try again")]
    NoSpace,
    /// The store takes no writes at all.
    #[error("the store of sessions is read-only")]
    ReadOnly,
    /// The system, the host or a grant does not allow it.
    #[error("access denied: {0}")]
    AccessDenied(String),
    /// Part or all of what was handed over may be stored.
    #[error("part or all of it may be stored: {0}; wake the session keeping its open turn, and compare its length")]
    OutcomeUnknown(String),
    /// Storage failed in another way.
    #[error("storage failed: {0}")]
    Storage(String),
    /// The component ran for longer than [`Limits::deadline`](crate::Limits::deadline). The next call starts afresh.
    #[error("the call took more than {limit:?} of computing; raise the deadline, or ask for less")]
    Deadline {
        /// The time that it had.
        limit: Duration,
    },
    /// The component needed more than [`Limits::memory`](crate::Limits::memory). The next call starts afresh.
    #[error("the call needed more than {limit} bytes of memory; raise the limit, or ask for less")]
    OutOfMemory {
        /// The bytes that it had.
        limit: usize,
    },
    /// All instances of the engine's [pool](crate::EngineBuilder::pool) are in use.
    #[error("all instances that the engine has room for are in use; drop one, or make the engine with a larger pool")]
    PoolFull,
    /// The component broke down: a fault of ours. The next call starts afresh.
    #[error("the session component broke down: {0}; this is a bug, please report it")]
    Trapped(String),
}

impl Error {
    /// Whether what the store keeps its logs in is damaged itself: a database, say, of which SQLite can't make anything.
    #[must_use]
    pub fn is_damaged_store(&self) -> bool {
        matches!(self, Self::Storage(text) if tells_of_damage(text))
    }

    /// What storage answered when it was asked about a session without the component.
    pub(crate) fn from_storage(id: &str, error: StorageError) -> Self {
        match error {
            StorageError::NotFound => Self::NotFound(id.into()),
            StorageError::AlreadyExists => Self::AlreadyExists(id.into()),
            StorageError::Busy(text) => Self::Busy(text),
            StorageError::Moved(text) => Self::Moved(text),
            StorageError::NoSpace => Self::NoSpace,
            StorageError::ReadOnly => Self::ReadOnly,
            StorageError::AccessDenied(text) => Self::AccessDenied(text),
            StorageError::InvalidId(text) => Self::InvalidId(text),
            StorageError::OutcomeUnknown(text) => Self::OutcomeUnknown(text),
            StorageError::Failed(text) => Self::Storage(text),
        }
    }
}

fn corrupt(damage: &Damage) -> String {
    let Damage { expected, offset, length, records, detail, .. } = damage;
    if *offset == 0 {
        return format!("the log can't be read: {detail}; nothing of it is sound until its first line is put right");
    }
    format!(
        "the log is damaged at offset {offset}, after {expected} sound events, with {records} records in the {length} bytes \
         behind ({detail}); it was left as it is: read or fork what precedes the damage, or wake the session setting them \
         aside"
    )
}

/// Why an [`Engine`](crate::Engine) could not be made, or a component not be loaded into it.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// WebAssembly cannot run here.
    #[error("WebAssembly cannot run on this machine: {0}")]
    Unsupported(String),
    /// The thread that keeps deadlines did not start.
    #[error("the thread that keeps deadlines did not start: {0}")]
    Thread(#[source] io::Error),
    /// The bytes are a core module, as compilers write it before it is made a component.
    #[error(
        "it is a core module and no component yet; make one of it with `wasm-tools component new MODULE.wasm -o COMPONENT.wasm`"
    )]
    CoreModule,
    /// The bytes are no component that can be compiled.
    #[error("not a WebAssembly component: {0}")]
    Invalid(String),
    /// The component asks for more than the world `harness` gives.
    #[error("the component imports {}, which no harness is given; build it for the world `harness` of `agent:session`, without WASI", .0.join(", "))]
    Imports(Vec<String>),
    /// The component is a harness that was composed with the store.
    #[error(
        "the component has a store in it already (`session compose` makes such), so no grant could bound it; run it in a host of your own that gives it `storage` and `clock`, or load the harness that it was made of"
    )]
    Composed,
    /// The component does not fit the world `harness`.
    #[error("the component does not fit the world `harness` of `agent:session`: {0}")]
    World(String),
}
