//! Every case of the contract over every store, one test for each of both; and over stores and sessions that are wrong, each
//! in one way, to see that the cases notice.

mod altered;
mod sessions;
mod storage;
mod twist;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::LazyLock;

use libtest_mimic::{Arguments, Failed, Trial};
use session_host::storage::Instrumented;
use session_host::{Conformance, ConformanceError, Engine, JsonlFolder, Memory, Sqlite, Storage};

use altered::Altered;
use twist::{Twisted, Wrong};

/// Runs one case over an empty store.
type Run = fn(case: &str) -> Result<(), Failed>;

/// Every store that the library brings.
const ADAPTERS: &[(&str, Run)] = &[
    ("JsonlFolder", jsonl_folder),
    ("Memory", memory),
    ("Sqlite", sqlite),
    ("Instrumented", instrumented),
    ("Arc", shared),
];

static CONFORMANCE: LazyLock<Conformance> = LazyLock::new(|| {
    let engine = Engine::new().expect("WebAssembly runs here");
    Conformance::new(&engine).expect("the component is sound")
});

fn jsonl_folder(case: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    Ok(CONFORMANCE.run(case, JsonlFolder::open(folder.path())?)?)
}

fn memory(case: &str) -> Result<(), Failed> {
    Ok(CONFORMANCE.run(case, Memory::new())?)
}

fn sqlite(case: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    Ok(CONFORMANCE.run(case, Sqlite::open(folder.path().join("sessions.db"))?)?)
}

/// The decorators share the way in which they pass calls on.
fn instrumented(case: &str) -> Result<(), Failed> {
    Ok(CONFORMANCE.run(case, Instrumented::new(Memory::new()))?)
}

/// A store that is handed on as `sibling` gives it.
fn shared(case: &str) -> Result<(), Failed> {
    Ok(CONFORMANCE.run(case, Memory::new().sibling()?)?)
}

/// How many bytes a case may take to say what is broken.
const LONGEST: usize = 1000;

/// A store that is wrong in this way is told so by each of the cases.
fn wrong_store(wrong: &Wrong) -> Result<(), Failed> {
    for case in wrong.cases {
        match CONFORMANCE.run(&format!("storage: {case}"), Twisted::new((wrong.twist)())) {
            Err(ConformanceError::Broken(why)) if why.len() <= LONGEST => {}
            Err(ConformanceError::Broken(why)) => return Err(format!("{case}: nobody reads all of this: {why}").into()),
            other => {
                return Err(format!("{case}: this wrong store was to be noticed, and the case said {other:?}").into());
            }
        }
    }
    Ok(())
}

fn wrong_sessions(wrong: &'static Altered) -> Result<(), Failed> {
    for case in wrong.cases {
        match altered::run(&format!("sessions: {case}"), wrong).map_err(|error| format!("{case}: {error:#}"))? {
            Err(_) => {}
            Ok(()) => return Err(format!("{case}: these wrong sessions were to be noticed, and were not").into()),
        }
    }
    Ok(())
}

/// Every case notices something, and every case that is said to is one.
fn nothing_is_unseen() -> Result<(), Failed> {
    let stores = storage::WRONG.iter().copied().flatten().flat_map(|wrong| wrong.cases);
    let sessions = sessions::WRONG.iter().copied().flatten().flat_map(|wrong| wrong.cases);
    let noticed = stores.map(|case| format!("storage: {case}")).chain(sessions.map(|case| format!("sessions: {case}")));
    let (noticed, cases) = (noticed.collect(), CONFORMANCE.cases().iter().cloned().collect::<BTreeSet<_>>());
    let (missing, unknown): (Vec<_>, Vec<_>) =
        (cases.difference(&noticed).collect(), noticed.difference(&cases).collect());
    if missing.is_empty() && unknown.is_empty() {
        return Ok(());
    }
    Err(format!("no wrong store or sessions for {missing:#?}; no such cases as {unknown:#?}").into())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for case in CONFORMANCE.cases() {
        trials.extend(ADAPTERS.iter().map(|(name, run)| Trial::test(case, move || run(case)).with_kind(*name)));
    }
    for wrong in storage::WRONG.iter().copied().flatten() {
        let name = format!("a store that {} is noticed", wrong.name);
        trials.push(Trial::test(name, move || wrong_store(wrong)).with_kind("wrong"));
    }
    for wrong in sessions::WRONG.iter().copied().flatten() {
        let name = format!("sessions where {} are noticed", wrong.name);
        trials.push(Trial::test(name, move || wrong_sessions(wrong)).with_kind("wrong"));
    }
    trials.push(Trial::test("every case notices something that is wrong", nothing_is_unseen).with_kind("wrong"));
    libtest_mimic::run(&arguments, trials).exit_code()
}
