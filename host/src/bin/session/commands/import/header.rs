//! The first line of a session file of pi, in its four versions.

use jiff::Timestamp;
use session_host::NewSession;

use crate::view::members::Members;

/// A longer id is none of ours.
const LONGEST_ID: usize = 255;

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
        Ok(Self {
            version,
            id: members.string("id"),
            title: members.string("title").filter(|title| !title.is_empty()),
            created_at: members.get("timestamp").and_then(time),
            cwd: members.string("cwd"),
            // Where the parent's file is; its name ends with the parent's id.
            parent: ["parentSession", "branchedFrom"].iter().find_map(|name| id_of_file(&members.string(name)?)),
            next: None,
            json: members.without(&[]),
        })
    }

    fn read_current(members: &Members<'_>) -> Result<Self, NoHeader> {
        for (name, version) in [("v", 4), ("storageVersion", 1)] {
            let written = members.get(name).unwrap_or("null");
            if members.number(name) != Some(version) {
                return Err(NoHeader::Version(format!("{name} {written}")));
            }
        }
        Ok(Self {
            version: 4,
            id: members.string("id"),
            title: None,
            created_at: members.number("createdAt"),
            cwd: members.string("cwd"),
            parent: members.string("parentSessionId"),
            next: members.number("nextSeq"),
            json: members.without(&[]),
        })
    }

    /// The title that a line before the header gives the session, an empty one included; none if the line says something else.
    pub fn title_before(line: &str) -> Option<String> {
        let members = Members::read(line).filter(|members| members.string("type").as_deref() == Some("title"))?;
        Some(members.string("title").unwrap_or_default())
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

/// Milliseconds since the epoch, as a text of ISO 8601 or as a number.
pub fn time(json: &str) -> Option<u64> {
    match serde_json::from_str::<String>(json) {
        Ok(text) => {
            let time = text.parse::<Timestamp>().ok()?;
            u64::try_from(time.as_millisecond()).ok()
        }
        Err(_) => json.parse().ok(),
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
}
