//! The timeline: a line an event, indented by the turn and the step that it stands in.

use std::io::{self, Write};

use session_host::Event;

use super::{event, text};
use crate::output::{BOLD, DIM, width};

/// Where the timeline is.
pub struct Timeline {
    width: usize,
    margin: &'static str,
    depth: usize,
    day: String,
}

impl Timeline {
    /// A timeline as wide as the terminal.
    pub fn new() -> Self {
        Self::with_margin("")
    }

    /// The same behind a margin.
    pub fn with_margin(margin: &'static str) -> Self {
        Self { width: width().saturating_sub(margin.len()), margin, depth: 0, day: String::new() }
    }

    /// Prints one event, and the day before the first event of a day.
    pub fn print(&mut self, out: &mut impl Write, event: &Event) -> io::Result<()> {
        let day = text::day(event.time);
        if day != self.day {
            writeln!(out, "{}{BOLD}{day}{BOLD:#}", self.margin)?;
            self.day = day;
        }
        self.print_bare(out, event)
    }

    /// Prints one event alone.
    pub fn print_bare(&mut self, out: &mut impl Write, event: &Event) -> io::Result<()> {
        let before = match event.kind.as_str() {
            "turn/start" | "turn/end" => 0,
            "step/start" | "step/end" => self.depth.min(1),
            _ => self.depth,
        };
        self.depth = match event.kind.as_str() {
            "turn/start" => 1,
            "turn/end" => 0,
            "step/start" => before + 1,
            "step/end" => before,
            _ => self.depth,
        };
        let (time, seq) = (text::time_of_day(event.time), event.seq);
        let indent = "  ".repeat(before);
        // Known types line up; one that is longer pushes its text on.
        let kind = format!("{indent}{}", text::fit(&event.kind, 40));
        let used = time.chars().count()
            + 2
            + seq.to_string().len().max(6)
            + 2
            + console::measure_text_width(&kind).max(22)
            + 2;
        let (mark, (look, said)) = (event::style(&event.kind), event::describe(event));
        let said = text::fit(&said, self.width.saturating_sub(used).max(10));
        writeln!(out, "{}{DIM}{time}  {seq:>6}{DIM:#}  {mark}{kind:<22}{mark:#}  {look}{said}{look:#}", self.margin)
    }
}
