//! Pages of the logs. An index is entered at the page's place, so a page costs what is on it; but rows without an id have
//! their place by a name that no index knows, so the last page by id costs a look at all ids, and a recent one a look at all
//! that changed in the same millisecond.

use rusqlite::{Connection, Row};

use super::super::name::Name;
use super::super::{LogInfo, Order, Place};
use super::fail::{self, Fault};
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
    let infos = keys.into_iter().map(|key| match key.kind {
        Kind::Lost => Ok(key.unread()),
        _ => match select.query_row([key.number], log::of_row) {
            Ok(log) => Ok(key.info(log)),
            // Whoever reads it is told; the others can be read.
            Err(error) if fail::is_damage(&error) => Ok(key.unread()),
            Err(error) => Err(error.into()),
        },
    });
    infos.collect()
}

/// What a log is called, and how it is found.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    name: String,
    kind: Kind,
    number: i64,
    /// If it was looked up.
    modified: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// It has an id, which is its name.
    Named,
    /// What it has for an id is none.
    Nameless,
    /// There are lines of it, and nothing else.
    Lost,
}

impl Key {
    /// Of a row that begins with its number and its id.
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let number = row.get(0)?;
        Ok(match row.get_ref(1)?.as_str() {
            Ok(id) if Name::of(id).is_ok() => Self { name: id.to_owned(), kind: Kind::Named, number, modified: 0 },
            _ => Self { name: nameless(number), kind: Kind::Nameless, number, modified: 0 },
        })
    }

    fn info(&self, log: Log) -> LogInfo {
        let info = super::info(&self.name, log, false);
        match self.kind {
            Kind::Named => info,
            _ => LogInfo { id: None, length: info.length.max(1), ..info },
        }
    }

    /// Of what the row does not tell.
    fn unread(self) -> LogInfo {
        let id = (self.kind == Kind::Named).then(|| self.name.clone());
        LogInfo { id, name: self.name, length: 1, modified: self.modified, identity: String::new(), held: false }
    }
}

/// How a row is called whose id is none. It is longer than any id, so it is none itself, and behind all of them.
fn nameless(number: i64) -> String {
    format!(
        "row {number} of the table `sessions`, whose id is empty, too long or no text; SQL can give it the one that its \
         first line tells: `UPDATE sessions SET id = 'ID' WHERE number = {number}`"
    )
}

/// The same for lines whose row in `sessions` is gone.
fn lost(number: i64) -> String {
    format!(
        "rows of the table `lines` with session {number}, which is not in the table `sessions`; SQL can bring it back with \
         the id that its first line tells: \
         `INSERT INTO sessions VALUES ({number}, 'ID', lower(hex(randomblob(16))), 0, 0)`"
    )
}

/// The logs of which there are lines and nothing else. Goes from session to session by the index.
fn all_lost(database: &Connection) -> Result<Vec<Key>, Fault> {
    let mut select = database.prepare_cached(
        "WITH RECURSIVE owner (number) AS (
             SELECT min(session) FROM lines
             UNION ALL SELECT (SELECT min(session) FROM lines WHERE session > owner.number)
             FROM owner WHERE number IS NOT NULL
         )
         SELECT number FROM owner WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM sessions)",
    )?;
    let keys = select.query_map((), |row| {
        let number = row.get(0)?;
        Ok(Key { name: lost(number), kind: Kind::Lost, number, modified: 0 })
    })?;
    Ok(keys.collect::<rusqlite::Result<_>>()?)
}

fn by_id(database: &Connection, after: &str, max: usize) -> Result<Vec<Key>, Fault> {
    let mut keys = Vec::new();
    let is_behind_ids = !after.is_empty() && Name::of(after).is_err();
    if !is_behind_ids {
        let mut select = database.prepare_cached("SELECT number, id FROM sessions WHERE id > ?1 ORDER BY id")?;
        let mut rows = select.query([after])?;
        while keys.len() < max
            && let Some(row) = rows.next()?
        {
            keys.extend(Some(Key::of(row)?).filter(|key| key.kind == Kind::Named));
        }
    }
    if keys.len() < max {
        let mut select = database.prepare_cached("SELECT number, id FROM sessions ORDER BY id")?;
        let mut rows = select.query(())?;
        let mut others = all_lost(database)?;
        while let Some(row) = rows.next()? {
            others.extend(Some(Key::of(row)?).filter(|key| key.kind != Kind::Named));
        }
        others.retain(|key| !is_behind_ids || *key.name > *after);
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
    let is_behind = |key: &Key, modified| after.is_none_or(|place| modified < place.modified || key.name > place.name);
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
        equals.extend(Some(Key { modified, ..Key::of(row)? }).filter(|key| is_behind(key, modified)));
    }
    if keys.len() < max {
        if moment != Some(0) {
            take_sorted(&mut keys, &mut equals);
        }
        equals.extend(all_lost(database)?.into_iter().filter(|key| is_behind(key, 0)));
    }
    take_sorted(&mut keys, &mut equals);
    keys.truncate(max);
    Ok(keys)
}

fn take_sorted(keys: &mut Vec<Key>, equals: &mut Vec<Key>) {
    equals.sort_unstable();
    keys.append(equals);
}
