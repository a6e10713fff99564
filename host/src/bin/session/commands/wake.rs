//! `session wake`

use anyhow::Result;
use session_host::{OnDamage, OpenTurn, WakeOptions};

use crate::exit::Exit;
use crate::output;
use crate::place::Place;
use crate::view::json::StateLine;
use crate::view::state::{self, Tense};

/// What `wake` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to wake
    pub id: String,
    /// Leave an open turn open: whoever opened it goes on
    #[arg(long)]
    keep_open: bool,
    /// Where records stand behind damage, set them aside too; they are kept, but they leave the log
    #[arg(long)]
    set_aside: bool,
}

impl Args {
    /// Wakes the session and tells what that took.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let options = WakeOptions {
            open_turn: if self.keep_open { OpenTurn::Keep } else { OpenTurn::Close },
            on_damage: if self.set_aside { OnDamage::SetAside } else { OnDamage::Refuse },
        };
        let woken = place.sessions()?.wake(&self.id, options)?;
        if json {
            output::json([StateLine::of(&woken)?])?;
        } else {
            state::print(&mut output::people(), &woken, Tense::Done, place)?;
        }
        Ok(Exit::Done)
    }
}
