//! `cargo xtask test`: every test there is.

use std::process::Command;

use anyhow::Result;
use xtask::{COMPONENTS, root};

use crate::{build, check, execute};

/// Checks the components (or builds them, where their sources are newer), then runs the tests whose names hold the filter.
pub fn run(filter: Option<&str>) -> Result<()> {
    let current = COMPONENTS.iter().all(|component| component.check_sources().is_ok());
    let components = if current { check::check_all } else { build::write_all };
    components()?;
    cargo(&["build", "--release"])?;

    let filter: Vec<_> = filter.into_iter().flat_map(|filter| ["--", filter]).collect();
    // Arithmetic that overflows panics in a development build; the rest needs wasmtime, which is built once, for release.
    cargo(&[&["test", "--package", "session-guest"], &filter[..]].concat())?;
    cargo(&[&["test", "--release", "--workspace", "--exclude", "session-guest"], &filter[..]].concat())
}

fn cargo(arguments: &[&str]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    execute(Command::new(cargo).args(arguments).current_dir(root()))
}
