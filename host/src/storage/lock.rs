//! Locks between the threads of this process.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A thread that panicked with the lock in hand leaves nothing half done behind these locks.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
