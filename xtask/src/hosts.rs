//! `cargo xtask hosts`: the tests of everything around the component that is not Rust of this workspace.
//!
//! Each folder below `examples/` and `tests/peers/` is tested by the commands that its own README names. What they need is fetched from their
//! registries, into folders that git ignores.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::root;

use crate::{cargo, execute};

/// How one of them is tested.
type Test = fn() -> Result<()>;

const HOSTS: [(&str, Test); 6] = [
    ("node", node),
    ("peers", peers),
    ("python", python),
    ("viewer", viewer),
    ("wasi", wasi),
    ("harnesses", harnesses),
];

/// Tests the hosts with these names, or all.
pub fn run(names: &[&str]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| HOSTS.iter().all(|(host, _)| host != *name)) {
        let known = HOSTS.map(|(host, _)| host).join(", ");
        bail!("`{unknown}` is no host; there are {known}");
    }
    // The command is what the hosts exchange sessions with.
    execute(cargo().args(["build", "--release"]))?;
    for (name, test) in HOSTS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)) {
        println!("\n== {name}");
        test().with_context(|| format!("the tests of `{name}`"))?;
    }
    Ok(())
}

fn node() -> Result<()> {
    npm_tests("examples/node-host")
}

/// The suites of others, over what the Node host has built.
fn peers() -> Result<()> {
    npm("examples/node-host", &["ci"])?;
    npm("examples/node-host", &["run", "build"])?;
    npm_tests("tests/peers/pi")
}

fn python() -> Result<()> {
    let environment = root().join("target/python");
    let python = environment.join("bin/python");
    if !python.exists() {
        execute(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    for args in [&["pip", "install", "--quiet", "--editable", ".[test]"][..], &["mypy"], &["pytest", "--quiet"]] {
        execute(
            with_session(&mut Command::new(&python)).arg("-m").args(args).current_dir(folder("examples/python-host")),
        )?;
    }
    Ok(())
}

fn viewer() -> Result<()> {
    npm_tests("examples/viewer")
}

/// In a folder of its own, not as a package of the workspace: it wants other features of wasmtime.
fn wasi() -> Result<()> {
    execute(cargo().args(["test", "--release", "--locked"]).current_dir(folder("examples/wasi-host")))?;
    npm_tests("examples/wasi-host-node")
}

fn harnesses() -> Result<()> {
    npm("examples/harness-js", &["ci"])?;
    npm("examples/harness-js", &["run", "build"])?;
    execute(Command::new("./build.sh").current_dir(folder("examples/harness-python")))?;
    execute(
        with_session(&mut Command::new("node")).args(["--test", "harnesses.test.mjs"]).current_dir(folder("examples")),
    )
}

fn folder(path: &str) -> PathBuf {
    root().join(path)
}

/// The tests of that folder's package, with what it needs installed.
fn npm_tests(path: &str) -> Result<()> {
    npm(path, &["ci"])?;
    npm(path, &["test"])
}

/// `npm` in that folder.
fn npm(path: &str, args: &[&str]) -> Result<()> {
    execute(with_session(&mut Command::new("npm")).args(args).current_dir(folder(path)))
}

/// With the command `session`, as it was just built.
fn with_session(command: &mut Command) -> &mut Command {
    command.env("SESSION_BIN", root().join("target/release/session"))
}
