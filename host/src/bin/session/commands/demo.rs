//! `session demo`

mod story;

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use session_host::{Engine, Error, Grant, Harness, HarnessError, Limits, Pairing, SessionState, WakeOptions};

use self::story::Story;
use crate::exit::Exit;
use crate::output;
use crate::place::{self, Place};

/// The harness, built from `examples/demo-harness` and committed.
const HARNESS: &[u8] = include_bytes!("../../../../component/demo-harness.wasm");
/// The session's name.
const ID: &str = "demo";
/// How long the harness may compute before it is stopped; what it has to say takes a fraction of this.
const DEADLINE: Duration = Duration::from_secs(1);

/// `demo` takes nothing.
#[derive(clap::Args)]
pub struct Args {}

impl Args {
    /// Plays the demonstration; fails if a step does not come out as told.
    pub fn run(&self, _: &Place, json: bool) -> Result<Exit> {
        let folder = tempfile::Builder::new().prefix("session-demo-").tempdir();
        // Kept once it has come out, to be looked at.
        let folder = folder.context("can't make a temporary folder")?;
        let root = folder.path().to_owned();
        let mut story = if json { Story::silent() } else { Story::told() };
        story.opening(&root)?;
        let engine = place::engine()?;
        let log = root.join(format!("{ID}.jsonl"));
        let stage = Stage { harness: engine.load_harness(HARNESS)?, place: Place::at(root), log, engine };

        let stopped = stage.stop_a_harness(&mut story)?;
        stage.tear_the_tail(&mut story)?;
        let woken = stage.wake(&mut story, &stopped)?;
        stage.wake_again(&mut story)?;
        let answer = stage.finish(&mut story, &woken)?;
        story.closing(&stage.place, ID)?;
        let root = folder.keep();

        if json {
            let damage = &woken.recovery.damage;
            output::json([json!({
                "root": root, "session": ID, "kept": stopped.length, "cut": damage.as_ref().map(|d| d.length),
                "closed": woken.recovery.closers.len(), "answer": answer,
            })])?;
        }
        Ok(Exit::Done)
    }
}

/// What the steps share. Each opens the sessions anew, as another process would.
struct Stage {
    engine: Engine,
    harness: Harness,
    place: Place,
    log: PathBuf,
}

impl Stage {
    fn run(&self, input: &str) -> Result<Result<String, HarnessError>> {
        let limits = Limits { deadline: DEADLINE, ..Limits::default() };
        let sessions = self.place.sessions_with(&self.engine)?;
        Ok(self.harness.run(&sessions, Grant::session(ID), limits, ID, input))
    }

    fn read_log(&self) -> Result<Vec<u8>> {
        fs::read(&self.log).with_context(|| format!("can't read {}", self.log.display()))
    }

    fn stop_a_harness(&self, story: &mut Story) -> Result<SessionState> {
        story.step("A harness in a sandbox calls two tools, hangs, and is stopped by its deadline")?;
        match self.run("stall")? {
            Err(HarnessError::Deadline { .. }) => {}
            Err(error) => return Err(error.into()),
            Ok(answer) => bail!("the harness was to be stopped by its deadline, but answered: {answer}"),
        }
        let sessions = self.place.sessions_with(&self.engine)?;
        story.events(sessions.events(ID, 0))?;
        story.note(&format!("stopped after {DEADLINE:?}, with its turn open and a call unanswered"))?;
        Ok(sessions.inspect(ID)?)
    }

    fn tear_the_tail(&self, story: &mut Story) -> Result<()> {
        story.step("The power fails in the middle of a write: half a record is left")?;
        let sessions = self.place.sessions_with(&self.engine)?;
        let next = sessions.inspect(ID)?.length;
        drop(sessions);
        let half = format!(r#"{{"type":"tool/result","seq":{next},"data":{{"callId":"call-2","content":[{{"type":"te"#);
        let mut log = File::options().append(true).open(&self.log).context("can't open the log to tear it")?;
        log.write_all(half.as_bytes()).context("can't tear the log")?;
        story.torn(&half)?;
        // Nobody writes behind damage: it would become part of the log.
        match self.place.sessions_with(&self.engine)?.emit(ID, "user/message", &json!({ "content": "hello?" })) {
            Err(Error::NeedsWake(damage)) => story.refused(&damage),
            Err(error) => Err(error.into()),
            Ok(seq) => bail!("an event was appended behind the torn tail, as {seq}"),
        }
    }

    fn wake(&self, story: &mut Story, stopped: &SessionState) -> Result<SessionState> {
        story.step("The session is woken")?;
        let before = self.read_log()?;
        let sessions = self.place.sessions_with(&self.engine)?;
        let woken = sessions.wake(ID, WakeOptions::default())?;
        let Some(damage) = &woken.recovery.damage else { bail!("the torn tail was not found") };
        let sound = usize::try_from(damage.offset)?;
        ensure!(self.read_log()?.starts_with(&before[..sound]), "waking changed what was sound");
        ensure!(damage.expected == stopped.length, "waking lost events");
        story.recovered(&woken)?;
        story.step("What a model is told when the session goes on")?;
        story.messages(sessions.messages(ID, Pairing::Paired))?;
        Ok(woken)
    }

    fn wake_again(&self, story: &mut Story) -> Result<()> {
        story.step("Woken a second time, nothing changes")?;
        let before = self.read_log()?;
        self.place.sessions_with(&self.engine)?.wake(ID, WakeOptions::default())?;
        ensure!(self.read_log()? == before, "a second wake changed the log");
        story.note(&format!("{} bytes before and after, equal one by one", before.len()))
    }

    fn finish(&self, story: &mut Story, woken: &SessionState) -> Result<String> {
        story.step("A fresh harness finds its place from the log alone, and finishes the work")?;
        let answer = self.run("")??;
        let sessions = self.place.sessions_with(&self.engine)?;
        story.events(sessions.events(ID, woken.length))?;
        story.note(&format!("it answers: {answer}"))?;
        Ok(answer)
    }
}
