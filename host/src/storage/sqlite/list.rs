//! Pages of the logs. The index is entered at the page's place, so a page costs what is on it.

use rusqlite::{Connection, Row, params};

use super::super::{Order, Place};
use super::fail::Fault;
use super::log::{Log, int};

/// At most `max` logs behind `after`, each with its id.
pub(super) fn page(
    database: &Connection,
    order: Order,
    after: Option<&Place>,
    max: u32,
) -> Result<Vec<(String, Log)>, Fault> {
    const COLUMNS: &str = "SELECT id, number, identity, length, modified FROM sessions";
    let (name, modified) = match after {
        Some(place) => (place.name.as_str(), place.modified),
        // Before all: no id is empty, and none was modified later.
        None => ("", u64::MAX),
    };
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    let mut page = Vec::new();
    let mut add = |rest: &str| {
        let left = i64::try_from(max - page.len()).unwrap_or(i64::MAX);
        let mut select = database.prepare_cached(&format!("{COLUMNS} {rest} LIMIT ?3"))?;
        let rows = select.query_map(params![name, int(modified), left], entry)?;
        for entry in rows {
            page.push(entry?);
        }
        Ok::<(), Fault>(())
    };
    match order {
        Order::ById => add("WHERE id > ?1 AND ?2 NOT NULL ORDER BY id")?,
        Order::Recent => {
            add("WHERE modified = ?2 AND id > ?1 ORDER BY id")?;
            add("WHERE modified < ?2 AND ?1 NOT NULL ORDER BY modified DESC, id")?;
        }
    }
    Ok(page)
}

fn entry(row: &Row<'_>) -> rusqlite::Result<(String, Log)> {
    let log = Log { number: row.get(1)?, identity: row.get(2)?, length: row.get(3)?, modified: row.get(4)? };
    Ok((row.get(0)?, log))
}
