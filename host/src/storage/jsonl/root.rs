//! The folder that holds the logs, and what all holders on it share.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::path::Path;
use std::sync::Mutex;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::super::extent::Extent;
use super::super::lock::lock;
use super::super::make::make;
use super::disk::{Folder, Identity, OsFolder};

#[derive(Debug)]
pub(super) struct Root<F> {
    pub(super) folder: F,
    /// The kernel's list of locks, if the caller gave the authority to open it.
    locks: Option<Mutex<File>>,
    /// Logs whose last sync failed and whose writer let them go before it could write the bytes again.
    unsynced: Mutex<HashMap<String, (Identity, Extent)>>,
}

impl Root<OsFolder> {
    pub(super) fn from_dir(dir: &Dir) -> io::Result<Self> {
        OsFolder::reopen(dir).map(Self::on)
    }

    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let dir = match Dir::open_ambient_dir(path, ambient_authority()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                make(path)?;
                Dir::open_ambient_dir(path, ambient_authority())?
            }
            opened => opened?,
        };
        Ok(Self { locks: File::open("/proc/locks").ok().map(Mutex::new), ..Self::from_dir(&dir)? })
    }
}

impl<F: Folder> Root<F> {
    pub(super) fn on(folder: F) -> Self {
        Self { folder, locks: None, unsynced: Mutex::default() }
    }

    /// Who holds the lock on a file, in words, where the system tells.
    pub(super) fn holder(&self, file: Identity) -> Option<String> {
        let mut locks = String::new();
        let mut list = lock(self.locks.as_ref()?);
        list.rewind().and_then(|()| list.read_to_string(&mut locks)).ok()?;
        let pid = holder_in(&locks, file.device, file.inode)?;
        Some(if pid == std::process::id() { "this process".into() } else { format!("process {pid}") })
    }

    pub(super) fn remember_unsynced(&self, name: &str, file: Identity, extent: Extent) {
        lock(&self.unsynced).insert(name.to_owned(), (file, extent));
    }

    pub(super) fn recall_unsynced(&self, name: &str, file: Identity) -> Option<Extent> {
        let (of, extent) = lock(&self.unsynced).remove(name)?;
        (of == file).then_some(extent)
    }
}

/// Reads lines such as `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`.
fn holder_in(locks: &str, device: u64, inode: u64) -> Option<u32> {
    let place = format!("{:02x}:{:02x}:{inode}", rustix::fs::major(device), rustix::fs::minor(device));
    locks.lines().find_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let (kind, mode) = (fields.next()?, fields.nth(1)?);
        let (pid, of) = (fields.next()?, fields.next()?);
        (kind == "FLOCK" && mode == "WRITE" && of == place).then(|| pid.parse().ok())?
    })
}

#[cfg(test)]
mod tests;
