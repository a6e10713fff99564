//! `session copy`

mod asides;
mod transfer;

use std::io;

use anyhow::{Context, Result};
use serde::Serialize;
use session_host::{Aside, Damage, Error, Sessions, Storage, StorageError};

use self::transfer::{Copied, Failed, transfer};
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
    /// Copy the logs alone, without what was set aside from them
    #[arg(long)]
    leave_asides: bool,
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
        let mut told = Ok(());
        for id in &self.ids {
            let copied = self.copy(&*from, &*to, id)?;
            let told_now = tell(&sessions, id, &copied, json, told.is_ok());
            // The rest is copied also if nobody reads about each.
            told = told.and(told_now);
        }
        Exit::Done.told(told.context("all is copied"))
    }

    /// Copies one, unless it is refused.
    fn copy(&self, from: &dyn Storage, to: &dyn Storage, id: &str) -> Result<Copied> {
        let doing = || format!("can't copy session {} to {}", text::quote(id), self.to.place());
        let source = from.stat(id).map_err(|error| match error {
            StorageError::NotFound => Error::NotFound(id.to_owned()).into(),
            error => anyhow::Error::from(error),
        });
        if source.with_context(doing)?.held {
            return Err(Error::Busy("its writer".into())).with_context(doing);
        }
        let asides = if self.leave_asides { Vec::new() } else { asides::in_order(from, id).with_context(doing)? };
        match self.refusal(from, to, id, &asides).with_context(doing)? {
            Some(sentence) => Err(Failure::new(Exit::Refused, sentence).into()),
            None => transfer(from, to, id, &asides).map_err(|failed| self.explain(id, failed)).with_context(doing),
        }
    }

    /// What is left may look like a whole session, so people must know of it.
    fn explain(&self, id: &str, Failed { error, left }: Failed) -> anyhow::Error {
        let Some(left) = left else { return error.into() };
        let delete = Place::of(self.to.clone()).command(&format!("delete {}", text::quote(id)));
        let first = if error == StorageError::NoSpace { "make room, then " } else { "" };
        let sentence = format!(
            "{error}; what was copied so far, which looks like a session, can't be removed ({left}): {first}remove it with \
             `{delete}` and copy again"
        );
        Failure::new(Exit::from(&error), sentence).into()
    }

    /// Nothing is copied over a session that is there, nor with pieces that can't be made there.
    fn refusal(
        &self,
        from: &dyn Storage,
        to: &dyn Storage,
        id: &str,
        asides: &[Aside],
    ) -> Result<Option<String>, StorageError> {
        let (name, place) = (text::quote(id), self.to.place());
        match to.stat(id) {
            Ok(_) if transfer::is_unfinished(from, to, id, asides)? => {
                return Ok(Some(format!(
                    "session {name} in {place} is a part of this one, as if a copy had been stopped; if so, remove it with \
                     `{}` and copy again",
                    Place::of(self.to.clone()).command(&format!("delete {name}"))
                )));
            }
            Ok(_) => {
                return Ok(Some(format!("there is a session {name} in {place} already, and none is ever replaced")));
            }
            Err(StorageError::NotFound) => {}
            Err(error) => return Err(error),
        }
        for aside in asides {
            if let Some(obstacle) = asides::obstacle(from, id, aside)? {
                return Ok(Some(format!(
                    "session {name} can't be copied with what was set aside from it as {}: {obstacle}; `--leave-asides` copies \
                     the log alone",
                    aside.name
                )));
            }
        }
        Ok(None)
    }
}

/// Says what was copied if it is still read, and whether it is damaged: that is copied too.
fn tell(sessions: &Sessions, id: &str, copied: &Copied, json: bool, is_read: bool) -> io::Result<()> {
    let state = sessions.verify(id);
    let (damage, reason) = match &state {
        Ok(state) => (state::damage_of(state), None),
        Err(error) => (None, Some(state::reason(error))),
    };
    if let (false, Some(told)) = (json, damage.map(state::tell).or_else(|| reason.clone())) {
        output::warn(&format!("session {} is damaged, and copied as it is: {told}", text::quote(id)));
    }
    let Copied { bytes, asides } = *copied;
    let size = text::size(bytes);
    match (is_read, json) {
        (false, _) => Ok(()),
        (true, true) => output::json([Line { id, bytes, asides, damage, reason }]),
        (true, false) => output::line(format_args!("copied {}  {DIM}{size}{DIM:#}", text::name(id))),
    }
}
