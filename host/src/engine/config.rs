//! How WebAssembly is run here.

use rustix::process::{Resource, getrlimit};
use wasmtime::{Config, Enabled, InstanceAllocationStrategy, PoolingAllocationConfig};

/// What a memory may grow by before it has to be moved, where addresses are few.
const ROOM_TO_GROW: u64 = 1 << 20;

/// How far into a memory or a table what was touched is cleared for the next one, and not given back to the system: over the stack, the data
/// and a small heap. Only where the system tells which pages were touched (Linux 6.7) does that cost less than giving them back.
const KEPT: usize = 2 << 20;
/// What the largest components have, with room to spare: those that bring a language along.
const CORE_INSTANCES: u32 = 64;
const TABLES: u32 = 8;
const TABLE_ELEMENTS: usize = 64 << 10;

/// For this process and what the system allows it; with a pool of so many instances, where it is wanted.
pub(super) fn config(pool: Option<u32>) -> Config {
    let mut config = Config::new();
    config.epoch_interruption(true);
    // An image of a memory is a file to the system, and may be larger than any that this process may write.
    config.memory_init_cow(false);
    if getrlimit(Resource::As).current.is_some() {
        spare_addresses(&mut config);
    } else if let Some(instances) = pool {
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool_of(instances)));
    }
    config
}

fn pool_of(instances: u32) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(instances)
        .total_memories(instances)
        .total_core_instances(instances.saturating_mul(CORE_INSTANCES))
        .total_tables(instances.saturating_mul(TABLES))
        .table_elements(TABLE_ELEMENTS)
        .pagemap_scan(Enabled::Auto);
    if PoolingAllocationConfig::is_pagemap_scan_available() {
        pool.linear_memory_keep_resident(KEPT).table_keep_resident(KEPT);
    }
    pool
}

/// Each memory reserves gigabytes of addresses, so that no access needs a check. Where they are counted (`ulimit -v`), it
/// takes what it uses, and each access is checked.
fn spare_addresses(config: &mut Config) {
    config.memory_reservation(0).memory_reservation_for_growth(ROOM_TO_GROW).memory_guard_size(0);
}
