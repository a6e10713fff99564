//! Where a session stands, for people.

use std::io::{self, Write};

use session_host::{Damage, DamageKind, Error, SessionHeader, SessionState};

use super::{event, text};
use crate::output::{BOLD, DIM, GREEN, RED, YELLOW};
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
    let id = text::line(&state.header.id);
    let mut row = |name: &str, told: &str| writeln!(out, "{DIM}{name:<9}{DIM:#} {told}");
    row("session", &format!("{BOLD}{id}{BOLD:#}, {}", text::line(&origin(&state.header))))?;
    row("events", &state.length.to_string())?;
    if tense == Tense::Would && state.held {
        row("writer", &format!("{YELLOW}another process is writing it{YELLOW:#}"))?;
    }
    match &state.recovery.damage {
        Some(damage) => row("damage", &format!("{RED}{}{RED:#}", text::line(&tell(damage))))?,
        None => row("damage", &format!("{GREEN}none{GREEN:#}"))?,
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

/// Prints the damage alone, if there is one that is no write under way.
pub fn print_damage(out: &mut impl Write, state: &SessionState) -> io::Result<()> {
    match damage_of(state) {
        Some(damage) => writeln!(out, "{RED}{}{RED:#}", text::line(&tell(damage))),
        None => Ok(()),
    }
}

/// The damage that is one: a torn tail under a living writer is a write under way.
pub fn damage_of(state: &SessionState) -> Option<&Damage> {
    state.recovery.damage.as_ref().filter(|damage| !(state.held && damage.kind == DamageKind::Torn))
}

/// When and where a session began.
pub fn origin(header: &SessionHeader) -> String {
    let mut told = format!("created {}", text::moment(header.created_at));
    if let Some(cwd) = &header.cwd {
        told += &format!(" in {cwd}");
    }
    if let Some(parent) = &header.parent_session {
        told += &format!(", from {parent}");
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
    let kind = match damage.kind {
        DamageKind::Torn => "a torn tail",
        DamageKind::Malformed => "a line that is no record",
        DamageKind::Gap => "a gap",
        DamageKind::Repeated => "a repeated seq",
    };
    format!(
        "{kind} at offset {}, after {}: {}, {} whole among them ({})",
        damage.offset,
        text::count(damage.expected, "event"),
        text::count(damage.length, "byte"),
        text::count(damage.records, "record"),
        damage.detail
    )
}
