//! Every case of the contract over the WASI storage: one component out of the cases, the storage as one holder, and
//! `session-store-wasi.wasm` as another one on the same folder.

use std::process::ExitCode;
use std::sync::LazyLock;

use libtest_mimic::{Arguments, Failed, Trial};
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, NodeId};
use wasi_host::{Host, SESSION_STORE_WASI, linker};
use wasmtime::component::{Component, Instance, InstancePre};
use wasmtime::{Engine, Result, Store};
use wasmtime_wasi::FsPerms;

const CASES: &[u8] = include_bytes!("../../../host/component/conformance.wasm");
const STORAGE: &[u8] = include_bytes!("../../../host/component/wasi-storage.wasm");

/// The cases that can't hold, and why: a list in Markdown.
const NOT_KEPT: &str = include_str!("../../wasi-storage/not-kept.md");

struct Proof {
    engine: Engine,
    component: InstancePre<Host>,
}

static PROOF: LazyLock<Proof> = LazyLock::new(|| {
    let engine = Engine::default();
    let component = Component::new(&engine, compose().expect("they fit together")).expect("it is a component");
    let component = linker(&engine).and_then(|linker| linker.instantiate_pre(&component)).expect("it needs WASI alone");
    Proof { engine, component }
});

impl Proof {
    /// Calls a fresh instance in a folder of its own, which is empty.
    fn call<T>(&self, call: impl FnOnce(&mut Store<Host>, Instance) -> Result<T>) -> Result<T> {
        let folder = tempfile::tempdir()?;
        let mut store = Store::new(&self.engine, Host::new(Some(folder.path()), FsPerms::ReadWrite)?);
        let instance = self.component.instantiate(&mut store)?;
        call(&mut store, instance)
    }

    fn cases(&self) -> Result<Vec<String>> {
        self.call(|store, instance| {
            let cases = instance.get_typed_func::<(), (Vec<String>,)>(&mut *store, "cases")?;
            Ok(cases.call(store, ())?.0)
        })
    }

    fn run(&self, case: &str) -> Result<Result<(), String>> {
        self.call(|store, instance| {
            let run = instance.get_typed_func::<(&str,), (Result<(), String>,)>(&mut *store, "run")?;
            Ok(run.call(store, (case,))?.0)
        })
    }
}

/// One component that needs WASI alone.
fn compose() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut graph = CompositionGraph::new();
    let mut instantiate = |name: &str, bytes: &[u8]| -> Result<NodeId, Box<dyn std::error::Error>> {
        let package = Package::from_bytes(name, None, bytes, graph.types_mut())?;
        let package = graph.register_package(package)?;
        Ok(graph.instantiate(package))
    };
    let (cases, storage, sessions) =
        (instantiate("cases", CASES)?, instantiate("storage", STORAGE)?, instantiate("sessions", SESSION_STORE_WASI)?);
    for (from, interface) in [(storage, "storage"), (sessions, "session-persistence"), (sessions, "messages")] {
        let interface = format!("agent:session/{interface}@0.1.0");
        let exported = graph.alias_instance_export(from, &interface)?;
        graph.set_instantiation_argument(cases, &interface, exported)?;
    }
    for function in ["cases", "run"] {
        let exported = graph.alias_instance_export(cases, function)?;
        graph.export(exported, function)?;
    }
    Ok(graph.encode(EncodeOptions::default())?)
}

fn not_kept() -> impl Iterator<Item = &'static str> {
    NOT_KEPT.lines().filter_map(|line| line.strip_prefix("- "))
}

fn holds(case: &str) -> Result<(), Failed> {
    Ok(PROOF.run(case).map_err(|error| format!("{error:?}"))??)
}

fn does_not_hold(case: &str) -> Result<(), Failed> {
    match PROOF.run(case).map_err(|error| format!("{error:?}"))? {
        Err(_) => Ok(()),
        Ok(()) => Err("it holds; take it off the list in `not-kept.md`".into()),
    }
}

fn every_exception_is_a_case(cases: &[String]) -> Result<(), Failed> {
    let unknown: Vec<_> = not_kept().filter(|name| !cases.iter().any(|case| case == name)).collect();
    if unknown.is_empty() { Ok(()) } else { Err(format!("no such cases: {unknown:#?}").into()) }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = PROOF.cases().expect("they are told");
    let mut trials: Vec<_> = cases
        .iter()
        .cloned()
        .map(|case| match not_kept().any(|name| name == case) {
            false => Trial::test(case.clone(), move || holds(&case)),
            true => Trial::test(format!("without locks this can't hold: {case}"), move || does_not_hold(&case)),
        })
        .collect();
    trials.push(Trial::test("every exception is a case", move || every_exception_is_a_case(&cases)));
    libtest_mimic::run(&arguments, trials).exit_code()
}
