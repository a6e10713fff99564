//! `cargo xtask fuzz`: every fuzz target, each for its share of the time.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use xtask::root;

use crate::{cargo, execute};

/// The targets, by the names of their files in `tests/fuzz/targets`.
const TARGETS: [&str; 6] = ["line", "recovery", "wake", "ids", "input", "tree"];

/// Runs all targets for so many seconds together.
pub fn run(seconds: u64) -> Result<()> {
    run_each((seconds / TARGETS.len() as u64).max(1))
}

/// Runs each target for so many seconds. What they find of use is kept in `target/fuzz` and taken up by the next run.
pub fn run_each(seconds_each: u64) -> Result<()> {
    if !cargo().args(["fuzz", "--version"]).stdout(Stdio::null()).status()?.success() {
        execute(cargo().args(["install", "--locked", "cargo-fuzz"]))?;
    }
    for target in TARGETS {
        let corpus = root().join("target/fuzz/corpus").join(target);
        fs::create_dir_all(&corpus).with_context(|| format!("can't make {}", corpus.display()))?;
        let seeds = Path::new("tests/fuzz/seeds").join(target);
        ensure!(root().join(&seeds).is_dir(), "{} has no seeds", seeds.display());
        // The one place with unsafe code asserts what it relies on; without a sanitizer a stable toolchain will do.
        let mut fuzz = cargo();
        fuzz.args(["fuzz", "run", "--fuzz-dir", "tests/fuzz", "--sanitizer", "none", "--target-dir", "target/fuzz"]);
        fuzz.arg(target).arg(&corpus).arg(&seeds).arg("--");
        fuzz.args([&format!("-max_total_time={seconds_each}"), "-max_len=2048", "-print_final_stats=1"]);
        // The ids are files, and a disk would make them wait for it.
        if Path::new("/dev/shm").is_dir() {
            fuzz.env("TMPDIR", "/dev/shm");
        }
        execute(&mut fuzz).with_context(|| {
            format!("keep what broke `{target}` as a file in {}, and mend its kind", seeds.display())
        })?;
    }
    Ok(())
}
