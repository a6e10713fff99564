//! Where measuring happens: a folder on the disk of the workspace, and one engine for all.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use session_host::{Engine, JsonlFolder, Limits, Sessions};
use tempfile::TempDir;

use crate::large::Large;
use crate::tree::Trees;

/// From the workspace's folder, in which `cargo xtask` runs this.
pub const TARGET: &str = "target/bench";

/// A folder that is gone in the end, and what is shared in it.
pub struct Place {
    /// Smaller sizes and fewer rounds, so that all is over within a minute.
    pub quick: bool,
    pub engine: Engine,
    large: OnceCell<Large>,
    trees: OnceCell<Trees>,
    /// Goes last, when nothing is open any more.
    dir: TempDir,
}

impl Place {
    pub fn new(quick: bool) -> Result<Self> {
        fs::create_dir_all(TARGET).with_context(|| format!("can't make {TARGET}"))?;
        let dir = tempfile::tempdir_in(TARGET).with_context(|| format!("can't make a folder in {TARGET}"))?;
        Ok(Self { quick, engine: Engine::new()?, large: OnceCell::new(), trees: OnceCell::new(), dir })
    }

    /// The one or the other.
    pub fn size<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// A path of that name.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The sessions of a folder, served as they are for anybody.
    pub fn sessions(&self, folder: &Path) -> Result<Sessions> {
        Ok(Sessions::new(&self.engine, JsonlFolder::open(folder)?))
    }

    /// The same for a log that takes its time, in a memory of 16 MiB.
    pub fn small(&self, folder: &Path) -> Result<Sessions> {
        let limits = Limits { memory: 16 << 20, deadline: Duration::from_secs(600) };
        Ok(Sessions::builder(&self.engine).limits(limits).open(JsonlFolder::open(folder)?))
    }

    /// The large log, written when it is first wanted.
    pub fn large(&self) -> Result<&Large> {
        once(&self.large, || Large::write(self))
    }

    /// The large tree and its like in maps, filled when they are first wanted.
    pub fn trees(&self) -> Result<&Trees> {
        once(&self.trees, || Trees::fill(self))
    }
}

fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(made) = cell.get() {
        return Ok(made);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}
