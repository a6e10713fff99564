//! Stores around a store: to see what is asked of it, to hold it up, to make it fail.

mod faulty;
mod gated;
mod instrumented;
mod operation;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{Aside, LogInfo, Order, Part, Place, Result, Storage};

pub use faulty::{Fault, Faulty};
pub use gated::{Gate, Gated, Write};
pub use instrumented::{Count, Counters, Instrumented};
pub use operation::Operation;

/// One call on its way to the store within.
struct Step<'a> {
    operation: Operation,
    id: &'a str,
    /// What `append` and `save_checkpoint` hand over.
    content: &'a [u8],
    /// All bytes that are handed over.
    bytes: u64,
}

impl<'a> Step<'a> {
    fn new(operation: Operation, id: &'a str) -> Self {
        Self { operation, id, content: &[], bytes: 0 }
    }

    fn handing(operation: Operation, id: &'a str, content: &'a [u8]) -> Self {
        Self { operation, id, content, bytes: content.len() as u64 }
    }
}

/// What a store answers with.
trait Answer {
    /// How many stored bytes are in it.
    fn bytes(&self) -> u64 {
        0
    }
}

impl Answer for Vec<u8> {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }
}

impl Answer for () {}
impl Answer for LogInfo {}
impl Answer for Aside {}
impl Answer for Vec<Aside> {}
impl Answer for Vec<LogInfo> {}

/// A store that does something around each call of another.
trait Decorator: Send + Sync + 'static {
    fn inner(&self) -> &dyn Storage;

    /// The same around another holder.
    fn around_sibling(&self, inner: Arc<dyn Storage>) -> Self;

    /// `act` does the step with this content, which is the step's own but for those who want to do less.
    fn around<T: Answer>(&self, step: Step<'_>, act: impl Fn(&dyn Storage, &[u8]) -> Result<T>) -> Result<T>;
}

/// Passes every call through [`Decorator::around`].
macro_rules! decorates {
    ($decorator:ty) => {
        impl Storage for $decorator {
            fn acquire(&self, id: &str) -> Result<LogInfo> {
                self.around(Step::new(Operation::Acquire, id), |inner, _| inner.acquire(id))
            }

            fn release(&self, id: &str) {
                // It can't fail.
                let _ = self.around(Step::new(Operation::Release, id), |inner, _| {
                    inner.release(id);
                    Ok(())
                });
            }

            fn publish(&self, id: &str, parts: &[Part<'_>]) -> Result<LogInfo> {
                let bytes = parts.iter().map(|part| match part {
                    Part::Content(content) => content.len() as u64,
                    Part::Copy { length, .. } => *length,
                });
                let bytes = bytes.fold(0, u64::saturating_add);
                let step = Step { bytes, ..Step::new(Operation::Publish, id) };
                self.around(step, |inner, _| inner.publish(id, parts))
            }

            fn append(&self, id: &str, at: u64, content: &[u8]) -> Result<()> {
                let step = Step::handing(Operation::Append, id, content);
                self.around(step, |inner, content| inner.append(id, at, content))
            }

            fn sync(&self, id: &str) -> Result<()> {
                self.around(Step::new(Operation::Sync, id), |inner, _| inner.sync(id))
            }

            fn stat(&self, id: &str) -> Result<LogInfo> {
                self.around(Step::new(Operation::Stat, id), |inner, _| inner.stat(id))
            }

            fn read(&self, id: &str, at: u64, max: u32) -> Result<Vec<u8>> {
                self.around(Step::new(Operation::Read, id), |inner, _| inner.read(id, at, max))
            }

            fn set_aside(&self, id: &str, at: u64) -> Result<Aside> {
                self.around(Step::new(Operation::SetAside, id), |inner, _| inner.set_aside(id, at))
            }

            fn asides(&self, id: &str) -> Result<Vec<Aside>> {
                self.around(Step::new(Operation::Asides, id), |inner, _| inner.asides(id))
            }

            fn read_aside(&self, id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>> {
                self.around(Step::new(Operation::ReadAside, id), |inner, _| inner.read_aside(id, name, at, max))
            }

            fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Result<Vec<LogInfo>> {
                self.around(Step::new(Operation::List, ""), |inner, _| inner.list(order, after, max))
            }

            fn remove(&self, id: &str) -> Result<()> {
                self.around(Step::new(Operation::Remove, id), |inner, _| inner.remove(id))
            }

            fn save_checkpoint(&self, id: &str, content: &[u8]) -> Result<()> {
                let step = Step::handing(Operation::SaveCheckpoint, id, content);
                self.around(step, |inner, content| inner.save_checkpoint(id, content))
            }

            fn load_checkpoint(&self, id: &str) -> Result<Vec<u8>> {
                self.around(Step::new(Operation::LoadCheckpoint, id), |inner, _| inner.load_checkpoint(id))
            }

            fn sibling(&self) -> Result<Arc<dyn Storage>> {
                Ok(Arc::new(self.around_sibling(self.inner().sibling()?)))
            }
        }
    };
}

decorates!(Faulty);
decorates!(Gated);
decorates!(Instrumented);
