//! `session run`

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;
use session_host::{Grant, Limits};

use super::wake;
use crate::exit::Exit;
use crate::output;
use crate::place::{self, Place};
use crate::view::text;

/// What `run` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The harness: a WebAssembly component of the world `harness`
    #[arg(value_name = "HARNESS.wasm")]
    harness: PathBuf,
    /// The one session that it may touch
    pub id: Option<String>,
    /// What to tell it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    input: String,
    /// How many seconds it may compute; compiling it does not count
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds)]
    timeout: Duration,
}

impl Args {
    /// Runs the harness and prints the line that it answers.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let id = wake::needed(self.id.as_deref(), "run", place)?;
        let file = self.harness.display();
        let wasm = fs::read(&self.harness).with_context(|| format!("can't read the harness {file}"))?;
        let engine = place::engine()?;
        let harness = engine.load_harness(&wasm).with_context(|| format!("can't load the harness {file}"))?;
        let sessions = place.sessions_with(&engine)?;
        let limits = Limits { deadline: self.timeout, ..Limits::default() };
        let answer = harness.run(&sessions, Grant::session(id), limits, id, &self.input)?;
        match json {
            true => output::json([json!({ "answer": answer })])?,
            false => output::line(format_args!("{}", text::block(&answer)))?,
        }
        Ok(Exit::Done)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("more than 0 seconds are needed".to_owned()),
    }
}
