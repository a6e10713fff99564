//! Text that is safe and fit to be shown: a log may hold anything.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// One line: runs of white space become a space, and what could move the cursor or turn the writing round an escape.
pub fn line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.trim().chars() {
        if c.is_whitespace() {
            if !shown.ends_with(' ') {
                shown.push(' ');
            }
        } else {
            push(&mut shown, c);
        }
    }
    shown
}

/// Several lines, made as safe as one.
pub fn block(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.trim_end().chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            c => push(&mut shown, c),
        }
    }
    shown
}

/// An id or another name. What a line could not show as it is, a space at its end say, stands in quotes.
pub fn name(name: &str) -> Cow<'_, str> {
    if !name.is_empty() && line(name) == name && !name.chars().any(is_invisible) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(quote(name))
    }
}

fn push(shown: &mut String, c: char) {
    if is_unsafe(c) {
        shown.extend(c.escape_unicode());
    } else {
        shown.push(c);
    }
}

/// Whether it could move the cursor or turn the writing round.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{feff}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// Whether nothing is seen of it, though it tells one name from another: format characters, fillers and selectors.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// One line of at most `columns` columns; an ellipsis stands for what was cut.
pub fn fit(text: &str, columns: usize) -> String {
    // Most of a long text is never looked at: a column takes a few bytes, white space between words included.
    let most = text.floor_char_boundary(columns * 16);
    let (head, cut) = (line(&text[..most]), most < text.len());
    let head = if cut { format!("{head} …") } else { head };
    console::truncate_str(&head, columns, "…").into_owned()
}

/// A word as a shell takes it.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,=".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('-') {
        return word.to_owned();
    }
    let hidden = |c: char| is_unsafe(c) || is_invisible(c);
    if !word.chars().any(hidden) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut quoted = String::from("$'");
    for c in word.chars() {
        match c {
            '\n' => quoted.push_str(r"\n"),
            '\r' => quoted.push_str(r"\r"),
            '\t' => quoted.push_str(r"\t"),
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if hidden(c) => {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| quoted.push_str(&format!(r"\x{byte:02x}")));
            }
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

/// A day and a time of day, where the person is.
pub fn moment(time: u64) -> String {
    local(time, "%Y-%m-%d %H:%M:%S")
}

/// A day, where the person is.
pub fn day(time: u64) -> String {
    local(time, "%A, %-d %B %Y")
}

/// A time of day, where the person is.
pub fn time_of_day(time: u64) -> String {
    local(time, "%H:%M:%S%.3f")
}

/// A time past what calendars hold is shown as the number that it is.
fn local(time: u64, format: &str) -> String {
    let moment = i64::try_from(time).ok().and_then(|time| Timestamp::from_millisecond(time).ok());
    moment.map_or_else(|| time.to_string(), |at| at.to_zoned_datetime(TimeZone::system()).strftime(format).to_string())
}

/// A number of bytes.
pub fn size(bytes: u64) -> String {
    let mut amount = bytes as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        if amount < 999.5 {
            return if unit == "B" { format!("{bytes} B") } else { format!("{amount:.1} {unit}") };
        }
        amount /= 1000.0;
    }
    format!("{amount:.1} TB")
}

/// `1 event`, `2 events`.
pub fn count(n: u64, one: &str) -> String {
    count_as(n, one, &format!("{one}s"))
}

/// `1 entry`, `2 entries`.
pub fn count_as(n: u64, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}
