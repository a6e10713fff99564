//! `cargo xtask build --check`: whether the committed components are what their sources make.

use std::fs;

use anyhow::{Result, bail};
use xtask::{Component, Provenance};

use crate::build::{Built, build_all};

/// Builds every component, compares it with the committed one and says how they differ.
pub fn check_all() -> Result<()> {
    let mut different = Vec::new();
    for (component, built) in build_all()? {
        match compare(component, &built) {
            Ok(how) => println!("{}.wasm: {how}", component.name),
            Err(error) => different.push(format!("{}.wasm: {error:#}", component.name)),
        }
    }
    if !different.is_empty() {
        bail!("{}\nrun `cargo xtask build` and commit what it writes", different.join("\n"));
    }
    Ok(())
}

/// How far the two were seen to be equal.
fn compare(component: &Component, built: &Built) -> Result<String> {
    let committed = fs::read(component.path())?;
    if committed == built.bytes {
        return Ok(format!("{} bytes, equal", committed.len()));
    }
    let old = Provenance::read(&committed)?;
    let new = &built.provenance;
    if old.sources != new.sources {
        bail!("it was built from sources of hash {}, but they are now {}", old.sources, new.sources);
    }
    if old.crates != new.crates {
        bail!("it was built with the crates\n{}\nbut Cargo.lock now says\n{}", old.crates, new.crates);
    }
    if old.toolchain == new.toolchain {
        let at = committed.iter().zip(&built.bytes).take_while(|(old, new)| old == new).count();
        bail!(
            "same sources and toolchain, other bytes: {} and {}, from offset {at} on",
            committed.len(),
            built.bytes.len()
        );
    }
    Ok(format!(
        "same sources and crates; bytes not compared, because it was built with another toolchain:\n{}",
        old.toolchain
    ))
}
