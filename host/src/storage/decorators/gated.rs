//! A store whose writes wait until they are let go.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::{Answer, Decorator, Operation, Step};
use crate::storage::{Result, Storage, StorageError};

/// Passes all on to another store, but writes wait at a [`Gate`], in the order in which they came.
///
/// ```
/// use session_host::storage::{Gated, Memory, Operation, Part, Storage};
///
/// let memory = Memory::new();
/// let disk = memory.sibling()?; // What is there, whatever happens to the machine.
/// let (store, gate) = Gated::new(memory);
/// std::thread::scope(|scope| {
///     scope.spawn(|| {
///         store.publish("a", &[Part::Content(b"one\n")])?;
///         store.append("a", 4, b"two\n")
///     });
///     assert_eq!(gate.let_go().operation, Operation::Publish);
///     assert_eq!(gate.next().operation, Operation::Append);
///     drop(gate); // The machine is lost.
/// });
/// assert_eq!(disk.read("a", 0, 99)?, b"one\n");
/// # Ok::<(), session_host::StorageError>(())
/// ```
pub struct Gated {
    inner: Arc<dyn Storage>,
    line: Arc<Line>,
}

impl Gated {
    /// A store, and the gate that its writes wait at, those of its siblings too.
    pub fn new(storage: impl Storage + 'static) -> (Self, Gate) {
        let line = Arc::<Line>::default();
        (Self { inner: Arc::new(storage), line: Arc::clone(&line) }, Gate(line))
    }
}

impl fmt::Debug for Gated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gated").field("line", &self.line).finish_non_exhaustive()
    }
}

/// Where the writes of a [`Gated`] store wait. Once it is dropped nothing is written any more, as if the machine were lost:
/// what waits, and what comes later, fails.
#[derive(Debug)]
pub struct Gate(Arc<Line>);

impl Gate {
    /// Waits until a write is there, and tells of the first one.
    pub fn next(&self) -> Write {
        self.0.first(self.0.lock()).1
    }

    /// Waits until a write is there, lets the first one go, and returns once it is done.
    pub fn let_go(&self) -> Write {
        let (mut state, write) = self.0.first(self.0.lock());
        state.passes = true;
        self.0.changed.notify_all();
        drop(self.0.wait_while(state, |state| state.passes));
        write
    }

    /// All that wait, the first one first.
    pub fn waiting(&self) -> Vec<Write> {
        self.0.lock().writes.iter().map(|(_, write)| write.clone()).collect()
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.0.lock().gone = true;
        self.0.changed.notify_all();
    }
}

/// A write at a [`Gate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// Which one.
    pub operation: Operation,
    /// To which log.
    pub id: String,
    /// How many bytes it hands over.
    pub bytes: u64,
}

#[derive(Debug, Default)]
struct Line {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Each with its number.
    writes: VecDeque<(u64, Write)>,
    count: u64,
    /// The first one goes.
    passes: bool,
    gone: bool,
}

impl Line {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while<'a>(
        &self,
        state: MutexGuard<'a, State>,
        condition: impl FnMut(&mut State) -> bool,
    ) -> MutexGuard<'a, State> {
        self.changed.wait_while(state, condition).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the first one.
    fn first<'a>(&self, mut state: MutexGuard<'a, State>) -> (MutexGuard<'a, State>, Write) {
        loop {
            if let Some((_, write)) = state.writes.front() {
                let write = write.clone();
                return (state, write);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for its turn. The place in the line is left when the answer is dropped.
    fn enter(&self, write: Write) -> Result<Turn<'_>> {
        let mut state = self.lock();
        let number = state.count;
        state.count += 1;
        state.writes.push_back((number, write));
        self.changed.notify_all();
        let turn = Turn { line: self, number };
        let goes = |state: &State| state.passes && state.writes.front().is_some_and(|(first, _)| *first == number);
        let state = self.wait_while(state, |state| !state.gone && !goes(state));
        let may_go = goes(&state);
        drop(state);
        match may_go {
            true => Ok(turn),
            false => Err(StorageError::Failed("the machine is lost: nothing is written any more".into())),
        }
    }
}

struct Turn<'a> {
    line: &'a Line,
    number: u64,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.line.lock();
        if state.writes.front().is_some_and(|(first, _)| *first == self.number) {
            state.passes = false;
        }
        state.writes.retain(|(number, _)| *number != self.number);
        self.line.changed.notify_all();
    }
}

impl Decorator for Gated {
    fn inner(&self) -> &dyn Storage {
        &*self.inner
    }

    fn around_sibling(&self, inner: Arc<dyn Storage>) -> Self {
        Self { inner, line: Arc::clone(&self.line) }
    }

    fn around<T: Answer>(&self, step: Step<'_>, act: impl Fn(&dyn Storage, &[u8]) -> Result<T>) -> Result<T> {
        let Step { operation, id, content, bytes } = step;
        if !operation.writes() {
            return act(self.inner(), content);
        }
        let _turn = self.line.enter(Write { operation, id: id.to_owned(), bytes })?;
        act(self.inner(), content)
    }
}
