//! `session show`

use std::io::Write;

use anyhow::Result;
use session_host::Sessions;

use crate::exit::Exit;
use crate::output::{self, DIM};
use crate::place::Place;
use crate::view::event::kind_of;
use crate::view::timeline::Timeline;
use crate::view::{state, text};

/// What `show` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to show
    pub id: String,
    /// First event to print
    #[arg(long, value_name = "N", default_value_t = 0)]
    start: u64,
    /// Print at most so many events
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    max: u64,
    /// Leave out events of this type; may be given several times
    #[arg(long, value_name = "TYPE")]
    except: Vec<String>,
}

impl Args {
    /// Prints the events that precede any damage.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        if json {
            self.print_lines(&sessions)?
        } else {
            self.print_timeline(&sessions)?
        }
        state::warn_of_damage(&sessions, &self.id, "shown", place);
        Ok(Exit::Done)
    }

    /// The stored lines, byte for byte.
    fn print_lines(&self, sessions: &Sessions) -> Result<()> {
        let mut out = output::bytes();
        let mut left = self.max;
        'blocks: for block in sessions.lines(&self.id, self.start) {
            let block = block?;
            if self.except.is_empty() && left == u64::MAX {
                out.write_all(block.as_bytes())?;
                continue;
            }
            for line in block.split_inclusive('\n').filter(|line| !self.leaves_out(line)) {
                if left == 0 {
                    break 'blocks;
                }
                out.write_all(line.as_bytes())?;
                left -= 1;
            }
        }
        Ok(out.flush()?)
    }

    fn leaves_out(&self, line: &str) -> bool {
        !self.except.is_empty() && kind_of(line).is_some_and(|kind| self.except.contains(&kind))
    }

    fn print_timeline(&self, sessions: &Sessions) -> Result<()> {
        let mut out = output::people();
        let header = sessions.header(&self.id)?;
        writeln!(out, "{DIM}{}{DIM:#}", text::line(&state::origin(&header)))?;
        let except: Vec<&str> = self.except.iter().map(String::as_str).collect();
        let mut timeline = Timeline::new();
        let most = usize::try_from(self.max).unwrap_or(usize::MAX);
        for event in sessions.events(&self.id, self.start).except(&except).take(most) {
            timeline.print(&mut out, &event?)?;
        }
        Ok(out.flush()?)
    }
}
