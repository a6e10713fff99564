//! Where the sessions are, and what opens them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use directories::ProjectDirs;
use session_host::{Engine, JsonlFolder, Limits, Memory, Sessions};

use crate::exit::{self, Exit, Failure};
use crate::view::text;

/// A person can stop a command that takes too long; a log of many gigabytes may take its time.
const DEADLINE: Duration = Duration::from_secs(600);

/// The folder of the sessions that a command is about.
pub struct Place {
    root: PathBuf,
    /// It was named on the command line, so commands that we tell people to type have to name it too.
    named: bool,
}

impl Place {
    /// `--root`, else `SESSION_ROOT`, else the platform's data folder.
    pub fn find(flag: Option<&Path>) -> Result<Self> {
        if let Some(root) = flag {
            return Ok(Self { root: root.to_owned(), named: true });
        }
        let set = env::var_os("SESSION_ROOT").filter(|root| !root.is_empty()).map(PathBuf::from);
        let root = set.or_else(|| folders().map(|folders| folders.data_dir().to_owned())).ok_or_else(|| {
            Failure::usage(
                "there is no home folder to keep sessions in; say where they are with --root or SESSION_ROOT",
            )
        })?;
        Ok(Self { root, named: false })
    }

    /// A folder that is known to be there.
    pub fn at(root: PathBuf) -> Self {
        Self { root, named: true }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The sessions of a folder that need not be there: then it is as good as empty, and is not made.
    pub fn sessions(&self) -> Result<Sessions> {
        if self.is_missing() {
            return Ok(open(&engine()?, Memory::new()));
        }
        Ok(open(&engine()?, JsonlFolder::open(&self.root)?))
    }

    /// The sessions of the folder, which is made if it isn't there.
    pub fn sessions_or_new(&self) -> Result<Sessions> {
        self.sessions_with(&engine()?)
    }

    /// The same with an engine that is there already.
    pub fn sessions_with(&self, engine: &Engine) -> Result<Sessions> {
        let folder = JsonlFolder::open(&self.root).map_err(|error| self.why_not_made().unwrap_or(error.into()))?;
        Ok(open(engine, folder))
    }

    /// Why there can be no such folder; none if it is there, or what is there is to blame.
    fn why_not_made(&self) -> Option<anyhow::Error> {
        if self.root.is_symlink() {
            return None;
        }
        let why = fs::create_dir_all(&self.root).err()?;
        let sentence = format!("can't create the folder {}: {}", self.root.display(), exit::reason(&why));
        Some(Failure::new(Exit::from(&why), sentence).into())
    }

    fn is_missing(&self) -> bool {
        matches!(self.root.try_exists(), Ok(false)) && !self.root.is_symlink()
    }

    /// How a person types this command about this folder.
    pub fn command(&self, rest: &str) -> String {
        match self.named {
            true => format!("{} --root {} {rest}", program(), text::quote(&self.root.to_string_lossy())),
            false => format!("{} {rest}", program()),
        }
    }
}

/// The component, compiled at most once per machine and version.
pub fn engine() -> Result<Engine> {
    let engine = match folders() {
        Some(folders) => Engine::with_cache(folders.cache_dir()),
        None => Engine::new(),
    };
    engine.context("can't prepare the session component")
}

fn open(engine: &Engine, store: impl session_host::Storage + 'static) -> Sessions {
    Sessions::builder(engine).limits(Limits { deadline: DEADLINE, ..Limits::default() }).instances(1).open(store)
}

fn folders() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "agent-session")
}

/// How this program was called, so that what we tell people to type works for them (`cargo run` calls it by its path).
fn program() -> String {
    let called = env::args_os().next().unwrap_or_else(|| OsString::from("session"));
    text::quote(&called.to_string_lossy())
}
