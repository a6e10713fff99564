//! JSON of the log, where others write too.

use serde_json::Value;

/// What that says. `serde_json` refuses a whole text for half a surrogate pair, as a stream that was cut leaves it, and for a
/// number past all floating-point ones; work must not be forgotten for that.
pub fn parse(text: &str) -> Value {
    let parsed = serde_json::from_str(text).or_else(|_| serde_json::from_str(&readable(text)));
    parsed.unwrap_or_default()
}

/// The same with U+FFFD for each half, and null for each such number.
fn readable(text: &str) -> String {
    let (mut out, mut rest, mut quoted) = (String::with_capacity(text.len()), text, false);
    while let Some(first) = rest.chars().next() {
        let (length, instead) = match first {
            '\\' if quoted => escape(rest),
            '-' | '0'..='9' if !quoted => number(rest),
            other => (other.len_utf8(), None),
        };
        quoted ^= first == '"';
        let (piece, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push_str(instead.unwrap_or(piece));
        rest = behind;
    }
    out
}

/// The length of the escape, or pair of them, at the start of a text, and what to write instead.
fn escape(text: &str) -> (usize, Option<&'static str>) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6).and_then(|escape| escape.strip_prefix("\\u"));
        digits.and_then(|digits| u16::from_str_radix(digits, 16).ok())
    };
    match (unit(0), unit(6)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, None),
        (Some(0xd800..=0xdfff), _) => (6, Some("\\ufffd")),
        _ => (2, None),
    }
}

/// The same of a number.
fn number(text: &str) -> (usize, Option<&'static str>) {
    let end = text.find(|character| !matches!(character, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
    let length = end.unwrap_or(text.len());
    let past = text.get(..length).and_then(|number| number.parse().ok()).is_some_and(f64::is_infinite);
    (length, past.then_some("null"))
}
