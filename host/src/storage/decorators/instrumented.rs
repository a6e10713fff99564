//! A store that counts what is asked of it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{Answer, Decorator, Operation, Step};
use crate::storage::{Result, Storage};

/// Passes all on to another store, and counts calls, errors, bytes and time.
///
/// With the feature `tracing` each call is also a span `storage`, with an event at its end.
///
/// ```
/// use session_host::storage::{Instrumented, Memory, Operation, Part, Storage};
///
/// let store = Instrumented::new(Memory::new());
/// let counters = store.counters();
/// store.publish("a", &[Part::Content(b"one\n")])?;
/// store.append("a", 4, b"two\n")?;
/// store.append("a", 4, b"two\n").unwrap_err();
/// let appends = counters.of(Operation::Append);
/// assert_eq!((appends.calls, appends.errors, appends.bytes), (2, 1, 4));
/// # Ok::<(), session_host::StorageError>(())
/// ```
pub struct Instrumented {
    inner: Arc<dyn Storage>,
    counters: Arc<Counters>,
}

impl Instrumented {
    /// Counts what is asked of a store.
    pub fn new(storage: impl Storage + 'static) -> Self {
        Self { inner: Arc::new(storage), counters: Arc::default() }
    }

    /// What was counted, for all siblings together. It can be read while the store is at work.
    pub fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.counters)
    }
}

impl fmt::Debug for Instrumented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instrumented").field("counters", &self.counters).finish_non_exhaustive()
    }
}

/// What an [`Instrumented`] store has counted.
#[derive(Default)]
pub struct Counters([Cell; Operation::ALL.len()]);

#[derive(Debug, Default)]
struct Cell {
    calls: AtomicU64,
    errors: AtomicU64,
    bytes: AtomicU64,
    nanoseconds: AtomicU64,
}

impl fmt::Debug for Counters {
    /// By the names of the operations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(Operation::ALL.map(|operation| (operation, self.of(operation)))).finish()
    }
}

impl Counters {
    /// The calls of one kind.
    pub fn of(&self, operation: Operation) -> Count {
        let cell = &self.0[operation as usize];
        Count {
            calls: cell.calls.load(Ordering::Relaxed),
            errors: cell.errors.load(Ordering::Relaxed),
            bytes: cell.bytes.load(Ordering::Relaxed),
            time: Duration::from_nanos(cell.nanoseconds.load(Ordering::Relaxed)),
        }
    }

    /// All calls.
    pub fn total(&self) -> Count {
        Operation::ALL.iter().fold(Count::default(), |total, &operation| {
            let count = self.of(operation);
            Count {
                calls: total.calls + count.calls,
                errors: total.errors + count.errors,
                bytes: total.bytes + count.bytes,
                time: total.time + count.time,
            }
        })
    }

    fn add(&self, operation: Operation, failed: bool, bytes: u64, time: Duration) {
        let cell = &self.0[operation as usize];
        cell.calls.fetch_add(1, Ordering::Relaxed);
        cell.errors.fetch_add(failed.into(), Ordering::Relaxed);
        cell.bytes.fetch_add(bytes, Ordering::Relaxed);
        cell.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Some calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub calls: u64,
    /// How many of them failed.
    pub errors: u64,
    /// The bytes that were stored or read by those that did not.
    pub bytes: u64,
    /// How long all took together.
    pub time: Duration,
}

impl Decorator for Instrumented {
    fn inner(&self) -> &dyn Storage {
        &*self.inner
    }

    fn around_sibling(&self, inner: Arc<dyn Storage>) -> Self {
        Self { inner, counters: Arc::clone(&self.counters) }
    }

    fn around<T: Answer>(&self, step: Step<'_>, act: impl Fn(&dyn Storage, &[u8]) -> Result<T>) -> Result<T> {
        #[cfg(feature = "tracing")]
        let _span = tracing::debug_span!("storage", operation = %step.operation, id = step.id).entered();
        let began = Instant::now();
        let answer = act(self.inner(), step.content);
        let time = began.elapsed();
        let bytes = answer.as_ref().map_or(0, |answer| step.bytes + answer.bytes());
        self.counters.add(step.operation, answer.is_err(), bytes, time);
        #[cfg(feature = "tracing")]
        match &answer {
            Ok(_) => tracing::debug!(bytes, ?time, "done"),
            Err(error) => tracing::debug!(%error, ?time, "failed"),
        }
        answer
    }
}
