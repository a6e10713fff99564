use std::fmt;
use std::time::{Duration, Instant};

use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, ComponentExportIndex, InstancePre, Linker, Type};
use wasmtime::{Store, UpdateDeadline};

use crate::component::{Fault, HOSTCALL_FUEL, MemoryLimit, STARVED, check};
use crate::engine::Engine;
use crate::error::{EngineError, Error};
use crate::limits::Limits;
use crate::plugin::{Grant, PluginSessions, add_to_linker};
use crate::sessions::Sessions;

/// A compiled component of the world `harness`: it sees sessions and a clock, and nothing else of the machine.
///
/// Made by [`Engine::load_harness`].
pub struct Harness {
    engine: Engine,
    component: InstancePre<Data>,
    run: ComponentExportIndex,
}

/// Why a harness did not finish its work. What it had appended is kept in every case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HarnessError {
    /// It said no, and why.
    #[error("the harness gave up: {0}")]
    Refused(String),
    /// It ran for too long.
    #[error("the harness ran for more than {limit:?} and was stopped; its session can be woken")]
    Deadline {
        /// The time that it had.
        limit: Duration,
    },
    /// It needed too much memory.
    #[error("the harness needed more than {limit} bytes of memory and was stopped; its session can be woken")]
    OutOfMemory {
        /// The bytes that it had.
        limit: usize,
    },
    /// It broke down.
    #[error("the harness broke down: {0}; its session can be woken")]
    Trapped(String),
    /// It never began: its sessions could not be opened.
    #[error(transparent)]
    Sessions(#[from] Error),
}

/// What lives in the store of a harness that runs.
struct Data {
    sessions: PluginSessions,
    memory: MemoryLimit,
}

impl fmt::Debug for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Harness").finish_non_exhaustive()
    }
}

impl Harness {
    pub(crate) fn new(engine: &Engine, component: &Component) -> Result<Self, EngineError> {
        let foreign = foreign_imports(engine, component);
        if matches!(&foreign[..], [storage] if storage.starts_with("agent:session/storage@")) {
            return Err(EngineError::Composed);
        }
        if !foreign.is_empty() {
            return Err(EngineError::Imports(foreign));
        }
        let world = |error: wasmtime::Error| EngineError::World(format!("{error:#}"));
        let mut linker = Linker::new(engine.wasmtime());
        add_to_linker(&mut linker, |data: &mut Data| &mut data.sessions).map_err(world)?;
        let pre = linker.instantiate_pre(component).map_err(world)?;
        let run = component.get_export_index(None, "run");
        let run = run.ok_or_else(|| EngineError::World("it has no function `run`".into()))?;
        if !runs(engine, component) {
            const RUN: &str = "run: func(session: string, input: string) -> result<string, string>";
            return Err(EngineError::World(format!("its `run` is not `{RUN}`")));
        }
        Ok(Self { engine: engine.clone(), component: pre, run })
    }

    /// Runs one unit of work on a session in a fresh instance, and returns the line that the harness has for the person who
    /// started it. Afterwards nothing of it is left: neither its memory nor its claims.
    ///
    /// `limits` are those of the harness. A session call of its own gets no more time than is left to it; time within
    /// storage does not count.
    ///
    /// ```no_run
    /// use session_host::{Engine, Grant, Limits, Memory, Sessions};
    ///
    /// let engine = Engine::new()?;
    /// let sessions = Sessions::new(&engine, Memory::new());
    /// let harness = engine.load_harness(&std::fs::read("harness.wasm")?)?;
    /// let line = harness.run(&sessions, Grant::session("fix-login"), Limits::default(), "fix-login", "Fix it.")?;
    /// println!("{line}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Every [`HarnessError`].
    pub fn run(
        &self,
        sessions: &Sessions,
        grant: Grant,
        limits: Limits,
        session: &str,
        input: &str,
    ) -> Result<String, HarnessError> {
        let mut plugin = sessions.plugin(grant)?;
        plugin.set_deadline(Instant::now().checked_add(limits.deadline));
        let data = Data { sessions: plugin, memory: MemoryLimit::new(limits.memory) };
        let mut store = Store::new(self.engine.wasmtime(), data);
        store.limiter(|data| &mut data.memory);
        store
            .epoch_deadline_callback(|cx| -> wasmtime::Result<UpdateDeadline> { check(cx.data().sessions.deadline()) });
        store.set_epoch_deadline(1);
        store.set_hostcall_fuel(HOSTCALL_FUEL);

        let answer = {
            let _ticking = self.engine.ticking();
            self.component.instantiate(&mut store).and_then(|instance| {
                let run = instance.get_typed_func::<(&str, &str), (Result<String, String>,)>(&mut store, self.run)?;
                run.call(&mut store, (session, input))
            })
        };
        match answer {
            Ok((answer,)) => answer.map_err(HarnessError::Refused),
            Err(error) => Err(match Fault::new(&error, &store.data().memory) {
                Fault::Deadline => HarnessError::Deadline { limit: limits.deadline },
                Fault::OutOfMemory => HarnessError::OutOfMemory { limit: limits.memory },
                Fault::Starved => HarnessError::Trapped(STARVED.into()),
                Fault::PoolFull => HarnessError::Sessions(Error::PoolFull),
                Fault::Trapped(text) => HarnessError::Trapped(text),
            }),
        }
    }
}

/// Whether `run` takes and answers what the world says. Names of parameters mean nothing to a caller.
fn runs(engine: &Engine, component: &Component) -> bool {
    let component = component.component_type();
    let run = component.get_export(engine.wasmtime(), "run").map(|run| run.ty);
    let Some(ComponentItem::ComponentFunc(run)) = run else { return false };
    let answers = |answer: &Type| matches!(answer, Type::Result(either) if either.ok() == Some(Type::String) && either.err() == Some(Type::String));
    run.params().map(|(_, parameter)| parameter).eq([Type::String, Type::String])
        && run.results().len() == 1
        && run.results().all(|answer| answers(&answer))
}

/// What a component asks for beside the world `harness`. Versions are for the linker to judge.
fn foreign_imports(engine: &Engine, component: &Component) -> Vec<String> {
    const GIVEN: [&str; 5] = ["types", "clock", "session-persistence", "messages", "session-tree"];
    let is_given = |name: &str| {
        let interface = name.split('@').next().and_then(|name| name.strip_prefix("agent:session/"));
        interface.is_some_and(|interface| GIVEN.contains(&interface))
    };
    let component = component.component_type();
    let imports = component.imports(engine.wasmtime()).map(|(name, _)| name);
    imports.filter(|name| !is_given(name)).map(String::from).collect()
}
