//! Proof that a store keeps every rule of the contract.

mod dropped;

use std::fmt;
use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::{Component, Instance, InstancePre, Linker};

use crate::component::{Fault, HOSTCALL_FUEL, MemoryLimit, STARVED};
use crate::engine::Engine;
use crate::error::{EngineError, Error};
use crate::plugin::{self, Grant, PluginSessions};
use crate::sessions::Sessions;
use crate::storage::{self, Memory, Storage};

/// Every rule as a case, as the crate `session-conformance` builds it.
static CONFORMANCE: &[u8] = include_bytes!("../component/conformance.wasm");

/// Bytes of memory of one case.
const MEMORY: usize = 256 << 20;

/// The contract as a component: each rule of [`Storage`], and of the sessions that stand upon it, as a case to be tried.
///
/// To prove a store of your own, run every case over an empty one:
///
/// ```
/// use session_host::{Conformance, Engine, Memory};
///
/// let conformance = Conformance::new(&Engine::new()?)?;
/// for case in conformance.cases() {
///     let store = Memory::new(); // Yours, empty, and another one for each case.
///     if let Err(error) = conformance.run(case, store) {
///         panic!("{case}: {error}");
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Conformance {
    engine: Engine,
    component: InstancePre<Data>,
    cases: Vec<String>,
}

/// Why a case is not proven.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConformanceError {
    /// The store does not keep the rule: what was expected, and what was found.
    #[error("{0}")]
    Broken(String),
    /// The case broke down.
    #[error("the case broke down: {0}")]
    Trapped(String),
    /// The case never began: the store gave no [`sibling`](Storage::sibling).
    #[error("the store gave no sibling: {0}")]
    NoSibling(#[source] Error),
}

/// What lives in the store of a case that runs: one holder, and sessions over another.
struct Data {
    storage: Arc<dyn Storage>,
    sessions: PluginSessions,
    memory: MemoryLimit,
}

impl fmt::Debug for Conformance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conformance").finish_non_exhaustive()
    }
}

impl Conformance {
    /// Compiles the component, which takes a moment.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`] where it cannot run.
    pub fn new(engine: &Engine) -> Result<Self, EngineError> {
        let unsupported = |error: wasmtime::Error| EngineError::Unsupported(format!("{error:#}"));
        let component = Component::from_binary(engine.wasmtime(), CONFORMANCE).map_err(unsupported)?;
        let mut linker = Linker::new(engine.wasmtime());
        storage::add_to_linker(&mut linker, |data: &mut Data| &mut data.storage).map_err(unsupported)?;
        plugin::add_to_linker(&mut linker, |data: &mut Data| &mut data.sessions).map_err(unsupported)?;
        let component = linker.instantiate_pre(&component).map_err(unsupported)?;
        let mut conformance = Self { engine: engine.clone(), component, cases: Vec::new() };
        let cases = conformance.call(Arc::new(Memory::new()), |store, instance| {
            let cases = instance.get_typed_func::<(), (Vec<String>,)>(&mut *store, "cases")?;
            cases.call(store, ())
        });
        conformance.cases = cases.map_err(|error| EngineError::Unsupported(error.to_string()))?;
        conformance.cases.push(dropped::CASE.into());
        Ok(conformance)
    }

    /// The names of all cases, each a sentence: `storage: …` are about the store alone, `sessions: …` about what stands upon it.
    pub fn cases(&self) -> &[String] {
        &self.cases
    }

    /// Tries one of them on an empty store, in a fresh instance.
    ///
    /// # Errors
    /// [`ConformanceError::Broken`] if the store does not keep the rule, or there is no such case.
    pub fn run(&self, case: &str, storage: impl Storage + 'static) -> Result<(), ConformanceError> {
        if case == dropped::CASE {
            return dropped::run(Arc::new(storage)).map_err(ConformanceError::Broken);
        }
        let outcome = self.call(Arc::new(storage), |store, instance| {
            let run = instance.get_typed_func::<(&str,), (Result<(), String>,)>(&mut *store, "run")?;
            run.call(store, (case,))
        });
        outcome?.map_err(ConformanceError::Broken)
    }

    fn call<T>(
        &self,
        storage: Arc<dyn Storage>,
        call: impl FnOnce(&mut Store<Data>, Instance) -> wasmtime::Result<(T,)>,
    ) -> Result<T, ConformanceError> {
        let sessions = Sessions::builder(&self.engine).open_shared(Arc::clone(&storage));
        let sessions = sessions.plugin(Grant::all()).map_err(ConformanceError::NoSibling)?;
        let data = Data { storage, sessions, memory: MemoryLimit::new(MEMORY) };
        let mut store = Store::new(self.engine.wasmtime(), data);
        store.limiter(|data| &mut data.memory);
        // Every loop of a case has an end.
        store.set_epoch_deadline(u64::MAX / 2);
        store.set_hostcall_fuel(HOSTCALL_FUEL);
        let answer = self.component.instantiate(&mut store).and_then(|instance| call(&mut store, instance));
        answer.map(|(answer,)| answer).map_err(|error| {
            ConformanceError::Trapped(match Fault::new(&error, &store.data().memory) {
                Fault::Trapped(text) => text,
                Fault::OutOfMemory => format!("it needed more than {MEMORY} bytes of memory"),
                Fault::Deadline => "it ran for ever".into(),
                Fault::Starved => STARVED.into(),
                Fault::PoolFull => Error::PoolFull.to_string(),
            })
        })
    }
}
