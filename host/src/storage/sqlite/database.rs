//! The file that holds the logs: found, made, and opened as often as it is worked on at once.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::super::jsonl::fail::Explain;
use super::super::jsonl::root::{lock, make};
use super::super::{Result, StorageError};
use super::connection::{self, Connected, Kind};
use super::fail::{self, Fault};
use super::files::Files;
use super::lock::Locks;
use super::wal::Wal;

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
            if known.shared && found.as_ref() == Some(&known.files) {
                return Ok(Some(open.insert(known).clone()));
            }
            // What does not take part has nothing open, and is tried again each time.
            if known.shared {
                known.shut();
            }
        }
        let Some(found) = found else { return Ok(None) };
        *open = Open::at(&self.path, &found)?.map(Arc::new);
        Ok(open.clone())
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

/// A database that is there.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) path: PathBuf,
    files: Files,
    /// Whether it takes part in the locks.
    shared: bool,
    /// Connections that nobody is using. There is always one while the database is open: with the last one SQLite would
    /// remove the write-ahead log.
    idle: Mutex<Vec<Connection>>,
    /// The files are others now, and nothing is done in these any more. Whoever is using a connection keeps it from changing.
    shut: RwLock<bool>,
    /// One writes at a time anyway; in one process they need not find that out by trying.
    writing: Mutex<()>,
    pub(super) wal: Wal,
}

impl Open {
    fn at(path: &Path, found: &Files) -> Result<Option<Self>> {
        found.check_name(path)?;
        let Connected { connection, kind } = connection::open(path).map_err(|fault| fault.explain("read", path))?;
        // SQLite has made those beside it.
        let files = Files::of(path)?.filter(|files| files.database == found.database).ok_or_else(|| moved(path))?;
        let open = Self {
            path: path.to_owned(),
            files,
            shared: kind == Kind::Shared,
            idle: Mutex::default(),
            shut: RwLock::default(),
            writing: Mutex::default(),
            wal: Wal::default(),
        };
        match kind {
            Kind::Blank => return Ok(None),
            Kind::Shared => open.give_back(connection),
            Kind::Still | Kind::Cramped => {}
        }
        Ok(Some(open))
    }

    fn take(&self) -> Result<Connected, Fault> {
        match lock(&self.idle).pop() {
            Some(connection) => Ok(Connected { connection, kind: Kind::Shared }),
            None => connection::open(&self.path),
        }
    }

    fn give_back(&self, connection: Connection) {
        lock(&self.idle).push(connection);
    }

    /// Whether these are still the files of the database.
    pub(super) fn is_current(&self) -> Result<bool> {
        let shut = *self.shut.read().unwrap_or_else(PoisonError::into_inner);
        Ok(!shut && Files::of(&self.path)?.as_ref() == Some(&self.files))
    }

    fn check_current(&self) -> Result<()> {
        if Files::of(&self.path)?.as_ref() == Some(&self.files) { Ok(()) } else { Err(moved(&self.path)) }
    }

    /// Keeps the connections open until the answer is dropped.
    fn stay(&self) -> Result<RwLockReadGuard<'_, bool>> {
        let shut = self.shut.read().unwrap_or_else(PoisonError::into_inner);
        if *shut { Err(moved(&self.path)) } else { Ok(shut) }
    }

    /// Lets go of the files, which are others now. As long as one connection of this process has the old ones open, SQLite
    /// gives their shared memory to the next. What waits in the old write-ahead log must not get into the database any more:
    /// somebody else may have written there.
    fn shut(&self) {
        let mut shut = self.shut.write().unwrap_or_else(PoisonError::into_inner);
        *shut = true;
        for connection in lock(&self.idle).drain(..) {
            let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }

    /// Looks at the database as it stands at one moment.
    pub(super) fn read<T>(&self, doing: &str, act: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T> {
        let explain = |fault: Fault| fault.explain(doing, &self.path);
        let _open = self.stay()?;
        let Connected { mut connection, kind } = self.take().map_err(explain)?;
        if kind == Kind::Shared {
            let answer = connection.transaction().map_err(Fault::from).and_then(|at_once| act(&at_once));
            self.give_back(connection);
            return answer.map_err(explain);
        }
        // Nobody keeps writers away from what is read so; but they can be seen to have been there.
        let before = connection::Stamp::of(&self.path);
        let answer = act(&connection).map_err(explain);
        match connection::Stamp::of(&self.path) == before {
            true => answer,
            false => Err(StorageError::Failed(format!(
                "the database `{}` was written to while it was read without the right to take part; try again",
                fail::name(&self.path)
            ))),
        }
    }

    /// Changes the database, all or nothing. When it returns the operating system has it.
    pub(super) fn write<T>(&self, doing: &str, act: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T> {
        let explain = |fault: Fault| fault.explain(doing, &self.path);
        let _writing = lock(&self.writing);
        let _open = self.stay()?;
        self.check_current()?;
        let Connected { mut connection, kind } = self.take().map_err(explain)?;
        if !self.shared
            || kind != Kind::Shared
            || connection.is_readonly("main").map_err(Fault::from).map_err(explain)?
        {
            return Err(self.closed_to_writers(kind));
        }
        let answer = connection::change(&mut connection, act);
        self.give_back(connection);
        let answer = answer.map_err(explain)?;
        self.check_current()?;
        Ok(answer)
    }

    fn closed_to_writers(&self, kind: Kind) -> StorageError {
        if kind == Kind::Cramped {
            return StorageError::NoSpace;
        }
        match fail::is_read_only(&self.path) {
            true => StorageError::ReadOnly,
            false => StorageError::AccessDenied(format!("can't write to the database `{}`", fail::name(&self.path))),
        }
    }

    /// Whether it can be written to at all.
    pub(super) fn check_writable(&self) -> Result<()> {
        let explain = |fault: Fault| fault.explain("look at the rights", &self.path);
        let _open = self.stay()?;
        let Connected { connection, kind } = self.take().map_err(explain)?;
        let writable = self.shared
            && kind == Kind::Shared
            && !connection.is_readonly("main").map_err(Fault::from).map_err(explain)?;
        if kind == Kind::Shared {
            self.give_back(connection);
        }
        if writable { Ok(()) } else { Err(self.closed_to_writers(kind)) }
    }

    /// Listens for errors that the system has with what is written from here on.
    pub(super) fn watch(&self) -> Result<()> {
        self.wal.watch(&self.path)
    }

    /// Returns once every change so far is on the disk.
    pub(super) fn sync(&self) -> Result<()> {
        self.wal.sync(&self.path, || self.heal())?;
        // What was synced must be the database, and not a file that was part of it once.
        self.check_current()
    }

    /// After a sync that failed, writes what it left unsafe once more. Answers how often one has failed so far.
    pub(super) fn make_fit(&self) -> Result<u64> {
        self.wal.make_fit(|| self.heal())
    }

    /// Copies all that stands in the write-ahead log into the database, which SQLite syncs; then what connections still
    /// have in memory is forgotten, so that it is read from there.
    fn heal(&self) -> Result<()> {
        let explain = |fault: Fault| fault.explain("write again what a failed sync left unsafe", &self.path);
        let _writing = lock(&self.writing);
        let _open = self.stay()?;
        self.check_current()?;
        let Connected { connection, .. } = self.take().map_err(explain)?;
        let whole = connection::copy_back(&connection);
        if let Ok(true) = whole {
            let Connected { connection: fresh, .. } = connection::open(&self.path).map_err(explain)?;
            let stale = std::mem::replace(&mut *lock(&self.idle), vec![fresh]);
            drop(stale);
        } else {
            self.give_back(connection);
        }
        match whole.map_err(explain)? {
            true => Ok(()),
            false => Err(StorageError::Failed(format!(
                "what a failed sync left unsafe in the database `{}` can't be written again while another program reads it",
                fail::name(&self.path)
            ))),
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.is_current().unwrap_or(false) {
            self.shut();
        }
    }
}

fn moved(path: &Path) -> StorageError {
    let name = fail::name(path);
    StorageError::Moved(format!(
        "the database `{name}`, or `{name}-wal` or `{name}-shm` beside it, was removed, replaced or linked while it was in use"
    ))
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
