//! A store that several hands are on.

use std::sync::Arc;

use super::{Aside, LogInfo, Order, Part, Place, Result, Storage};

/// The same holder: its claims end when the last hand is off. So what [`sibling`](Storage::sibling) gives is a store like any
/// other, to be handed on.
///
/// ```
/// use session_host::storage::{Instrumented, Memory, Storage};
///
/// let store = Instrumented::new(Memory::new().sibling()?);
/// # Ok::<(), session_host::StorageError>(())
/// ```
impl<S: Storage + ?Sized> Storage for Arc<S> {
    fn acquire(&self, id: &str) -> Result<LogInfo> {
        (**self).acquire(id)
    }

    fn release(&self, id: &str) {
        (**self).release(id);
    }

    fn publish(&self, id: &str, parts: &[Part<'_>]) -> Result<LogInfo> {
        (**self).publish(id, parts)
    }

    fn append(&self, id: &str, at: u64, content: &[u8]) -> Result<()> {
        (**self).append(id, at, content)
    }

    fn sync(&self, id: &str) -> Result<()> {
        (**self).sync(id)
    }

    fn stat(&self, id: &str) -> Result<LogInfo> {
        (**self).stat(id)
    }

    fn read(&self, id: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        (**self).read(id, at, max)
    }

    fn set_aside(&self, id: &str, at: u64) -> Result<Aside> {
        (**self).set_aside(id, at)
    }

    fn asides(&self, id: &str) -> Result<Vec<Aside>> {
        (**self).asides(id)
    }

    fn read_aside(&self, id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        (**self).read_aside(id, name, at, max)
    }

    fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Result<Vec<LogInfo>> {
        (**self).list(order, after, max)
    }

    fn remove(&self, id: &str) -> Result<()> {
        (**self).remove(id)
    }

    fn save_checkpoint(&self, id: &str, content: &[u8]) -> Result<()> {
        (**self).save_checkpoint(id, content)
    }

    fn load_checkpoint(&self, id: &str) -> Result<Vec<u8>> {
        (**self).load_checkpoint(id)
    }

    fn sibling(&self) -> Result<Arc<dyn Storage>> {
        (**self).sibling()
    }
}
