//! How things are printed: colour for people at a terminal, bytes for everybody else.

mod unwritable;

use std::io::{self, BufWriter, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::view::text;

use self::unwritable::Output;
pub use self::unwritable::{Unwritable, unwritable};

/// What stands aside: numbers, times, hints.
pub const DIM: Style = Style::new().dimmed();
/// What a line is about.
pub const BOLD: Style = Style::new().bold();
/// All is well, and people's words.
pub const GREEN: Style = AnsiColor::Green.on_default();
/// The model's words.
pub const CYAN: Style = AnsiColor::Cyan.on_default();
/// Tools.
pub const YELLOW: Style = AnsiColor::Yellow.on_default();
/// What went wrong.
pub const RED: Style = AnsiColor::Red.on_default();
/// What steers the conversation from outside.
pub const MAGENTA: Style = AnsiColor::Magenta.on_default();

/// Standard output for people. Colours reach terminals alone, and none where `NO_COLOR` is set.
pub fn people() -> impl Write {
    BufWriter::new(Output(anstream::stdout().lock()))
}

/// Standard output for bytes that must arrive as they are.
pub fn bytes() -> impl Write {
    BufWriter::with_capacity(64 * 1024, Output(io::stdout().lock()))
}

/// Prints values as JSON, one a line.
pub fn json(values: impl IntoIterator<Item = impl Serialize>) -> io::Result<()> {
    let mut out = bytes();
    for value in values {
        json_line(&mut out, &value)?;
    }
    out.flush()
}

/// Writes one value as a line of JSON.
pub fn json_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Prints one line for people.
pub fn line(text: std::fmt::Arguments<'_>) -> io::Result<()> {
    let mut out = people();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Says what went wrong. Where even that can't be printed, the exit code has to do.
pub fn errln(sentence: &str) {
    let style = RED.bold();
    let _ = writeln!(anstream::stderr().lock(), "{style}error:{style:#} {}", text::line(sentence));
}

/// Says what is to be known beside what was printed.
pub fn warn(sentence: &str) {
    let style = YELLOW.bold();
    let _ = writeln!(anstream::stderr().lock(), "{style}warning:{style:#} {}", text::line(sentence));
}

/// Says what may help, where nothing is wrong.
pub fn hint(sentence: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{DIM}{}{DIM:#}", text::line(sentence));
}

/// How many columns a line may take: those of the terminal, or what fits on a page.
pub fn width() -> usize {
    console::Term::stdout().size_checked().map_or(120, |(_, columns)| usize::from(columns).max(40))
}
