//! `session verify`

use std::io;

use anyhow::Result;
use serde::Serialize;
use session_host::{Damage, Error, ListItem, ListOptions, SessionState, Sessions, Unreadable};

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

/// Something that `--all` looks at.
struct Found {
    /// Its name, if the list could not read it.
    unreadable: Option<String>,
    /// The id, if it has one.
    id: Option<String>,
    outcome: Result<SessionState, Error>,
}

/// What `--all` says of it, as JSON.
#[derive(Serialize)]
struct Verdict<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<&'a str>,
    id: Option<&'a str>,
    sound: bool,
    length: Option<u64>,
    damage: Option<&'a Damage>,
    reason: Option<String>,
}

fn verify_all(sessions: &Sessions, json: bool, place: &Place) -> Result<Exit> {
    let (mut worst, mut empty, mut told) = (Exit::Done, true, Ok(()));
    let all = sessions.list_all(ListOptions::default()).map(|item| Ok(Found::listed(item?, sessions)));
    // What holds them all comes last: what is said of each is told before.
    for found in all.chain(std::iter::once_with(|| Found::beneath(place)).filter_map(Result::transpose)) {
        let found = found?;
        // One that was removed since it was listed is no finding.
        if matches!(found.outcome, Err(Error::NotFound(_))) {
            continue;
        }
        empty = false;
        worst = worse(worst, found.exit());
        // The exit code is about all sessions, also if nobody reads about each.
        if told.is_ok() {
            told = if json { output::json([found.verdict()]) } else { found.print() };
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

/// Damage outweighs a lack of rights, and that a version which is not read.
fn worse(a: Exit, b: Exit) -> Exit {
    [Exit::Damaged, Exit::NoRoom, Exit::Other].into_iter().find(|exit| [a, b].contains(exit)).unwrap_or(Exit::Done)
}

impl Found {
    fn listed(item: ListItem, sessions: &Sessions) -> Self {
        match item {
            ListItem::Session(listed) => {
                let outcome = sessions.verify(&listed.header.id);
                Self { unreadable: None, id: Some(listed.header.id), outcome }
            }
            ListItem::Unreadable(Unreadable { name, id, reason }) => {
                Self { unreadable: Some(name), id, outcome: Err(reason) }
            }
        }
    }

    /// The store itself, if it is damaged.
    fn beneath(place: &Place) -> Result<Option<Self>> {
        match place.store().check() {
            Ok(()) => Ok(None),
            Err(error) if error.is_damage() => {
                let outcome = Err(Error::Storage(error.to_string()));
                Ok(Some(Self { unreadable: Some(place.store().place()), id: None, outcome }))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What the command ends with if there is nothing else. What is no log counts as damage: nobody handed it over.
    fn exit(&self) -> Exit {
        match &self.outcome {
            Ok(state) => verdict(state),
            Err(Error::UnsupportedVersion(_)) => Exit::Other,
            Err(error) if Exit::from(error) == Exit::NoRoom => Exit::NoRoom,
            Err(_) => Exit::Damaged,
        }
    }

    fn print(&self) -> io::Result<()> {
        let (style, word, told) = match &self.outcome {
            Ok(state) => match state::damage_of(state) {
                Some(damage) => (RED, "damaged", state::tell(damage)),
                None => (GREEN, "sound", text::count(state.length, "event")),
            },
            Err(reason @ Error::Corrupt(_)) => (RED, "damaged", state::reason(reason)),
            Err(reason) => (RED, "unreadable", state::reason(reason)),
        };
        let name = text::name(self.id.as_ref().or(self.unreadable.as_ref()).map_or("", String::as_str));
        let told = text::line(&told);
        output::line(format_args!("{style}{word:<10}{style:#} {BOLD}{name}{BOLD:#}  {DIM}{told}{DIM:#}"))
    }

    fn verdict(&self) -> Verdict<'_> {
        let state = self.outcome.as_ref().ok();
        Verdict {
            unreadable: self.unreadable.as_deref(),
            id: self.id.as_deref(),
            sound: self.exit() == Exit::Done,
            length: state.map(|state| state.length),
            damage: state.and_then(state::damage_of),
            reason: self.outcome.as_ref().err().map(state::reason),
        }
    }
}
