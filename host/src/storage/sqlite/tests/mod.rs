mod bytes;
mod claims;
mod damage;
mod in_use;
mod list;
mod open;
mod rights;
mod sql;
mod sync;

use std::path::PathBuf;

use rusqlite::Connection;
use tempfile::TempDir;

use super::Sqlite;
use crate::storage::jsonl::tests::{assert_busy, assert_failed, assert_moved, names, publish};
use crate::storage::{Part, Storage, StorageError};

/// A store in a database of its own.
struct Fixture {
    store: Sqlite,
    folder: TempDir,
}

fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    Fixture { store: Sqlite::open(folder.path().join("x.db")).unwrap(), folder }
}

impl Fixture {
    fn path(&self) -> PathBuf {
        self.folder.path().join("x.db")
    }

    /// Another holder, which knows nothing of the first.
    fn other(&self) -> Sqlite {
        Sqlite::open(self.path()).unwrap()
    }

    /// What another program does to the database.
    fn sql(&self, change: &str) {
        Connection::open(self.path()).unwrap().execute_batch(change).unwrap();
    }

    /// The rows in which a log is kept.
    fn rows(&self, id: &str) -> Vec<String> {
        let database = Connection::open(self.path()).unwrap();
        let select = "SELECT bytes FROM lines JOIN sessions ON sessions.number = session WHERE id = ?1 ORDER BY at";
        let mut select = database.prepare(select).unwrap();
        let rows = select.query_map([id], |row| row.get::<_, Vec<u8>>(0)).unwrap();
        rows.map(|row| String::from_utf8(row.unwrap()).unwrap()).collect()
    }
}
