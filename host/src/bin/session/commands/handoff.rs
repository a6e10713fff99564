//! `session handoff`

mod call;
mod calls;
mod record;
mod scope;

use std::io::{self, Write};

use anyhow::{Context, Result};
use serde_json::json;

use self::record::{Record, Standing};
use super::tree::hint_at_tree;
use crate::exit::Exit;
use crate::output::{self, BOLD, DIM, GREEN, RED, YELLOW};
use crate::place::Place;
use crate::view::text;

/// What `handoff` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to hand over
    pub id: String,
    /// A word for whoever goes on
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Args {
    /// Marks the hand-over durably, and prints the record that the log amounts to.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let data = self.note.as_ref().map_or_else(|| json!({}), |note| json!({ "note": note }));
        let boundary = sessions.hand_off(&self.id, &data)?;
        let record = Record::read(&sessions, &self.id, boundary)
            .with_context(|| format!("event {boundary} marks the hand-over, but the record can't be read"))?;
        match json {
            true => output::json([record])?,
            false => {
                print(&mut output::people(), &record, place)?;
                if record.asked.is_none() {
                    hint_at_tree(&sessions, &self.id, place);
                }
            }
        }
        Ok(Exit::Done)
    }
}

fn print(out: &mut impl Write, record: &Record, place: &Place) -> io::Result<()> {
    let width = output::width().saturating_sub(12);
    let mut row = |name: &str, told: &str| writeln!(out, "{DIM}{name:<10}{DIM:#} {told}");
    row("session", &format!("{BOLD}{}{BOLD:#}", text::name(&record.session)))?;
    row("stands at", &format!("{}, {}", text::count(record.length, "event"), standing(record)))?;
    if let Some(note) = &record.note {
        row("note", &text::line(note))?;
    }
    match &record.asked {
        Some(asked) => row("asked", &format!("{GREEN}{}{GREEN:#}", text::fit(&asked.text, width)))?,
        None => row("asked", "nothing so far")?,
    }
    left_out(&mut row, "done", record.more.done)?;
    for (index, call) in record.done.iter().enumerate() {
        let name = if index == 0 && record.more.done == 0 { "done" } else { "" };
        let failed = if call.failed() { format!("{RED}failed{RED:#} ") } else { String::new() };
        row(name, &format!("{failed}{}", text::fit(&call.to_string(), width)))?;
    }
    if let Some(answer) = &record.answered {
        row("answered", &text::fit(&answer.text, width))?;
    } else if record.asked.is_some() {
        row("answered", &format!("{YELLOW}not yet{YELLOW:#}"))?;
    }
    left_out(&mut row, "unanswered", record.more.unanswered)?;
    for (index, call) in record.unanswered.iter().enumerate() {
        let name = if index == 0 && record.more.unanswered == 0 { "unanswered" } else { "" };
        let started = if call.started() { "was started" } else { "was not started" };
        row(name, &format!("{YELLOW}{}{YELLOW:#} {DIM}{started}{DIM:#}", text::fit(&call.to_string(), width)))?;
    }
    row("go on", &place.command(&format!("wake {}", text::quote(&record.session))))?;
    out.flush()
}

/// A row for the calls that the record counts alone.
fn left_out(row: &mut impl FnMut(&str, &str) -> io::Result<()>, name: &str, calls: u64) -> io::Result<()> {
    match calls {
        0 => Ok(()),
        _ => row(name, &format!("{DIM}… {} before these{DIM:#}", text::count(calls, "call"))),
    }
}

fn standing(record: &Record) -> String {
    let turns = text::count(record.turns, "turn");
    match &record.standing {
        Standing::Idle => format!("{turns}, none open"),
        Standing::Open => format!("{turns}, the last still open"),
        Standing::Ended { reason } => format!("{turns}, the last {}", text::line(reason)),
    }
}
