//! Many sessions, and several threads.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};
use session_host::WakeOptions;

use crate::bare;
use crate::events::{CHUNK, Script, USUAL, line};
use crate::place::Place;
use crate::report::{MILLISECONDS, Row};
use crate::rounds::{medians, time};

/// How long so many threads take, each with its number.
fn in_threads(threads: usize, work: impl Fn(usize) -> Result<()> + Sync) -> Result<Duration> {
    time(|| {
        thread::scope(|scope| {
            let work = &work;
            let running: Vec<_> = (0..threads).map(|number| scope.spawn(move || work(number))).collect();
            running.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?)
        })
    })
}

/// Sixteen sessions on sixteen threads, each event flushed.
pub fn durable(place: &Place) -> Result<Vec<Row>> {
    const THREADS: usize = 16;
    const KIND: &str = "assistant/chunk";
    let (rounds, count) = (place.size(7, 15), place.size(5, 10));
    let line = line(10_000, KIND, CHUNK);

    let folder = place.path("threads");
    let ids: Vec<_> = (0..THREADS).map(|number| format!("s{number}")).collect();
    let sessions = place.sessions(&folder)?;
    for id in &ids {
        sessions.create(id.as_str())?;
        sessions.flush(id)?;
    }
    drop(sessions);
    let files = ids.iter().map(|id| bare::open(&place.path(&format!("threads-{id}"))));
    let files = files.collect::<std::io::Result<Vec<File>>>()?;

    let mut ours = || {
        // Afresh each round, since it is by lot which sessions share an instance.
        let sessions = place.sessions(&folder)?;
        ids.iter().try_for_each(|id| sessions.wake(id, WakeOptions::default()).map(drop))?;
        let emit = |id: &str| -> Result<()> {
            sessions.emit_json(id, KIND, CHUNK)?;
            Ok(sessions.flush(id)?)
        };
        Ok(in_threads(THREADS, |number| (0..count).try_for_each(|_| emit(&ids[number])))? / count)
    };
    let mut bare = || {
        let write = |mut file: &File| -> Result<()> {
            file.write_all(line.as_bytes())?;
            Ok(file.sync_data()?)
        };
        Ok(in_threads(THREADS, |number| (0..count).try_for_each(|_| write(&files[number])))? / count)
    };
    let times = medians(rounds, [&mut ours, &mut bare])?;
    let row = Row::times("durable-append-16", times, MILLISECONDS).work("256 B in each of 16 sessions, 16 threads");
    Ok(vec![row.beside("write + fdatasync, 16 threads").goal("1.10")])
}

/// A turn in each of many sessions that are there already: claimed, appended to, flushed and released.
pub fn sessions(place: &Place) -> Result<Vec<Row>> {
    const THREADS: usize = 8;
    let (rounds, count) = (place.size(3, 7), place.size(200, 1_000));
    let turn = turn_of_20();
    let lines: Vec<_> = (0..).zip(&turn).map(|(seq, (kind, data))| line(seq, kind, data)).collect();

    let sessions = place.sessions(&place.path("many"))?;
    let ids: Vec<_> = (0..count).map(|number| format!("s{number}")).collect();
    in_threads(THREADS, |number| {
        for id in ids.iter().skip(number).step_by(THREADS) {
            sessions.create(id.as_str())?;
            sessions.flush(id)?;
            sessions.release(id)?;
        }
        Ok(())
    })?;
    let paths: Vec<PathBuf> = ids.iter().map(|id| place.path(&format!("many-{id}"))).collect();

    let mut ours = || {
        in_threads(THREADS, |number| {
            for id in ids.iter().skip(number).step_by(THREADS) {
                for (kind, data) in &turn {
                    sessions.emit_json(id, kind, data)?;
                }
                sessions.flush(id)?;
                sessions.release(id)?;
            }
            Ok(())
        })
    };
    let mut bare = || {
        in_threads(THREADS, |number| {
            for path in paths.iter().skip(number).step_by(THREADS) {
                let mut file = bare::open(path)?;
                for line in &lines {
                    file.write_all(line.as_bytes())?;
                }
                file.sync_data()?;
            }
            Ok(())
        })
    };
    let times = medians(rounds, [&mut ours, &mut bare])?;
    let work = format!("a turn of 20 events, flushed, in each of {count} sessions, 8 threads");
    let row = Row::times("sessions", times, MILLISECONDS).work(work);
    Ok(vec![row.beside("open, 20 × write, fdatasync").goal("1.3")])
}

/// The types and data of a turn's events.
fn turn_of_20() -> Vec<(String, String)> {
    let mut lines = String::new();
    Script::new(crate::events::Shape { steps: 1..=1, chunks: 14..=14, ..USUAL }).turn(&mut lines);
    let events = lines.lines().filter_map(|line| {
        let (kind, rest) = line.strip_prefix(r#"{"type":""#)?.split_once('"')?;
        let (_, data) = rest.split_once(r#""data":"#)?;
        Some((kind.to_owned(), data.strip_suffix('}')?.to_owned()))
    });
    events.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_has_20_events_from_its_start_to_its_end() {
        let turn = turn_of_20();
        assert_eq!(turn.len(), 20);
        assert_eq!(turn[0], ("turn/start".into(), r#"{"turn":1}"#.into()));
        assert_eq!(turn[19].0, "turn/end");
    }
}
