//! `session verify`

use std::io::Write;

use anyhow::Result;
use serde_json::json;
use session_host::{Error, ListItem, ListOptions, SessionState, Sessions};

use crate::exit::Exit;
use crate::output::{self, BOLD, DIM, GREEN, RED};
use crate::place::Place;
use crate::view::json::StateLine;
use crate::view::state::{self, Tense};
use crate::view::text;

/// What `verify` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to verify
    #[arg(required_unless_present = "all")]
    pub id: Option<String>,
    /// Verify every session, a line for each
    #[arg(long, conflicts_with = "id")]
    all: bool,
}

impl Args {
    /// Reads every byte; the exit code tells whether all is sound.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let Some(id) = &self.id else { return verify_all(&sessions, json) };
        let state = sessions.verify(id)?;
        match json {
            true => output::json([StateLine::of(&state)?])?,
            false => state::print(&mut output::people(), &state, Tense::Would, place)?,
        }
        Ok(verdict(&state))
    }
}

fn verify_all(sessions: &Sessions, json: bool) -> Result<Exit> {
    let mut worst = Exit::Done;
    for item in sessions.list_all(ListOptions::default()) {
        let (name, outcome) = match item? {
            ListItem::Session(listed) => {
                let outcome = sessions.verify(&listed.header.id);
                (listed.header.id, outcome)
            }
            ListItem::Unreadable(unreadable) => (unreadable.id.unwrap_or(unreadable.name), Err(unreadable.reason)),
        };
        // One that was removed since it was listed is no finding.
        if matches!(outcome, Err(Error::NotFound(_))) {
            continue;
        }
        let exit = outcome.as_ref().map_or_else(Exit::from, verdict);
        worst = worse(worst, exit);
        if json { print_json(&name, exit, &outcome)? } else { print(&name, exit, &outcome)? }
    }
    Ok(worst)
}

fn verdict(state: &SessionState) -> Exit {
    if state::damage_of(state).is_some() { Exit::Damaged } else { Exit::Done }
}

/// Damage outweighs whatever else kept a log from being read.
fn worse(a: Exit, b: Exit) -> Exit {
    match (a, b) {
        (Exit::Damaged, _) | (_, Exit::Done) => a,
        (Exit::Done, _) | (_, Exit::Damaged) => b,
        _ => a,
    }
}

fn print(name: &str, exit: Exit, outcome: &Result<SessionState, Error>) -> Result<()> {
    let (style, word) = match exit {
        Exit::Done => (GREEN, "sound"),
        Exit::Damaged => (RED, "damaged"),
        _ => (RED, "unreadable"),
    };
    let told = match outcome {
        Ok(state) => match state::damage_of(state) {
            Some(damage) => state::tell(damage),
            None => text::count(state.length, "event"),
        },
        Err(reason) => state::reason(reason),
    };
    let (name, told) = (text::line(name), text::line(&told));
    Ok(output::line(format_args!("{style}{word:<10}{style:#} {BOLD}{name}{BOLD:#}  {DIM}{told}{DIM:#}"))?)
}

fn print_json(name: &str, exit: Exit, outcome: &Result<SessionState, Error>) -> Result<()> {
    let sound = exit == Exit::Done;
    let mut out = output::bytes();
    let line = match outcome {
        Ok(state) => json!({ "id": name, "sound": sound, "length": state.length, "damage": state::damage_of(state) }),
        Err(reason) => json!({ "id": name, "sound": sound, "reason": state::reason(reason) }),
    };
    output::json_line(&mut out, &line)?;
    Ok(out.flush()?)
}
