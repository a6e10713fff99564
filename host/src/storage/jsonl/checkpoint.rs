//! A note of the component's own beside a log. It may be lost at any time, so nothing here is synced.

use std::io;

use super::super::Result;
use super::super::explain::Explain;
use super::super::name::Name;
use super::disk::{Access, File, Folder, missing_is};

/// A larger file is no note of ours.
const LENGTH_MAX: u64 = 16 << 20;

/// Puts a note in the place of the last one. For the log's holder, so one does it at a time.
pub(super) fn save(folder: &impl Folder, name: &Name, content: &[u8]) -> Result<()> {
    let (temp, note) = (name.checkpoint_temp(), name.checkpoint());
    let write = || {
        missing_is(folder.unlink(&temp), ())?;
        folder.create(&temp)?.append(content)?;
        folder.rename(&temp, &note)
    };
    write().inspect_err(|_: &io::Error| drop(folder.unlink(&temp))).explain("save", &note)
}

/// The note, or nothing where there is none that can be read: it only saves time, so nobody is to be stopped by it.
pub(super) fn load(folder: &impl Folder, name: &Name) -> Vec<u8> {
    let read = || {
        let (file, stat) = folder.open(name.checkpoint(), Access::Read)?;
        if stat.length > LENGTH_MAX { Ok(Vec::new()) } else { file.read(0, stat.length) }
    };
    read().unwrap_or_else(|_: io::Error| Vec::new())
}
