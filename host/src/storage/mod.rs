//! Where the bytes are kept: one small trait, and the stores that implement it.

mod decorators;
mod error;
mod explain;
mod extent;
mod id;
mod jsonl;
mod linker;
mod lock;
mod make;
mod memory;
mod name;
mod shared;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::sync::Arc;

use wasmtime::component::{ComponentType, Lift, Lower};

pub use decorators::{Count, Counters, Fault, Faulty, Gate, Gated, Instrumented, Operation, Write};
pub use error::StorageError;
pub(crate) use error::tells_of_damage;
pub use jsonl::JsonlFolder;
pub use linker::add_to_linker;
pub(crate) use linker::{Client, link};
pub use memory::Memory;
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;

/// What a storage call answers.
pub type Result<T, E = StorageError> = std::result::Result<T, E>;

/// One append-only text per session, addressed by byte offset: the twin of the WIT interface `storage`.
///
/// A store moves bytes and never looks into them. Every rule that a store must keep stands at its method; after an error
/// the log is as it was, but for [`StorageError::OutcomeUnknown`]. Whether a store keeps them, `Conformance` tells, behind
/// the feature `conformance`.
///
/// An id that is empty, has more than 255 bytes or holds U+0000 is [`InvalidId`](StorageError::InvalidId), also that of a
/// [`Part::Copy`]. A call that is for the holder alone may say [`Moved`](StorageError::Moved) instead.
///
/// **Claims.** A value of this type is one holder: what it acquires or publishes is held until it releases or removes it or
/// is dropped, against every other value on the same place, in this process or another. [`sibling`](Storage::sibling) makes
/// another holder. No other call changes who holds a log: not one that is refused, nor a copy of it, nor a look at it.
///
/// [`append`](Storage::append), [`sync`](Storage::sync), [`set_aside`](Storage::set_aside) and
/// [`save_checkpoint`](Storage::save_checkpoint) are for the holder alone. Whoever does not hold the log, be it held by
/// another, by nobody or not there, is told [`Moved`](StorageError::Moved).
///
/// Methods take `&self` and are called from several threads at once, though never two at a time for the same id.
pub trait Storage: Send + Sync {
    /// Becomes the log's only writer. Asking again for what is already held is no error; it also renews a claim that an
    /// error has made unfit: after [`Moved`](StorageError::Moved) the log is opened afresh, after a failed sync its bytes
    /// are written again.
    ///
    /// # Errors
    /// [`Busy`](StorageError::Busy) at once while another holds it; [`NotFound`](StorageError::NotFound) if there is no such log.
    fn acquire(&self, id: &str) -> Result<LogInfo>;

    /// Stops being the writer. Releasing what is not held does nothing.
    fn release(&self, id: &str);

    /// Brings a new log into being with these parts, whole and durable or not at all, and holds it.
    ///
    /// # Errors
    /// [`AlreadyExists`](StorageError::AlreadyExists): a log is never replaced. [`NotFound`](StorageError::NotFound) if there
    /// is no log to copy from; [`Failed`](StorageError::Failed) if it is too short.
    fn publish(&self, id: &str, parts: &[Part<'_>]) -> Result<LogInfo>;

    /// Adds bytes at the end of a log that is held. `at` is the length that the caller believes.
    ///
    /// # Errors
    /// [`Moved`](StorageError::Moved) if the log is not held, is another one or does not end at `at`.
    fn append(&self, id: &str, at: u64, content: &[u8]) -> Result<()>;

    /// Returns once every byte appended so far would survive a loss of power.
    ///
    /// # Errors
    /// [`Moved`](StorageError::Moved) if the log is not held or is another one. After an error the claim is unfit: the next
    /// call writes the bytes again from what was last known to be safe.
    fn sync(&self, id: &str) -> Result<()>;

    /// What is known of one log.
    ///
    /// # Errors
    /// [`NotFound`](StorageError::NotFound) if there is no such log.
    fn stat(&self, id: &str) -> Result<LogInfo>;

    /// At most `max` bytes from `at`; fewer only at the end of the log.
    ///
    /// # Errors
    /// [`NotFound`](StorageError::NotFound) if there is no such log.
    fn read(&self, id: &str, at: u64, max: u32) -> Result<Vec<u8>>;

    /// Cuts a log that is held at `at` and keeps the bytes cut off in a place of their own; both durably, the keeping
    /// first. Doing it again after a crash makes no second copy: pieces of the same place and the same bytes are one piece.
    ///
    /// # Errors
    /// As for [`append`](Storage::append); [`Moved`](StorageError::Moved) also if there is no byte from `at` on.
    fn set_aside(&self, id: &str, at: u64) -> Result<Aside>;

    /// All that was ever set aside for this log, by name.
    ///
    /// # Errors
    /// None for a log that does not exist: the list is empty.
    fn asides(&self, id: &str) -> Result<Vec<Aside>>;

    /// At most `max` bytes of what was set aside, from `at`; fewer only at its end.
    ///
    /// # Errors
    /// [`NotFound`](StorageError::NotFound) if nothing of that name was set aside.
    fn read_aside(&self, id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>>;

    /// At most `max` logs that stand after `after` in that order; fewer only at the end. The log at that place may be gone
    /// meanwhile. What is called like a log and is none is listed too, with a length that is not 0, so that it is read and its
    /// error told.
    ///
    /// # Errors
    /// Those of reading the place where logs are kept.
    fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Result<Vec<LogInfo>>;

    /// Removes the log, its checkpoint and what was set aside. Removing a log that does not exist is no error.
    ///
    /// # Errors
    /// [`Busy`](StorageError::Busy) while another holds it.
    fn remove(&self, id: &str) -> Result<()>;

    /// Keeps a note of the component's own beside a log that is held, replaced whole. It only saves time and may be lost.
    ///
    /// # Errors
    /// [`Moved`](StorageError::Moved) if the log is not held or is another one.
    fn save_checkpoint(&self, id: &str, content: &[u8]) -> Result<()>;

    /// The note last saved; empty if there is none, and for a log that does not exist.
    ///
    /// # Errors
    /// Those of reading.
    fn load_checkpoint(&self, id: &str) -> Result<Vec<u8>>;

    /// Another holder on the same place, with claims of its own.
    ///
    /// # Errors
    /// Those of opening.
    fn sibling(&self) -> Result<Arc<dyn Storage>>;
}

/// What a store knows of one log without reading it.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct LogInfo {
    /// None if the stored name is the encoding of no id.
    pub id: Option<String>,
    /// How the log is called where it is stored.
    pub name: String,
    /// Length in bytes.
    pub length: u64,
    /// When its bytes last changed, by an append or a cut and by nothing else, in milliseconds since the Unix epoch.
    pub modified: u64,
    /// Differs whenever the log was removed and made anew.
    pub identity: String,
    /// Some writer holds the log.
    pub held: bool,
}

/// One piece of a log to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// These bytes.
    Content(&'a [u8]),
    /// Bytes of another log. [`Failed`](StorageError::Failed) if that log ends before the stretch does.
    Copy {
        /// The other log.
        id: &'a str,
        /// Where the stretch begins.
        at: u64,
        /// How many bytes it has.
        length: u64,
    },
}

/// Bytes that were cut off a log.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Aside {
    /// Names them among the asides of this log.
    pub name: String,
    /// How many.
    pub length: u64,
}

/// In which order logs are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum Order {
    /// By the bytes of the id; names that encode no id come after all ids, by their own bytes.
    #[component(name = "by-id")]
    ById,
    /// Last changed first; among equals by the bytes of the name.
    #[component(name = "recent")]
    Recent,
}

/// A place in that order: the last log that the caller has seen. It may be gone, and its id is not told: in the order
/// [`ById`](Order::ById) a store must be able to get the id from the name.
#[derive(Debug, Clone, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Place {
    /// Its [`LogInfo::name`].
    pub name: String,
    /// Its [`LogInfo::modified`].
    pub modified: u64,
}
