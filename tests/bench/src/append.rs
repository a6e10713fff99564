//! One event at a time, on the disk or with the operating system.

use std::io::Write;

use anyhow::Result;
use redb::{Database, TableDefinition};
use rusqlite::Connection;

use crate::bare;
use crate::events::{CHUNK, line};
use crate::place::Place;
use crate::report::{MICROSECONDS, MILLISECONDS, Row};
use crate::rounds::{average, medians};

const KIND: &str = "assistant/chunk";
const EVENTS: TableDefinition<u64, &[u8]> = TableDefinition::new("events");

/// Each event survives a loss of power before the next is written.
pub fn durable(place: &Place) -> Result<Vec<Row>> {
    let (rounds, count) = (place.size(11, 31), place.size(10, 20));
    let line = line(10_000, KIND, CHUNK);

    let sessions = place.sessions(&place.path("durable"))?;
    sessions.create("s")?;
    let mut ours = || {
        average(count, || {
            sessions.emit_json("s", KIND, CHUNK)?;
            Ok(sessions.flush("s")?)
        })
    };

    let mut file = bare::open(&place.path("durable-bare"))?;
    let mut bare = || {
        average(count, || {
            file.write_all(line.as_bytes())?;
            Ok(file.sync_data()?)
        })
    };

    let database = Connection::open(place.path("durable.sqlite"))?;
    database.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE events (seq INTEGER PRIMARY KEY, line BLOB NOT NULL);",
    )?;
    let mut insert = database.prepare("INSERT INTO events (line) VALUES (?1)")?;
    let mut sqlite = || average(count, || Ok(insert.execute([line.as_bytes()]).map(drop)?));

    let database = Database::create(place.path("durable.redb"))?;
    let mut seq = 0;
    let mut redb = || {
        average(count, || {
            let transaction = database.begin_write()?;
            transaction.open_table(EVENTS)?.insert(seq, line.as_bytes())?;
            seq += 1;
            Ok(transaction.commit()?)
        })
    };

    let [ours, bare, sqlite, redb] = medians(rounds, [&mut ours, &mut bare, &mut sqlite, &mut redb])?;
    let row = |name, baseline| Row::times(name, [ours, baseline], MILLISECONDS).work("256 B emitted and flushed");
    Ok(vec![
        row("durable-append", bare).beside("write + fdatasync").goal("1.10"),
        row("durable-append-sqlite", sqlite).beside("SQLite, WAL FULL, one row a commit").goal("0.95"),
        row("durable-append-redb", redb).beside("redb, one value a commit"),
    ])
}

/// The operating system has each event before the next is written.
pub fn acknowledged(place: &Place) -> Result<Vec<Row>> {
    let (rounds, count) = (place.size(21, 41), 5_000);
    let line = line(10_000, KIND, CHUNK);
    let sessions = place.sessions(&place.path("append"))?;
    sessions.create("s")?;
    sessions.flush("s")?;
    let mut file = bare::open(&place.path("append-bare"))?;
    let times = medians(
        rounds,
        [&mut || average(count, || Ok(sessions.emit_json("s", KIND, CHUNK).map(drop)?)), &mut || {
            average(count, || Ok(file.write_all(line.as_bytes())?))
        }],
    )?;
    let row = Row::times("append", times, MICROSECONDS).work("256 B emitted, not flushed");
    Ok(vec![row.beside("write").goal("2.5 (4 µs)")])
}
