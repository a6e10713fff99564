//! Where a session stands, for people.

use std::io::{self, Write};

use session_host::{Damage, DamageKind, Error, SessionHeader, SessionState, Sessions};

use super::{event, text};
use crate::output::{self, BOLD, DIM, GREEN, RED, YELLOW};
use crate::place::Place;

/// Whether what is told was done, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    /// The session was woken.
    Done,
    /// The session was looked at.
    Would,
}

/// Prints all of it.
pub fn print(out: &mut impl Write, state: &SessionState, tense: Tense, place: &Place) -> io::Result<()> {
    let id = text::name(&state.header.id);
    let mut row = |name: &str, told: &str| writeln!(out, "{DIM}{name:<9}{DIM:#} {told}");
    row("session", &format!("{BOLD}{id}{BOLD:#}, {}", text::line(&origin(&state.header))))?;
    row("events", &state.length.to_string())?;
    if tense == Tense::Would && state.held {
        row("writer", &format!("{YELLOW}another process is writing it{YELLOW:#}"))?;
    }
    match (&state.recovery.damage, tense) {
        (Some(damage), Tense::Done) => row("mended", &text::line(&tell(damage)))?,
        (Some(damage), Tense::Would) => {
            row("damage", &format!("{RED}{}{RED:#}", text::line(&tell(damage))))?;
            if damage.kind != DamageKind::Torn {
                row("", "waking refuses this unless told --set-aside")?;
            }
        }
        (None, _) => row("damage", &format!("{GREEN}none{GREEN:#}"))?,
    }
    if let Some(name) = &state.recovery.kept_at {
        let command = place.command(&format!("aside {} {}", text::quote(&state.header.id), text::quote(name)));
        row("kept", &format!("the bytes cut off are kept: {command}"))?;
    }
    for (index, closer) in state.recovery.closers.iter().enumerate() {
        let name = match (index, tense) {
            (0, Tense::Done) => "closed",
            (0, Tense::Would) => "to close",
            _ => "",
        };
        let (style, said) = event::describe(closer);
        row(name, &format!("{} {} {style}{}{style:#}", closer.seq, text::line(&closer.kind), text::fit(&said, 80)))?;
    }
    if state.turn_open && state.recovery.closers.is_empty() {
        let told = match tense {
            Tense::Done => "the turn stays open, for whoever opened it to go on",
            Tense::Would => "the turn is too large to be closed; waking refuses this unless told --keep-open",
        };
        row("open", &format!("{YELLOW}{told}{YELLOW:#}"))?;
    }
    if let Some(boundary) = &state.boundary {
        row(
            "boundary",
            &format!("{} {} {}", boundary.seq, text::moment(boundary.time), text::fit(&boundary.data, 80)),
        )?;
    }
    for (index, name) in state.asides.iter().enumerate() {
        row(if index == 0 { "aside" } else { "" }, &text::line(name))?;
    }
    out.flush()
}

/// The damage that is one: a torn tail under a living writer is a write under way.
pub fn damage_of(state: &SessionState) -> Option<&Damage> {
    state.recovery.damage.as_ref().filter(|damage| !(state.held && damage.kind == DamageKind::Torn))
}

/// Warns of damage that what was just read breaks off at. What the log is like was found out by reading it, so it is not
/// read for this again. Answers whether there was something to warn of.
pub fn warn_of_damage(sessions: &Sessions, id: &str, done: &str, place: &Place) -> bool {
    let name = text::quote(id);
    let warning = match sessions.inspect(id) {
        Ok(state) => damage_of(&state).map(|damage| {
            format!(
                "session {name} is damaged after {} ({} at byte {}): only what precedes it is {done}; `{}` tells more",
                text::count(damage.expected, "event"),
                kind(damage),
                damage.offset,
                place.command(&format!("verify {name}"))
            )
        }),
        // Removed meanwhile.
        Err(Error::NotFound(_)) => None,
        Err(error) => Some(format!("whether session {name} is damaged can't be told: {error}")),
    };
    warning.iter().for_each(|warning| output::warn(warning));
    warning.is_some()
}

/// When and where a session began.
pub fn origin(header: &SessionHeader) -> String {
    let mut told = format!("created {}", text::moment(header.created_at));
    if let Some(cwd) = &header.cwd {
        told += &format!(" in {cwd}");
    }
    if let Some(parent) = &header.parent_session {
        told += &format!(", from {}", text::name(parent));
        if let Some(length) = header.seed_length {
            told += &format!(" ({})", text::count(length, "event"));
        }
    }
    told
}

/// Why a log can't be read, without what to do about it.
pub fn reason(error: &Error) -> String {
    match error {
        // Without a header there is nothing to wake.
        Error::Corrupt(damage) if damage.offset == 0 => damage.detail.clone(),
        Error::Corrupt(damage) | Error::NeedsWake(damage) => tell(damage),
        error => error.to_string(),
    }
}

/// A damage, in a sentence.
pub fn tell(damage: &Damage) -> String {
    let records = match damage.records {
        0 => "no whole record follows".to_owned(),
        1 => "1 whole record among them".to_owned(),
        n => format!("{n} whole records among them"),
    };
    format!(
        "{} at offset {}, after {}: {}, {records} ({})",
        kind(damage),
        damage.offset,
        text::count(damage.expected, "event"),
        text::count(damage.length, "byte"),
        damage.detail
    )
}

/// What kind of damage it is.
pub fn kind(damage: &Damage) -> &'static str {
    match damage.kind {
        DamageKind::Torn => "a torn tail",
        DamageKind::Malformed => "a line that is no record",
        DamageKind::Gap => "a gap",
        DamageKind::Repeated => "a repeated seq",
    }
}
