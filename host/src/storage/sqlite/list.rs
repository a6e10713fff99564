//! Pages of the logs. An index is entered at the page's place, so a page costs what is on it; but rows without an id have
//! their place by a name that no index knows, so the last page by id costs a look at all ids, and a recent one a look at all
//! that changed in the same millisecond.

use rusqlite::{Connection, Row};

use super::super::name::Name;
use super::super::{LogInfo, Order, Place};
use super::fail::Fault;
use super::log::{self, COLUMNS, Log, int};

/// At most `max` logs behind `after`; which are held is not told.
pub(super) fn page(
    database: &Connection,
    order: Order,
    after: Option<&Place>,
    max: u32,
) -> Result<Vec<LogInfo>, Fault> {
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    let keys = match order {
        Order::ById => by_id(database, after.map_or("", |place| &place.name), max)?,
        Order::Recent => recent(database, after, max)?,
    };
    let mut select = database.prepare_cached(&format!("SELECT {COLUMNS} FROM sessions WHERE number = ?1"))?;
    let infos = keys.into_iter().map(|key| Ok(key.info(select.query_row([key.number], log::of_row)?)));
    infos.collect()
}

/// What a row is called, and how it is found.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    name: String,
    is_id: bool,
    number: i64,
}

impl Key {
    /// Of a row that begins with its number and its id.
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let number = row.get(0)?;
        let id = row.get_ref(1)?.as_str().ok().filter(|id| Name::of(id).is_ok());
        Ok(Self { name: id.map_or_else(|| name(number), str::to_owned), is_id: id.is_some(), number })
    }

    fn info(&self, log: Log) -> LogInfo {
        let info = super::info(&self.name, log, false);
        if self.is_id { info } else { LogInfo { id: None, length: info.length.max(1), ..info } }
    }
}

/// How a row is called whose id is none: as no id can be.
fn name(number: i64) -> String {
    format!("row {number} of the table `sessions`\0")
}

fn by_id(database: &Connection, after: &str, max: usize) -> Result<Vec<Key>, Fault> {
    let mut keys = Vec::new();
    let is_behind_ids = after.ends_with('\0');
    if !is_behind_ids {
        let mut select = database.prepare_cached("SELECT number, id FROM sessions WHERE id > ?1 ORDER BY id")?;
        let mut rows = select.query([after])?;
        while keys.len() < max
            && let Some(row) = rows.next()?
        {
            keys.extend(Some(Key::of(row)?).filter(|key| key.is_id));
        }
    }
    if keys.len() < max {
        let mut select = database.prepare_cached("SELECT number, id FROM sessions ORDER BY id")?;
        let mut rows = select.query(())?;
        let mut others = Vec::new();
        while let Some(row) = rows.next()? {
            others.extend(Some(Key::of(row)?).filter(|key| !(key.is_id || is_behind_ids && *key.name <= *after)));
        }
        others.sort_unstable();
        keys.extend(others);
        keys.truncate(max);
    }
    Ok(keys)
}

fn recent(database: &Connection, after: Option<&Place>, max: usize) -> Result<Vec<Key>, Fault> {
    let mut select = database
        .prepare_cached("SELECT number, id, modified FROM sessions WHERE modified <= ?1 ORDER BY modified DESC, id")?;
    let mut rows = select.query([after.map_or(i64::MAX, |place| int(place.modified))])?;
    let mut keys = Vec::new();
    let (mut equals, mut moment) = (Vec::new(), None);
    while let Some(row) = rows.next()? {
        let modified = log::unsigned(row.get(2)?);
        if moment != Some(modified) {
            moment = Some(modified);
            take_sorted(&mut keys, &mut equals);
            if keys.len() >= max {
                break;
            }
        }
        let key = Key::of(row)?;
        if after.is_none_or(|place| modified < place.modified || key.name > place.name) {
            equals.push(key);
        }
    }
    take_sorted(&mut keys, &mut equals);
    keys.truncate(max);
    Ok(keys)
}

fn take_sorted(keys: &mut Vec<Key>, equals: &mut Vec<Key>) {
    equals.sort_unstable();
    keys.append(equals);
}
