//! `session inspect`

use anyhow::Result;

use crate::exit::Exit;
use crate::output;
use crate::place::Place;
use crate::view::json::StateLine;
use crate::view::state::{self, Tense};

/// What `inspect` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to inspect
    pub id: String,
}

impl Args {
    /// Tells where the session stands.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let state = place.sessions()?.inspect(&self.id)?;
        match json {
            true => output::json([StateLine::of(&state)?])?,
            false => state::print(&mut output::people(), &state, Tense::Would, place)?,
        }
        Ok(Exit::Done)
    }
}
