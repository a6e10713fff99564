//! What an id is called on disk, as the project's `docs/format.md` says: one name for each id, the same on every file system, and
//! nothing that leads elsewhere.

/// The longest id, in bytes.
const ID_MAX: usize = 255;
/// Leaves room for the longest affixes, `~tmp.` and `.jsonl`, within the 255 bytes that file systems allow.
const NAME_MAX: usize = 240;
const LOG: &str = ".jsonl";
/// Begins the names of unfinished work. No id can have such a name: `~` is always followed by two digits.
const TEMP: &str = "~tmp.";

/// The names of all files that belong to one log.
pub struct Name(String);

impl Name {
    /// The names for an id.
    ///
    /// # Errors
    /// If no log can be called so: the text says why.
    pub fn of(id: &str) -> Result<Self, String> {
        if id.is_empty() {
            return Err("an id has at least one byte".into());
        }
        if id.len() > ID_MAX {
            return Err(format!("this one has {} bytes, and an id has at most {ID_MAX}", id.len()));
        }
        if id.contains('\0') {
            return Err("an id can't contain U+0000".into());
        }
        let name = encode(id.as_bytes());
        if name.len() > NAME_MAX {
            return Err(format!(
                "its file name would have {} bytes, and this store allows {NAME_MAX}; choose a shorter one of a-z, 0-9, `_` and `-`",
                name.len()
            ));
        }
        Ok(Self(name))
    }

    /// The log.
    pub fn log(&self) -> String {
        format!("{}{LOG}", self.0)
    }

    /// A log that is being made.
    pub fn log_temp(&self) -> String {
        format!("{TEMP}{}{LOG}", self.0)
    }

    /// The component's note beside the log.
    pub fn checkpoint(&self) -> String {
        format!("{}.ckpt", self.0)
    }

    /// A note that is being written.
    pub fn checkpoint_temp(&self) -> String {
        format!("{TEMP}{}.ckpt", self.0)
    }

    /// The folder of what was cut off the log.
    pub fn asides(&self) -> String {
        format!("{}.aside", self.0)
    }
}

/// Whether a file of this name is a log, or at least called like one.
pub fn is_log(file_name: &str) -> bool {
    file_name.ends_with(LOG) && !file_name.starts_with(TEMP)
}

/// The id whose log is called so; none if the name is not exactly what this module makes of an id.
pub fn id_of_log(file_name: &str) -> Option<String> {
    let name = file_name.strip_suffix(LOG)?;
    let id = String::from_utf8(decode(name.as_bytes())?).ok()?;
    (Name::of(&id).ok()?.0 == name).then_some(id)
}

fn encode(id: &[u8]) -> String {
    let last = id.len() - 1;
    let device = is_device(id);
    let mut name = String::with_capacity(id.len());
    for (place, &byte) in id.iter().enumerate() {
        let plain = match byte {
            b'a'..=b'z' => place != 0 || !device,
            b'0'..=b'9' | b'_' | b'-' => true,
            b'.' => place != 0 && place != last,
            _ => false,
        };
        if plain {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("~{byte:02x}"));
        }
    }
    name
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

fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| value.try_into().ok())
}
