//! `session compose`

mod plug;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::json;

use self::plug::Composed;
use super::run;
use crate::exit::Exit;
use crate::file;
use crate::output;
use crate::place::Place;
use crate::view::text;

/// What `compose` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The harness: a WebAssembly component that imports sessions, such as one of the world `harness`
    #[arg(value_name = "HARNESS.wasm")]
    harness: PathBuf,
    /// Where to put what comes of it; a file that is there is replaced
    #[arg(short, long, value_name = "OUT.wasm")]
    output: PathBuf,
}

impl Args {
    /// Composes the two, and tells what the result still needs.
    pub fn run(&self, _: &Place, json: bool) -> Result<Exit> {
        let harness = run::read(&self.harness)?;
        let composed = plug::plug(&harness);
        let composed = composed.with_context(|| format!("can't compose the harness {}", self.harness.display()))?;
        let Composed { bytes, imports } = composed;
        file::replace(&self.output, |out| Ok(out.write_all(&bytes)?))?;
        if json {
            output::json([
                json!({ "output": self.output.to_string_lossy(), "bytes": bytes.len(), "imports": imports }),
            ])?;
        } else {
            let (file, size) = (self.output.display(), text::size(bytes.len() as u64));
            output::line(format_args!("{file}: {size}, imports {}", imports.join(", ")))?;
            output::hint("no grant stands between this harness and the storage: it can reach every session there");
        }
        Ok(Exit::Done)
    }
}
