//! `session emit`

use std::ops::Range;

use anyhow::{Context, Result};
use serde_json::json;
use session_host::Sessions;

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
    /// Its data, as JSON, for example '{"content":"hello"}'
    data: String,
}

impl Args {
    /// Appends the event, durably, and prints its `seq`.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let seq = sessions.emit_json(&self.id, &self.kind, &self.data)?;
        make_durable(&sessions, &self.id, seq..seq + 1)?;
        let told = match json {
            true => output::json([json!({ "seq": seq })]),
            false => output::line(format_args!("{seq}")),
        };
        told.with_context(|| format!("event {seq} is stored, and must not be sent again"))?;
        Ok(Exit::Done)
    }
}

/// Flushes a session that was appended to. Should that fail, the error tells which events are there nevertheless: sent
/// again, they would be there twice.
pub fn make_durable(sessions: &Sessions, id: &str, stored: Range<u64>) -> Result<()> {
    let outcome = sessions.flush(id);
    let what = match stored.end - stored.start {
        0 => return Ok(outcome?),
        1 => format!("event {} is stored, and must not be sent again", stored.start),
        _ => format!("events {} to {} are stored, and must not be sent again", stored.start, stored.end - 1),
    };
    outcome.with_context(|| format!("{what}, but a loss of power may still take it"))
}
