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

impl Args {
    /// Writes what the tree of the session holds now.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let Format::Pi = self.to;
        let sessions = place.sessions()?;
        let lines = match &self.output {
            None => self.write(&sessions, &mut output::bytes())?,
            Some(file) => file::replace(file, |out| self.write(&sessions, out))?,
        };
        state::warn_of_damage(&sessions, &self.id, "exported", place);
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

    /// The number of lines.
    fn write(&self, sessions: &Sessions, out: &mut impl Write) -> Result<u64> {
        let before = sessions.inspect(&self.id)?;
        let tree: Tree<'_> = sessions.tree(&self.id);
        let next = tree.state()?.next;
        let live = Live::of(&tree)?;
        writeln!(out, "{}", header::line(sessions, &before.header, next, live.last())?)?;
        let mut lines = 1;
        for write in live.writes()? {
            writeln!(out, "{}", write?)?;
            lines += 1;
        }
        out.flush()?;
        if sessions.inspect(&self.id)?.revision != before.revision {
            let sentence =
                format!("session {} was changed while it was exported; export it again", text::quote(&self.id));
            return Err(Failure::new(Exit::Other, sentence).into());
        }
        Ok(lines)
    }
}
