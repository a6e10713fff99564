use wasmtime::ResourceLimiter;

use super::fault::is_starved;

/// Table elements of all instances in a store; a Python harness has some 20,000.
const TABLE_ELEMENTS: usize = 1 << 20;

/// Bounds what all instances in a store take together, and remembers having said no.
pub(crate) struct MemoryLimit {
    limit: usize,
    used: usize,
    table_elements: usize,
    /// Something was refused; so a trap that follows is for want of memory.
    pub refused: bool,
    /// The system refused what was allowed here.
    pub starved: bool,
}

impl MemoryLimit {
    pub fn new(limit: usize) -> Self {
        Self { limit, used: 0, table_elements: 0, refused: false, starved: false }
    }

    pub fn bytes(&self) -> usize {
        self.limit
    }

    fn allow(&mut self, fits: bool) -> wasmtime::Result<bool> {
        self.refused |= !fits;
        Ok(fits)
    }
}

impl ResourceLimiter for MemoryLimit {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        let used = self.used.saturating_add(desired.saturating_sub(current));
        let fits = used <= self.limit;
        if fits {
            self.used = used;
        }
        self.allow(fits)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.starved |= is_starved(&error);
        Ok(())
    }

    fn table_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        let used = self.table_elements.saturating_add(desired.saturating_sub(current));
        let fits = used <= TABLE_ELEMENTS;
        if fits {
            self.table_elements = used;
        }
        self.allow(fits)
    }

    fn instances(&self) -> usize {
        1_000
    }

    fn tables(&self) -> usize {
        1_000
    }

    /// Each reserves gigabytes of addresses, however little it uses.
    fn memories(&self) -> usize {
        100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds_for_all_memories_together() {
        let mut limit = MemoryLimit::new(100);
        assert!(limit.memory_growing(0, 60, None).unwrap());
        assert!(limit.memory_growing(0, 40, None).unwrap());
        assert!(!limit.refused);
        assert!(!limit.memory_growing(40, 41, None).unwrap());
        assert!(limit.refused);
    }

    #[test]
    fn a_growth_past_the_memory_s_own_maximum_is_not_our_refusal() {
        let mut limit = MemoryLimit::new(100);
        assert!(!limit.memory_growing(0, 60, Some(50)).unwrap());
        assert!(!limit.refused);
        assert!(limit.memory_growing(0, 100, None).unwrap());
    }

    #[test]
    fn tables_are_bounded_too() {
        let mut limit = MemoryLimit::new(0);
        assert!(limit.table_growing(0, TABLE_ELEMENTS, None).unwrap());
        assert!(!limit.table_growing(0, 1, None).unwrap());
    }
}
