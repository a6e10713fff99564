//! What the cases say no with: each tells what was expected and what was found.

use std::fmt::Debug;

/// What a case came to.
pub type Outcome<T = ()> = Result<T, String>;

/// Something that has to hold.
pub fn holds(what: &str, holds: bool) -> Outcome {
    if holds { Ok(()) } else { Err(format!("expected that {what}; found that it is not so")) }
}

/// How many bytes of a thing are shown; of a longer one, the place where it begins to differ.
const MOST: usize = 300;
/// How many are shown before and after that place.
const AROUND: usize = 60;

/// Two values that have to be equal.
pub fn equal<T: PartialEq<U> + Debug, U: Debug>(what: &str, found: T, expected: U) -> Outcome {
    if found == expected { Ok(()) } else { Err(differ(what, &format!("{found:?}"), &format!("{expected:?}"))) }
}

fn differ(what: &str, found: &str, expected: &str) -> String {
    if found.len().max(expected.len()) <= MOST {
        return format!("{what}: expected {expected}, found {found}");
    }
    let at = common(found.as_bytes(), expected.as_bytes());
    let around = |text: &str| {
        let shown = &text.as_bytes()[at.saturating_sub(AROUND)..text.len().min(at + AROUND)];
        format!("…{}…", String::from_utf8_lossy(shown))
    };
    format!("{what}: expected {}, found {}", around(expected), around(found))
}

/// How many bytes are the same.
fn common(found: &[u8], expected: &[u8]) -> usize {
    found.iter().zip(expected).take_while(|(found, expected)| found == expected).count()
}

/// So many of them, which are shown if it is another number.
pub fn count<T: Debug>(what: &str, found: &[T], expected: usize) -> Outcome {
    let has = found.len();
    if has == expected { Ok(()) } else { Err(format!("{what}: expected {expected} of them, found {has}: {found:?}")) }
}

/// Bytes that have to be equal. They are shown as text.
pub fn same_bytes(what: &str, found: &[u8], expected: &[u8]) -> Outcome {
    if found == expected {
        return Ok(());
    }
    let (has, wanted) = (found.len(), expected.len());
    if has.max(wanted) <= MOST {
        return Err(format!(
            "{what}: expected {} ({wanted} bytes), found {} ({has} bytes)",
            show(expected),
            show(found)
        ));
    }
    let at = common(found, expected);
    let around = |bytes: &[u8]| show(&bytes[at.saturating_sub(AROUND)..bytes.len().min(at + AROUND)]);
    Err(format!(
        "{what}: expected {wanted} bytes, found {has}; they differ from byte {at} on, where {} was expected and {} found",
        around(expected),
        around(found)
    ))
}

fn show(bytes: &[u8]) -> String {
    format!("`{}`", bytes.escape_ascii())
}

/// A call that has to succeed.
pub trait Must<T> {
    /// Its answer.
    fn must(self, what: &str) -> Outcome<T>;
}

impl<T, E: Debug> Must<T> for Result<T, E> {
    fn must(self, what: &str) -> Outcome<T> {
        self.map_err(|error| format!("{what}: expected success, found {error:?}"))
    }
}

/// A call that has to fail, with such an error or with any.
macro_rules! fails {
    ($what:expr, $call:expr) => {
        match $call {
            Err(_) => Ok(()),
            Ok(found) => Err(format!("{}: expected an error, found {found:?}", $what)),
        }
    };
    ($what:expr, $call:expr, $error:pat) => {
        match $call {
            Err($error) => Ok(()),
            found => Err(format!("{}: expected {}, found {found:?}", $what, stringify!($error))),
        }
    };
}
pub(crate) use fails;
