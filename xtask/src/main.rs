//! Builds the components and runs every check.

mod bench;
mod build;
mod check;
mod fuzz;
mod hosts;
mod test;
mod toolchain;
mod torture;

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use xtask::root;

const USAGE: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  build            Build the components into host/component/
  build --check    Build them and compare with what is there; write nothing
  test [FILTER]    Run every test, or those of this workspace whose names hold the FILTER; first the components are
                   built and compared, or written where their sources are newer
  hosts [NAME…]    Run the tests of the hosts and harnesses in other languages alone: node, peers, python, viewer,
                   wasi, harnesses; needs Node.js 20, npm and Python 3.10, and fetches the rest
  fuzz [SECONDS]   Run the fuzz targets for so long in all (60); installs cargo-fuzz
  torture [--minutes N] [--seed S]
                   Play histories on a disk that loses power and fails for N minutes (5), kill writers, and run
                   each fuzz target for N minutes; or play the one case again that a failure named by its seed
  bench [--quick] [--json] [NAME…]
                   Measure what every call costs beside the bare system calls; quick: within a minute, at smaller
                   sizes; the figures are left in target/bench/results.jsonl

`build` and `test` need a Rust toolchain that builds for WebAssembly: the one that the committed components name, else
/usr/bin's or the one that runs this. Where none is fit, it is installed if possible.\n";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Result<()> {
    if args.iter().any(|arg| ["help", "-h", "--help"].contains(arg)) {
        print!("{USAGE}");
        return Ok(());
    }
    match args {
        ["bench", options @ ..] => bench::run(options),
        ["build"] => build::write_all(),
        ["build", "--check"] => check::check_all(),
        ["fuzz"] => fuzz::run(60),
        ["fuzz", seconds] => fuzz::run(seconds.parse().with_context(|| format!("{seconds} is no number of seconds"))?),
        ["hosts", names @ ..] => hosts::run(names),
        ["test"] => test::run(None).and_then(|()| hosts::run(&[])),
        ["test", filter] if !filter.starts_with('-') => test::run(Some(filter)),
        ["torture", options @ ..] => torture::run(options),
        _ => bail!("`cargo xtask {}` is no command\n\n{USAGE}", args.join(" ")),
    }
}

/// The cargo that runs this, called in the workspace's folder.
fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Prints a command as it would be typed, and returns that.
fn announce(command: &Command) -> String {
    let mut line = vec![command.get_program().to_string_lossy()];
    line.extend(command.get_args().map(|arg| arg.to_string_lossy()));
    let line = line.join(" ");
    println!("$ {line}");
    line
}

/// Runs a command to its end, after saying which.
fn execute(command: &mut Command) -> Result<()> {
    let line = announce(command);
    let status = command.status().map_err(|error| anyhow::anyhow!("can't run `{line}`: {error}"))?;
    ensure!(status.success(), "`{line}` failed: {status}");
    Ok(())
}
