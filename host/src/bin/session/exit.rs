//! How the command ends: the exit codes, and the sentence that says what to do.

use std::fmt;
use std::io;
use std::process::ExitCode;

use session_host::{Damage, Error, HarnessError, StorageError};

use crate::output::errln;
use crate::place::Place;
use crate::view::text;

/// The exit codes. Scripts rely on them: none changes its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All was done.
    Done = 0,
    /// Anything that no other code names.
    Other = 1,
    /// The command was typed wrongly.
    Usage = 2,
    /// There is no such session.
    NotFound = 3,
    /// Another writer holds the session.
    Busy = 4,
    /// The log is damaged, or must be woken first.
    Damaged = 5,
    /// What was handed over can't be stored.
    Refused = 6,
    /// No space is left, or the rights do not reach.
    NoRoom = 7,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Self {
        match error {
            Error::NotFound(_) => Exit::NotFound,
            Error::Busy(_) => Exit::Busy,
            Error::NeedsWake(_) | Error::Corrupt(_) => Exit::Damaged,
            Error::Sequence { .. }
            | Error::Rejected { .. }
            | Error::Refused(_)
            | Error::InvalidId(_)
            | Error::AlreadyExists(_)
            | Error::TooLarge(_) => Exit::Refused,
            Error::NoSpace | Error::ReadOnly | Error::AccessDenied(_) => Exit::NoRoom,
            _ => Exit::Other,
        }
    }
}

/// A failure of the command's own: what it says, and how it ends.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    sentence: String,
}

impl Failure {
    /// A command that was typed wrongly in a way that only we can see.
    pub fn usage(sentence: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, sentence: sentence.into() }
    }

    /// Something that is not there.
    pub fn not_found(sentence: impl Into<String>) -> Self {
        Self { exit: Exit::NotFound, sentence: sentence.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Failure {}

/// Says on standard error what went wrong, and answers the exit code for it.
pub fn report(error: &anyhow::Error, id: Option<&str>, place: Option<&Place>) -> ExitCode {
    if is_closed_pipe(error) {
        return Exit::Done.into();
    }
    errln(&sentence(error, id, place));
    code(error).into()
}

fn code(error: &anyhow::Error) -> Exit {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return failure.exit;
    }
    // The folder of the sessions itself may not open.
    if let Some(StorageError::AccessDenied(_) | StorageError::ReadOnly | StorageError::NoSpace) = error.downcast_ref() {
        return Exit::NoRoom;
    }
    library_error(error).map_or(Exit::Other, Exit::from)
}

/// Whoever reads our output has seen enough (`session show x | head`). That is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

fn library_error(error: &anyhow::Error) -> Option<&Error> {
    error.chain().find_map(|cause| match cause.downcast_ref::<HarnessError>() {
        Some(HarnessError::Sessions(inner)) => Some(inner),
        _ => cause.downcast_ref::<Error>(),
    })
}

/// One sentence: what was wrong, where, and what to do about it.
fn sentence(error: &anyhow::Error, id: Option<&str>, place: Option<&Place>) -> String {
    let told = place.and_then(|place| match (library_error(error), error.downcast_ref()) {
        (Some(cause), _) => explain(cause, id, place),
        (None, Some(stopped)) => explain_harness(stopped, id?, place),
        _ => None,
    });
    let Some(told) = told else { return format!("{error:#}") };
    // What was being done stands before it, where that is more than the error itself.
    match error.chain().next() {
        Some(context) if error.chain().count() > 1 && !context.is::<HarnessError>() => format!("{context}: {told}"),
        _ => told,
    }
}

/// The errors that a person at a shell can do something about, in the words of this command.
fn explain(error: &Error, id: Option<&str>, place: &Place) -> Option<String> {
    let name = id.map_or_else(|| "it".to_owned(), text::quote);
    let session = id.map_or_else(|| "the session".to_owned(), |id| format!("session {}", text::quote(id)));
    let root = place.root().display();
    Some(match error {
        Error::NotFound(missing) => format!(
            "there is no session {} in {root}; `{}` shows those that there are",
            text::quote(missing),
            place.command("list")
        ),
        Error::AlreadyExists(taken) => {
            format!("there is a session {} in {root} already; take another id", text::quote(taken))
        }
        Error::Busy(who) => {
            format!("{session} is being written by another process ({who}); wait until it is done, or stop it")
        }
        Error::NeedsWake(damage) => format!(
            "{session} has a torn tail, {} ({}); `{}` sets it aside and goes on",
            place_of(damage),
            damage.detail,
            place.command(&format!("wake {name}"))
        ),
        Error::Corrupt(damage) if damage.offset == 0 => format!(
            "{session} can't be read: {}; without its first line no command mends it: put that line right, or remove the \
             session with `{}`",
            damage.detail,
            place.command(&format!("delete {name}"))
        ),
        Error::Corrupt(damage) => format!(
            "{session} is damaged, {} ({}), and {} behind the damage; nothing was changed; `{}` keeps these bytes in a place of their own \
             and goes on from the {} events before them",
            place_of(damage),
            damage.detail,
            stand(damage.records),
            place.command(&format!("wake {name} --set-aside")),
            damage.expected
        ),
        Error::Rejected { reason, .. } => format!("{reason}; put it right and send it again"),
        Error::Sequence { expected, actual } => {
            format!("its seq is {actual}, but {session} goes on with {expected}; send the events from {expected} on")
        }
        Error::NoSpace => format!(
            "no space is left for {session} in {root}, or it reached the limit on a file's size; make room before you go on"
        ),
        Error::ReadOnly => format!("{root} can't be written to: it is read-only"),
        _ => return None,
    })
}

/// A harness that was stopped in the middle of something: what it stored is there to go on from.
fn explain_harness(error: &HarnessError, id: &str, place: &Place) -> Option<String> {
    let what = match error {
        HarnessError::Deadline { limit } => format!("ran for more than {limit:?} and was stopped"),
        HarnessError::OutOfMemory { limit } => format!("needed more than {limit} bytes of memory and was stopped"),
        HarnessError::Trapped(text) => format!("broke down: {text}"),
        HarnessError::Refused(_) | HarnessError::Sessions(_) => return None,
    };
    let wake = place.command(&format!("wake {}", text::quote(id)));
    Some(format!("the harness {what}; what it stored is kept, and `{wake}` makes it fit to go on from"))
}

fn stand(records: u64) -> String {
    match records {
        1 => "1 whole record stands".to_owned(),
        n => format!("{n} whole records stand"),
    }
}

fn place_of(damage: &Damage) -> String {
    format!("{} bytes at offset {}", damage.length, damage.offset)
}
