//! `cargo xtask bench`: what every call costs, each beside a baseline on the same disk and bytes in the same run.

mod append;
mod bare;
mod bulk;
mod events;
mod large;
mod list;
mod messages;
mod place;
mod report;
mod rounds;
mod start;
mod tenant;
mod threads;
mod tree;

use std::process::ExitCode;

use anyhow::{Result, bail};

use place::Place;
use report::{Report, Row};

/// Rows that are measured together.
struct Benchmark {
    names: &'static [&'static str],
    run: fn(&Place) -> Result<Vec<Row>>,
}

const fn benchmark(names: &'static [&'static str], run: fn(&Place) -> Result<Vec<Row>>) -> Benchmark {
    Benchmark { names, run }
}

const BENCHMARKS: [Benchmark; 26] = [
    benchmark(&["durable-append", "durable-append-sqlite", "durable-append-redb"], append::durable),
    benchmark(&["durable-append-16"], threads::durable),
    benchmark(&["append"], append::acknowledged),
    benchmark(&["append-lines"], bulk::run),
    benchmark(&["wake-full"], large::wake_full),
    benchmark(&["wake"], large::wake),
    benchmark(&["slice"], large::slice),
    benchmark(&["get-lines"], large::lines),
    benchmark(&["get-events"], large::events),
    benchmark(&["messages"], messages::run),
    benchmark(&["list"], list::run),
    benchmark(&["start"], start::run),
    benchmark(&["tenant", "tenant-pool", "tenant-memory"], tenant::run),
    benchmark(&["sessions"], threads::sessions),
    benchmark(&["tree-get"], tree::read::entry),
    benchmark(&["tree-get-100"], tree::read::entries),
    benchmark(&["tree-branch"], tree::read::branch),
    benchmark(&["tree-structure"], tree::read::structure),
    benchmark(&["tree-entries"], tree::read::range),
    benchmark(&["tree-value"], tree::read::value),
    benchmark(&["tree-values"], tree::read::values),
    benchmark(&["tree-list"], tree::read::list),
    benchmark(&["tree-usage"], tree::read::usage),
    benchmark(&["tree-commit"], tree::commit::run),
    benchmark(&["tree-open"], tree::open::batches),
    benchmark(&["tree-open-single"], tree::open::singles),
];

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let (mut quick, mut json, mut wanted) = (false, false, Vec::new());
    for arg in args {
        match arg.as_str() {
            "--quick" => quick = true,
            "--json" => json = true,
            option if option.starts_with('-') => bail!("`{option}` is no option; say [--quick] [--json] [NAME…]"),
            _ => wanted.push(arg),
        }
    }
    let names = || BENCHMARKS.iter().flat_map(|benchmark| benchmark.names);
    if let Some(unknown) = wanted.iter().find(|wanted| names().all(|name| name != wanted)) {
        bail!("`{unknown}` is no benchmark; there are: {}", names().copied().collect::<Vec<_>>().join(", "));
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);

    let place = Place::new(quick)?;
    let mut report = Report::new(json)?;
    for benchmark in BENCHMARKS.iter().filter(|benchmark| benchmark.names.iter().any(|name| is_wanted(name))) {
        for row in (benchmark.run)(&place)?.iter().filter(|row| is_wanted(row.name)) {
            report.add(row)?;
        }
    }
    Ok(())
}
