//! `cargo xtask bench`: what every call costs, beside the bare system calls.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use xtask::root;

use crate::build::{committed_toolchain, encode};
use crate::cargo;
use crate::toolchain::Toolchain;

/// Builds the command, which is measured too, and the benchmarks, and runs these. What they print is all that is printed,
/// since it may be read by a program.
pub fn run(args: &[&str]) -> Result<()> {
    let release = |verb: &str, args: &[&str]| {
        let mut command = cargo();
        command.args([verb, "--release", "--quiet"]).args(args);
        run_quietly(&mut command)
    };
    release("build", &["--package", "session-host", "--bin", "session"])?;
    let mut names = args.iter().filter(|arg| !arg.starts_with('-')).peekable();
    if names.peek().is_none() || names.any(|name| name.starts_with("tree")) {
        build_bare_tree()?;
    }
    release("run", &[&["--package", "session-bench", "--"], args].concat())
}

/// Builds the component that the rows of the tree stand beside, and leaves it where they look for it.
fn build_bare_tree() -> Result<()> {
    const PACKAGE: &str = "bare-tree";
    let toolchain = Toolchain::find(committed_toolchain().as_deref())?;
    run_quietly(toolchain.build(PACKAGE, true)?.arg("--quiet"))?;
    let folder = root().join("target/bench");
    fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
    let path = folder.join(PACKAGE).with_extension("wasm");
    fs::write(&path, encode(PACKAGE)?).with_context(|| format!("can't write {}", path.display()))
}

fn run_quietly(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    let line: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy()).collect();
    ensure!(status.success(), "`cargo {}` failed: {status}", line.join(" "));
    Ok(())
}
