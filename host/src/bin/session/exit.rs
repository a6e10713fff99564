//! How the command ends: the exit codes, and what leads to each.

use std::fmt;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use session_host::{Error, HarnessError, StorageError, TreeError};

use crate::explain;
use crate::output::{self, Unwritable};
use crate::place::Place;

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

impl Exit {
    /// How a command ends whose work ended like this and has been told since. Work that was done fails with the telling;
    /// any other outcome is not hidden by it.
    ///
    /// # Errors
    /// That of telling what was done.
    pub fn told(self, told: Result<(), impl Into<anyhow::Error>>) -> anyhow::Result<Self> {
        match told.map_err(Into::into) {
            Err(unread) if self == Exit::Done => return Err(unread),
            Err(unread) => drop(report(&unread, None, None)),
            Ok(()) => {}
        }
        Ok(self)
    }
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
            error if error.is_damaged_store() => Exit::Damaged,
            Error::NoSpace | Error::ReadOnly | Error::AccessDenied(_) => Exit::NoRoom,
            _ => Exit::Other,
        }
    }
}

impl From<&TreeError> for Exit {
    fn from(error: &TreeError) -> Self {
        match error {
            TreeError::Session(error) => error.into(),
            TreeError::UnknownBranch(_) | TreeError::UnknownTarget(_) => Exit::NotFound,
            _ => Exit::Refused,
        }
    }
}

impl From<&StorageError> for Exit {
    fn from(error: &StorageError) -> Self {
        match error {
            StorageError::NotFound => Exit::NotFound,
            StorageError::Busy(_) => Exit::Busy,
            StorageError::AlreadyExists | StorageError::InvalidId(_) => Exit::Refused,
            error if error.is_damage() => Exit::Damaged,
            StorageError::NoSpace | StorageError::ReadOnly | StorageError::AccessDenied(_) => Exit::NoRoom,
            _ => Exit::Other,
        }
    }
}

impl From<&io::Error> for Exit {
    fn from(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
            | ErrorKind::FileTooLarge
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::PermissionDenied => Exit::NoRoom,
            _ => Exit::Other,
        }
    }
}

/// What the operating system says, in words and without its number.
pub fn reason(error: &io::Error) -> String {
    let words = match error.kind() {
        ErrorKind::StorageFull => "no space is left on the device",
        ErrorKind::QuotaExceeded => "the quota is used up",
        ErrorKind::FileTooLarge => "the file has reached the limit on its size",
        ErrorKind::ReadOnlyFilesystem => "it is on a file system that is read-only",
        ErrorKind::PermissionDenied => "the rights do not reach",
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "a file is in the way",
        ErrorKind::NotFound => "nothing can be made there",
        _ => return self::words(error),
    };
    words.to_owned()
}

/// What the operating system calls it, without its number.
pub fn words(error: &io::Error) -> String {
    let words = error.to_string();
    let number = error.raw_os_error().map(|number| format!(" (os error {number})"));
    number.and_then(|number| words.strip_suffix(&number).map(str::to_owned)).unwrap_or(words)
}

/// A failure of the command's own: what it says, and how it ends.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    sentence: String,
}

impl Failure {
    /// A failure that ends with this code.
    pub fn new(exit: Exit, sentence: impl Into<String>) -> Self {
        Self { exit, sentence: sentence.into() }
    }

    /// A command that was typed wrongly in a way that only we can see.
    pub fn usage(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Usage, sentence)
    }

    /// Something that is not there.
    pub fn not_found(sentence: impl Into<String>) -> Self {
        Self::new(Exit::NotFound, sentence)
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
    // Whoever reads our output has seen enough (`session show x | head`). That is no failure.
    if Unwritable::in_chain(error).is_some_and(|output| output.is_closed_pipe()) {
        return Exit::Done.into();
    }
    output::errln(&explain::sentence(error, id, place));
    code(error).into()
}

/// Prints the help that was asked for, or what was typed wrongly, and answers the exit code for it.
pub fn tell(parsed: &clap::Error) -> ExitCode {
    match parsed.print() {
        Err(error) if !parsed.use_stderr() => report(&output::unwritable(error).into(), None, None),
        _ if parsed.use_stderr() => Exit::Usage.into(),
        _ => Exit::Done.into(),
    }
}

fn code(error: &anyhow::Error) -> Exit {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return failure.exit;
    }
    if let Some(output) = Unwritable::in_chain(error) {
        return output.exit();
    }
    // The store itself may not open, or refuse a copy.
    if let Some(error) = error.downcast_ref::<StorageError>() {
        return error.into();
    }
    match error.chain().find_map(|cause| cause.downcast_ref::<TreeError>()) {
        Some(error) => error.into(),
        None => library_error(error).map_or(Exit::Other, Exit::from),
    }
}

/// The library's error in it, if there is one.
pub fn library_error(error: &anyhow::Error) -> Option<&Error> {
    error.chain().find_map(|cause| match (cause.downcast_ref(), cause.downcast_ref()) {
        (Some(HarnessError::Sessions(inner)), _) | (_, Some(TreeError::Session(inner))) => Some(inner),
        _ => cause.downcast_ref::<Error>(),
    })
}
