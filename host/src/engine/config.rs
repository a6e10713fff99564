//! How WebAssembly is run here.

use rustix::process::{Resource, getrlimit};
use wasmtime::Config;

/// What a memory may grow by before it has to be moved, where addresses are few.
const ROOM_TO_GROW: u64 = 1 << 20;

/// For this process and what the system allows it.
pub(super) fn config() -> Config {
    let mut config = Config::new();
    config.epoch_interruption(true);
    // An image of a memory is a file to the system, and may be larger than any that this process may write.
    config.memory_init_cow(false);
    if getrlimit(Resource::As).current.is_some() {
        spare_addresses(&mut config);
    }
    config
}

/// Each memory reserves gigabytes of addresses, so that no access needs a check. Where they are counted (`ulimit -v`), it
/// takes what it uses, and each access is checked.
fn spare_addresses(config: &mut Config) {
    config.memory_reservation(0).memory_reservation_for_growth(ROOM_TO_GROW).memory_guard_size(0);
}
