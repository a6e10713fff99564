//! Logs in a database: one file for many sessions, which SQL can be asked about.

mod aside;
mod claim;
mod connection;
mod database;
mod fail;
mod files;
mod in_use;
mod list;
mod lock;
mod log;
mod open;
#[cfg(test)]
mod tests;
mod wal;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use self::claim::Claim;
use self::database::Database;
use self::fail::Fault;
use self::log::Log;
use self::open::Open;
use super::lock::lock;
use super::name::Name;
use super::{Aside, LogInfo, Order, Part, Place, Result, Storage, StorageError};
use crate::component::now;

/// An SQLite database that holds each log line by line.
///
/// What is read is byte for byte what was written, whatever it was. Beside the bytes there is a view `events` for people who
/// ask with SQL: `SELECT seq, type, data FROM events WHERE session_id = 'fix-login'`.
///
/// Ids are limited as in a [`JsonlFolder`](super::JsonlFolder). A claim is an advisory lock (`flock`) on a file in the folder
/// `<database>.claims`, so it works over all processes of one machine and ends with the process that holds it. The folder
/// holds nothing else and may be removed while nobody writes. A database that can't be written to can still be read.
///
/// ```
/// use session_host::storage::{Part, Sqlite, Storage};
///
/// # let temporary = tempfile::tempdir()?;
/// # let home = temporary.path();
/// let store = Sqlite::open(home.join("sessions.db"))?;
/// let log = store.publish("fix-login", &[Part::Content(b"one line\n")])?;
/// store.append("fix-login", log.length, b"and another\n")?;
/// store.sync("fix-login")?;
/// assert_eq!(store.read("fix-login", 9, 1024)?, b"and another\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sqlite {
    database: Arc<Database>,
    claims: Mutex<HashMap<String, Arc<Mutex<Claim>>>>,
}

impl Sqlite {
    /// Opens a database. One that is missing is as good as empty: it is made, for its owner alone and with the folders above
    /// it, when the first log is published.
    ///
    /// # Errors
    /// If there is something else, a database of another program or of a newer version among that; or the rights do not
    /// reach.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Database::at(path.as_ref()).map(|database| Self::on(Arc::new(database)))
    }

    /// Lets SQLite look for damage in the whole database, in what no log is read from too.
    ///
    /// # Errors
    /// What it found: [`is_damage`](StorageError::is_damage). Else those of reading.
    pub fn check(&self) -> Result<()> {
        let Some(open) = self.database.open()? else { return Ok(()) };
        let found = open.read("look for damage", |database| {
            let mut check = database.prepare("PRAGMA integrity_check(10)")?;
            let found = check.query_map((), |row| row.get::<_, String>(0))?;
            Ok(found.collect::<rusqlite::Result<Vec<_>>>()?)
        })?;
        match found.iter().all(|line| line == "ok") {
            true => Ok(()),
            false => Err(fail::found(&found, &open.path)),
        }
    }

    fn on(database: Arc<Database>) -> Self {
        Self { database, claims: Mutex::default() }
    }

    fn open_database(&self) -> Result<Arc<Open>> {
        self.database.open()?.ok_or(StorageError::NotFound)
    }

    fn claim(&self, id: &str) -> Option<Arc<Mutex<Claim>>> {
        lock(&self.claims).get(id).cloned()
    }

    fn hold(&self, id: &str, claim: Claim) {
        lock(&self.claims).insert(id.to_owned(), Arc::new(Mutex::new(claim)));
    }

    /// Does something that is for the log's holder alone. The map of claims is free meanwhile.
    fn as_holder<T>(&self, id: &str, act: impl FnOnce(&mut Claim) -> Result<T>) -> Result<T> {
        let Some(claim) = self.claim(id) else {
            return Err(StorageError::Moved(format!("`{id}` is not held; it must be acquired first")));
        };
        let mut claim = lock(&claim);
        act(&mut claim)
    }

    /// Looks at one log that is there.
    fn look<T>(&self, id: &str, doing: &str, act: impl FnOnce(&Connection, &Log) -> Result<T, Fault>) -> Result<T> {
        Name::of(id)?;
        self.open_database()?.read(&of(doing, id), |database| act(database, &log::get(database, id)?))
    }

    /// The same, where a log that is not there has nothing to be seen.
    fn look_or<T: Default>(
        &self,
        id: &str,
        doing: &str,
        act: impl FnOnce(&Connection, &Log) -> Result<T, Fault>,
    ) -> Result<T> {
        match self.look(id, doing, act) {
            Err(StorageError::NotFound) => Ok(T::default()),
            seen => seen,
        }
    }

    fn is_held(&self, id: &str) -> bool {
        lock(&self.claims).contains_key(id) || Name::of(id).is_ok_and(|name| self.database.locks.is_held(&name))
    }
}

/// What is being done, and to which log.
fn of(doing: &str, id: &str) -> String {
    format!("{doing} (`{id}`)")
}

fn info(id: &str, log: Log, held: bool) -> LogInfo {
    let Log { identity, length, modified, .. } = log;
    LogInfo { id: Some(id.to_owned()), name: id.to_owned(), length, modified, identity, held }
}

impl Storage for Sqlite {
    fn acquire(&self, id: &str) -> Result<LogInfo> {
        let name = Name::of(id)?;
        let open = self.open_database()?;
        if let Some(claim) = self.claim(id) {
            let renewed = lock(&claim).renew(open);
            if renewed == Err(StorageError::NotFound) {
                self.release(id);
            }
            return renewed.map(|log| info(id, log, true));
        }
        open.read(&of("look at a log", id), |database| log::get(database, id))?;
        open.check_writable()?;
        let lock = self.database.locks.take(&name)?;
        // Before this writer got the lock, another may have removed the log and made it anew.
        let log = open.read(&of("look at a log", id), |database| log::get(database, id))?;
        open.watch()?;
        let failures = open.make_fit()?;
        self.hold(id, Claim::over(lock, id, open.clone(), &log, failures));
        Ok(info(id, log, true))
    }

    fn release(&self, id: &str) {
        let claim = lock(&self.claims).remove(id);
        drop(claim);
    }

    fn publish(&self, id: &str, parts: &[Part<'_>]) -> Result<LogInfo> {
        let name = Name::of(id)?;
        match self.look(id, "look at a log", |_, _| Ok(())) {
            Err(StorageError::NotFound) => {}
            Ok(()) => return Err(StorageError::AlreadyExists),
            Err(error) => return Err(error),
        }
        let open = self.database.open_or_new()?;
        open.check_writable()?;
        self.release(id);
        let lock = self.database.locks.take(&name)?;
        let failures = open.make_fit()?;
        let log = open.write("create a log", |database| {
            if log::find(database, id)?.is_some() {
                return Err(StorageError::AlreadyExists.into());
            }
            let mut log = log::create(database, id, now())?;
            for part in parts {
                add(database, &mut log, part)?;
            }
            log::save(database, &log)?;
            Ok(log)
        })?;
        if let Err(error) = open.sync() {
            // The claim is held to the end of this, so nobody has built upon it.
            open.write("remove what could not be made durable", |database| log::remove(database, &log)).map_err(
                |undo| {
                    StorageError::OutcomeUnknown(format!(
                        "`{id}` is there, perhaps not durably ({error}), and could not be removed: {undo}"
                    ))
                },
            )?;
            return Err(error);
        }
        self.hold(id, Claim::over(lock, id, open, &log, failures));
        Ok(info(id, log, true))
    }

    fn append(&self, id: &str, at: u64, content: &[u8]) -> Result<()> {
        self.as_holder(id, |claim| claim.append(at, content))
    }

    fn sync(&self, id: &str) -> Result<()> {
        self.as_holder(id, Claim::sync)
    }

    fn stat(&self, id: &str) -> Result<LogInfo> {
        let log = self.look(id, "look at a log", |_, log| Ok(log.clone()))?;
        Ok(info(id, log, self.is_held(id)))
    }

    fn read(&self, id: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        self.look(id, "read a log", |database, log| log::read(database, log, at, max.into()))
    }

    fn set_aside(&self, id: &str, at: u64) -> Result<Aside> {
        self.as_holder(id, |claim| claim.set_aside(at))
    }

    fn asides(&self, id: &str) -> Result<Vec<Aside>> {
        self.look_or(id, "look at what was set aside", aside::list)
    }

    fn read_aside(&self, id: &str, name: &str, at: u64, max: u32) -> Result<Vec<u8>> {
        self.look(id, "read what was set aside", |database, log| aside::read(database, log, name, at, max))
    }

    fn list(&self, order: Order, after: Option<&Place>, max: u32) -> Result<Vec<LogInfo>> {
        let Some(open) = self.database.open()? else { return Ok(Vec::new()) };
        let mut page = open.read("list the logs", |database| list::page(database, order, after, max))?;
        for log in &mut page {
            log.held = log.id.as_deref().is_some_and(|id| self.is_held(id));
        }
        Ok(page)
    }

    fn remove(&self, id: &str) -> Result<()> {
        let name = Name::of(id)?;
        let Some(open) = self.database.open()? else { return Ok(()) };
        if open.read(&of("look at a log", id), |database| log::find(database, id))?.is_none() {
            self.release(id);
            return Ok(());
        }
        open.check_writable()?;
        let own = self.claim(id);
        let lock = match own {
            Some(_) => None,
            None => Some(self.database.locks.take(&name)?),
        };
        open.make_fit()?;
        open.write("remove a log", |database| match log::find(database, id)? {
            Some(log) => log::remove(database, &log),
            None => Ok(()),
        })?;
        self.release(id);
        drop((own, lock));
        open.sync()
            .map_err(|error| StorageError::OutcomeUnknown(format!("`{id}` was removed, perhaps not durably: {error}")))
    }

    fn save_checkpoint(&self, id: &str, content: &[u8]) -> Result<()> {
        self.as_holder(id, |claim| claim.save_checkpoint(content))
    }

    fn load_checkpoint(&self, id: &str) -> Result<Vec<u8>> {
        self.look_or(id, "read a checkpoint", |database, log| {
            let select = "SELECT bytes FROM checkpoints WHERE session = ?1";
            let note = database.query_row(select, [log.number], |row| row.get(0));
            Ok(rusqlite::OptionalExtension::optional(note)?.unwrap_or_default())
        })
    }

    fn sibling(&self) -> Result<Arc<dyn Storage>> {
        Ok(Arc::new(Self::on(self.database.clone())))
    }
}

/// Adds one piece to a log that is being published.
fn add(database: &Connection, log: &mut Log, part: &Part<'_>) -> Result<(), Fault> {
    match *part {
        Part::Content(content) => log::append(database, log, content),
        Part::Copy { id, at, length } => {
            Name::of(id)?;
            let source = log::get(database, id)?;
            if at.checked_add(length).is_none_or(|end| end > source.length) {
                let has = source.length;
                let text = format!("`{id}` has {has} bytes, so not {length} from byte {at} on");
                return Err(StorageError::Failed(text).into());
            }
            log::copy(database, log, &source, at, length)
        }
    }
}
