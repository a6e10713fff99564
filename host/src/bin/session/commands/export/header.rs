//! The first line of a session file of pi, version 4.

use anyhow::Result;
use session_host::{SessionHeader, Sessions};

use super::VERSION;
use crate::commands::import::IMPORTED;
use crate::view::members::{Members, object_of, quoted};

/// Of a session whose last write that is still there has the number `last`.
pub fn line(sessions: &Sessions, header: &SessionHeader, next: u64, last: u64) -> Result<String> {
    let (id, created_at) = (quoted(&header.id), header.created_at.to_string());
    // Every session of pi has a folder.
    let cwd = quoted(header.cwd.as_deref().unwrap_or(""));
    let parent = header.parent_session.as_deref().map(quoted);
    let path = parent_path(sessions, header)?;
    // What the writes tell by themselves need not be said.
    let next = (next > last + 1).then(|| next.to_string());
    let version = VERSION.to_string();
    let members = [
        ("v", Some(version.as_str())),
        ("kind", Some(r#""header""#)),
        ("id", Some(id.as_str())),
        ("storageVersion", Some("1")),
        ("createdAt", Some(created_at.as_str())),
        ("cwd", Some(cwd.as_str())),
        ("parentSessionId", parent.as_deref()),
        ("legacyParentSessionPath", path.as_deref()),
        ("nextSeq", next.as_deref()),
    ];
    Ok(object_of(members.into_iter().filter_map(|(name, json)| Some((name, json?)))))
}

/// Where the file of the parent was, if that was told when the session was imported and the parent is not known otherwise.
fn parent_path(sessions: &Sessions, header: &SessionHeader) -> Result<Option<String>> {
    if header.parent_session.is_some() {
        return Ok(None);
    }
    let first = sessions.events(&header.id, 0).next().transpose()?;
    let Some(event) = first.filter(|event| event.kind == IMPORTED) else { return Ok(None) };
    let imported = Members::read(&event.data).and_then(|data| data.object("header"));
    let named = ["legacyParentSessionPath", "parentSession", "branchedFrom"];
    let path = imported.and_then(|imported| named.iter().find_map(|name| imported.string(name)));
    Ok(path.map(|path| quoted(&path)))
}
