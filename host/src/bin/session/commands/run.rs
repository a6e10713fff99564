//! `session run`

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;
use session_host::{DamageKind, Error, Grant, HarnessError, Limits, Sessions, StorageError};

use crate::exit::{Exit, Failure};
use crate::output;
use crate::place::{self, Place};
use crate::view::text;

/// No harness is larger, in bytes.
const LARGEST_HARNESS: u64 = 256_000_000;
/// No reason that a harness gives is told in more columns.
const LONGEST_REASON: usize = 500;

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
        let wasm = read(&self.harness)?;
        let engine = place::engine()?;
        let sessions = place.sessions_with(&engine)?;
        can_be_worked_on(&sessions, id)?;
        let harness = engine.load_harness(&wasm).with_context(|| format!("can't load the harness {file}"))?;
        let limits = Limits { deadline: self.timeout, ..Limits::default() };
        let outcome = harness.run(&sessions, Grant::session(id), limits, id, &self.input).map_err(in_short);
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

/// The bytes of a harness. What is endless or takes turns with a writer is no file of one.
pub fn read(file: &Path) -> Result<Vec<u8>> {
    let what = || format!("can't read the harness {}", file.display());
    let metadata = fs::metadata(file).with_context(what)?;
    if !metadata.is_file() {
        return Err(Failure::new(Exit::Other, format!("{}: it is no regular file", what())).into());
    }
    if metadata.len() > LARGEST_HARNESS {
        let (size, most) = (text::size(metadata.len()), text::size(LARGEST_HARNESS));
        return Err(Failure::new(Exit::Other, format!("{}: it has {size}, and {most} are the most", what())).into());
    }
    fs::read(file).with_context(what)
}

/// A harness may say as much as it likes; of why it ended, a sentence is told.
fn in_short(error: HarnessError) -> HarnessError {
    match error {
        HarnessError::Refused(said) => HarnessError::Refused(text::fit(&said, LONGEST_REASON)),
        HarnessError::Trapped(said) => HarnessError::Trapped(text::fit(&said, LONGEST_REASON)),
        error => error,
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
