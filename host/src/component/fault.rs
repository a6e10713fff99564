use wasmtime::Trap;

use super::memory::MemoryLimit;
use super::meter::DeadlinePassed;

/// Why a component did not come to an answer.
pub(crate) enum Fault {
    Deadline,
    OutOfMemory,
    Trapped(String),
}

impl Fault {
    pub fn new(error: &wasmtime::Error, memory: &MemoryLimit) -> Self {
        if error.is::<DeadlinePassed>() {
            Self::Deadline
        } else if memory.refused {
            // An allocator that is refused memory traps, and the trap says nothing of memory.
            Self::OutOfMemory
        } else if let Some(trap) = error.downcast_ref::<Trap>() {
            Self::Trapped(trap.to_string())
        } else {
            Self::Trapped(error.root_cause().to_string())
        }
    }
}
