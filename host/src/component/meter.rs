use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use wasmtime::UpdateDeadline;

/// How long the component may still compute in the call that runs.
#[derive(Default)]
pub(crate) struct Meter {
    limit: Duration,
    /// None: for ever.
    deadline: Option<Instant>,
    /// Time that this call spent within storage.
    pub in_storage: Duration,
    /// Something was written in this call, or may have been.
    pub wrote: bool,
}

impl Meter {
    /// A call begins.
    pub fn start(&mut self, limit: Duration) {
        *self = Self { limit, deadline: Instant::now().checked_add(limit), ..Self::default() };
    }

    /// Storage took so long, and does not count.
    pub fn give_back(&mut self, time: Duration) {
        self.in_storage += time;
        self.deadline = self.deadline.and_then(|deadline| deadline.checked_add(time));
    }

    /// Storage wrote: the component gets the time to say so.
    pub fn wrote(&mut self) {
        self.wrote = true;
        self.deadline = Instant::now().checked_add(self.limit);
    }

    pub fn check(&self) -> wasmtime::Result<UpdateDeadline> {
        check(self.deadline)
    }
}

/// For an epoch callback: goes on until the next tick, or stops.
pub(crate) fn check(deadline: Option<Instant>) -> wasmtime::Result<UpdateDeadline> {
    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        return Err(DeadlinePassed.into());
    }
    Ok(UpdateDeadline::Continue(1))
}

/// How such an end is told from other traps.
#[derive(Debug, thiserror::Error)]
#[error("the deadline has passed")]
pub(crate) struct DeadlinePassed;

/// When a plugin has to be done, shared with what serves its calls.
#[derive(Default)]
pub(crate) struct Allowance(Mutex<Option<Instant>>);

impl Allowance {
    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn set(&self, deadline: Option<Instant>) {
        *self.lock() = deadline;
    }

    pub fn get(&self) -> Option<Instant> {
        *self.lock()
    }

    pub fn left(&self) -> Option<Duration> {
        self.get().map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    pub fn give_back(&self, time: Duration) {
        let mut deadline = self.lock();
        *deadline = deadline.and_then(|deadline| deadline.checked_add(time));
    }
}
