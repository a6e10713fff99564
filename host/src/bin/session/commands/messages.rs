//! `session messages`

use std::io::{self, Write};

use anyhow::Result;
use session_host::{Message, Pairing, Role};

use crate::exit::Exit;
use crate::output::{self, BOLD, CYAN, DIM, GREEN, RED, YELLOW};
use crate::place::Place;
use crate::view::content::{Block, Content, MOST_BLOCKS};
use crate::view::json::MessageLine;
use crate::view::{state, text};

/// What `messages` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to derive the messages of
    pub id: String,
    /// In log order, exactly as recorded, instead of paired as providers demand
    #[arg(long)]
    recorded: bool,
}

impl Args {
    /// Prints the messages.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let messages = sessions.messages(&self.id, if self.recorded { Pairing::Recorded } else { Pairing::Paired });
        if json {
            let mut out = output::bytes();
            for message in messages {
                output::json_line(&mut out, &MessageLine::of(&message?)?)?;
            }
            out.flush()?;
        } else {
            let mut out = output::people();
            for (index, message) in messages.enumerate() {
                if index > 0 {
                    writeln!(out)?;
                }
                print(&mut out, &message?)?;
            }
            out.flush()?;
        }
        state::warn_of_damage(&sessions, &self.id, "shown", place);
        Ok(Exit::Done)
    }
}

/// Prints one message for people.
pub fn print(out: &mut impl Write, message: &Message) -> io::Result<()> {
    let (name, style) = match message.role {
        Role::System => ("system", BOLD),
        Role::User => ("user", GREEN),
        Role::Assistant => ("assistant", CYAN),
    };
    let style = style.bold();
    writeln!(out, "{style}{name}{style:#} {DIM}from event {}{DIM:#}", message.source)?;
    match Content::read(serde_json::from_str(&message.content)?) {
        Some(Content::Text(said)) => print_text(out, &said),
        Some(Content::Blocks(mut blocks)) => {
            blocks.by_ref().take(MOST_BLOCKS).try_for_each(|json| print_block(out, &Block::read(json)))?;
            blocks.left_out().iter().try_for_each(|left| writeln!(out, "  {DIM}{left}{DIM:#}"))
        }
        None => print_text(out, &message.content),
    }
}

fn print_block(out: &mut impl Write, block: &Block<'_>) -> io::Result<()> {
    match block.kind.as_str() {
        "tool-call" => {
            let id = text::line(&block.members.text("id").unwrap_or_default());
            writeln!(out, "  {YELLOW}→ {}{YELLOW:#}  {DIM}{id}{DIM:#}", text::line(&block.call()))
        }
        "tool-result" => {
            let (style, mark) = if block.members.flag("isError") { (RED, "← failed") } else { (YELLOW, "←") };
            let id = text::line(&block.members.text("toolCallId").unwrap_or_default());
            writeln!(out, "  {style}{mark}{style:#} {DIM}{id}{DIM:#}")?;
            print_text(out, &block.answer())
        }
        _ => print_text(out, &block.plain()),
    }
}

fn print_text(out: &mut impl Write, said: &str) -> io::Result<()> {
    text::block(said).lines().try_for_each(|line| writeln!(out, "  {line}"))
}
