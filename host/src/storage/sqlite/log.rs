//! A log as rows: stretches of bytes, each with its offset, that end with a line feed but for the last one.
//!
//! The rows are what is true of a log. Each counts up to where the next begins, also if it has more bytes; so what is read does
//! not depend on where reading begins, and no row hides another. Where they are missing, by its own length or by the next row, it reads as NUL bytes, as
//! a file does; no record is made of these, so whoever reads a log finds them as damage.

use rusqlite::{Connection, OptionalExtension, Row, Rows, params};

use super::super::StorageError;
use super::fail::Fault;

/// No longer stretch is taken for missing: a number that says so is damaged itself.
const LONGEST_GAP: u64 = 64 << 20;
/// A row with such a number is damaged, and leaves room for those to come.
const NUMBERS_END: i64 = 1 << 62;
const NULS: &[u8] = &[0; 1 << 16];

/// What is known of a log without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Log {
    pub(super) number: i64,
    pub(super) id: String,
    pub(super) identity: String,
    pub(super) length: u64,
    /// Where its last row ends.
    pub(super) end: u64,
    pub(super) modified: u64,
}

/// Of the table `sessions`, for [`of_row`].
pub(super) const COLUMNS: &str =
    "number, id, identity, length, modified, (SELECT min(at, 1 << 62) + length(bytes) FROM lines
    WHERE session = sessions.number AND at >= 0 ORDER BY at DESC LIMIT 1)";

pub(super) fn of_row(row: &Row<'_>) -> rusqlite::Result<Log> {
    let text =
        |column| Ok::<_, rusqlite::Error>(String::from_utf8_lossy(row.get_ref(column)?.as_bytes()?).into_owned());
    let (length, end): (i64, Option<i64>) = (row.get(3)?, row.get(5)?);
    let end = end.map_or(0, unsigned);
    Ok(Log {
        number: row.get(0)?,
        id: text(1)?,
        identity: text(2)?,
        length: unsigned(length).clamp(end, end + LONGEST_GAP),
        end,
        modified: unsigned(row.get(4)?),
    })
}

pub(super) fn find(database: &Connection, id: &str) -> Result<Option<Log>, Fault> {
    let mut find = database.prepare_cached(&format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1"))?;
    Ok(find.query_row([id], of_row).optional()?)
}

pub(super) fn get(database: &Connection, id: &str) -> Result<Log, Fault> {
    Ok(find(database, id)?.ok_or(StorageError::NotFound)?)
}

/// An empty log of that name, which must be free.
pub(super) fn create(database: &Connection, id: &str, now: u64) -> Result<Log, Fault> {
    // A number that no row has, so that rows whose session is lost become nobody else's.
    database.execute(
        "INSERT INTO sessions (number, id, identity, length, modified)
         SELECT 1 + coalesce(max(largest), 0), ?1, lower(hex(randomblob(16))), 0, ?2 FROM (
             SELECT max(number) AS largest FROM sessions WHERE number < ?3
             UNION ALL SELECT max(session) FROM lines WHERE session < ?3
             UNION ALL SELECT max(session) FROM asides WHERE session < ?3
             UNION ALL SELECT max(session) FROM checkpoints WHERE session < ?3)",
        params![id, int(now), NUMBERS_END],
    )?;
    get(database, id)
}

/// Adds bytes at the end.
pub(super) fn append(database: &Connection, log: &mut Log, content: &[u8]) -> Result<(), Fault> {
    let mut insert = database.prepare_cached("INSERT INTO lines (session, at, bytes) VALUES (?1, ?2, ?3)")?;
    for line in content.split_inclusive(|&byte| byte == b'\n') {
        insert.execute(params![log.number, int(log.length), line])?;
        log.length += line.len() as u64;
        log.end = log.length;
    }
    Ok(())
}

/// Adds a stretch of another log at the end.
pub(super) fn copy(database: &Connection, log: &mut Log, from: &Log, at: u64, length: u64) -> Result<(), Fault> {
    each_row(database, from, at, at + length, |bytes, _| append(database, log, bytes))
}

/// Drops all bytes from `at` on.
pub(super) fn cut(database: &Connection, log: &mut Log, at: u64) -> Result<(), Fault> {
    database.execute("DELETE FROM lines WHERE session = ?1 AND at >= ?2", params![log.number, int(at)])?;
    database.execute(
        "UPDATE lines SET bytes = substr(bytes, 1, ?2 - at) WHERE session = ?1 AND at + length(bytes) > ?2
           AND at = (SELECT max(at) FROM lines WHERE session = ?1 AND at >= 0)",
        params![log.number, int(at)],
    )?;
    log.length = at;
    log.end = end(database, log)?;
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

/// At most `max` bytes from `at`; fewer only at the end, and before rows that can't be read.
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

/// Hands over the bytes of a stretch that is there, in pieces, each with its offset: row by row, and NUL bytes where there is no
/// row. What lies outside of the stretch is not read.
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
           AND at >= coalesce((SELECT max(at) FROM lines WHERE session = ?1 AND at BETWEEN 0 AND ?2), ?2)
         ORDER BY at",
    )?;
    let mut rows = select.query(params![log.number, int(from), int(to)])?;
    let mut row = Stretch::next(&mut rows)?;
    while let Some(Stretch { number, at, length, whole }) = row {
        row = Stretch::next(&mut rows)?;
        let next = row.as_ref().map_or(to, |next| next.at);
        let (begin, end) = (at.max(from), at.saturating_add(length).min(next).min(to));
        if end <= begin {
            continue;
        }
        fill(database, log, place, begin, &mut act)?;
        let (skipped, count) = (to_usize(begin - at), to_usize(end - begin));
        match whole {
            Some(whole) => act(whole.get(skipped..).and_then(|rest| rest.get(..count)).unwrap_or_default(), begin)?,
            None => {
                let mut piece = vec![0; count];
                database.blob_open("main", "lines", "bytes", number, true)?.read_at_exact(&mut piece, skipped)?;
                act(&piece, begin)?;
            }
        }
        place = end;
    }
    fill(database, log, place, to, &mut act)
}

/// What a row has.
struct Stretch {
    number: i64,
    at: u64,
    length: u64,
    /// Its bytes, if all of them are wanted.
    whole: Option<Vec<u8>>,
}

impl Stretch {
    fn next(rows: &mut Rows<'_>) -> Result<Option<Self>, Fault> {
        let Some(row) = rows.next()? else { return Ok(None) };
        Ok(Some(Self { number: row.get(0)?, at: row.get(1)?, length: row.get(2)?, whole: row.get(3)? }))
    }
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Hands over NUL bytes where there is no row.
fn fill(
    database: &Connection,
    log: &Log,
    from: u64,
    to: u64,
    act: &mut impl FnMut(&[u8], u64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if from >= to {
        return Ok(());
    }
    let mut next = database.prepare_cached("SELECT min(at) FROM lines WHERE session = ?1 AND at >= ?2")?;
    let next: Option<u64> = next.query_row(params![log.number, int(to)], |row| row.get(0))?;
    if let Some(next) = next.filter(|next| next - from > LONGEST_GAP) {
        let (id, number, gap) = (&log.id, log.number, next - from);
        let text = format!(
            "the table `lines` lacks the bytes {from} to {next} of the session `{id}`, more than are taken for missing; SQL can \
             close the gap: `UPDATE lines SET at = at - {gap} WHERE session = {number} AND at >= {next}`"
        );
        return Err(StorageError::damaged(text).into());
    }
    let mut place = from;
    while place < to {
        let piece = &NULS[..NULS.len().min(usize::try_from(to - place).unwrap_or(NULS.len()))];
        act(piece, place)?;
        place += piece.len() as u64;
    }
    Ok(())
}

/// Where the last row ends.
fn end(database: &Connection, log: &Log) -> Result<u64, Fault> {
    let mut select = database.prepare_cached(&format!("SELECT {COLUMNS} FROM sessions WHERE number = ?1"))?;
    Ok(select.query_row([log.number], of_row)?.end)
}

/// As SQLite counts. No log is longer.
pub(super) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number that was stored so; a negative one is damaged.
pub(super) fn unsigned(stored: i64) -> u64 {
    u64::try_from(stored).unwrap_or_default()
}
