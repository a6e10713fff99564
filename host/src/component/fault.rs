use rustix::io::Errno;
use wasmtime::{PoolConcurrencyLimitError, Trap};

use super::memory::MemoryLimit;
use super::meter::DeadlinePassed;

/// Why a component did not come to an answer.
pub(crate) enum Fault {
    Deadline,
    OutOfMemory,
    /// The system gave no memory, though our limit would have allowed it.
    Starved,
    PoolFull,
    Trapped(String),
}

/// What to say of it when the system gave no memory.
pub(crate) const STARVED: &str =
    "the system gives this process no more memory; raise what it is allowed (`ulimit -v`), or free some";

impl Fault {
    pub fn new(error: &wasmtime::Error, memory: &MemoryLimit) -> Self {
        if error.is::<DeadlinePassed>() {
            Self::Deadline
        } else if memory.refused {
            // An allocator that is refused memory traps, and the trap says nothing of memory.
            Self::OutOfMemory
        } else if memory.starved || is_starved(error) {
            Self::Starved
        } else if error.is::<PoolConcurrencyLimitError>() {
            Self::PoolFull
        } else if let Some(trap) = error.downcast_ref::<Trap>() {
            Self::Trapped(trap.to_string())
        } else {
            Self::Trapped(error.root_cause().to_string())
        }
    }
}

/// Whether this is the system saying that there is no memory.
pub(super) fn is_starved(error: &wasmtime::Error) -> bool {
    error.downcast_ref() == Some(&Errno::NOMEM)
}

#[cfg(test)]
mod tests {
    use wasmtime::ResourceLimiter;

    use super::*;

    fn fault(error: wasmtime::Error, memory: &MemoryLimit) -> &'static str {
        match Fault::new(&error, memory) {
            Fault::Deadline => "deadline",
            Fault::OutOfMemory => "out of memory",
            Fault::Starved => "starved",
            Fault::PoolFull => "pool full",
            Fault::Trapped(_) => "trapped",
        }
    }

    #[test]
    fn memory_that_the_system_refuses_is_no_fault_of_the_component() {
        let mut memory = MemoryLimit::new(100);
        let refused = || wasmtime::Error::from(Errno::NOMEM).context("a memory could not be made");
        assert_eq!(fault(refused(), &memory), "starved");
        assert_eq!(fault(Trap::UnreachableCodeReached.into(), &memory), "trapped");
        // An allocator that is refused memory traps, and the trap says nothing of memory.
        memory.memory_grow_failed(refused()).unwrap();
        assert_eq!(fault(Trap::UnreachableCodeReached.into(), &memory), "starved");
    }

    #[test]
    fn a_growth_past_the_memory_s_own_maximum_is_a_fault_of_the_component() {
        let mut memory = MemoryLimit::new(100);
        memory.memory_grow_failed(wasmtime::Error::msg("Memory maximum size exceeded")).unwrap();
        assert_eq!(fault(Trap::UnreachableCodeReached.into(), &memory), "trapped");
    }
}
