//! SQLite, set up as this store needs it.

use std::fmt::Write;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::super::StorageError;
use super::fail::{self, Fault, beside, name};

const SCHEMA: &str = include_str!("schema.sql");
/// The bytes "aSes", which say whose database it is.
const APPLICATION: i32 = i32::from_be_bytes(*b"aSes");
/// Of the tables. A newer one is refused.
const VERSION: i32 = 1;
/// How long another process may be at work on the database before one gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open database.
#[derive(Debug)]
pub(super) struct Connected {
    pub(super) connection: Connection,
    pub(super) kind: Kind,
}

/// How a database is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It takes part in the locks that keep readers and writers from harm.
    Shared,
    /// There is no right to take part, and no writer is there: read as a file that does not change.
    Still,
    /// The same, because there is no room for what taking part needs.
    Cramped,
    /// There are no tables in it yet.
    Blank,
}

/// Opens a database that is there.
pub(super) fn open(path: &Path) -> Result<Connected, Fault> {
    let error = match share(path) {
        Err(Fault::Sql(error)) => error,
        shared => return shared,
    };
    let kind = match () {
        () if fail::is_no_space(&error, path) => Kind::Cramped,
        () if is_left_out(&error) => Kind::Still,
        () => return Err(error.into()),
    };
    if !Stamp::of(path).is_still() {
        return Err(match kind {
            Kind::Cramped => StorageError::Failed(format!(
                "no space is left (or a limit on size is reached) for what reading the database `{0}` needs, and not all of \
                 it stands in `{0}` itself; make room, then try again",
                name(path)
            ))
            .into(),
            _ => error.into(),
        });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = connect(immutable(path).as_ref(), flags)?;
    let kind = if look(&connection, path)? == Kind::Blank { Kind::Blank } else { kind };
    Ok(Connected { connection, kind })
}

/// Opens it to take part in its locks.
fn share(path: &Path) -> Result<Connected, Fault> {
    let connection = connect(path.as_os_str(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let kind = look(&connection, path)?;
    // A copy that another program made may be without a write-ahead log.
    if kind == Kind::Shared && !connection.is_readonly("main")? && keep_ahead(&connection, path)? {
        // With the first look at it SQLite makes the files beside the database.
        look(&connection, path)?;
    }
    Ok(Connected { connection, kind })
}

/// Sees to it that the database has a write-ahead log. Answers whether it had none.
fn keep_ahead(connection: &Connection, path: &Path) -> Result<bool, Fault> {
    let mode = |pragma| connection.query_row(pragma, (), |row| row.get::<_, String>(0));
    if mode("PRAGMA journal_mode")? == "wal" {
        return Ok(false);
    }
    if mode("PRAGMA journal_mode = WAL")? == "wal" {
        return Ok(true);
    }
    let name = name(path);
    let refused = format!("the database `{name}` can't have a write-ahead log on this file system; keep it elsewhere");
    Err(StorageError::Failed(refused).into())
}

fn connect(path: &std::ffi::OsStr, flags: OpenFlags) -> Result<Connection, Fault> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    // A commit hands its pages to the operating system; they are synced when the store is told to, and whenever they are
    // copied from the write-ahead log into the database.
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;")?;
    Ok(connection)
}

/// Whose database it is.
fn look(connection: &Connection, path: &Path) -> Result<Kind, Fault> {
    let (application, version, tables, encoding): (i32, i32, i64, String) = connection.query_row(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema), encoding
         FROM pragma_application_id, pragma_user_version, pragma_encoding",
        (),
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    )?;
    let name = name(path);
    let refused = match (application, version) {
        (APPLICATION, VERSION) | (0, 0) if encoding != "UTF-8" => {
            format!(
                "the database `{name}` keeps its text as {encoding}, and ids are in the order of UTF-8; make it anew"
            )
        }
        (APPLICATION, VERSION) => return Ok(Kind::Shared),
        (APPLICATION, _) => format!(
            "the database `{name}` has tables of version {version}, and this program knows version {VERSION}; \
             use the program that made it"
        ),
        (0, 0) if tables == 0 => return Ok(Kind::Blank),
        _ => format!("`{name}` is a database of another program; keep sessions in one of their own"),
    };
    Err(StorageError::Failed(refused).into())
}

/// Makes the tables in an empty database, durably.
pub(super) fn set_up(path: &Path) -> Result<(), Fault> {
    let mut connection = connect(path.as_os_str(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    keep_ahead(&connection, path)?;
    change(&mut connection, |tables| Ok(tables.execute_batch(SCHEMA)?))?;
    match copy_back(&connection)? {
        true => Ok(()),
        false => Err(StorageError::Failed(format!("another program is at work on `{}`", name(path))).into()),
    }
}

/// Does something as one change, all or nothing.
pub(super) fn change<T>(
    connection: &mut Connection,
    act: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let answer = act(&change)?;
    change.commit()?;
    Ok(answer)
}

/// Copies all that stands in the write-ahead log into the database, durably. Answers whether it was all.
pub(super) fn copy_back(connection: &Connection) -> Result<bool, Fault> {
    let (busy, pages, copied): (i64, i64, i64) =
        connection.query_row("PRAGMA wal_checkpoint(FULL)", (), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(busy == 0 && pages == copied)
}

/// Whether a database can't be opened because its locks can't be had.
fn is_left_out(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// The name by which SQLite opens a file that does not change.
fn immutable(path: &Path) -> String {
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => uri.push(char::from(byte)),
            _ => drop(write!(uri, "%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}

/// What a writer would have changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    waiting: [u64; 2],
    database: Option<(u64, i64, i64)>,
}

impl Stamp {
    pub(super) fn of(path: &Path) -> Self {
        let database = fs::metadata(path).ok();
        Self {
            waiting: ["-wal", "-journal"].map(|ending| fs::metadata(beside(path, ending)).map_or(0, |file| file.len())),
            database: database.map(|file| (file.len(), file.mtime(), file.mtime_nsec())),
        }
    }

    /// Whether all that was committed stands in the database itself.
    fn is_still(&self) -> bool {
        self.waiting == [0, 0]
    }
}
