//! The file that holds the logs: found, and made.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::super::explain::Explain;
use super::super::lock::lock;
use super::super::make::make;
use super::super::{Result, StorageError};
use super::fail::beside;
use super::files::Files;
use super::lock::Locks;
use super::open::Open;
use super::{connection, fail, in_use};

/// How the names of SQLite's own files end.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The place of a database, and the database there once there is one.
#[derive(Debug)]
pub(super) struct Database {
    pub(super) path: PathBuf,
    pub(super) locks: Locks,
    open: Mutex<Option<Arc<Open>>>,
}

impl Database {
    pub(super) fn at(path: &Path) -> Result<Self> {
        let path = whole(path).explain("find", &path.display().to_string())?;
        let database = Self { locks: Locks::of(&path), path, open: Mutex::default() };
        database.open()?;
        Ok(database)
    }

    /// The database that is there now; none if nothing was ever kept in it.
    pub(super) fn open(&self) -> Result<Option<Arc<Open>>> {
        let mut open = lock(&self.open);
        let found = Files::of(&self.path)?;
        if let Some(known) = open.take() {
            if known.is_open_on(found.as_ref()) {
                return Ok(Some(open.insert(known).clone()));
            }
            known.shut();
        }
        let Some(found) = found else { return self.check_nothing_waits().map(|()| None) };
        *open = in_use::open(&self.path, &found)?;
        Ok(open.clone())
    }

    /// SQLite would remove what waits for a database that is not there.
    fn check_nothing_waits(&self) -> Result<()> {
        let wal = beside(&self.path, "-wal");
        if fs::metadata(&wal).is_ok_and(|wal| wal.len() > 0) {
            let (database, wal) = (fail::name(&self.path), fail::name(&wal));
            return Err(StorageError::damaged(format!(
                "the database `{database}` is missing or empty, and the last changes to it still stand in `{wal}`; put back \
                 the `{database}` that belongs to it, or move `{wal}` away"
            )));
        }
        Ok(())
    }

    /// The same, made if it isn't there.
    pub(super) fn open_or_new(&self) -> Result<Arc<Open>> {
        loop {
            if let Some(open) = self.open()? {
                return Ok(open);
            }
            self.make()?;
        }
    }

    fn make(&self) -> Result<()> {
        let folder = folder(&self.path);
        make(folder).explain("create the folder", &folder.display().to_string())?;
        let _making = self.locks.making()?;
        if self.open()?.is_some() {
            return Ok(());
        }
        // SQLite gives the files beside it the rights of this one. It must be closed before anybody opens it with SQLite,
        // whose locks would end with it; so an empty file is nobody's to open but ours.
        create(&self.path).explain("create", &fail::name(&self.path))?;
        connection::set_up(&self.path).map_err(|fault| fault.explain("make tables", &self.path))?;
        sync_folder(&self.path).explain("make durable the name of", &fail::name(&self.path))
    }
}

/// The same place by a path that is good wherever this process goes, and that all who mean this place have.
fn whole(path: &Path) -> io::Result<PathBuf> {
    let refuse = |why| Err(io::Error::new(ErrorKind::InvalidInput, why));
    let Some(name) = path.file_name() else { return refuse("it ends with no name of a file") };
    if path.as_os_str().as_bytes().ends_with(b"/") {
        return refuse("it ends with a slash, as a folder does, and a database is a file");
    }
    if BESIDE.iter().any(|ending| name.as_bytes().ends_with(ending.as_bytes())) {
        return refuse(
            "a name that ends in -wal, -shm or -journal is that of a file which SQLite keeps beside a database",
        );
    }
    let path = std::path::absolute(path)?;
    match path.canonicalize() {
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            Err(io::Error::other("it is a link that leads nowhere"))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Ok(folder(&path).canonicalize().map_or_else(|_| path.clone(), |folder| folder.join(name)))
        }
        found => found,
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

/// An empty file, for its owner alone.
fn create(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        // The umask may have taken more than it should.
        Ok(file) => file.set_permissions(Permissions::from_mode(0o600)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes the names beside the database durable.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder(path))?.sync_all()
}
