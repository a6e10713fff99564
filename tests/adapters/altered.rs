//! Sessions that are wrong in one way: a function of theirs does or answers something else. All values are dynamic, so that
//! any part of any of them can be changed.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use session_host::{Engine, Memory, Storage};
use wasmtime::component::{Component, Func, Instance, Linker, Val};
use wasmtime::{Result, Store, StoreContextMut};

static SESSIONS: &[u8] = include_bytes!("../../host/component/session-store.wasm");
static CONFORMANCE: &[u8] = include_bytes!("../../host/component/conformance.wasm");

const PERSISTENCE: &str = "agent:session/session-persistence@0.1.0";
const MESSAGES: &str = "agent:session/messages@0.1.0";

/// What the sessions offer.
const FUNCTIONS: &[(&str, &[&str])] = &[
    (
        PERSISTENCE,
        &[
            "create",
            "append",
            "append-lines",
            "emit-event",
            "flush",
            "wake",
            "inspect",
            "load",
            "verify",
            "check",
            "hand-off",
            "get-session",
            "get-events",
            "get-lines",
            "fork",
            "has",
            "list",
            "delete",
            "release",
        ],
    ),
    (MESSAGES, &["derive-messages"]),
];

/// What a function answers, or the error.
pub type Answer = std::result::Result<Option<Box<Val>>, Option<Box<Val>>>;

/// A way to be wrong, and the cases that have to notice.
pub struct Altered {
    pub name: &'static str,
    pub cases: &'static [&'static str],
    pub function: &'static str,
    pub alter: Alter,
}

/// Stands for a function.
pub type Alter = fn(&mut Call<'_>) -> Result<Answer>;

pub const fn altered(
    name: &'static str,
    cases: &'static [&'static str],
    function: &'static str,
    alter: Alter,
) -> Altered {
    Altered { name, cases, function, alter }
}

/// A call of a function that is altered.
pub struct Call<'a> {
    cx: StoreContextMut<'a, Data>,
    function: &'static str,
    pub params: Vec<Val>,
}

impl Call<'_> {
    /// What the right sessions answer to it.
    pub fn go(&mut self) -> Result<Answer> {
        let params = self.params.clone();
        self.ask(self.function, &params)
    }

    /// What they answer to another call.
    pub fn ask(&mut self, function: &str, params: &[Val]) -> Result<Answer> {
        right(&mut self.cx, function, params)
    }

    /// The first argument: of most functions, the id.
    pub fn id(&self) -> Val {
        self.params[0].clone()
    }

    /// The storage that the sessions stand upon.
    pub fn storage(&self) -> &dyn Storage {
        &*self.cx.data().beneath
    }
}

struct Data {
    /// What the cases use beside the sessions.
    beside: Arc<dyn Storage>,
    /// What the sessions stand upon.
    beneath: Arc<dyn Storage>,
    right: HashMap<&'static str, Func>,
}

struct Parts {
    engine: Engine,
    sessions: Component,
    conformance: Component,
}

static PARTS: LazyLock<Parts> = LazyLock::new(|| {
    let engine = Engine::new().expect("WebAssembly runs here");
    let compile = |wasm| Component::from_binary(engine.wasmtime(), wasm).expect("it is a component");
    Parts { sessions: compile(SESSIONS), conformance: compile(CONFORMANCE), engine }
});

fn right(cx: &mut StoreContextMut<'_, Data>, function: &str, params: &[Val]) -> Result<Answer> {
    let right = cx.data().right[function];
    let mut answers = [Val::Bool(false)];
    right.call(cx, params, &mut answers)?;
    let [answer] = answers;
    match answer {
        Val::Result(answer) => Ok(answer),
        other => wasmtime::bail!("{function} answers a result, not {other:?}"),
    }
}

/// Runs one case over an empty store in memory, with sessions that are wrong.
pub fn run(case: &str, altered: &'static Altered) -> Result<std::result::Result<(), String>> {
    let parts = &*PARTS;
    let memory = Memory::new();
    let beside = memory.sibling()?;
    let data = Data { beside, beneath: Arc::new(memory), right: HashMap::new() };
    let mut store = Store::new(parts.engine.wasmtime(), data);
    store.set_epoch_deadline(u64::MAX / 2);

    let sessions = sessions(&mut store)?;
    for (interface, functions) in FUNCTIONS {
        let interface = sessions.get_export_index(&mut store, None, interface);
        for function in *functions {
            let export = sessions.get_export_index(&mut store, interface.as_ref(), function);
            let export = export.and_then(|export| sessions.get_func(&mut store, export)).expect("it is exported");
            store.data_mut().right.insert(function, export);
        }
    }

    let mut linker = Linker::new(parts.engine.wasmtime());
    session_host::storage::add_to_linker(&mut linker, |data: &mut Data| &mut data.beside)?;
    for (interface, functions) in FUNCTIONS {
        let mut interface = linker.instance(interface)?;
        for function in *functions {
            interface.func_new(function, |mut cx, _, params, answers| {
                answers[0] = Val::Result(if *function == altered.function {
                    (altered.alter)(&mut Call { cx, function, params: params.to_vec() })?
                } else {
                    right(&mut cx, function, params)?
                });
                Ok(())
            })?;
        }
    }
    let instance = linker.instantiate(&mut store, &parts.conformance)?;
    let run = instance.get_typed_func::<(&str,), (std::result::Result<(), String>,)>(&mut store, "run")?;
    Ok(run.call(&mut store, (case,))?.0)
}

fn sessions(store: &mut Store<Data>) -> Result<Instance> {
    let mut linker = Linker::new(PARTS.engine.wasmtime());
    session_host::storage::add_to_linker(&mut linker, |data: &mut Data| &mut data.beneath)?;
    let mut clock = linker.instance("agent:session/clock@0.1.0")?;
    clock.func_wrap("now", |_: StoreContextMut<'_, Data>, ()| Ok((1_763_681_581_550u64,)))?;
    linker.instantiate(store, &PARTS.sessions)
}
