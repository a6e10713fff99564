//! `session export`

mod header;
mod live;
mod write;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use session_host::Sessions;
use session_host::tree::Tree;

use self::live::Live;
use super::import::Format;
use crate::exit::{Exit, Failure};
use crate::place::Place;
use crate::view::{state, text};
use crate::{file, output};

/// The version of the files that it writes.
const VERSION: u64 = 4;
/// So many entries are told of which something is left out.
const MOST: u64 = 20;

/// What `export` takes.
#[derive(clap::Args)]
pub struct Args {
    /// What is to read the file
    ///
    /// For pi that is version 4, which its library pi-agent-core reads from 0.84 to 0.87. The program pi reads no version past 3: it refuses
    /// such a file, or takes it for an empty one and overwrites it. Keep the file out of the folder of its sessions.
    #[arg(long, value_name = "FORMAT", value_enum)]
    to: Format,
    /// Session to export
    pub id: String,
    /// Where to put it; a file that is there is replaced [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What was written.
#[derive(Default)]
struct Written {
    lines: u64,
    /// What was left out of entries, the first of it, and how many entries there are of that kind.
    left_out: Vec<String>,
    short: u64,
}

impl Args {
    /// Writes what the tree of the session holds now.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let Format::Pi = self.to;
        let sessions = place.sessions()?;
        let written = match &self.output {
            None => self.write(&sessions, &mut output::bytes())?,
            Some(file) => file::replace(file, |out| self.write(&sessions, out))?,
        };
        state::warn_of_damage(&sessions, &self.id, "exported", place);
        written.warn(&self.id);
        let lines = written.lines;
        match &self.output {
            None => {}
            Some(file) if json => {
                output::json([
                    serde_json::json!({ "id": self.id, "version": VERSION, "lines": lines, "output": file.to_string_lossy() }),
                ])?;
            }
            Some(file) => {
                let (id, file) = (text::name(&self.id), file.display().to_string());
                let (file, lines) = (text::line(&file), text::count(lines, "line"));
                output::line(format_args!("exported {id} to {file}: version {VERSION}, {lines}"))?;
            }
        }
        Ok(Exit::Done)
    }

    fn write(&self, sessions: &Sessions, out: &mut impl Write) -> Result<Written> {
        // Damage that no note tells of would else be found when half of it is written.
        let before = sessions.verify(&self.id)?;
        let tree: Tree<'_> = sessions.tree(&self.id);
        let next = tree.state()?.next;
        let live = Live::of(&tree)?;
        writeln!(out, "{}", header::line(sessions, &before.header, next, live.last())?)?;
        let mut written = Written { lines: 1, ..Written::default() };
        for line in live.writes()? {
            let write::Line { json, left_out } = line?;
            writeln!(out, "{json}")?;
            written.lines += 1;
            written.short += u64::from(left_out.is_some());
            written.left_out.extend(left_out.filter(|_| written.short <= MOST));
        }
        out.flush()?;
        if sessions.inspect(&self.id)?.revision != before.revision {
            let sentence =
                format!("session {} was changed while it was exported; export it again", text::quote(&self.id));
            return Err(Failure::new(Exit::Other, sentence).into());
        }
        Ok(written)
    }
}

impl Written {
    /// Says what is not in the file.
    fn warn(&self, id: &str) {
        if self.lines == 1 {
            let id = text::quote(id);
            output::warn(&format!(
                "session {id} holds no tree that could be exported: there is a header in the file, and nothing else"
            ));
        }
        self.left_out.iter().for_each(|sentence| output::warn(sentence));
        let rest = self.short.saturating_sub(MOST);
        if rest > 0 {
            output::warn(&format!("such is left out of {} too", text::count_as(rest, "more entry", "more entries")));
        }
    }
}
