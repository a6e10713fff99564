//! A tree opened by somebody who has not seen it before.

use std::collections::HashMap;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{BATCH, content, entries};
use crate::bare;
use crate::place::Place;
use crate::report::{MILLISECONDS, Row};
use crate::rounds::{medians, time};

const ID: &str = "s";

/// As it is imported.
pub fn batches(place: &Place) -> Result<Vec<Row>> {
    Ok(vec![run(place, "tree-open", BATCH)?.goal("0.25 s")])
}

/// As it comes to be while somebody works.
pub fn singles(place: &Place) -> Result<Vec<Row>> {
    Ok(vec![run(place, "tree-open-single", 1)?])
}

/// Opened with what the last writer has left.
fn run(place: &Place, name: &'static str, batch: usize) -> Result<Row> {
    let (folder, length) = (place.path(name), entries(place));
    let sessions = place.sessions(&folder)?;
    sessions.create(ID)?;
    let tree = sessions.tree(ID);
    for index in (0..length).step_by(batch) {
        tree.commit(&content::branch(index..length.min(index + batch)))?;
    }
    sessions.flush(ID)?;
    sessions.release(ID)?;
    drop(sessions);

    let log = folder.join(ID).with_extension("jsonl");
    let mut ours = || {
        let sessions = place.sessions(&folder)?;
        time(|| {
            let count = sessions.tree(ID).state()?.entry_count;
            ensure!(count == length as u64, "{count} entries instead of {length}");
            Ok(())
        })
    };
    let mut bare = || {
        time(|| {
            let count = read(&log)?;
            ensure!(count == length, "{count} entries instead of {length}");
            Ok(())
        })
    };
    let times = medians(place.size(5, 11), [&mut ours, &mut bare])?;
    let megabytes = fs::metadata(&log)?.len() / 1_000_000;
    let work = format!("the state of {length} entries, {batch} a commit, {megabytes} MB");
    let row = Row::times(name, times, MILLISECONDS).work(work);
    Ok(row.beside("read, serde_json, a map of the ids"))
}

/// The line of a commit; texts stay where they are.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    data: Commit<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Commit<'a> {
    first_seq: u64,
    timestamp: u64,
    #[serde(borrow)]
    writes: Vec<Write<'a>>,
}

/// An entry has an id and a payload, and a value that is set neither.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Write<'a> {
    id: Option<&'a str>,
    parent_id: Option<&'a str>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

/// Reads a log of commits of entries into a map, and tells how many there are.
fn read(log: &Path) -> Result<usize> {
    let mut log = BufReader::with_capacity(bare::WINDOW, File::open(log)?);
    let (mut entries, mut indexes) = (Vec::new(), HashMap::new());
    let mut line = Vec::new();
    log.read_until(b'\n', &mut line)?; // The header.
    line.clear();
    while log.read_until(b'\n', &mut line)? > 0 {
        let Line { data: Commit { first_seq, timestamp, writes } } = serde_json::from_slice(&line)?;
        for (number, write) in (first_seq..).zip(writes) {
            if let Write { id: Some(id), parent_id, payload: Some(payload) } = write {
                let parent = parent_id.map(|id| indexes.get(id).copied().context("a parent is missing")).transpose()?;
                indexes.insert(id.to_owned(), entries.len());
                entries.push((number, timestamp, parent, payload.get().len()));
            }
        }
        line.clear();
    }
    black_box(&entries);
    Ok(indexes.len())
}
