//! Runs many tenants' harnesses side by side and says how fast, and at which cost in memory.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use platform::{Platform, Unit, pool};
use session_host::{Engine, HarnessError, Limits};

/// How many units of the first turns hang.
const HANGING: usize = 3;

/// Runs a harness for many tenants side by side, with a few that hang, and tells what it cost.
#[derive(Parser)]
struct Options {
    /// A component of the world `harness`.
    #[arg(default_value = "host/component/demo-harness.wasm")]
    harness: PathBuf,
    /// Where the tenants' folders are made.
    #[arg(long, default_value = "target/platform")]
    root: PathBuf,
    #[arg(long, default_value_t = 50)]
    tenants: usize,
    /// For each tenant.
    #[arg(long, default_value_t = 20)]
    sessions: usize,
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(2, usize::from))]
    threads: usize,
    /// How long a unit of work may compute, in milliseconds.
    #[arg(long, default_value_t = 500)]
    deadline: u64,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let wasm = std::fs::read(&options.harness).with_context(|| format!("can't read {}", options.harness.display()))?;
    std::fs::create_dir_all(&options.root).with_context(|| format!("can't make {}", options.root.display()))?;
    // A tenant's own calls take so many instances at the most, and a unit of work two.
    let instances = options.tenants * platform::INSTANCES + 2 * options.threads;
    let engine = Engine::builder().cache(options.root.join(".compiled")).pool(instances.try_into()?).build()?;
    let platform = Platform::new(engine, &wasm, &options.root)?;
    let limits = Limits { memory: 32 << 20, deadline: Duration::from_millis(options.deadline) };

    // Sessions of an earlier run are left alone.
    let run = std::process::id();
    let names: Vec<_> = (0..options.tenants).map(|number| format!("tenant-{number}")).collect();
    let units = |input: fn(usize) -> &'static str| -> Vec<Unit> {
        let of_session = |number| names.iter().map(move |tenant| (tenant, format!("{run}/{number}")));
        let unit = |(place, (tenant, session)): (usize, (&String, String))| Unit {
            tenant: tenant.clone(),
            session,
            input: input(place).into(),
        };
        (0..options.sessions).flat_map(of_session).enumerate().map(unit).collect()
    };

    let before = resident()?;
    for name in &names {
        platform.tenant(name, &limits)?.sessions.has("one")?;
    }
    let opened = resident()?;
    println!(
        "{} tenants opened: {} KiB of memory for each, an idle instance of the session component among it",
        names.len(),
        opened.saturating_sub(before) / 1024 / names.len().max(1)
    );

    let work = |unit: &Unit| -> Result<Result<String, HarnessError>> {
        Ok(platform.run(&*platform.tenant(&unit.tenant, &limits)?, &unit.session, &unit.input))
    };
    println!("of the first turns {HANGING} hang in their middle, to be stopped at their deadline");
    // A few harnesses hang in the middle of their turn; those that come next find it closed, and go on.
    let first = units(|place| if place < HANGING { "stall" } else { "Begin." });
    ensure!(told("first turns", &options, &first, work)? == first.len().min(HANGING), "a harness did not hang");
    ensure!(told("next turns", &options, &units(|_| "Go on."), work)? == 0, "a unit was stopped");

    println!(
        "{} KiB of memory for each tenant after its work",
        resident()?.saturating_sub(before) / 1024 / names.len().max(1)
    );
    Ok(())
}

/// Does the units, prints what that took, and answers how many were stopped at their deadline.
fn told(
    what: &str,
    options: &Options,
    units: &[Unit],
    work: impl Fn(&Unit) -> Result<Result<String, HarnessError>> + Sync,
) -> Result<usize> {
    let began = Instant::now();
    let done = pool::run(options.threads, units, work);
    let took = began.elapsed();
    let (mut stopped, mut times) = (0, Vec::new());
    for (unit, (answer, time)) in units.iter().zip(done) {
        match answer? {
            Ok(_) => times.push(time),
            Err(HarnessError::Deadline { .. }) => stopped += 1,
            Err(error) => return Err(error).with_context(|| format!("{}, session {}", unit.tenant, unit.session)),
        }
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    println!(
        "{what}: {} units of work on {} threads in {took:.2?}, {:.0} sessions a second; a unit takes {median:.2?}; {stopped} were \
         stopped at their deadline",
        units.len(),
        options.threads,
        units.len() as f64 / took.as_secs_f64(),
    );
    Ok(stopped)
}

/// Bytes of this process that are in memory.
fn resident() -> Result<usize> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS in /proc/self/status")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<usize>()? * 1024)
}
