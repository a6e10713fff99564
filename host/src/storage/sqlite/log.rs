//! A log as rows: stretches of bytes, each with its offset, that end with a line feed but for the last one.

use rusqlite::{Connection, OptionalExtension, params};

use super::super::StorageError;
use super::fail::Fault;

/// What is known of a log without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Log {
    pub(super) number: i64,
    pub(super) identity: String,
    pub(super) length: u64,
    pub(super) modified: u64,
}

pub(super) fn find(database: &Connection, id: &str) -> Result<Option<Log>, Fault> {
    let mut find = database.prepare_cached("SELECT number, identity, length, modified FROM sessions WHERE id = ?1")?;
    let found = find.query_row([id], |row| {
        Ok(Log { number: row.get(0)?, identity: row.get(1)?, length: row.get(2)?, modified: row.get(3)? })
    });
    Ok(found.optional()?)
}

pub(super) fn get(database: &Connection, id: &str) -> Result<Log, Fault> {
    Ok(find(database, id)?.ok_or(StorageError::NotFound)?)
}

/// An empty log of that name, which must be free.
pub(super) fn create(database: &Connection, id: &str, now: u64) -> Result<Log, Fault> {
    let insert = "INSERT INTO sessions (id, identity, length, modified) VALUES (?1, lower(hex(randomblob(16))), 0, ?2)";
    database.execute(insert, params![id, int(now)])?;
    get(database, id)
}

/// Adds bytes at the end.
pub(super) fn append(database: &Connection, log: &mut Log, content: &[u8]) -> Result<(), Fault> {
    let mut insert = database.prepare_cached("INSERT INTO lines (session, at, bytes) VALUES (?1, ?2, ?3)")?;
    for line in content.split_inclusive(|&byte| byte == b'\n') {
        insert.execute(params![log.number, int(log.length), line])?;
        log.length += line.len() as u64;
    }
    Ok(())
}

/// Adds a stretch of another log at the end.
pub(super) fn copy(database: &Connection, log: &mut Log, from: &Log, at: u64, length: u64) -> Result<(), Fault> {
    each_row(database, from, at, at + length, |bytes, _| append(database, log, bytes))
}

/// Drops all bytes from `at` on.
pub(super) fn cut(database: &Connection, log: &mut Log, at: u64) -> Result<(), Fault> {
    let row = row_at(database, log, at)?;
    if let Some((number, begins)) = row.filter(|&(_, begins)| begins < at) {
        database.execute(
            "UPDATE lines SET bytes = substr(bytes, 1, ?2) WHERE number = ?1",
            params![number, int(at - begins)],
        )?;
    }
    database.execute("DELETE FROM lines WHERE session = ?1 AND at >= ?2", params![log.number, int(at)])?;
    log.length = at;
    Ok(())
}

/// Remembers how long a log is now, and that it changed.
pub(super) fn save(database: &Connection, log: &Log) -> Result<(), Fault> {
    let mut save = database.prepare_cached("UPDATE sessions SET length = ?2, modified = ?3 WHERE number = ?1")?;
    save.execute(params![log.number, int(log.length), int(log.modified)])?;
    Ok(())
}

/// Removes a log and all that belongs to it.
pub(super) fn remove(database: &Connection, log: &Log) -> Result<(), Fault> {
    for table in ["lines", "asides", "checkpoints"] {
        database.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [log.number])?;
    }
    database.execute("DELETE FROM sessions WHERE number = ?1", [log.number])?;
    Ok(())
}

/// Refuses a log that does not end where its rows do: who goes on there would damage what is left of it.
pub(super) fn check_end(database: &Connection, log: &Log) -> Result<(), Fault> {
    let select = "SELECT at + length(bytes) FROM lines WHERE session = ?1 ORDER BY at DESC LIMIT 1";
    let end = database.query_row(select, [log.number], |row| row.get::<_, i64>(0)).optional()?.unwrap_or(0);
    if end == int(log.length) {
        return Ok(());
    }
    let Log { number, length, .. } = log;
    let text = format!(
        "the database is damaged: by its table `sessions` the session with number {number} has {length} bytes, and by its \
         table `lines` it has {end}; nothing was changed"
    );
    Err(StorageError::Failed(text).into())
}

/// At most `max` bytes from `at`; fewer only at the end, and before a row that is gone.
pub(super) fn read(database: &Connection, log: &Log, at: u64, max: u64) -> Result<Vec<u8>, Fault> {
    let end = log.length.min(at.saturating_add(max));
    let mut bytes = Vec::new();
    let whole = each_row(database, log, at, end, |piece, _| {
        bytes.extend_from_slice(piece);
        Ok(())
    });
    match whole {
        // Whoever reads on is told.
        Err(Fault::Refused(_)) if !bytes.is_empty() => Ok(bytes),
        whole => whole.map(|()| bytes),
    }
}

/// Hands over the bytes of a stretch that is there, row by row, each with its offset. What lies outside of the stretch is
/// not read.
pub(super) fn each_row(
    database: &Connection,
    log: &Log,
    from: u64,
    to: u64,
    mut act: impl FnMut(&[u8], u64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut place = from;
    if from >= to {
        return Ok(());
    }
    let mut select = database.prepare_cached(
        "SELECT number, at, length(bytes), CASE WHEN at >= ?2 AND at + length(bytes) <= ?3 THEN bytes END
         FROM lines
         WHERE session = ?1 AND at < ?3
           AND at >= coalesce((SELECT max(at) FROM lines WHERE session = ?1 AND at <= ?2), ?2)
         ORDER BY at",
    )?;
    let mut rows = select.query(params![log.number, int(from), int(to)])?;
    while let Some(row) = rows.next()? {
        let (number, at, length): (i64, u64, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if at.saturating_add(length) <= from {
            // The row before one that is gone.
            continue;
        }
        let (begin, end) = (at.max(from), at.saturating_add(length).min(to));
        if begin != place || end <= begin {
            return Err(hole(log, place, begin));
        }
        match row.get_ref(3)?.as_blob_or_null().map_err(rusqlite::Error::from)? {
            Some(whole) => act(whole, begin)?,
            None => {
                let mut piece = vec![0; usize::try_from(end - begin).unwrap_or_default()];
                let skipped = usize::try_from(begin - at).unwrap_or(usize::MAX);
                database.blob_open("main", "lines", "bytes", number, true)?.read_at_exact(&mut piece, skipped)?;
                act(&piece, begin)?;
            }
        }
        place = end;
    }
    if place < to { Err(hole(log, place, to)) } else { Ok(()) }
}

/// The row in which the byte at `at` stands, and where it begins.
fn row_at(database: &Connection, log: &Log, at: u64) -> Result<Option<(i64, u64)>, Fault> {
    let select = "SELECT number, at FROM lines WHERE session = ?1 AND at <= ?2 ORDER BY at DESC LIMIT 1";
    let row = database.query_row(select, params![log.number, int(at)], |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(row.optional()?)
}

fn hole(log: &Log, from: u64, to: u64) -> Fault {
    let number = log.number;
    let text = format!(
        "the database is damaged: its table `lines` lacks the bytes {from} to {to} of the session with number {number}"
    );
    Fault::Refused(StorageError::Failed(text))
}

/// As SQLite counts. No log is longer.
pub(super) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
