//! A page of many sessions.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::Read;

use anyhow::{Result, ensure};
use session_host::{ListItem, ListOptions};

use crate::bare;
use crate::events::line;
use crate::large::Large;
use crate::place::Place;
use crate::report::{MILLISECONDS, Row};
use crate::rounds::{medians, time};

const SESSIONS: usize = 10_000;
const PAGE: usize = 50;

/// The first page by id, which has the large log in it.
pub fn run(place: &Place) -> Result<Vec<Row>> {
    let folder = place.path("list");
    let sessions = place.sessions(&folder)?;
    // Written by hand: as sessions they would take minutes, since each is made durable.
    for number in 1..SESSIONS {
        let id = format!("s{number:05}");
        let header = format!(
            "{{\"type\":\"session\",\"version\":0,\"id\":\"{id}\",\"createdAt\":1763681581550,\"cwd\":\"/src\"}}\n"
        );
        let log = header + &line(0, "turn/start", r#"{"turn":1}"#);
        std::io::Write::write_all(&mut bare::open(&folder.join(format!("{id}.jsonl")))?, log.as_bytes())?;
    }
    fs::hard_link(place.large()?.file(), folder.join("large.jsonl"))?;

    let mut ours = || {
        time(|| {
            let page = sessions.list(&ListOptions { limit: PAGE as u32, ..ListOptions::default() })?;
            ensure!(page.items.len() == PAGE, "{} sessions on the page", page.items.len());
            let first = matches!(&page.items[0], ListItem::Session(session) if session.header.id == Large::ID);
            ensure!(first, "the large one is not the first on the page");
            Ok(())
        })
    };
    let mut head = vec![0; 4096];
    let mut bare = || {
        time(|| {
            let names = fs::read_dir(&folder)?.collect::<std::io::Result<Vec<_>>>()?;
            for name in &names[..PAGE] {
                let read = File::open(name.path())?.read(&mut head)?;
                black_box(head[..read].iter().position(|&byte| byte == b'\n'));
            }
            Ok(())
        })
    };
    let times = medians(place.size(11, 31), [&mut ours, &mut bare])?;
    let work = format!("{PAGE} of {SESSIONS}, by id; one is large");
    let row = Row::times("list", times, MILLISECONDS).work(work);
    Ok(vec![row.beside("readdir, 50 × open and read").goal("2 (5 ms)")])
}
