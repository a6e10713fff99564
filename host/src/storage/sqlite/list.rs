//! Pages of the logs. The index is entered at the page's place, so a page costs what is on it.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::super::jsonl::name::Name;
use super::super::{LogInfo, Order, Place};
use super::fail::Fault;
use super::log::{Log, int};

const COLUMNS: &str = "SELECT id, number, identity, length, modified FROM sessions";

/// At most `max` logs behind `after`; which are held is not told. A row that can be no log has its place in the order of all,
/// and a name of its own.
pub(super) fn page(
    database: &Connection,
    order: Order,
    after: Option<&Place>,
    max: u32,
) -> Result<Vec<LogInfo>, Fault> {
    let (behind, id, modified) = match after {
        Some(place) => match bad_row(database, &place.name)? {
            Some((id, modified)) => (">", id, modified),
            None => (">", place.name.clone().into_bytes(), int(place.modified)),
        },
        // Before all: an empty text, and no log was modified later.
        None => (">=", Vec::new(), i64::MAX),
    };
    let id = ToSqlOutput::Borrowed(ValueRef::Text(&id));
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    let mut page = Vec::new();
    let mut add = |rest: &str| {
        let left = i64::try_from(max - page.len()).unwrap_or(i64::MAX);
        let mut select = database.prepare_cached(&format!("{COLUMNS} {rest} LIMIT ?3"))?;
        for entry in select.query_map(params![id, modified, left], entry)? {
            page.push(entry?);
        }
        Ok::<(), Fault>(())
    };
    match order {
        Order::ById => add(&format!("WHERE id {behind} ?1 AND ?2 NOT NULL ORDER BY id"))?,
        Order::Recent => {
            add(&format!("WHERE modified = ?2 AND id {behind} ?1 ORDER BY id"))?;
            add("WHERE modified < ?2 AND ?1 NOT NULL ORDER BY modified DESC, id")?;
        }
    }
    Ok(page)
}

fn entry(row: &Row<'_>) -> rusqlite::Result<LogInfo> {
    if let Some((id, log)) = sound(row) {
        return Ok(super::info(&id, log, false));
    }
    let number: i64 = row.get(1)?;
    let at_least = |column, least: u64| match row.get(column) {
        Ok(Value::Integer(number)) => u64::try_from(number).unwrap_or_default().max(least),
        _ => least,
    };
    let (length, modified) = (at_least(3, 1), at_least(4, 0));
    Ok(LogInfo { id: None, name: name(number), length, modified, identity: String::new(), held: false })
}

/// What a row says, if there can be such a log.
fn sound(row: &Row<'_>) -> Option<(String, Log)> {
    let id: String = row.get(0).ok()?;
    Name::of(&id).ok()?;
    let log = Log {
        number: row.get(1).ok()?,
        identity: row.get(2).ok()?,
        length: row.get(3).ok()?,
        modified: row.get(4).ok()?,
    };
    Some((id, log))
}

/// How a row is called that can be no log.
fn name(number: i64) -> String {
    format!("row {number} of the table `sessions`")
}

/// The place of a row that is called so: its id, whatever that is, and when it changed.
fn bad_row(database: &Connection, called: &str) -> Result<Option<(Vec<u8>, i64)>, Fault> {
    let number = called.strip_prefix("row ").and_then(|rest| rest.split(' ').next()?.parse().ok());
    let Some(number) = number.filter(|&number| name(number) == called) else { return Ok(None) };
    let mut select = database.prepare_cached(&format!("{COLUMNS} WHERE number = ?1"))?;
    let place = select.query_row([number], |row| match sound(row) {
        Some(_) => Ok(None),
        None => Ok(Some((row.get_ref(0)?.as_bytes()?.to_vec(), row.get(4)?))),
    });
    Ok(place.optional()?.flatten())
}
