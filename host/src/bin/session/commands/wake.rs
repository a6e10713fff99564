//! `session wake`

use anyhow::Result;
use session_host::{OnDamage, OpenTurn, WakeOptions};

use crate::exit::{Exit, Failure};
use crate::output;
use crate::place::Place;
use crate::view::json::StateLine;
use crate::view::state::{self, Tense};

/// What `wake` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to wake
    pub id: Option<String>,
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
        let id = needed(self.id.as_deref(), "wake", place)?;
        let options = WakeOptions {
            open_turn: if self.keep_open { OpenTurn::Keep } else { OpenTurn::Close },
            on_damage: if self.set_aside { OnDamage::SetAside } else { OnDamage::Refuse },
        };
        let woken = place.sessions()?.wake(id, options)?;
        match json {
            true => output::json([StateLine::of(&woken)?])?,
            false => state::print(&mut output::people(), &woken, Tense::Done, place)?,
        }
        Ok(Exit::Done)
    }
}

/// The id, which is never guessed: whoever lost it has to ask.
pub fn needed<'a>(id: Option<&'a str>, what: &str, place: &Place) -> Result<&'a str, Failure> {
    id.ok_or_else(|| {
        Failure::usage(format!(
            "`session {what}` needs the id of a session and never guesses one; `{}` shows those last written to first",
            place.command("list --recent")
        ))
    })
}
