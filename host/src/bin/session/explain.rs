//! What went wrong, in the words of this command: one sentence that says what, where, and what to do.

use session_host::tree::TreeError;
use session_host::{Damage, Error, HarnessError, JsonlFolder, Storage};

use crate::exit::{self, library_error};
use crate::place::Place;
use crate::view::object::Object;
use crate::view::text;

/// No header line is longer.
const LONGEST_HEADER: u32 = 64 * 1024;

/// One sentence: what was wrong, where, and what to do about it.
pub fn sentence(error: &anyhow::Error, id: Option<&str>, place: Option<&Place>) -> String {
    let told = place.and_then(|place| match (library_error(error), error.downcast_ref()) {
        (Some(cause), _) => explain(cause, id, place),
        (None, Some(stopped)) => explain_harness(stopped, id?, place),
        _ => None,
    });
    let Some(told) = told else {
        return error.chain().map(words).collect::<Vec<_>>().join(": ");
    };
    // What was being done stands before it.
    let is_cause = |cause: &(dyn std::error::Error + 'static)| {
        cause.is::<Error>() || cause.is::<TreeError>() || cause.is::<HarnessError>()
    };
    let contexts = error.chain().take_while(|cause| !is_cause(*cause)).map(ToString::to_string);
    contexts.chain([told]).collect::<Vec<_>>().join(": ")
}

/// What an error says. The numbers of the operating system tell people nothing.
fn words(error: &(dyn std::error::Error + 'static)) -> String {
    error.downcast_ref().map_or_else(|| error.to_string(), exit::words)
}

/// The errors that a person at a shell can do something about, in the words of this command.
fn explain(error: &Error, id: Option<&str>, place: &Place) -> Option<String> {
    let name = id.map_or_else(|| "it".to_owned(), text::quote);
    let session = id.map_or_else(|| "the session".to_owned(), |id| format!("session {}", text::quote(id)));
    let root = place.store().place();
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
            format!("{session} is held by another process ({who}); wait until it is done, or stop it")
        }
        Error::NeedsWake(damage) => format!(
            "{session} has a torn tail, {} ({}); `{}` sets it aside and goes on",
            place_of(damage),
            damage.detail,
            place.command(&format!("wake {name}"))
        ),
        Error::Corrupt(damage) if damage.offset == 0 => {
            format!("{session} can't be read: {}; {}", damage.detail, header_advice(id?, place))
        }
        Error::UnsupportedVersion(version) => {
            format!("{session} has format version {version}, which this release does not read; use a newer one")
        }
        Error::Corrupt(damage) => format!(
            "{session} is damaged, {} ({}), and {} behind the damage; nothing was changed; `{}` keeps these bytes in a place of their own \
             and goes on from the {} before them",
            place_of(damage),
            damage.detail,
            stand(damage.records),
            place.command(&format!("wake {name} --set-aside")),
            text::count(damage.expected, "event")
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

/// What puts a log's first line right. What stands behind it may be whole, so nothing is to be given up.
fn header_advice(id: &str, place: &Place) -> String {
    misnamed(id, place).unwrap_or_else(|| {
        let id = serde_json::Value::from(id);
        let like = format!(r#"{{"type":"session","version":0,"id":{id},"createdAt":1763681581550}}"#);
        format!("no command mends that: put its first line right by hand, so that it reads like {like}")
    })
}

/// The advice for a log that is whole, and kept under the name of another session.
fn misnamed(id: &str, place: &Place) -> Option<String> {
    let root = place.store().folder()?;
    let store = JsonlFolder::open(root).ok()?;
    let start = String::from_utf8(store.read(id, 0, LONGEST_HEADER).ok()?).ok()?;
    let header = Object::read(start.lines().next()?)?;
    let own = header.text("id").filter(|own| own != id && header.text("type").as_deref() == Some("session"))?;
    if store.stat(&own).is_ok() {
        let fork = place.command(&format!("fork {} NEW-ID", text::quote(&own)));
        let own = text::quote(&own);
        return Some(format!(
            "session {own} is there as well, so this is a copy of its file; `{fork}` copies a session"
        ));
    }
    let path = |name: &str| text::quote(&root.join(name).to_string_lossy());
    let (now, then) = (path(&store.stat(id).ok()?.name), path(&JsonlFolder::file_name(&own).ok()?));
    Some(format!("`mv -n {now} {then}` gives the file its name back"))
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
