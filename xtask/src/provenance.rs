//! Where a component came from: a custom section of text that it carries.

use std::fmt;

use anyhow::{Context, Result};
use wasm_encoder::{ComponentSection, CustomSection};
use wasmparser::{Parser, Payload};

/// The name of the section.
const SECTION: &str = "session-provenance";
const HEADING: &str = "sources sha256 ";

/// What a component was built from, and with. As text, three paragraphs: the hash of the sources, the toolchain, the crates.
#[derive(Debug, PartialEq, Eq)]
pub struct Provenance {
    /// See [`Component::source_hash`](crate::Component::source_hash).
    pub sources: String,
    /// What `rustc -vV` says, then the linker and where the standard library came from.
    pub toolchain: String,
    /// Name and version of each crate that went into it, one a line.
    pub crates: String,
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{HEADING}{}\n\n{}\n\n{}\n", self.sources, self.toolchain, self.crates)
    }
}

impl Provenance {
    /// Adds it to a component.
    pub fn append_to(&self, component: &mut Vec<u8>) {
        let text = self.to_string();
        CustomSection { name: SECTION.into(), data: text.as_bytes().into() }.append_to_component(component);
    }

    /// Reads it from a component.
    ///
    /// # Errors
    /// If the bytes are no WebAssembly, or carry no such section.
    pub fn read(component: &[u8]) -> Result<Self> {
        // Modules inside the component may have sections of any name; what is appended comes last.
        let mut text = None;
        for payload in Parser::new(0).parse_all(component) {
            if let Payload::CustomSection(section) = payload?
                && section.name() == SECTION
            {
                text = Some(section.data());
            }
        }
        let text =
            text.with_context(|| format!("it has no section `{SECTION}`; it was not built by `cargo xtask build`"))?;
        Self::parse(std::str::from_utf8(text)?).with_context(|| format!("its section `{SECTION}` can't be read"))
    }

    fn parse(text: &str) -> Option<Self> {
        let (sources, rest) = text.strip_prefix(HEADING)?.split_once("\n\n")?;
        let (toolchain, crates) = rest.split_once("\n\n")?;
        Some(Self { sources: sources.into(), toolchain: toolchain.into(), crates: crates.strip_suffix('\n')?.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_appended_is_read_back() {
        let provenance = Provenance {
            sources: "0123abcd".into(),
            toolchain: "rustc 1.96.0\nhost: somewhere\nLLD 22".into(),
            crates: "a 1.0.0\nb 2.0.0".into(),
        };
        let mut component = wasm_encoder::Component::new().finish();
        assert!(Provenance::read(&component).is_err());
        provenance.append_to(&mut component);
        assert_eq!(Provenance::read(&component).unwrap(), provenance);
    }
}
