//! `cargo xtask bench`: what every call costs, beside the bare system calls.

use std::process::Command;

use anyhow::{Result, ensure};
use xtask::root;

/// Builds the command, which is measured too, and the benchmarks, and runs these. What they print is all that is printed,
/// since it may be read by a program.
pub fn run(args: &[&str]) -> Result<()> {
    cargo("build", &["--package", "session-host", "--bin", "session"])?;
    cargo("run", &[&["--package", "session-bench", "--"], args].concat())
}

fn cargo(verb: &str, args: &[&str]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo).args([verb, "--release", "--quiet"]).args(args).current_dir(root()).status()?;
    ensure!(status.success(), "`cargo {verb} {}` failed: {status}", args.join(" "));
    Ok(())
}
