//! `session verify`

use std::io;

use anyhow::Result;
use serde::Serialize;
use session_host::{Damage, Error, ListItem, ListOptions, SessionState, Sessions};

use super::list;
use crate::exit::Exit;
use crate::output::{self, BOLD, DIM, GREEN, RED};
use crate::place::Place;
use crate::view::json::StateLine;
use crate::view::state::{self, Tense};
use crate::view::text;

/// What `verify` takes.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct Args {
    /// Session to verify
    pub id: Option<String>,
    /// Verify every session, a line for each
    #[arg(long)]
    all: bool,
}

impl Args {
    /// Reads every byte; the exit code tells whether all is sound.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let Some(id) = &self.id else { return verify_all(&sessions, json, place) };
        let state = sessions.verify(id)?;
        verdict(&state).told(match json {
            true => output::json([StateLine::of(&state)?]),
            false => state::print(&mut output::people(), &state, Tense::Would, place),
        })
    }
}

/// What `--all` says of one session, as JSON.
#[derive(Serialize)]
struct Verdict<'a> {
    id: &'a str,
    sound: bool,
    length: Option<u64>,
    damage: Option<&'a Damage>,
    reason: Option<String>,
}

fn verify_all(sessions: &Sessions, json: bool, place: &Place) -> Result<Exit> {
    let (mut worst, mut empty, mut told) = (Exit::Done, true, Ok(()));
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
        empty = false;
        let exit = outcome.as_ref().map_or_else(Exit::from, verdict);
        worst = worse(worst, exit);
        // The exit code is about all sessions, also if nobody reads about each.
        if told.is_ok() {
            told = if json { print_json(&name, exit, &outcome) } else { print(&name, exit, &outcome) };
        }
    }
    if empty && !json {
        list::hint_at_creating(place);
    }
    worst.told(told)
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

fn print(name: &str, exit: Exit, outcome: &Result<SessionState, Error>) -> io::Result<()> {
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
    let (name, told) = (text::name(name), text::line(&told));
    output::line(format_args!("{style}{word:<10}{style:#} {BOLD}{name}{BOLD:#}  {DIM}{told}{DIM:#}"))
}

fn print_json(id: &str, exit: Exit, outcome: &Result<SessionState, Error>) -> io::Result<()> {
    let sound = exit == Exit::Done;
    let verdict = match outcome {
        Ok(state) => Verdict { id, sound, length: Some(state.length), damage: state::damage_of(state), reason: None },
        Err(reason) => Verdict { id, sound, length: None, damage: None, reason: Some(state::reason(reason)) },
    };
    output::json([verdict])
}
