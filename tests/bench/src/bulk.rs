//! Many events in batches of lines.

use std::fs;
use std::io::Write;

use anyhow::Result;

use crate::bare;
use crate::events::{Script, USUAL};
use crate::place::Place;
use crate::report::{MILLISECONDS, Row};
use crate::rounds::{medians, time};

const BATCH: usize = 1 << 20;

/// Appends 100 MB, each round to a fresh log that is removed before the disk has got around to it.
pub fn run(place: &Place) -> Result<Vec<Row>> {
    let mut script = Script::new(USUAL);
    let batches: Vec<String> = (0..100_000_000 / BATCH).map(|_| script.bytes(BATCH)).collect();
    let bytes: usize = batches.iter().map(String::len).sum();

    let sessions = place.sessions(&place.path("bulk"))?;
    let mut ours = || {
        sessions.create("s")?;
        sessions.flush("s")?;
        let time = time(|| batches.iter().try_for_each(|batch| Ok(sessions.append_lines("s", batch).map(drop)?)))?;
        sessions.delete("s")?;
        Ok(time)
    };
    let path = place.path("bulk-bare");
    let mut bare = || {
        let mut file = bare::open(&path)?;
        let time = time(|| batches.iter().try_for_each(|batch| Ok(file.write_all(batch.as_bytes())?)))?;
        fs::remove_file(&path)?;
        Ok(time)
    };
    let times = medians(place.size(5, 9), [&mut ours, &mut bare])?;
    let work = format!("{} MB, {} events in batches of 1 MB", bytes / 1_000_000, script.length());
    Ok(vec![Row::times("append-lines", times, MILLISECONDS).work(work).beside("write").goal("1.25")])
}
