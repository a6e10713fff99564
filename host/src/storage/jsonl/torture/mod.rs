//! Whole sessions on a disk that loses power and fails: what was acknowledged is there, whatever happened.
//!
//! A [`history`](history) is played once through the real component, while the disk records what it was before each
//! change. Then power is cut at each of these moments, in every way that the disk knows, and what a new machine finds
//! is held against what had been promised by then.
//!
//! Everything follows from one seed, which a failure names: `cargo xtask torture --seed N` plays it again.

mod cases;
mod faults;
mod found;
mod history;
mod judge;
mod player;
mod power;
mod promises;

use std::sync::LazyLock;

use super::JsonlFolder;
use super::disk::simulated::{Disk, SimulatedFolder};
use super::root::Root;
use crate::engine::Engine;
use crate::sessions::Sessions;

/// The sessions that all histories are about.
const IDS: [&str; 3] = ["a", "b", "fork"];

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new().expect("the component compiles"));

fn store(disk: &Disk) -> JsonlFolder<SimulatedFolder> {
    JsonlFolder::on(Root::on(disk.folder()))
}

pub(super) fn sessions(storage: std::sync::Arc<dyn crate::storage::Storage>) -> Sessions {
    Sessions::builder(&ENGINE).instances(1).clock(|| 1_763_681_581_550).open_shared(storage)
}

/// All events as lines.
pub(super) fn lines(sessions: &Sessions, id: &str) -> crate::error::Result<Vec<String>> {
    let text = sessions.lines(id, 0).collect::<crate::error::Result<String>>()?;
    Ok(text.split_inclusive('\n').map(String::from).collect())
}
