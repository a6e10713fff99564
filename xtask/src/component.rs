//! Which components there are, and what each is made from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::{Provenance, root};

/// One component that is built by `cargo xtask build` and committed.
pub struct Component {
    /// Its file is `host/component/<name>.wasm`.
    pub name: &'static str,
    /// The crate that it is built from.
    pub package: &'static str,
    /// Whether that crate's default features are on.
    pub default_features: bool,
    /// The component built before it that it is plugged into, to be one with it; none if it stands alone.
    pub socket: Option<&'static str>,
    /// Files, and folders of files, that it is made from.
    sources: &'static [&'static str],
}

/// Every component, in the order in which they are built.
pub const COMPONENTS: [Component; 6] = [
    Component {
        name: "session-store",
        package: "session-guest",
        default_features: true,
        socket: None,
        sources: &["wit", "guest/src", "guest/Cargo.toml"],
    },
    Component {
        name: "session-rules",
        package: "session-guest",
        default_features: false,
        socket: None,
        sources: &["wit", "guest/src", "guest/Cargo.toml"],
    },
    Component {
        name: "demo-harness",
        package: "demo-harness",
        default_features: true,
        socket: None,
        sources: &["wit", "examples/demo-harness/src", "examples/demo-harness/Cargo.toml"],
    },
    Component {
        name: "conformance",
        package: "session-conformance",
        default_features: true,
        socket: None,
        sources: &["wit", "tests/conformance/src", "tests/conformance/Cargo.toml"],
    },
    Component {
        name: "wasi-storage",
        package: "wasi-storage",
        default_features: true,
        socket: None,
        sources: &["wit", "examples/wasi-storage/wit", "examples/wasi-storage/src", "examples/wasi-storage/Cargo.toml"],
    },
    Component {
        name: "session-store-wasi",
        package: "wasi-storage",
        default_features: true,
        socket: Some("session-store"),
        sources: &[
            "wit",
            "examples/wasi-storage/wit",
            "examples/wasi-storage/src",
            "examples/wasi-storage/Cargo.toml",
            "guest/src",
            "guest/Cargo.toml",
        ],
    },
];

impl Component {
    /// The one of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        COMPONENTS.iter().find(|component| component.name == name)
    }

    /// Where it is committed.
    pub fn path(&self) -> PathBuf {
        root().join("host/component").join(self.name).with_extension("wasm")
    }

    /// One hash over the names and contents of its sources. It doesn't depend on how a checkout ends its lines.
    ///
    /// # Errors
    /// If a source can't be read.
    pub fn source_hash(&self) -> Result<String> {
        let mut files = Vec::new();
        for source in self.sources {
            collect(Path::new(source), &mut files)?;
        }
        files.sort();
        let mut hash = Sha256::new();
        for file in files {
            let text = fs::read_to_string(root().join(&file)).with_context(|| format!("can't read {file}"))?;
            let text = text.replace("\r\n", "\n");
            hash.update(format!("{file}\n{}\n{text}", text.len()));
        }
        Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Succeeds if the committed component was built from its sources as they are now.
    ///
    /// # Errors
    /// If it was not, or can't be read.
    pub fn check_sources(&self) -> Result<()> {
        let path = self.path();
        let committed = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
        let built_from =
            Provenance::read(&committed).with_context(|| format!("can't tell where {} is from", self.name))?;
        ensure!(
            built_from.sources == self.source_hash()?,
            "the sources of host/component/{}.wasm have changed since it was built; run `cargo xtask build`",
            self.name
        );
        Ok(())
    }
}

/// Adds the source files at or under `path`, as paths from the root with `/` between their parts. Unit tests are no part
/// of a component.
fn collect(path: &Path, files: &mut Vec<String>) -> Result<()> {
    if path.file_stem().is_some_and(|stem| stem == "tests") {
        return Ok(());
    }
    let full = root().join(path);
    if full.is_dir() {
        for entry in fs::read_dir(&full).with_context(|| format!("can't list {}", path.display()))? {
            collect(&path.join(entry?.file_name()), files)?;
        }
    } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "wit" || kind == "toml") {
        let name = path.to_str().with_context(|| format!("{} is not named in UTF-8", path.display()))?;
        files.push(name.replace('\\', "/"));
    }
    Ok(())
}
