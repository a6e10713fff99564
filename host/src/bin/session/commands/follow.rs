//! `session follow`

use std::io::Write;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use session_host::{Error, LogInfo, Sessions};

use crate::exit::Exit;
use crate::output;
use crate::place::Place;
use crate::view::state;
use crate::view::timeline::Timeline;

/// How often it is looked whether the log has grown.
const PAUSE: Duration = Duration::from_millis(100);

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
        let mut warned = false;
        let mut timeline = (!json).then(Timeline::new);
        loop {
            match (store.stat(&self.id), &seen) {
                // Another log under the same name is another session.
                (Ok(log), Some(before)) if before.identity != log.identity => {
                    return Err(Error::NotFound(self.id.clone()).into());
                }
                (Ok(log), Some(before)) if *before == log => {}
                (Ok(log), _) => {
                    next = self.print_from(&sessions, next, timeline.as_mut())?;
                    warned = warned || state::warn_of_damage(&sessions, &self.id, "shown", place);
                    seen = Some(log);
                }
                // Who reads the header is told what is wrong in full.
                (Err(_), _) => drop(sessions.header(&self.id)?),
            }
            thread::sleep(PAUSE);
        }
    }

    /// Prints what there is from `next` on, and answers where to go on. All is printed by then, so that a reader at the
    /// other end of a pipe sees each event when it happens.
    fn print_from(&self, sessions: &Sessions, mut next: u64, timeline: Option<&mut Timeline>) -> Result<u64> {
        match timeline {
            Some(timeline) => {
                let mut out = output::people();
                for event in sessions.events(&self.id, next) {
                    let event = event?;
                    timeline.print(&mut out, &event)?;
                    next = event.seq + 1;
                }
                out.flush()?;
            }
            None => {
                let mut out = output::bytes();
                for lines in sessions.lines(&self.id, next) {
                    let lines = lines?;
                    out.write_all(lines.as_bytes())?;
                    next += lines.lines().count() as u64;
                }
                out.flush()?;
            }
        }
        Ok(next)
    }
}
