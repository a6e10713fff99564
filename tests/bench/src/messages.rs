//! A conversation out of a long session.

use std::fs::File;
use std::hint::black_box;
use std::os::unix::fs::FileExt;

use anyhow::{Result, ensure};
use session_host::{Pairing, WakeOptions};

use crate::events::{Script, Shape, USUAL};
use crate::place::Place;
use crate::report::{MILLISECONDS, Row};
use crate::rounds::{medians, time};

/// Fifty turns, each of four messages: a question, a call, its result, an answer.
const TURNS: usize = 50;
const MESSAGES: usize = 4 * TURNS;
const KINDS: [&str; 3] = ["user/message", "assistant/message", "tool/result"];

pub fn run(place: &Place) -> Result<Vec<Row>> {
    let mut script = Script::new(Shape { steps: 2..=2, chunks: 1000..=1000, ..USUAL });
    let mut lines = String::new();
    (0..TURNS).for_each(|_| script.turn(&mut lines));

    let folder = place.path("messages");
    let sessions = place.sessions(&folder)?;
    sessions.create("s")?;
    sessions.flush("s")?;
    let path = folder.join("s.jsonl");
    let mut at = std::fs::metadata(&path)?.len();
    sessions.append_lines("s", &lines)?;
    sessions.wake("s", WakeOptions::default())?;
    let mut ranges = Vec::new();
    for line in lines.split_inclusive('\n') {
        if KINDS.iter().any(|kind| line[r#"{"type":""#.len()..].starts_with(kind)) {
            ranges.push((at, line.len()));
        }
        at += line.len() as u64;
    }
    ensure!(ranges.len() == MESSAGES, "{} messages were written", ranges.len());

    let mut ours = || {
        time(|| {
            let messages = sessions.messages("s", Pairing::Paired).collect::<session_host::Result<Vec<_>>>()?;
            ensure!(messages.len() == MESSAGES, "{} messages", messages.len());
            black_box(messages);
            Ok(())
        })
    };
    let file = File::open(&path)?;
    let mut bare = || {
        time(|| {
            let mut messages = Vec::with_capacity(ranges.len());
            for &(at, length) in &ranges {
                let mut message = vec![0; length];
                file.read_exact_at(&mut message, at)?;
                messages.push(message);
            }
            black_box(messages);
            Ok(())
        })
    };
    let times = medians(place.size(9, 21), [&mut ours, &mut bare])?;
    let row = Row::times("messages", times, MILLISECONDS);
    let work = format!("{MESSAGES} messages between 100,000 chunks, {} MB", lines.len() / 1_000_000);
    Ok(vec![row.work(work).beside("pread of the messages' lines").goal("3")])
}
