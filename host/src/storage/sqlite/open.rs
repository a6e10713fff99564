//! A database that is there, opened as often as it is worked on at once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::super::lock::lock;
use super::super::{Result, StorageError};
use super::connection::{self, Connected, Kind};
use super::fail::{self, Fault};
use super::files::{self, Files};
use super::in_use::Place;
use super::wal::Wal;

/// The connections to a database, and what all its users must know.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) path: PathBuf,
    pub(super) files: Files,
    place: Arc<Place>,
    /// Whether it takes part in the locks.
    pub(super) shared: bool,
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
    /// Opens it, unless there are no tables in it.
    pub(super) fn at(path: &Path, found: &Files, place: Arc<Place>) -> Result<Option<Self>> {
        found.check_name(path)?;
        let mut files = found.clone();
        let (connection, kind) = loop {
            let Connected { connection, kind } = connect(path).map_err(|fault| fault.explain("read", path))?;
            let now = Files::of(path);
            // Those that were there before SQLite opened them and are there now are those that it has. One that came
            // meanwhile may be SQLite's, or somebody else's who removed that.
            if now.as_ref() == Ok(&Some(files.clone())) && (kind != Kind::Shared || files.are_all()) {
                break (connection, kind);
            }
            leave(connection);
            let now = now?;
            if now.is_none() && kind == Kind::Blank {
                // Somebody was killed while making it, and SQLite has just undone what there was of it.
                return Ok(None);
            }
            files = now.filter(|now| now.database == found.database).ok_or_else(|| moved(path))?;
        };
        if kind == Kind::Blank {
            return Ok(None);
        }
        let open = Self {
            path: path.to_owned(),
            place,
            shared: kind == Kind::Shared,
            idle: Mutex::default(),
            shut: RwLock::default(),
            writing: Mutex::default(),
            wal: Wal::of(path, files.wal),
            files,
        };
        if open.shared {
            open.give_back(connection);
        }
        Ok(Some(open))
    }

    fn take(&self) -> Result<Connected, Fault> {
        match lock(&self.idle).pop() {
            Some(connection) => Ok(Connected { connection, kind: Kind::Shared }),
            None => self.connect(),
        }
    }

    /// One more connection, to these files and no others.
    fn connect(&self) -> Result<Connected, Fault> {
        let connected = connect(&self.path)?;
        match self.check_current() {
            Err(moved) if self.shared => {
                leave(connected.connection);
                Err(moved.into())
            }
            _ => Ok(connected),
        }
    }

    fn give_back(&self, connection: Connection) {
        lock(&self.idle).push(connection);
    }

    /// Whether it has just these files open. What does not take part has none open, and is tried again each time.
    pub(super) fn is_open_on(&self, files: Option<&Files>) -> bool {
        let shut = *self.shut.read().unwrap_or_else(PoisonError::into_inner);
        self.shared && !shut && files == Some(&self.files)
    }

    /// Whether these are still the files of the database.
    pub(super) fn is_current(&self) -> Result<bool> {
        Ok(self.is_open_on(Files::of(&self.path)?.as_ref()))
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
    pub(super) fn shut(&self) {
        let mut shut = self.shut.write().unwrap_or_else(PoisonError::into_inner);
        *shut = true;
        lock(&self.idle).drain(..).for_each(leave);
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
        let _writing = lock(&self.writing);
        self.check_whole()?;
        let answer = self.change(doing, act)?;
        self.check_whole()?;
        Ok(answer)
    }

    fn change<T>(&self, doing: &str, act: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T> {
        let explain = |fault: Fault| fault.explain(doing, &self.path);
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
        self.wal.watch()
    }

    /// Returns once every change so far is on the disk.
    pub(super) fn sync(&self) -> Result<()> {
        self.wal.sync(|| self.heal())?;
        // What was synced must be the database, and not a file that was part of it once.
        self.check_current()?;
        self.check_whole()
    }

    /// Lets go of a write-ahead log that was cut or overwritten, so that SQLite finds out what is left of it.
    fn check_whole(&self) -> Result<()> {
        match self.is_whole()? {
            true => Ok(()),
            false => {
                self.shut();
                Err(StorageError::Moved(format!(
                    "the write-ahead log `{}-wal` was cut or overwritten while it was in use, and what stood only there is lost",
                    fail::name(&self.path)
                )))
            }
        }
    }

    fn is_whole(&self) -> Result<bool> {
        let explain = |fault: Fault| fault.explain("look at the write-ahead log", &self.path);
        if !self.shared {
            return Ok(true);
        }
        let _open = self.stay()?;
        let Connected { connection, kind } = self.take().map_err(explain)?;
        if kind != Kind::Shared {
            return Ok(true);
        }
        let whole = self.wal.is_whole(&connection);
        self.give_back(connection);
        whole.map_err(explain)
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
            let Connected { connection: fresh, .. } = self.connect().map_err(explain)?;
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
        if !(self.is_current().unwrap_or(false) && self.is_whole().unwrap_or(false)) {
            self.shut();
        }
        lock(&self.idle).clear();
        self.place.leave(self);
    }
}

fn moved(path: &Path) -> StorageError {
    StorageError::Moved(files::moved(path))
}

/// Opens the database that has that name by now.
fn connect(path: &Path) -> Result<Connected, Fault> {
    let connected = connection::open(path);
    #[cfg(test)]
    meanwhile::happen();
    connected
}

/// Closes a connection and touches no file for it.
fn leave(connection: Connection) {
    let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
}

/// What others do between SQLite's opening of the files and this store's look at them.
#[cfg(test)]
pub(super) mod meanwhile {
    use std::cell::RefCell;

    thread_local! {
        static NEXT: RefCell<Option<Box<dyn FnOnce()>>> = RefCell::default();
    }

    pub(in super::super) fn once(act: impl FnOnce() + 'static) {
        NEXT.set(Some(Box::new(act)));
    }

    pub(super) fn happen() {
        if let Some(act) = NEXT.take() {
            act();
        }
    }
}
