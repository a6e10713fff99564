//! How long things take, each beside the bare system calls on the same disk in the same run.
//!
//! `cargo run --release --example figures [sqlite]`

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::time::{Duration, Instant};

use session_host::{Engine, JsonlFolder, Sessions, Sqlite, WakeOptions};

/// What the large log holds.
const LARGE: usize = 100 << 20;
/// An event of 256 bytes or so.
const DATA: &str = r#"{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"A line of an answer, as a model streams it: about as long as one usually is, with some words more so that the whole event has two hundred and fifty-six bytes on its line."}}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir_in(std::env::current_dir()?)?;
    let engine = Engine::new()?;
    let in_database = std::env::args().nth(1).is_some_and(|store| store == "sqlite");
    let open = || -> Result<Sessions, Box<dyn Error>> {
        Ok(match in_database {
            true => Sessions::new(&engine, Sqlite::open(dir.path().join("sessions.db"))?),
            false => Sessions::new(&engine, JsonlFolder::open(dir.path().join("sessions"))?),
        })
    };
    let sessions = open()?;
    sessions.create("small")?;
    sessions.emit_json("small", "turn/start", "{}")?;
    let line = sessions.get_lines("small", 0, 0)?.replace("{}", DATA);
    let mut bare = File::create_new(dir.path().join("bare"))?;

    pair(
        "one event",
        20_000,
        || Ok(sessions.emit_json("small", "assistant/chunk", DATA).map(drop)?),
        "a bare write",
        || Ok(bare.write_all(line.as_bytes())?),
    )?;
    let mut bare = OpenOptions::new().append(true).open(dir.path().join("bare"))?;
    pair(
        "one event, flushed",
        300,
        || {
            sessions.emit_json("small", "assistant/chunk", DATA)?;
            Ok(sessions.flush("small")?)
        },
        "a bare write and fdatasync",
        || {
            bare.write_all(line.as_bytes())?;
            Ok(bare.sync_data()?)
        },
    )?;
    let has = timed(20_000, &mut || Ok(sessions.has("small").map(|has| assert!(has))?))?;
    println!("{:<28} {has:>10.1?}", "one call that looks (has)");

    let lines = |count: u64| {
        (0..count).map(|seq| {
            format!("{{\"type\":\"assistant/chunk\",\"seq\":{seq},\"time\":1763681581550,\"data\":{DATA}}}\n")
        })
    };
    let count = (LARGE / line.len()) as u64;
    let text: String = lines(count).collect();
    sessions.create("large")?;
    let start = Instant::now();
    sessions.append_lines("large", &text)?;
    sessions.flush("large")?;
    rate("append 100 MB of lines", text.len(), start.elapsed());
    let mut file = File::create_new(dir.path().join("bare-large"))?;
    let start = Instant::now();
    for batch in text.as_bytes().chunks(8 << 20) {
        file.write_all(batch)?;
    }
    file.sync_data()?;
    rate("  bare writes, fdatasync", text.len(), start.elapsed());

    drop(sessions);
    let sessions = open()?;
    let start = Instant::now();
    assert_eq!(sessions.wake("large", WakeOptions::default())?.length, count);
    rate("wake it", text.len(), start.elapsed());
    let start = Instant::now();
    assert_eq!(sessions.lines("large", 0).try_fold(0, |sum, lines| lines.map(|lines| sum + lines.len()))?, text.len());
    rate("read it as lines", text.len(), start.elapsed());
    let start = Instant::now();
    assert_eq!(sessions.events("large", 0).try_fold(0, |sum, event| event.map(|_| sum + 1))?, count);
    rate("read it as events", text.len(), start.elapsed());
    let slice = timed(1_000, &mut || {
        Ok(sessions.get_events("large", count / 2, 100, &[]).map(|slice| assert_eq!(slice.events.len(), 100))?)
    })?;
    println!("{:<28} {slice:>10.1?}", "100 events in its middle");
    Ok(())
}

/// Times two things in turn, in several rounds, and prints the medians side by side.
fn pair(
    ours: &str,
    count: u32,
    mut run: impl FnMut() -> Result<(), Box<dyn Error>>,
    baseline: &str,
    mut run_baseline: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let (mut times, mut baselines) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        times.push(timed(count, &mut run)?);
        baselines.push(timed(count, &mut run_baseline)?);
    }
    times.sort();
    baselines.sort();
    let (time, base) = (times[3], baselines[3]);
    let ratio = time.as_secs_f64() / base.as_secs_f64();
    println!("{ours:<28} {time:>10.1?}   {baseline:<28} {base:>10.1?}   ratio {ratio:.2}");
    Ok(())
}

fn timed(count: u32, run: &mut dyn FnMut() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    for _ in 0..count {
        run()?;
    }
    Ok(start.elapsed() / count)
}

fn rate(what: &str, bytes: usize, time: Duration) {
    println!("{what:<28} {time:>10.1?}   {:.0} MB/s", bytes as f64 / 1e6 / time.as_secs_f64());
}
