//! `session compose`

mod plug;

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use self::plug::Composed;
use super::run;
use crate::exit::{self, Exit, Failure};
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
        put(&self.output, &bytes).map_err(|error| {
            let (file, why) = (self.output.display(), exit::reason(&error));
            Failure::new(Exit::NoRoom, format!("can't write {file}: {why}"))
        })?;
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

/// Makes the file, or replaces it: it is whole or as it was.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::other("it is no regular file"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As for any new file, the umask has the last word.
    let mut temporary = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(path)?;
    Ok(())
}
