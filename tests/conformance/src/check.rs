//! What the cases say no with: each tells what was expected and what was found.

use std::fmt::Debug;

/// What a case came to.
pub type Outcome<T = ()> = Result<T, String>;

/// Something that has to hold.
pub fn holds(what: &str, holds: bool) -> Outcome {
    if holds { Ok(()) } else { Err(format!("expected that {what}; found that it is not so")) }
}

/// Two values that have to be equal.
pub fn equal<T: PartialEq<U> + Debug, U: Debug>(what: &str, found: T, expected: U) -> Outcome {
    if found == expected { Ok(()) } else { Err(format!("{what}: expected {expected:?}, found {found:?}")) }
}

/// The same for bytes, which are shown as text where they are some.
pub fn same_bytes(what: &str, found: &[u8], expected: &[u8]) -> Outcome {
    if found == expected { Ok(()) } else { Err(format!("{what}: expected {}, found {}", show(expected), show(found))) }
}

fn show(bytes: &[u8]) -> String {
    const MOST: usize = 2000;
    let shown = bytes[..bytes.len().min(MOST)].escape_ascii();
    let rest = if bytes.len() > MOST { "…" } else { "" };
    format!("`{shown}{rest}` ({} bytes)", bytes.len())
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
