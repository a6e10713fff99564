//! `session usage`

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use serde_json::value::RawValue;
use session_host::tree::{RangeScan, UsageRow, UsageSum};

use super::tree::{hint_at_events, warn_of_refused};
use crate::exit::Exit;
use crate::output::{self, BOLD, DIM};
use crate::place::Place;
use crate::view::members::Members;
use crate::view::{entry, state};

/// What `usage` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to tell about
    pub id: String,
}

/// A row, as JSON.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    number: u64,
    entry: Option<&'a str>,
    adjustment: bool,
    usage: &'a RawValue,
    details: Option<&'a RawValue>,
}

/// The sum, as JSON.
#[derive(Serialize)]
struct Total {
    messages: u64,
    rows: u64,
    total: UsageSum,
}

/// What stands above the columns.
const HEAD: [&str; 6] = ["input", "output", "cache read", "cache write", "total", "cost"];

impl Args {
    /// Prints the rows, and then their sum.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let tree = sessions.tree(&self.id);
        let told = tree.state()?;
        let rows = tree.usage(RangeScan::default());
        if json {
            let mut out = output::bytes();
            for row in rows {
                write_json(&mut out, &row?)?;
            }
            let (messages, rows, total) = (told.stats.message_count, told.usage_count, told.stats.usage);
            output::json_line(&mut out, &Total { messages, rows, total })?;
            out.flush()?;
        } else {
            let mut out = output::people();
            writeln!(out, "{DIM}{:<12} {}{DIM:#}", "entry", columns(HEAD.map(str::to_owned)))?;
            for row in rows {
                write_row(&mut out, &row?)?;
            }
            let UsageSum { input, output, cache_read, cache_write, total_tokens, cost, .. } = told.stats.usage;
            let sums = [input, output, cache_read, cache_write, total_tokens].map(tokens);
            let [input, output, read, write, total] = sums;
            let columns = columns([input, output, read, write, total, money(cost.total)]);
            writeln!(out, "{BOLD}{:<12} {columns}{BOLD:#}", "all")?;
            out.flush()?;
            hint_at_events(&told, &self.id, place);
        }
        warn_of_refused(&told);
        state::warn_of_damage(&sessions, &self.id, "shown", place);
        Ok(Exit::Done)
    }
}

fn write_json(out: &mut impl Write, UsageRow { number, row }: &UsageRow) -> Result<()> {
    let details = row.details.as_deref().map(serde_json::from_str).transpose()?;
    let (id, entry, adjustment) = (row.id.as_str(), row.entry.as_deref(), row.adjustment);
    let line = Row { id, number: *number, entry, adjustment, usage: serde_json::from_str(&row.usage)?, details };
    Ok(output::json_line(out, &line)?)
}

fn write_row(out: &mut impl Write, UsageRow { row, .. }: &UsageRow) -> Result<()> {
    let who = row.entry.as_deref().map_or_else(|| "–".to_owned(), entry::short_id);
    let usage = Members::read(&row.usage);
    let amount = |name: &str| usage.as_ref().and_then(|usage| usage.amount(name)).unwrap_or(0.0);
    let cost = usage.as_ref().and_then(|usage| usage.object("cost")?.amount("total")).unwrap_or(0.0);
    let [input, output, read, write, total] =
        ["input", "output", "cacheRead", "cacheWrite", "totalTokens"].map(|name| tokens(amount(name)));
    let note = if row.adjustment { "  adjustment" } else { "" };
    writeln!(out, "{who:<12} {}{DIM}{note}{DIM:#}", columns([input, output, read, write, total, money(cost)]))?;
    Ok(())
}

fn columns(amounts: [String; 6]) -> String {
    amounts.map(|amount| format!(" {amount:>11}")).concat()
}

/// From here on an amount is told by its first digits.
const LARGE: f64 = 1e10;

fn tokens(amount: f64) -> String {
    if amount.abs() < LARGE && amount.fract() == 0.0 { format!("{amount}") } else { format!("{amount:.3e}") }
}

fn money(amount: f64) -> String {
    if amount.abs() < LARGE / 1e4 { format!("{amount:.4}") } else { format!("{amount:.3e}") }
}
