//! `cargo xtask test`: every test there is.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use xtask::COMPONENTS;

use crate::{announce, build, cargo, check, execute};

/// Checks the components (or builds them, where their sources are newer), then runs the tests whose names hold the filter.
pub fn run(filter: Option<&str>) -> Result<()> {
    let current = COMPONENTS.iter().all(|component| component.check_sources().is_ok());
    let components = if current { check::check_all } else { build::write_all };
    components()?;
    execute(cargo().args(["build", "--release"]))?;

    // Arithmetic that overflows panics in a development build; the rest needs wasmtime, which is built once, for release.
    let guest = tests(cargo().args(["test", "--package", "session-guest", "--"]).args(filter.as_slice()))?;
    let rest = ["test", "--release", "--workspace", "--exclude", "session-guest", "--"];
    let passed = guest + tests(cargo().args(rest).args(filter.as_slice()))?;
    if let (0, Some(filter)) = (passed, filter) {
        bail!("no test ran: no name holds {filter}");
    }
    println!("\n{passed} passed, 0 failed");
    Ok(())
}

/// Runs tests to their end, shows what they print, and counts those that passed.
fn tests(command: &mut Command) -> Result<u64> {
    let line = announce(command);
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("can't run `{line}`"))?;
    let mut passed = 0;
    for line in BufReader::new(child.stdout.take().context("no standard output")?).lines() {
        let line = line?;
        println!("{line}");
        passed += passed_in(&line).unwrap_or(0);
    }
    let status = child.wait()?;
    ensure!(status.success(), "`{line}` failed: {status}");
    Ok(passed)
}

/// The number in a line like `test result: ok. 12 passed; 0 failed; …`.
fn passed_in(line: &str) -> Option<u64> {
    line.strip_prefix("test result: ok. ")?.split_once(" passed")?.0.parse().ok()
}
