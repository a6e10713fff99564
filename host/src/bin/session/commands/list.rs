//! `session list`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use serde_json::json;
use session_host::{ListItem, ListOptions, ListOrder, Listed, SessionHeader, Unreadable};

use super::{create, import};
use crate::exit::Exit;
use crate::output::{self, BOLD, DIM, RED, YELLOW};
use crate::place::Place;
use crate::view::{state, text};

/// So many are asked for at once.
const PAGE: u32 = 200;

/// What `list` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Those last written to first, instead of by id
    #[arg(long)]
    recent: bool,
    /// Only sessions created in this folder
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Stop after so many; the last line tells how to go on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Go on where an earlier list stopped
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
}

/// A session in the list, as JSON: its header, and what storage knows.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    header: &'a SessionHeader,
    bytes: u64,
    modified: u64,
    held: bool,
}

/// What can't be read, as JSON.
#[derive(Serialize)]
struct Unread<'a> {
    unreadable: &'a str,
    id: Option<&'a str>,
    reason: String,
}

impl Args {
    /// Lists what is there, the unreadable among it.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let mut options = ListOptions {
            order: if self.recent { ListOrder::Recent } else { ListOrder::ById },
            cwd: self.cwd.as_deref().map(create::absolute).transpose()?,
            cursor: self.cursor.clone(),
            ..ListOptions::default()
        };
        let (mut empty, mut left) = (true, self.limit.unwrap_or(u32::MAX));
        let mut out: Box<dyn Write> = if json { Box::new(output::bytes()) } else { Box::new(output::people()) };
        while left > 0 {
            options.limit = left.min(PAGE);
            let page = sessions.list(&options)?;
            empty &= page.items.is_empty();
            for item in &page.items {
                if json { write_json(&mut out, item)? } else { write_row(&mut out, item)? }
            }
            left -= (page.items.len() as u32).min(left);
            options.cursor = page.next;
            if options.cursor.is_none() {
                break;
            }
        }
        match &options.cursor {
            Some(next) if json => output::json_line(&mut out, &json!({ "next": next }))?,
            Some(next) => writeln!(out, "{DIM}there are more; go on with --cursor {}{DIM:#}", text::quote(next))?,
            None => {}
        }
        out.flush()?;
        // One that goes on may be empty for other reasons.
        if empty && !json && self.cursor.is_none() {
            match &options.cwd {
                Some(cwd) => hint_at_others(place, cwd),
                None => hint_at_creating(place),
            }
        }
        Ok(Exit::Done)
    }
}

/// Tells people who see nothing why, and how that changes.
pub fn hint_at_creating(place: &Place) {
    let create = place.command("create ID");
    output::hint(&format!("there are no sessions in {}; `{create}` creates one", place.store().place()));
}

/// Tells people who see no session of a folder where to look.
fn hint_at_others(place: &Place, cwd: &str) {
    let (root, list) = (place.store().place(), place.command("list"));
    output::hint(&format!("no session in {root} was created in {cwd}; `{list}` shows those of all folders"));
}

fn write_json(out: &mut impl Write, item: &ListItem) -> io::Result<()> {
    match item {
        ListItem::Session(Listed { header, bytes, modified, held }) => {
            output::json_line(out, &Row { header, bytes: *bytes, modified: *modified, held: *held })
        }
        ListItem::Unreadable(Unreadable { name, id, reason }) => {
            output::json_line(out, &Unread { unreadable: name, id: id.as_deref(), reason: state::reason(reason) })
        }
    }
}

fn write_row(out: &mut impl Write, item: &ListItem) -> io::Result<()> {
    match item {
        ListItem::Session(Listed { header, bytes, modified, held }) => {
            let (when, size, id) = (text::moment(*modified), text::size(*bytes), text::name(&header.id));
            let mark = if *held { "●" } else { " " };
            write!(out, "{DIM}{when}  {size:>8}{DIM:#} {YELLOW}{mark}{YELLOW:#} {BOLD}{id}{BOLD:#}")?;
            if let Some(parent) = &header.parent_session {
                write!(out, "  {DIM}from{DIM:#} {}", text::name(parent))?;
            }
            if let Some(cwd) = &header.cwd {
                write!(out, "  {DIM}{}{DIM:#}", text::line(cwd))?;
            }
            if header.id.starts_with(import::UNFINISHED) {
                write!(out, "  {DIM}an import that is under way, or was stopped{DIM:#}")?;
            }
            writeln!(out)
        }
        ListItem::Unreadable(Unreadable { name, id, reason }) => {
            let name = text::name(id.as_ref().unwrap_or(name));
            writeln!(out, "{RED}unreadable{RED:#} {BOLD}{name}{BOLD:#}  {}", text::line(&state::reason(reason)))
        }
    }
}
