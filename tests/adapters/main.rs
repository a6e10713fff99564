//! Every case of the contract over every store: one test for each of both. `cargo test --release --test adapters`

use std::process::ExitCode;
use std::sync::LazyLock;

use libtest_mimic::{Arguments, Failed, Trial};
use session_host::{Conformance, Engine, JsonlFolder, Memory};

/// Runs one case over an empty store.
type Run = fn(case: &str) -> Result<(), Failed>;

/// Every store that the library brings.
const ADAPTERS: &[(&str, Run)] = &[("JsonlFolder", jsonl_folder), ("Memory", memory)];

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

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = CONFORMANCE.cases().iter().flat_map(|case| {
        ADAPTERS.iter().map(move |(adapter, run)| Trial::test(case, move || run(case)).with_kind(*adapter))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
