mod builder;
mod cache;
mod config;
mod ticker;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use wasmtime::component::{Component, InstancePre, Linker};

use crate::component::{self, ExportPlaces, State};
use crate::error::EngineError;
use crate::harness::Harness;
pub use builder::EngineBuilder;
use cache::Cache;
pub use ticker::Ticking;

/// The component with all event logic, for hosts that run it or compose it in ways of their own. It imports storage and a clock.
pub const SESSION_STORE: &[u8] = include_bytes!("../../component/session-store.wasm");

/// How the binary format of a module begins; a component's has another version.
const CORE_MODULE: &[u8] = b"\0asm\x01\0\0\0";

/// The compiled component, ready to serve any number of [`Sessions`](crate::Sessions).
///
/// Cheap to clone and shared over threads; make one for the whole program. With it lives a thread that keeps the
/// deadlines; it sleeps while no call runs, and ends with the last clone.
///
/// ```
/// use session_host::{Engine, Memory, Sessions};
///
/// let engine = Engine::new()?;
/// let sessions = Sessions::new(&engine, Memory::new());
/// assert!(!sessions.has("fix-login")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    wasmtime: wasmtime::Engine,
    store: InstancePre<State>,
    exports: ExportPlaces,
    ticker: ticker::Ticker,
    cache: Option<Cache>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    /// Compiles the component, which takes a moment.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`] where WebAssembly cannot run; [`EngineError::Thread`] where no thread can be started.
    pub fn new() -> Result<Self, EngineError> {
        Self::build(None, None)
    }

    /// The same, with a folder for compiled code or a pool of instances.
    ///
    /// ```
    /// use session_host::{Engine, Error, Memory, Sessions};
    ///
    /// let engine = Engine::builder().pool(1).build()?;
    /// let [one, two] = [(); 2].map(|()| Sessions::new(&engine, Memory::new()));
    /// one.create("fix-login")?;
    /// # if std::process::Command::new("sh").args(["-c", "test $(ulimit -v) = unlimited"]).status()?.success() {
    /// assert_eq!(two.create("fix-login"), Err(Error::PoolFull));
    /// # }
    /// drop(one);
    /// two.create("fix-login")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// Keeps compiled code in this folder, so that only the first process to need it compiles.
    ///
    /// Whoever can write the folder can run code in this process: it is made with mode 0700, and where it is a link, not
    /// the user's own, or writable by others, it is not used and everything is compiled afresh.
    ///
    /// # Errors
    /// As for [`new`](Self::new). That the folder is of no use is no error.
    pub fn with_cache(dir: impl AsRef<Path>) -> Result<Self, EngineError> {
        Self::build(Some(dir.as_ref()), None)
    }

    fn build(cache: Option<&Path>, pool: Option<u32>) -> Result<Self, EngineError> {
        let cache = cache.and_then(Cache::open);
        let unsupported = |error: wasmtime::Error| EngineError::Unsupported(format!("{error:#}"));
        let wasmtime = wasmtime::Engine::new(&config::config(pool)).map_err(unsupported)?;
        let component = compile(&wasmtime, cache.as_ref(), SESSION_STORE)?;
        let mut linker = Linker::new(&wasmtime);
        component::add_imports(&mut linker).map_err(unsupported)?;
        let store = linker.instantiate_pre(&component).map_err(unsupported)?;
        let exports = ExportPlaces::of(&component).map_err(unsupported)?;
        let ticker = ticker::Ticker::start(&wasmtime).map_err(EngineError::Thread)?;
        Ok(Self(Arc::new(Inner { wasmtime, store, exports, ticker, cache })))
    }

    /// The engine beneath, for a [`Linker`] and a [`Store`](wasmtime::Store) of your own.
    ///
    /// It has epoch interruption: a store of yours needs [`set_epoch_deadline`](wasmtime::Store::set_epoch_deadline), and see [`ticking`](Self::ticking).
    pub fn wasmtime(&self) -> &wasmtime::Engine {
        &self.0.wasmtime
    }

    /// Lets the epoch advance every 10 ms while the value lives. Calls on [`Sessions`](crate::Sessions) and
    /// [`Harness`] see to it themselves; hold one while you run a component of yours that has a deadline.
    ///
    /// Other calls make the epoch advance too, so a count of ticks is no measure of time. Compare with the clock in a
    /// [`epoch_deadline_callback`](wasmtime::Store::epoch_deadline_callback).
    pub fn ticking(&self) -> Ticking<'_> {
        self.0.ticker.ticking()
    }

    /// Compiles a component of the world `harness`, or takes it from the cache, where there is one.
    ///
    /// # Errors
    /// [`EngineError::CoreModule`] and [`EngineError::Invalid`] for what is no component, [`EngineError::Imports`] for one that asks for more than a
    /// harness is given, [`EngineError::World`] for one that does not fit otherwise.
    pub fn load_harness(&self, wasm: &[u8]) -> Result<Harness, EngineError> {
        if wasm.starts_with(CORE_MODULE) {
            return Err(EngineError::CoreModule);
        }
        Harness::new(self, &compile(self.wasmtime(), self.0.cache.as_ref(), wasm)?)
    }

    pub(crate) fn store(&self) -> &InstancePre<State> {
        &self.0.store
    }

    pub(crate) fn exports(&self) -> &ExportPlaces {
        &self.0.exports
    }
}

fn compile(engine: &wasmtime::Engine, cache: Option<&Cache>, wasm: &[u8]) -> Result<Component, EngineError> {
    match cache {
        Some(cache) => cache.component(engine, wasm),
        None => Component::from_binary(engine, wasm),
    }
    .map_err(|error| EngineError::Invalid(format!("{error:#}")))
}
