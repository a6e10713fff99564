//! `session emit`

use anyhow::Result;
use serde_json::json;

use crate::exit::Exit;
use crate::output;
use crate::place::Place;

/// What `emit` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to append to
    pub id: String,
    /// Type of the event, for example user/message
    #[arg(value_name = "TYPE")]
    kind: String,
    /// Its data, as JSON
    data: String,
}

impl Args {
    /// Appends the event, durably, and prints its `seq`.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let seq = sessions.emit_json(&self.id, &self.kind, &self.data)?;
        sessions.flush(&self.id)?;
        match json {
            true => output::json([json!({ "seq": seq })])?,
            false => output::line(format_args!("{seq}"))?,
        }
        Ok(Exit::Done)
    }
}
