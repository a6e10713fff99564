//! `session has`

use anyhow::Result;
use serde_json::json;

use crate::exit::Exit;
use crate::output;
use crate::place::Place;

/// What `has` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to look for
    pub id: String,
}

impl Args {
    /// Answers by the exit code too.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let has = place.sessions()?.has(&self.id)?;
        let exit = if has { Exit::Done } else { Exit::NotFound };
        exit.told(match json {
            true => output::json([json!({ "has": has })]),
            false => output::line(format_args!("{}", if has { "yes" } else { "no" })),
        })
    }
}
