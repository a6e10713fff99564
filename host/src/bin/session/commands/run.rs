//! `session run`

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;
use session_host::{DamageKind, Error, Grant, HarnessError, Limits, Sessions, StorageError};

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
    pub id: String,
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
        let id = self.id.as_str();
        let file = self.harness.display();
        let wasm = fs::read(&self.harness).with_context(|| format!("can't read the harness {file}"))?;
        let engine = place::engine()?;
        let sessions = place.sessions_with(&engine)?;
        can_be_worked_on(&sessions, id)?;
        let harness = engine.load_harness(&wasm).with_context(|| format!("can't load the harness {file}"))?;
        let limits = Limits { deadline: self.timeout, ..Limits::default() };
        let outcome = harness.run(&sessions, Grant::session(id), limits, id, &self.input);
        let answer = outcome.map_err(|error| cause(error, &sessions, id))?;
        match json {
            true => output::json([json!({ "answer": answer })])?,
            false => output::line(format_args!("{}", text::block(&answer)))?,
        }
        Ok(Exit::Done)
    }
}

/// A harness is not started on a session that nobody can work on now. One that is not there may be its to create.
fn can_be_worked_on(sessions: &Sessions, id: &str) -> Result<()> {
    match sessions.header(id) {
        Err(Error::NotFound(_)) => return Ok(()),
        header => drop(header?),
    }
    // A claim is the harness's own. Whether there is one to be had is seen by taking it, for an instant.
    match sessions.storage().sibling()?.acquire(id) {
        Err(StorageError::Busy(who)) => Err(Error::Busy(who).into()),
        claimed => Ok(claimed.map(drop)?),
    }
}

/// What a harness tells of a damaged log is words alone; the damage itself tells what to do.
fn cause(error: HarnessError, sessions: &Sessions, id: &str) -> anyhow::Error {
    let damage = match &error {
        HarnessError::Refused(_) => sessions.inspect(id).ok().and_then(|state| state.recovery.damage),
        _ => None,
    };
    match damage {
        Some(damage) if damage.kind != DamageKind::Torn => anyhow::Error::new(Error::Corrupt(damage)).context(error),
        _ => error.into(),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("more than 0 seconds are needed".to_owned()),
    }
}
