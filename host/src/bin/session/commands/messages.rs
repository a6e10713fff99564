//! `session messages`

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;
use serde_json::value::RawValue;
use session_host::tree::{ContextMessage, Tree};
use session_host::{Message, Pairing, Role, Sessions};

use super::tree::hint_at_tree;
use crate::exit::Exit;
use crate::output::{self, BOLD, CYAN, DIM, GREEN, RED, YELLOW};
use crate::place::Place;
use crate::view::content::{Block, Content, MOST_BLOCKS};
use crate::view::json::MessageLine;
use crate::view::object::Object;
use crate::view::{entry, state, text};

/// What `messages` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to derive the messages of
    pub id: String,
    /// In log order, exactly as recorded, instead of paired as providers demand
    #[arg(long)]
    recorded: bool,
    /// What a model is to see of this branch of the session's tree
    #[arg(long, value_name = "NAME", conflicts_with = "recorded")]
    branch: Option<String>,
}

/// A message of a branch, as JSON.
#[derive(Serialize)]
struct BranchLine<'a> {
    entry: &'a str,
    message: &'a RawValue,
}

impl Args {
    /// Prints the messages.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        match &self.branch {
            Some(branch) => print_branch(&sessions.tree(&self.id), branch, json)?,
            None => self.print_messages(&sessions, json, place)?,
        }
        state::warn_of_damage(&sessions, &self.id, "shown", place);
        Ok(Exit::Done)
    }

    fn print_messages(&self, sessions: &Sessions, json: bool, place: &Place) -> Result<()> {
        let messages = sessions.messages(&self.id, if self.recorded { Pairing::Recorded } else { Pairing::Paired });
        if json {
            let mut out = output::bytes();
            for message in messages {
                output::json_line(&mut out, &MessageLine::of(&message?)?)?;
            }
            return Ok(out.flush()?);
        }
        let mut out = output::people();
        let mut count = 0;
        for message in messages {
            if count > 0 {
                writeln!(out)?;
            }
            print(&mut out, &message?)?;
            count += 1;
        }
        out.flush()?;
        if count == 0 {
            hint_at_tree(sessions, &self.id, place);
        }
        Ok(())
    }
}

fn print_branch(tree: &Tree<'_>, branch: &str, json: bool) -> Result<()> {
    let context = tree.context(branch);
    if json {
        let mut out = output::bytes();
        for message in context {
            let ContextMessage { entry, message } = &message?;
            output::json_line(&mut out, &BranchLine { entry, message: serde_json::from_str(message)? })?;
        }
        return Ok(out.flush()?);
    }
    let mut out = output::people();
    for (index, message) in context.enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let ContextMessage { entry, message } = message?;
        let (role, style, said) = entry::message(&Object::read(&message).unwrap_or_default());
        let style = style.bold();
        writeln!(out, "{style}{}{style:#} {DIM}from entry {}{DIM:#}", text::line(&role), text::name(&entry))?;
        print_text(&mut out, &said)?;
    }
    Ok(out.flush()?)
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
