//! What is too long to be taken over: it would have to be held while the rest of the file is read, or no session takes it.

use std::borrow::Cow;

/// No id, no type, no namespace and no key of a session is longer.
const LONGEST_NAME: usize = 65_535;
/// No name of a session, label, model or list of tools is.
const LONGEST_TEXT: usize = 1024 * 1024;
/// So much is quoted of what a file says.
const LONGEST_QUOTE: usize = 100;

/// An id, or what else is called somehow, if it can be.
///
/// # Errors
/// If it is too long.
pub fn name(what: &str, name: String) -> Result<String, String> {
    if is_name(&name) { Ok(name) } else { Err(format!("its `{what}` is longer than {LONGEST_NAME} bytes")) }
}

/// Whether anything can be called so.
pub fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
}

/// Whether that can be held, as it is written.
pub fn is_text(json: &str) -> bool {
    json.len() <= LONGEST_TEXT
}

/// What the file says, as a note quotes it.
pub fn quoted(text: &str) -> Cow<'_, str> {
    cut(text, LONGEST_QUOTE)
}

/// The text, or the beginning of it.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.floor_char_boundary(most) {
        end if end < text.len() => format!("{}…", &text[..end]).into(),
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_quoted_by_its_beginning() {
        assert_eq!(cut("über", 2), "ü…");
        assert_eq!(cut("über", 1), "…");
        assert_eq!(cut("über", 5), "über");
    }
}
