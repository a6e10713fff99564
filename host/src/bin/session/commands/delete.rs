//! `session delete`

use anyhow::Result;
use serde_json::json;

use crate::exit::Exit;
use crate::output;
use crate::place::Place;
use crate::view::text;

/// What `delete` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to remove, with its checkpoint and what was set aside from it
    pub id: String,
}

impl Args {
    /// Removes it. That it wasn't there is no error, but is told.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let there = sessions.has(&self.id)?;
        sessions.delete(&self.id)?;
        let id = text::name(&self.id);
        match (json, there) {
            (true, _) => output::json([json!({ "deleted": there })])?,
            (false, true) => output::line(format_args!("deleted {id}"))?,
            (false, false) => output::line(format_args!("there was no session {id}"))?,
        }
        Ok(Exit::Done)
    }
}
