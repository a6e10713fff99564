//! One instance of the session component: the store that it lives in, what it imports, what it exports.

mod exports;
mod fault;
mod imports;
mod memory;
mod meter;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use wasmtime::Store;

use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::storage::Storage;
use crate::wire;
pub(crate) use exports::{ExportPlaces, Exports};
pub(crate) use fault::{Fault, STARVED};
pub(crate) use imports::add_imports;
pub(crate) use memory::MemoryLimit;
pub(crate) use meter::{Allowance, check};

/// The present time in milliseconds since the Unix epoch.
pub(crate) type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The clock that is used unless another is given.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// Bytes that a component may hand to the host in one call.
pub(crate) const HOSTCALL_FUEL: usize = 128 << 20;

/// What the imports of an instance work on.
pub(crate) struct State {
    storage: Arc<dyn Storage>,
    clock: Clock,
    meter: meter::Meter,
    memory: MemoryLimit,
    /// Logs that the call brought into being.
    published: Vec<String>,
}

/// A call on one of the component's exports.
pub(crate) trait Call<T>:
    Fn(&mut Store<State>, &Exports) -> wasmtime::Result<(Result<T, wire::Error>,)>
{
}

impl<T, F: Fn(&mut Store<State>, &Exports) -> wasmtime::Result<(Result<T, wire::Error>,)>> Call<T> for F {}

/// A component that runs. After a fault it is of no use any more.
pub(crate) struct Instance {
    store: Store<State>,
    exports: Exports,
}

/// What a call came to.
pub(crate) struct Answer<T> {
    /// The component's answer, or the fault that it died of.
    pub result: Result<Result<T>>,
    pub published: Vec<String>,
    pub in_storage: Duration,
}

impl Instance {
    pub fn new(engine: &Engine, storage: Arc<dyn Storage>, clock: Clock, memory: usize) -> Result<Self> {
        let memory = MemoryLimit::new(memory);
        let state = State { storage, clock, meter: meter::Meter::default(), memory, published: Vec::new() };
        let mut store = Store::new(engine.wasmtime(), state);
        store.limiter(|state| &mut state.memory);
        store.epoch_deadline_callback(|cx| cx.data().meter.check());
        store.set_epoch_deadline(1);
        store.set_hostcall_fuel(HOSTCALL_FUEL);
        match engine.store().instantiate(&mut store) {
            Ok(instance) => Ok(Self { store, exports: Exports::new(engine, instance) }),
            Err(error) => Err(host_error(&error, store.data(), Duration::ZERO)),
        }
    }

    /// Calls the component, which has so much time to compute.
    pub fn call<T>(&mut self, limit: Duration, call: &impl Call<T>) -> Answer<T> {
        self.store.data_mut().meter.start(limit);
        self.store.set_epoch_deadline(1);
        let result = match call(&mut self.store, &self.exports) {
            Ok((answer,)) => Ok(answer.map_err(Error::from)),
            Err(error) => Err(host_error(&error, self.store.data(), limit)),
        };
        let state = self.store.data_mut();
        Answer { result, published: std::mem::take(&mut state.published), in_storage: state.meter.in_storage }
    }
}

/// Why a call came to no answer, as its caller is told.
fn host_error(error: &wasmtime::Error, state: &State, limit: Duration) -> Error {
    let error = match Fault::new(error, &state.memory) {
        Fault::Deadline => Error::Deadline { limit },
        Fault::OutOfMemory => Error::OutOfMemory { limit: state.memory.bytes() },
        Fault::Starved => Error::AccessDenied(STARVED.into()),
        Fault::PoolFull => return Error::PoolFull,
        Fault::Trapped(text) => Error::Trapped(text),
    };
    if state.meter.wrote { Error::OutcomeUnknown(error.to_string()) } else { error }
}
