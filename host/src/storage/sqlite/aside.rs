//! What was cut off a log is kept in a table of its own, each piece under its offset and the hash of its bytes.

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::super::{Aside, StorageError};
use super::fail::Fault;
use super::log::{self, Log, int};

const HASH_DIGITS: usize = 16;

/// Moves the end of a log, from `at` on, out of it.
pub(super) fn set_aside(database: &Connection, log: &mut Log, at: u64) -> Result<Aside, Fault> {
    let mut hash = Sha256::new();
    let end = log.length;
    log::each_row(database, log, at, end, |bytes, _| {
        hash.update(bytes);
        Ok(())
    })?;
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let aside = Aside { name: format!("{at}.{}", &hash[..HASH_DIGITS]), length: end - at };
    // An equal one may be there.
    database.execute("DELETE FROM asides WHERE session = ?1 AND name = ?2", params![log.number, aside.name])?;
    let mut keep = database.prepare_cached("INSERT INTO asides (session, name, at, bytes) VALUES (?1, ?2, ?3, ?4)")?;
    log::each_row(database, log, at, end, |bytes, begins| {
        keep.execute(params![log.number, aside.name, int(begins - at), bytes])?;
        Ok(())
    })?;
    log::cut(database, log, at)?;
    Ok(aside)
}

/// Every piece that is kept for a log, by name.
pub(super) fn list(database: &Connection, log: &Log) -> Result<Vec<Aside>, Fault> {
    let mut select = database
        .prepare_cached("SELECT name, sum(length(bytes)) FROM asides WHERE session = ?1 GROUP BY name ORDER BY name")?;
    let rows = select.query_map([log.number], |row| Ok(Aside { name: row.get(0)?, length: row.get(1)? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// At most `max` bytes of one piece.
pub(super) fn read(database: &Connection, log: &Log, name: &str, at: u64, max: u32) -> Result<Vec<u8>, Fault> {
    let there = "SELECT EXISTS (SELECT 1 FROM asides WHERE session = ?1 AND name = ?2)";
    if !database.query_row(there, params![log.number, name], |row| row.get(0))? {
        return Err(StorageError::NotFound.into());
    }
    let mut select = database.prepare_cached(
        "SELECT substr(bytes, max(?3 - at, 0) + 1, min(at + length(bytes), ?4) - max(at, ?3)) FROM asides
         WHERE session = ?1 AND name = ?2 AND at < ?4
           AND at >= (SELECT max(at) FROM asides WHERE session = ?1 AND name = ?2 AND at <= ?3)
           AND at + length(bytes) > ?3
         ORDER BY at",
    )?;
    let end = at.saturating_add(max.into());
    let mut rows = select.query(params![log.number, name, int(at), int(end)])?;
    let mut bytes = Vec::new();
    while let Some(row) = rows.next()? {
        bytes.extend_from_slice(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?);
    }
    Ok(bytes)
}
