//! `session create`

use std::env;
use std::path::{Path, PathBuf};

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
    /// Working directory to record [default: this one]
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
            false => output::line(format_args!("created {}", text::line(&self.id)))?,
        }
        Ok(Exit::Done)
    }
}

/// A folder's path from the root on, as headers record it.
pub fn absolute(folder: &Path) -> Result<String> {
    let path = std::path::absolute(folder).with_context(|| format!("can't make {} absolute", folder.display()))?;
    path.into_os_string().into_string().ok().with_context(|| format!("{} is no Unicode text", folder.display()))
}

/// The present working directory, where there is one that a header can hold.
pub fn here() -> Option<String> {
    env::current_dir().ok()?.into_os_string().into_string().ok()
}
