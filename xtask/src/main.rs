//! Builds the components and runs every check.

mod build;
mod check;
mod test;
mod toolchain;

use std::process::{Command, ExitCode};

use anyhow::{Result, bail, ensure};

const USAGE: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  build            Build the components into host/component/
  build --check    Build them and compare with what is there; write nothing
  test [FILTER]    Check the components (build them if their sources are newer), then run every test,
                   or those whose names hold the FILTER

Each needs a Rust toolchain that builds for WebAssembly; it is installed where that is possible.\n";

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
    match args {
        ["build"] => build::write_all(),
        ["build", "--check"] => check::check_all(),
        ["test"] => test::run(None),
        ["test", filter] => test::run(Some(filter)),
        ["help" | "-h" | "--help"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => bail!("`cargo xtask {}` is no command\n\n{USAGE}", args.join(" ")),
    }
}

/// Runs a command to its end, after saying which.
fn execute(command: &mut Command) -> Result<()> {
    let mut line = vec![command.get_program().to_string_lossy()];
    line.extend(command.get_args().map(|arg| arg.to_string_lossy()));
    let line = line.join(" ");
    println!("$ {line}");
    let status = command.status().map_err(|error| anyhow::anyhow!("can't run `{line}`: {error}"))?;
    ensure!(status.success(), "`{line}` failed: {status}");
    Ok(())
}
