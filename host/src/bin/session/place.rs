//! Where the sessions are, and what opens them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use directories::ProjectDirs;
use session_host::{Engine, Limits, Sessions, Storage};

use crate::exit::Failure;
use crate::store::Store;
use crate::view::text;

/// A person can stop a command that takes too long; a log of many gigabytes may take its time.
const DEADLINE: Duration = Duration::from_secs(600);

/// The sessions that a command is about.
pub struct Place {
    store: Store,
    /// How it was named on the command line, if it was: commands that we tell people to type have to name it too.
    typed: Option<String>,
}

impl Place {
    /// `--store` or `--root`, else `SESSION_STORE`, else `SESSION_ROOT`, else the platform's data folder.
    pub fn find(store: Option<&Store>, root: Option<&Path>) -> Result<Self> {
        if let Some(store) = store {
            return Ok(Self::of(store.clone()));
        }
        if let Some(root) = root {
            return Ok(Self::at(root.to_owned()));
        }
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        if let Some(store) = set("SESSION_STORE") {
            let store = Store::parse(&store).map_err(|wrong| Failure::usage(format!("SESSION_STORE {wrong}")))?;
            return Ok(Self { store, typed: None });
        }
        let root = set("SESSION_ROOT").map(PathBuf::from);
        let root = root.or_else(|| folders().map(|folders| folders.data_dir().to_owned())).ok_or_else(|| {
            Failure::usage(
                "there is no home folder to keep sessions in; say where they are with --root or SESSION_ROOT",
            )
        })?;
        Ok(Self { store: Store::Folder(root), typed: None })
    }

    /// The sessions of a folder.
    pub fn at(root: PathBuf) -> Self {
        let typed = Some(format!("--root {}", text::quote(&root.to_string_lossy())));
        Self { store: Store::Folder(root), typed }
    }

    /// The sessions of a store.
    pub fn of(store: Store) -> Self {
        let typed = Some(format!("--store {}", text::quote(&store.to_string())));
        Self { store, typed }
    }

    /// What they are kept in.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The sessions of a store that need not be there: then it is as good as empty, and is not made.
    pub fn sessions(&self) -> Result<Sessions> {
        Ok(open(&engine()?, self.store.open()?))
    }

    /// The sessions of the store, which is made if it isn't there.
    pub fn sessions_or_new(&self) -> Result<Sessions> {
        self.sessions_with(&engine()?)
    }

    /// The same with an engine that is there already.
    pub fn sessions_with(&self, engine: &Engine) -> Result<Sessions> {
        Ok(open(engine, self.store.open_or_new()?))
    }

    /// How a person types this command about this store.
    pub fn command(&self, rest: &str) -> String {
        match &self.typed {
            Some(typed) => format!("{} {typed} {rest}", program()),
            None => format!("{} {rest}", program()),
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

/// The sessions of a store.
pub fn open(engine: &Engine, store: Arc<dyn Storage>) -> Sessions {
    Sessions::builder(engine).limits(Limits { deadline: DEADLINE, ..Limits::default() }).instances(1).open_shared(store)
}

fn folders() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "agent-session")
}

/// How this program was called, so that what we tell people to type works for them (`cargo run` calls it by its path).
fn program() -> String {
    let called = env::args_os().next().unwrap_or_else(|| OsString::from("session"));
    text::quote(&called.to_string_lossy())
}
