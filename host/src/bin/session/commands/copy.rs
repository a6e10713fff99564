//! `session copy`

mod transfer;

use anyhow::{Context, Result};
use serde::Serialize;
use session_host::{Damage, Error, Sessions, Storage, StorageError};

use self::transfer::{Copied, transfer};
use crate::exit::{Exit, Failure};
use crate::output::{self, DIM};
use crate::place::{self, Place};
use crate::store::{self, Store};
use crate::view::{state, text};

/// What `copy` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Store to copy to: jsonl:DIR or sqlite:FILE
    #[arg(long, value_name = "STORE", value_parser = store::parser())]
    to: Store,
    /// Sessions to copy
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
}

/// What is said of one session, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    bytes: u64,
    asides: usize,
    damage: Option<&'a Damage>,
    reason: Option<String>,
}

impl Args {
    /// Copies one after the other, and compares each with its source.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        if matches!(self.to, Store::Memory) {
            return Err(Failure::usage("a copy in memory: would be gone at once; name another store").into());
        }
        let (from, to) = (place.store().open()?, self.to.open_or_new()?);
        let sessions = place::open(&place::engine()?, to.clone());
        for id in &self.ids {
            self.check(&*from, &*to, id)?;
            let copied = transfer(&*from, &*to, id)
                .with_context(|| format!("can't copy session {} to {}", text::quote(id), self.to.place()))?;
            tell(&sessions, id, &copied, json)?;
        }
        Ok(Exit::Done)
    }

    /// Nothing is copied of a session that another writes, or over one that is there.
    fn check(&self, from: &dyn Storage, to: &dyn Storage, id: &str) -> Result<()> {
        let source = from.stat(id).map_err(|error| match error {
            StorageError::NotFound => Error::NotFound(id.to_owned()).into(),
            error => anyhow::Error::from(error),
        })?;
        if source.held {
            return Err(Error::Busy("its writer holds it".into()).into());
        }
        let (name, place) = (text::quote(id), self.to.place());
        let there = match to.stat(id) {
            Err(StorageError::NotFound) => return Ok(()),
            there => there?,
        };
        let sentence = match there.length < source.length && transfer::is_prefix(from, to, id, there.length)? {
            true => format!(
                "session {name} in {place} has the first {} of {} bytes, as if a copy had been stopped; if so, remove it with \
                 `{}` and copy again",
                there.length,
                source.length,
                Place::of(self.to.clone()).command(&format!("delete {name}"))
            ),
            false => format!("there is a session {name} in {place} already, and none is ever replaced"),
        };
        Err(Failure::new(Exit::Refused, sentence).into())
    }
}

/// Says what was copied, and whether it is damaged: that is copied too.
fn tell(sessions: &Sessions, id: &str, copied: &Copied, json: bool) -> Result<()> {
    let state = sessions.verify(id);
    let (damage, reason) = match &state {
        Ok(state) => (state::damage_of(state), None),
        Err(error) => (None, Some(state::reason(error))),
    };
    let Copied { bytes, asides } = *copied;
    if json {
        return Ok(output::json([Line { id, bytes, asides, damage, reason }])?);
    }
    let size = text::size(bytes);
    output::line(format_args!("copied {}  {DIM}{size}{DIM:#}", text::name(id)))?;
    if let Some(told) = damage.map(state::tell).or(reason) {
        output::warn(&format!("session {} is damaged, and copied as it is: {told}", text::quote(id)));
    }
    Ok(())
}
