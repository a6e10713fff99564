//! `session create`

use std::env;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use session_host::NewSession;

use crate::exit::Exit;
use crate::output;
use crate::place::Place;
use crate::view::text;

/// What `create` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Name of the new session: any text of 1 to 255 bytes
    pub id: String,
    /// Working directory to record; it is made absolute, and `..` is resolved [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Session that this one goes on from
    #[arg(long, value_name = "ID")]
    parent: Option<String>,
}

impl Args {
    /// Creates the session, durably.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let cwd = match &self.cwd {
            Some(folder) => Some(absolute(folder)?),
            None => here(),
        };
        let session = NewSession { cwd, parent_session: self.parent.clone(), ..NewSession::new(&self.id) };
        let sessions = place.sessions_or_new()?;
        let header = sessions.create(session)?;
        sessions.flush(&self.id)?;
        match json {
            true => output::json([header])?,
            false => output::line(format_args!("created {}", text::name(&self.id)))?,
        }
        Ok(Exit::Done)
    }
}

/// A folder's path from the root on, as headers record it: the same folder is to be written in one way only. Links are not
/// followed, and the folder need not be there.
pub fn absolute(folder: &Path) -> Result<String> {
    let whole = std::path::absolute(folder).with_context(|| format!("can't make {} absolute", folder.display()))?;
    let mut path = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    path.into_os_string().into_string().ok().with_context(|| format!("{} is no Unicode text", folder.display()))
}

/// The present working directory, where there is one that a header can hold.
pub fn here() -> Option<String> {
    env::current_dir().ok()?.into_os_string().into_string().ok()
}
