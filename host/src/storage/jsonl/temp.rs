//! A file that is to become a log.

use std::fs::TryLockError;
use std::io::{self, ErrorKind};

use super::super::explain::Explain;
use super::super::name::Name;
use super::super::{Result, StorageError};
use super::disk::{Access, File, Folder};

/// An empty file, locked, with the name that the unfinished log of an id has. Whoever wants to make that log has to get
/// this first, so one does it at a time. It goes when this value does, unless it was renamed.
#[derive(Debug)]
pub(super) struct Temp<'a, F: Folder> {
    name: Doomed<'a, F>,
    file: F::File,
}

impl<'a, F: Folder> Temp<'a, F> {
    pub(super) fn make(folder: &'a F, name: &Name) -> Result<Self> {
        let name = name.log_temp();
        loop {
            match folder.create(&name) {
                // Until it is locked, another who finds it must take it for a leftover.
                Ok(file) if lock(folder, &name, &file)? => {
                    return Ok(Self { name: Doomed { folder, name, doomed: true }, file });
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => sweep(folder, &name)?,
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Err(StorageError::Failed(format!(
                        "can't create `{name}`: the store's folder was removed, or is none in which files can be made"
                    )));
                }
                Err(error) => return Err(error).explain("create", &name),
            }
        }
    }

    pub(super) fn file(&self) -> &F::File {
        &self.file
    }

    /// Gives the file its final name, if nothing has it.
    pub(super) fn rename(mut self, to: &str) -> io::Result<F::File> {
        self.name.folder.rename_new(&self.name.name, to)?;
        self.name.doomed = false;
        Ok(self.file)
    }
}

/// Removes what a crash has left; [`StorageError::Busy`] if somebody is at work on it.
fn sweep(folder: &impl Folder, name: &str) -> Result<()> {
    match folder.open(name, Access::Read) {
        Ok((file, _)) if lock(folder, name, &file)? => folder.unlink(name).explain("remove", name),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).explain("open", name),
    }
}

/// Whether the file is locked and still has its name.
fn lock(folder: &impl Folder, name: &str, file: &impl File) -> Result<bool> {
    match file.try_lock() {
        Ok(()) => file.stat().and_then(|stat| folder.leads_to(name, stat.identity)).explain("look at", name),
        Err(TryLockError::WouldBlock) => Err(StorageError::Busy(format!("it is being created as `{name}`"))),
        Err(TryLockError::Error(error)) => Err(error).explain("lock", name),
    }
}

/// A name that is removed in the end.
#[derive(Debug)]
struct Doomed<'a, F: Folder> {
    folder: &'a F,
    name: String,
    doomed: bool,
}

impl<F: Folder> Drop for Doomed<'_, F> {
    fn drop(&mut self) {
        if self.doomed {
            // What can't be removed now is removed by whoever makes that log next.
            let _ = self.folder.unlink(&self.name);
        }
    }
}
