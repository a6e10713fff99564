//! `session append`

mod input;
mod unstamped;
mod writer;

use std::io::{self, IsTerminal, Write, stderr, stdin};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use session_host::{Error, NewSession, Sessions};

use self::input::{Input, Next};
use self::writer::Writer;
use super::create;
use crate::exit::Exit;
use crate::output;
use crate::place::Place;
use crate::view::text;

/// What `append` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to append to
    pub id: String,
    /// Create the session if it isn't there
    #[arg(long)]
    create: bool,
    /// Give each line its `seq` and `time`; lines have `type` and `data`, and nothing else
    #[arg(long)]
    stamp: bool,
    /// Print each `seq` on a line of its own, once it would survive a loss of power
    #[arg(long)]
    ack: bool,
}

impl Args {
    /// Appends what comes in, and says how much that was, also if a line is refused.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = if self.create { place.sessions_or_new()? } else { place.sessions()? };
        self.claim(&sessions)?;
        let mut writer = Writer::new(&sessions, &self.id, self.stamp);
        let progress = if self.ack { ProgressBar::hidden() } else { progress_bar() };
        let mut acks = Ok(());
        let outcome = self.pump(&mut writer, &progress, &mut acks);
        progress.finish_and_clear();
        let appended = text::count(writer.appended(), "event");
        let told = match (self.ack, json) {
            (true, _) => acks,
            (false, true) => output::json([json!({ "appended": writer.appended() })]),
            (false, false) => output::line(format_args!("{appended} appended")),
        };
        // Why the input is not stored says more than that the output can't be written.
        outcome?;
        Exit::Done.told(told.with_context(|| format!("{appended} appended, and not to be sent again")))
    }

    /// Becomes the session's writer, so that whoever can't write learns it before sending anything.
    fn claim(&self, sessions: &Sessions) -> Result<()> {
        if self.create {
            match sessions.create(NewSession { cwd: create::here(), ..NewSession::new(&self.id) }) {
                Err(Error::AlreadyExists(_)) => {}
                created => return Ok(created.map(drop)?),
            }
        }
        Ok(sessions.flush(&self.id)?)
    }

    /// Stores the input to its end, also if nobody reads the acknowledgements any more.
    fn pump(&self, writer: &mut Writer<'_>, progress: &ProgressBar, acks: &mut io::Result<()>) -> Result<()> {
        let mut input = Input::new(stdin());
        loop {
            // Whoever waits for a number sends nothing until it comes: no input is waited for while one is owed.
            let owing = self.ack && writer.is_ahead();
            let (lines, next) = input.take(!owing).context("can't read standard input")?;
            let outcome = writer.append(lines);
            progress.inc(lines.len() as u64);
            // One flush serves all the turns that ended in what has just been appended.
            let due = writer.turn_ended() || next == Next::End || (self.ack && next == Next::Waits);
            // To flush where nothing was appended would create a session whose first line is refused.
            let flushes = if outcome.is_ok() { due } else { writer.is_ahead() };
            if flushes {
                let seqs = writer.flush();
                // Why a line was refused says more than what came of it.
                let seqs = if outcome.is_err() { seqs.unwrap_or_default() } else { seqs? };
                if self.ack && acks.is_ok() {
                    *acks = acknowledge(seqs);
                }
            }
            outcome?;
            if next == Next::End {
                return Ok(());
            }
        }
    }
}

fn acknowledge(seqs: std::ops::Range<u64>) -> io::Result<()> {
    let mut out = output::bytes();
    for seq in seqs {
        writeln!(out, "{seq}")?;
    }
    out.flush()
}

/// How far the input is; shown on a terminal, unless somebody types the input there.
fn progress_bar() -> ProgressBar {
    if !stderr().is_terminal() || stdin().is_terminal() {
        return ProgressBar::hidden();
    }
    let (total, template) = match input::size_of_stdin() {
        Some(total) => {
            (Some(total), "{bar:32} {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left")
        }
        None => (None, "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    bar.with_style(style)
}
