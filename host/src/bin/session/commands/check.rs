//! `session check`

use std::io::{self, Write};

use anyhow::Result;
use serde_json::json;

use crate::exit::Exit;
use crate::output::{self, GREEN};
use crate::place::Place;
use crate::view::{state, text};

/// What `check` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to check
    pub id: String,
}

impl Args {
    /// Prints a line for each rule that is broken.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let broken = sessions.check(&self.id)?;
        let told = match json {
            true => output::json(broken.iter().map(|rule| json!({ "broken": rule }))),
            false => print(&broken),
        };
        state::warn_of_damage(&sessions, &self.id, "checked", place);
        if broken.is_empty() { Exit::Done } else { Exit::Other }.told(told)
    }
}

fn print(broken: &[String]) -> io::Result<()> {
    if broken.is_empty() {
        return output::line(format_args!("{GREEN}no rule is broken{GREEN:#}"));
    }
    let mut out = output::people();
    broken.iter().try_for_each(|rule| writeln!(out, "{}", text::line(rule)))?;
    out.flush()
}
