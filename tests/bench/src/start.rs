//! The command, from its start to its end.

use std::fs::{self, File};
use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::bare;
use crate::events::{CHUNK, line};
use crate::place::Place;
use crate::report::{MILLISECONDS, Row};
use crate::rounds::{medians, time};

/// Appends one event to a session that is there, durably.
pub fn run(place: &Place) -> Result<Vec<Row>> {
    let folder = place.path("start");
    let sessions = place.sessions(&folder)?;
    sessions.create("s")?;
    sessions.flush("s")?;
    drop(sessions);
    let event = place.path("start-event");
    fs::write(&event, format!("{{\"type\":\"assistant/chunk\",\"data\":{CHUNK}}}\n"))?;
    let session = std::env::current_exe()?.with_file_name("session");
    let mut ours = || {
        let mut command = Command::new(&session);
        command.args(["append", "s", "--stamp", "--ack", "--root"]).arg(&folder);
        // Compiled code is kept, by the round that warms up.
        command.env("XDG_CACHE_HOME", place.path("start-cache")).stdin(File::open(&event)?);
        time(|| run_to_its_end(&mut command))
    };
    let line = line(10_000, "assistant/chunk", CHUNK);
    let path = place.path("start-bare");
    let mut bare = || {
        let mut command = Command::new("true");
        command.stdin(File::open(&event)?);
        time(|| {
            run_to_its_end(&mut command)?;
            let mut file = bare::open(&path)?;
            file.write_all(line.as_bytes())?;
            Ok(file.sync_data()?)
        })
    };
    let times = medians(place.size(15, 41), [&mut ours, &mut bare])?;
    let row = Row::times("start", times, MILLISECONDS).work("`session append`, one event, durable");
    Ok(vec![row.beside("`true`; open, write, fdatasync").goal("10 ms more")])
}

fn run_to_its_end(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("can't run {}", command.get_program().display()))?;
    ensure!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
