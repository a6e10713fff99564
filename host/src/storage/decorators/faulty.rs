//! A store that fails when it is told to.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Answer, Decorator, Operation, Step};
use crate::storage::{Result, Storage, StorageError};

/// When a [`Faulty`] store fails, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Fault {
    nth: u64,
    error: StorageError,
    lasting: bool,
    half_way: bool,
}

impl Fault {
    /// The nth operation fails, the first being 1, before it does anything. All holders' operations count together, but for
    /// `release`, which can't fail.
    pub fn at(nth: u64, error: StorageError) -> Self {
        Self { nth, error, lasting: false, half_way: false }
    }

    /// So does every later one.
    pub fn lasting(self) -> Self {
        Self { lasting: true, ..self }
    }

    /// It fails half-way: `append` has added the first half of its bytes; what else writes or syncs has done all of it, and
    /// only its answer is lost. An honest store calls that [`OutcomeUnknown`](StorageError::OutcomeUnknown), but for `sync`.
    /// What does not write fails before it does anything.
    pub fn half_way(self) -> Self {
        Self { half_way: true, ..self }
    }
}

/// Passes all on to another store, but for what is to fail.
///
/// ```
/// use session_host::storage::{Fault, Faulty, Memory, Part, Storage, StorageError};
///
/// let store = Faulty::new(Memory::new(), Fault::at(2, StorageError::NoSpace));
/// store.publish("a", &[Part::Content(b"one\n")])?;
/// assert_eq!(store.append("a", 4, b"two\n"), Err(StorageError::NoSpace));
/// store.append("a", 4, b"two\n")?;
/// assert_eq!(store.operations(), 3);
/// # Ok::<(), StorageError>(())
/// ```
pub struct Faulty {
    inner: Arc<dyn Storage>,
    fault: Fault,
    count: Arc<AtomicU64>,
}

impl Faulty {
    /// Makes a store fail.
    pub fn new(storage: impl Storage + 'static, fault: Fault) -> Self {
        Self { inner: Arc::new(storage), fault, count: Arc::default() }
    }

    /// How many operations there were so far, those that failed among them.
    pub fn operations(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }
}

impl fmt::Debug for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faulty").field("fault", &self.fault).field("count", &self.count).finish_non_exhaustive()
    }
}

impl Decorator for Faulty {
    fn inner(&self) -> &dyn Storage {
        &*self.inner
    }

    fn around_sibling(&self, inner: Arc<dyn Storage>) -> Self {
        Self { inner, fault: self.fault.clone(), count: Arc::clone(&self.count) }
    }

    fn around<T: Answer>(&self, step: Step<'_>, act: impl Fn(&dyn Storage, &[u8]) -> Result<T>) -> Result<T> {
        if step.operation == Operation::Release {
            return act(self.inner(), step.content);
        }
        let number = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        let Fault { nth, error, lasting, half_way } = &self.fault;
        if number < *nth || number > *nth && !lasting {
            return act(self.inner(), step.content);
        }
        if *half_way && step.operation.writes() {
            let content = match step.operation {
                Operation::Append => &step.content[..step.content.len() / 2],
                _ => step.content,
            };
            // A store that fails by itself says better why.
            act(self.inner(), content)?;
        }
        Err(error.clone())
    }
}
