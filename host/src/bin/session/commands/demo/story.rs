//! How the demonstration is told.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use session_host::{Damage, Error, Event, Message, SessionState};

use crate::commands::messages;
use crate::output::{self, BOLD, CYAN, DIM, GREEN, RED, YELLOW};
use crate::place::Place;
use crate::view::text;
use crate::view::timeline::Timeline;

/// The teller.
pub struct Story {
    out: Box<dyn Write>,
    step: u32,
    timeline: Timeline,
}

impl Story {
    /// Tells on standard output.
    pub fn told() -> Self {
        Self::on(output::people())
    }

    /// Tells nobody.
    pub fn silent() -> Self {
        Self::on(io::sink())
    }

    fn on(out: impl Write + 'static) -> Self {
        Self { out: Box::new(out), step: 0, timeline: Timeline::with_margin("   ") }
    }

    /// What is going to be seen, and where it is kept.
    pub fn opening(&mut self, root: &Path) -> Result<()> {
        writeln!(self.out, "{BOLD}A session that outlives its harness{BOLD:#}, kept in {}", root.display())?;
        Ok(self.out.flush()?)
    }

    /// A new step.
    pub fn step(&mut self, title: &str) -> Result<()> {
        self.step += 1;
        let style = CYAN.bold();
        writeln!(self.out, "\n{style}{}  {title}{style:#}", self.step)?;
        Ok(self.out.flush()?)
    }

    /// What came of it.
    pub fn note(&mut self, text: &str) -> Result<()> {
        writeln!(self.out, "   {}", text::line(text))?;
        Ok(())
    }

    /// A stretch of the log.
    pub fn events(&mut self, events: impl Iterator<Item = Result<Event, Error>>) -> Result<()> {
        for event in events {
            self.timeline.print_bare(&mut self.out, &event?)?;
        }
        Ok(())
    }

    /// The end of the log after the crash.
    pub fn torn(&mut self, half: &str) -> Result<()> {
        writeln!(self.out, "   {RED}{}{RED:#}{DIM}▌ end of file{DIM:#}", text::line(half))?;
        Ok(())
    }

    /// What an append is answered now.
    pub fn refused(&mut self, damage: &Damage) -> Result<()> {
        let (length, offset) = (text::count(damage.length, "byte"), damage.offset);
        let why = format!("the {length} at offset {offset} are no record, so the session must be woken first");
        writeln!(self.out, "   an append is refused: {YELLOW}{why}{YELLOW:#}")?;
        Ok(())
    }

    /// What waking kept, cut and closed.
    pub fn recovered(&mut self, woken: &SessionState) -> Result<()> {
        let recovery = &woken.recovery;
        if let Some(damage) = &recovery.damage {
            let kept = text::count(damage.expected, "event");
            writeln!(self.out, "   {GREEN}kept{GREEN:#}    {kept}: all that was ever acknowledged")?;
            let (length, offset) = (text::count(damage.length, "byte"), damage.offset);
            let aside = recovery.kept_at.as_deref().unwrap_or_default();
            writeln!(
                self.out,
                "   {RED}cut{RED:#}     {length} at offset {offset}, kept aside as {}",
                text::line(aside)
            )?;
        }
        writeln!(
            self.out,
            "   {YELLOW}closed{YELLOW:#}  the open turn, with {}:",
            text::count(recovery.closers.len() as u64, "event")
        )?;
        self.events(recovery.closers.iter().cloned().map(Ok))
    }

    /// The conversation.
    pub fn messages(&mut self, messages: impl Iterator<Item = Result<Message, Error>>) -> Result<()> {
        for message in messages {
            let mut told = Vec::new();
            messages::print(&mut told, &message?)?;
            for line in String::from_utf8_lossy(&told).lines() {
                writeln!(self.out, "   {line}")?;
            }
        }
        Ok(())
    }

    /// How to look at it all again.
    pub fn closing(&mut self, place: &Place, id: &str) -> Result<()> {
        writeln!(self.out, "\n{BOLD}Look at it yourself{BOLD:#} (the folder stays until you remove it):")?;
        for command in ["show", "messages", "aside", "verify"] {
            writeln!(self.out, "   {}", place.command(&format!("{command} {id}")))?;
        }
        Ok(self.out.flush()?)
    }
}
