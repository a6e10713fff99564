//! The first line of a session file of pi, in its four versions.

use jiff::Timestamp;
use session_host::NewSession;

use super::change::text;
use crate::view::members::{Members, quoted};

/// A longer id is none of ours.
const LONGEST_ID: usize = 255;
/// A longer folder, as JSON, has no room in the header of a log.
const LONGEST_CWD: usize = 32 * 1024;
/// The end of the year 9999, in milliseconds since the epoch.
const LAST_TIME: u64 = 253_402_300_799_999;

/// What a file says of its session.
pub struct Header {
    /// 1 to 4.
    pub version: u64,
    /// How the session is called; an old pi left that out of files that it was told to write to.
    pub id: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// When it began.
    pub created_at: Option<u64>,
    /// Where it was started.
    pub cwd: Option<String>,
    /// The session that it goes on from.
    pub parent: Option<String>,
    /// The number of the next write, where that is not told by the last one.
    pub next: Option<u64>,
    /// The line itself.
    pub json: String,
    /// What is wrong with it.
    pub notes: Vec<String>,
}

/// Why a line is no header that can be read.
pub enum NoHeader {
    /// It is something else.
    Other,
    /// It is one of another version.
    Version(String),
}

impl Header {
    /// Reads it.
    pub fn read(line: &str) -> Result<Self, NoHeader> {
        let members = Members::read(line).ok_or(NoHeader::Other)?;
        if members.string("kind").as_deref() == Some("header") {
            return Self::read_current(&members);
        }
        if members.string("type").as_deref() != Some("session") {
            return Err(NoHeader::Other);
        }
        let version = match members.get("version") {
            None => 1,
            Some(written) => {
                let version = members.number("version").filter(|version| (1..=3).contains(version));
                version.ok_or_else(|| NoHeader::Version(written.to_owned()))?
            }
        };
        let mut notes = Vec::new();
        Ok(Self {
            version,
            id: members.string("id"),
            title: title(&members, &mut notes),
            created_at: members.get("timestamp").and_then(time),
            cwd: cwd(&members, &mut notes),
            // Where the parent's file is; its name ends with the parent's id.
            parent: ["parentSession", "branchedFrom"].iter().find_map(|name| id_of_file(&members.string(name)?)),
            next: None,
            json: members.without(&[]),
            notes,
        })
    }

    fn read_current(members: &Members<'_>) -> Result<Self, NoHeader> {
        for (name, version) in [("v", 4), ("storageVersion", 1)] {
            let written = members.get(name).unwrap_or("null");
            if members.number(name) != Some(version) {
                return Err(NoHeader::Version(format!("{name} {written}")));
            }
        }
        let mut notes = Vec::new();
        Ok(Self {
            version: 4,
            id: members.string("id"),
            title: None,
            created_at: members.number("createdAt"),
            cwd: cwd(members, &mut notes),
            parent: members.string("parentSessionId"),
            next: members.number("nextSeq"),
            json: members.without(&[]),
            notes,
        })
    }

    /// The title that a line before the header gives the session, or why it can't be; none if the line says something else.
    pub fn title_before(line: &str) -> Option<Result<Option<String>, String>> {
        let members = Members::read(line).filter(|members| members.string("type").as_deref() == Some("title"))?;
        Some(text(&members, "title"))
    }

    /// The session to be made of it.
    pub fn session(&self, id: &str) -> NewSession {
        NewSession {
            id: id.to_owned(),
            cwd: self.cwd.clone().filter(|cwd| !cwd.is_empty()),
            parent_session: self.parent.clone().filter(|parent| (1..=LONGEST_ID).contains(&parent.len())),
            created_at: self.created_at,
        }
    }
}

fn title(members: &Members<'_>, notes: &mut Vec<String>) -> Option<String> {
    text(members, "title").unwrap_or_else(|reason| {
        notes.push(format!("the session has no name: {reason}"));
        None
    })
}

fn cwd(members: &Members<'_>, notes: &mut Vec<String>) -> Option<String> {
    let cwd = text(members, "cwd").and_then(|cwd| match cwd {
        Some(cwd) if quoted(&cwd).len() > LONGEST_CWD => Err("its `cwd` is longer than 32 KiB".to_owned()),
        cwd => Ok(cwd),
    });
    cwd.unwrap_or_else(|reason| {
        notes.push(format!("the session has no folder: {reason}"));
        None
    })
}

/// Milliseconds since the epoch, as a text of ISO 8601 or as a number; none if it is past all that can be written as such a text.
pub fn time(json: &str) -> Option<u64> {
    match serde_json::from_str::<String>(json) {
        Ok(text) => {
            let time = text.parse::<Timestamp>().ok()?;
            u64::try_from(time.as_millisecond()).ok()
        }
        Err(_) => json.parse().ok().filter(|time| *time <= LAST_TIME),
    }
}

/// Session files are called `<time>_<id>.jsonl`.
fn id_of_file(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next()?.strip_suffix(".jsonl")?;
    let (_, id) = name.split_once('_')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (!id.is_empty() && id.chars().all(plain)).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_of_an_old_session_is_named_by_its_file() {
        assert_eq!(id_of_file("/s/2025-11-20T16-00-00-000Z_0199-ab.jsonl").as_deref(), Some("0199-ab"));
        assert_eq!(id_of_file(r"C:\s\2025_x.jsonl").as_deref(), Some("x"));
        assert_eq!(id_of_file("/s/notes.txt"), None);
        assert_eq!(id_of_file("/s/2025_%2F.jsonl"), None);
    }

    #[test]
    fn a_time_is_a_text_or_a_number() {
        assert_eq!(time(r#""2025-11-20T23:46:21.550Z""#), Some(1763682381550));
        assert_eq!(time("1763682381550"), Some(1763682381550));
        assert_eq!(time(r#""yesterday""#), None);
    }

    #[test]
    fn a_time_past_all_calendars_is_none() {
        assert_eq!(time("253402300799999"), Some(253402300799999));
        // In nanoseconds, say.
        assert_eq!(["253402300800000", "1763681581550000000", "99999999999999999999", "-1"].map(time), [None; 4]);
    }
}
