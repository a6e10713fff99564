//! What an id is called on disk: one name for each id, the same on every file system, and nothing that leads elsewhere.

use super::{Result, StorageError, id};

/// Leaves room for the longest affixes, `~tmp.` and `.jsonl`, within the 255 bytes that file systems allow.
const NAME_MAX: usize = 240;
const LOG: &str = ".jsonl";
/// Begins the names of unfinished work. No id can have such a name: `~` is always followed by two digits.
const TEMP: &str = "~tmp.";

/// The names of all files that belong to one log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name(String);

impl Name {
    pub(super) fn of(id: &str) -> Result<Self> {
        id::check(id)?;
        let name = encode(id.as_bytes());
        if name.len() > NAME_MAX {
            return Err(StorageError::InvalidId(format!(
                "its file name would have {} bytes, and this store allows {NAME_MAX}; \
                 choose a shorter one of a-z, 0-9, `_` and `-`",
                name.len()
            )));
        }
        Ok(Self(name))
    }

    #[cfg(feature = "sqlite")]
    pub(super) fn encoded(&self) -> &str {
        &self.0
    }

    pub(super) fn log(&self) -> String {
        format!("{}{LOG}", self.0)
    }

    pub(super) fn log_temp(&self) -> String {
        format!("{TEMP}{}{LOG}", self.0)
    }

    pub(super) fn checkpoint(&self) -> String {
        format!("{}.ckpt", self.0)
    }

    pub(super) fn checkpoint_temp(&self) -> String {
        format!("{TEMP}{}.ckpt", self.0)
    }

    /// A folder.
    pub(super) fn asides(&self) -> String {
        format!("{}.aside", self.0)
    }
}

/// Whether a file of this name is a log, or at least called like one.
pub(super) fn is_log(file_name: &[u8]) -> bool {
    file_name.ends_with(LOG.as_bytes()) && !file_name.starts_with(TEMP.as_bytes())
}

/// The id whose log is called so; none if the name is not exactly what this module makes of an id.
pub(super) fn id_of_log(file_name: &str) -> Option<String> {
    let name = file_name.strip_suffix(LOG)?;
    if (1..=NAME_MAX).contains(&name.len()) && plain_bytes(name.as_bytes()).all(|plain| plain) {
        return Some(name.to_owned());
    }
    let id = String::from_utf8(decode(name.as_bytes())?).ok()?;
    (Name::of(&id).ok()?.0 == name).then_some(id)
}

fn encode(id: &[u8]) -> String {
    let mut name = String::with_capacity(id.len());
    for (plain, &byte) in plain_bytes(id).zip(id) {
        if plain {
            name.push(char::from(byte));
        } else {
            name.extend(['~', hex_digit(byte >> 4), hex_digit(byte & 15)]);
        }
    }
    name
}

/// For each byte of an id, whether it stands for itself in a name.
fn plain_bytes(id: &[u8]) -> impl Iterator<Item = bool> {
    let last = id.len() - 1;
    let device = is_device(id);
    id.iter().enumerate().map(move |(place, byte)| match byte {
        b'a'..=b'z' => place != 0 || !device,
        b'0'..=b'9' | b'_' | b'-' => true,
        b'.' => place != 0 && place != last,
        _ => false,
    })
}

/// On Windows these names mean devices, whatever follows the first dot. Upper case is escaped anyway.
fn is_device(id: &[u8]) -> bool {
    let stem = id.split(|&byte| byte == b'.').next().unwrap_or_default();
    match stem {
        b"con" | b"prn" | b"aux" | b"nul" => true,
        [port @ .., digit] => (port == b"com" || port == b"lpt") && digit.is_ascii_digit(),
        [] => false,
    }
}

fn decode(name: &[u8]) -> Option<Vec<u8>> {
    let mut id = Vec::with_capacity(name.len());
    let mut rest = name;
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'~' {
            id.push(*byte);
            continue;
        }
        let [high, low, after @ ..] = rest else { return None };
        id.push(hex_value(*high)? << 4 | hex_value(*low)?);
        rest = after;
    }
    Some(id)
}

fn hex_digit(value: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(value)])
}

fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| value.try_into().ok())
}
