//! `session aside`

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use session_host::{Error, Sessions};

use crate::exit::{Exit, Failure};
use crate::output::{self, DIM};
use crate::place::Place;
use crate::view::text;

/// So much of an aside is read at once.
const PIECE: u32 = 1024 * 1024;

/// What `aside` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session whose log was cut
    pub id: String,
    /// Piece to print, byte for byte; without it the pieces are listed
    name: Option<String>,
}

/// A piece in the list, as JSON.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    length: u64,
}

impl Args {
    /// Lists what was set aside, or prints it.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        if !sessions.has(&self.id)? {
            return Err(Error::NotFound(self.id.clone()).into());
        }
        match &self.name {
            Some(name) => self.print(&sessions, name, place)?,
            None => list(&sessions, &self.id, json)?,
        }
        Ok(Exit::Done)
    }

    fn print(&self, sessions: &Sessions, name: &str, place: &Place) -> Result<()> {
        if !sessions.asides(&self.id)?.iter().any(|aside| aside.name == name) {
            let (id, name) = (text::quote(&self.id), text::quote(name));
            let list = place.command(&format!("aside {id}"));
            let sentence = format!("nothing called {name} was set aside from session {id}; `{list}` shows what was");
            return Err(Failure::not_found(sentence).into());
        }
        let mut out = output::bytes();
        let mut at = 0;
        loop {
            let piece = sessions.read_aside(&self.id, name, at, PIECE)?;
            out.write_all(&piece)?;
            at += piece.len() as u64;
            if piece.len() < PIECE as usize {
                return Ok(out.flush()?);
            }
        }
    }
}

fn list(sessions: &Sessions, id: &str, json: bool) -> Result<()> {
    let asides = sessions.asides(id)?;
    if json {
        return Ok(output::json(asides.iter().map(|aside| Row { name: &aside.name, length: aside.length }))?);
    }
    let mut out = output::people();
    for aside in &asides {
        writeln!(out, "{}  {DIM}{}{DIM:#}", text::line(&aside.name), text::size(aside.length))?;
    }
    Ok(out.flush()?)
}
