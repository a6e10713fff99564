//! One large log, woken and read.

use std::borrow::Cow;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::Deserialize;
use serde_json::value::RawValue;
use session_host::{Sessions, WakeOptions};

use crate::bare;
use crate::events::{Script, USUAL};
use crate::place::Place;
use crate::report::{MICROSECONDS, MILLISECONDS, Row};
use crate::rounds::{average, medians, time};

/// A log of a gigabyte or a tenth of one, synced and in the system's memory.
pub struct Large {
    pub folder: PathBuf,
    /// How many events, and then how many bytes.
    size: String,
    /// Where each event begins, and the last one ends.
    offsets: Vec<u64>,
}

impl Large {
    /// Its id.
    pub const ID: &str = "large";

    pub fn write(place: &Place) -> Result<Self> {
        let folder = place.path("large");
        let sessions = place.sessions(&folder)?;
        sessions.create(Self::ID)?;
        sessions.flush(Self::ID)?;
        let mut at = fs::metadata(folder.join("large.jsonl"))?.len();
        let mut offsets = vec![at];
        let mut script = Script::new(USUAL);
        let bytes = place.size(100_000_000, 1_000_000_000);
        while at < bytes {
            let lines = script.bytes(4 << 20);
            sessions.append_lines(Self::ID, &lines)?;
            offsets.extend(lines.split_inclusive('\n').map(|line| {
                at += line.len() as u64;
                at
            }));
        }
        sessions.flush(Self::ID)?;
        let size = format!("{} MB, {} events", at / 1_000_000, script.length());
        Ok(Self { folder, size, offsets })
    }

    pub fn file(&self) -> PathBuf {
        self.folder.join("large.jsonl")
    }

    fn events(&self) -> u64 {
        self.offsets.len() as u64 - 1
    }

    fn bytes(&self) -> u64 {
        self.offsets[self.offsets.len() - 1] - self.offsets[0]
    }

    fn wake(&self, sessions: &Sessions) -> Result<()> {
        let length = sessions.wake(Self::ID, WakeOptions::default())?.length;
        ensure!(length == self.events(), "{length} events instead of {}", self.events());
        Ok(())
    }

    /// A new writer that has it awake.
    fn awake(&self, place: &Place) -> Result<Sessions> {
        let sessions = place.small(&self.folder)?;
        self.wake(&sessions)?;
        Ok(sessions)
    }
}

/// Woken where no note helps.
pub fn wake_full(place: &Place) -> Result<Vec<Row>> {
    let large = place.large()?;
    let mut ours = || {
        let note = large.folder.join("large.ckpt");
        if note.exists() {
            fs::remove_file(note)?;
        }
        let sessions = place.small(&large.folder)?;
        time(|| large.wake(&sessions))
    };
    let mut bare = || time(|| Ok(bare::read(&large.file())?));
    let times = medians(place.size(3, 7), [&mut ours, &mut bare])?;
    let row = Row::times("wake-full", times, MILLISECONDS).work(format!("{}, no checkpoint, 16 MiB", large.size));
    Ok(vec![row.beside("open, read in windows").goal("1.25")])
}

/// Woken with what the writer before has left.
pub fn wake(place: &Place) -> Result<Vec<Row>> {
    const TAIL: usize = 64 << 10;
    let large = place.large()?;
    let before = large.awake(place)?;
    before.flush(Large::ID)?;
    before.release(Large::ID)?;
    let mut ours = || {
        let sessions = place.small(&large.folder)?;
        time(|| large.wake(&sessions))
    };
    let mut tail = vec![0; TAIL];
    let mut bare = || {
        time(|| {
            let file = File::open(large.file())?;
            let length = file.metadata()?.len();
            Ok(file.read_exact_at(&mut tail, length - TAIL as u64)?)
        })
    };
    let times = medians(place.size(3, 7), [&mut ours, &mut bare])?;
    let row = Row::times("wake", times, MILLISECONDS).work(format!("{}, with a checkpoint if any", large.size));
    Ok(vec![row.beside("open, stat, read of 64 KiB").goal("3 (5 ms)")])
}

/// A hundred events here and there.
pub fn slice(place: &Place) -> Result<Vec<Row>> {
    const EVENTS: u64 = 100;
    let large = place.large()?;
    let sessions = large.awake(place)?;
    let places: Vec<_> = (0..100).map(|n| n * 7919 * 6151 % (large.events() - EVENTS)).collect();
    let count = places.len() as u32;
    let mut at = places.iter().cycle();
    let mut ours = || {
        average(count, || {
            let start = at.next().map_or(0, |&start| start);
            let slice = sessions.get_events(Large::ID, start, EVENTS as u32, &[])?;
            ensure!(slice.events.len() as u64 == EVENTS, "{} events from {start}", slice.events.len());
            Ok(())
        })
    };
    let file = File::open(large.file())?;
    let mut at = places.iter().cycle();
    let mut bare = || {
        average(count, || {
            let start = at.next().map_or(0, |&start| start as usize);
            let (from, to) = (large.offsets[start], large.offsets[start + EVENTS as usize]);
            let mut bytes = vec![0; (to - from) as usize];
            file.read_exact_at(&mut bytes, from)?;
            black_box(bytes);
            Ok(())
        })
    };
    let times = medians(place.size(7, 15), [&mut ours, &mut bare])?;
    let row = Row::times("slice", times, MICROSECONDS).work(format!("100 events anywhere in {}", large.size));
    Ok(vec![row.beside("pread of their bytes").goal("3 (100 µs)")])
}

/// All of it as it stands.
pub fn lines(place: &Place) -> Result<Vec<Row>> {
    let large = place.large()?;
    let sessions = large.awake(place)?;
    let mut ours = || {
        time(|| {
            let bytes = sessions.lines(Large::ID, 0).try_fold(0, |sum, lines| lines.map(|lines| sum + lines.len()))?;
            ensure!(bytes as u64 == large.bytes(), "{bytes} bytes instead of {}", large.bytes());
            Ok(())
        })
    };
    let mut bare = || time(|| Ok(bare::read(&large.file())?));
    let times = medians(place.size(3, 7), [&mut ours, &mut bare])?;
    let row = Row::times("get-lines", times, MILLISECONDS).work(format!("all of {}", large.size));
    Ok(vec![row.beside("open, read in windows").goal("1.5")])
}

/// An event whose text stays where it is.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    seq: u64,
    time: u64,
    #[serde(borrow)]
    data: &'a RawValue,
}

/// All of it, event by event.
pub fn events(place: &Place) -> Result<Vec<Row>> {
    let large = place.large()?;
    let sessions = large.awake(place)?;
    let mut ours = || {
        time(|| {
            let count = sessions.events(Large::ID, 0).try_fold(0, |count, event| {
                black_box(event?);
                Ok::<_, anyhow::Error>(count + 1)
            })?;
            ensure!(count == large.events(), "{count} events instead of {}", large.events());
            Ok(())
        })
    };
    let mut bare = || time(|| parse_all(large));
    let times = medians(place.size(3, 5), [&mut ours, &mut bare])?;
    let row = Row::times("get-events", times, MILLISECONDS).work(format!("all of {}", large.size));
    Ok(vec![row.beside("read, serde_json, borrowed and raw").goal("1.0")])
}

fn parse_all(large: &Large) -> Result<()> {
    let mut file = BufReader::with_capacity(bare::WINDOW, File::open(large.file())?);
    file.seek(SeekFrom::Start(large.offsets[0]))?;
    let (mut count, mut line) = (0, Vec::new());
    while file.read_until(b'\n', &mut line)? > 0 {
        let Envelope { kind, seq, time, data } = serde_json::from_slice(&line)?;
        black_box((kind, seq, time, data));
        count += 1;
        line.clear();
    }
    ensure!(count == large.events(), "{count} events instead of {}", large.events());
    Ok(())
}
