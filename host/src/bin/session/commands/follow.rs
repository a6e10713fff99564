//! `session follow`

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use serde::Deserialize;
use serde_json::value::RawValue;
use session_host::{Error, Event, LogInfo, Sessions};

use crate::exit::Exit;
use crate::output;
use crate::place::Place;
use crate::view::timeline::Timeline;

/// How often it is looked whether the log has grown.
const PAUSE: Duration = Duration::from_millis(100);
/// So much is read at once.
const PIECE: u32 = 1024 * 1024;

/// What `follow` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to follow
    pub id: String,
    /// First event to print [default: the next that is appended]
    #[arg(long, value_name = "N")]
    start: Option<u64>,
}

impl Args {
    /// Prints events until it is stopped, or the session is gone.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let store = sessions.storage().clone();
        let mut next = match self.start {
            Some(start) => start,
            None => sessions.inspect(&self.id)?.length,
        };
        let mut seen: Option<LogInfo> = None;
        let mut printer = Printer::new(json);
        loop {
            let Ok(log) = store.stat(&self.id) else {
                // Who reads the header is told what is wrong in full.
                sessions.header(&self.id)?;
                continue;
            };
            match &seen {
                // Another log under the same name is another session.
                Some(before) if before.identity != log.identity => return Err(Error::NotFound(self.id.clone()).into()),
                Some(before) if (before.length, before.modified) == (log.length, log.modified) => {}
                _ => next = self.print_from(&sessions, next, &mut printer)?,
            }
            seen = Some(log);
            thread::sleep(PAUSE);
        }
    }

    /// Prints what there is from `next` on, and answers where to go on.
    fn print_from(&self, sessions: &Sessions, mut next: u64, printer: &mut Printer) -> Result<u64> {
        loop {
            let lines = sessions.get_lines(&self.id, next, PIECE)?;
            if lines.is_empty() {
                return Ok(next);
            }
            next += printer.print(&lines)?;
        }
    }
}

/// Prints whole lines at once, so that a reader at the other end of a pipe sees each event when it happens.
struct Printer {
    timeline: Option<Timeline>,
}

/// A stored line. The members that we do not know are left out.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type")]
    kind: String,
    seq: u64,
    time: u64,
    #[serde(borrow)]
    data: &'a RawValue,
}

impl Printer {
    fn new(json: bool) -> Self {
        Self { timeline: (!json).then(Timeline::new) }
    }

    /// Prints the lines, and answers how many they were.
    fn print(&mut self, lines: &str) -> io::Result<u64> {
        match &mut self.timeline {
            None => {
                let mut out = output::bytes();
                out.write_all(lines.as_bytes())?;
                out.flush()?;
            }
            Some(timeline) => {
                let mut out = output::people();
                for line in lines.lines() {
                    let Line { kind, seq, time, data } = serde_json::from_str(line)?;
                    timeline.print(&mut out, &Event { seq, time, kind, data: data.get().to_owned() })?;
                }
                out.flush()?;
            }
        }
        Ok(lines.lines().count() as u64)
    }
}
