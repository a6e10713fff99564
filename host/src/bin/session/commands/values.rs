//! `session values`

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;
use serde_json::value::RawValue;
use session_host::tree::{Address, Kept, ListElement, RangeScan, StoredValue, Tree};

use super::tree::{hint_at_events, warn_of_refused};
use crate::exit::Exit;
use crate::output::{self, BOLD, DIM, width};
use crate::place::Place;
use crate::view::{state, text};

/// So many are read at once.
const PART: usize = 1_000;

/// What `values` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to show the values and lists of
    pub id: String,
    /// Only those whose namespace/key begins so
    #[arg(value_name = "PREFIX")]
    prefix: Option<String>,
}

/// A value or an element of a list, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    namespace: &'a str,
    key: &'a str,
    number: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'a RawValue>,
}

impl Args {
    /// Prints the values, and then the lists, each by namespace and key.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let tree = sessions.tree(&self.id);
        let told = tree.state()?;
        let mut out: Box<dyn Write> = if json { Box::new(output::bytes()) } else { Box::new(output::people()) };
        let wanted = |address: &Address| {
            let place = place_of(address);
            self.prefix.as_ref().is_none_or(|prefix| place.starts_with(prefix.as_str()))
        };
        let mut values = Vec::new();
        for address in tree.addresses(Kept::Values) {
            values.extend(Some(address?).filter(wanted));
            if values.len() == PART {
                print_values(&mut out, &tree, std::mem::take(&mut values), json)?;
            }
        }
        print_values(&mut out, &tree, values, json)?;
        for address in tree.addresses(Kept::Lists) {
            if let Some(address) = Some(address?).filter(wanted) {
                print_list(&mut out, &tree, &address, json)?;
            }
        }
        out.flush()?;
        if !json {
            hint_at_events(&told, &self.id, place);
        }
        warn_of_refused(&told);
        state::warn_of_damage(&sessions, &self.id, "shown", place);
        Ok(Exit::Done)
    }
}

fn place_of(address: &Address) -> String {
    format!("{}/{}", address.namespace, address.key)
}

fn print_values(out: &mut impl Write, tree: &Tree<'_>, addresses: Vec<Address>, json: bool) -> Result<()> {
    for stored in tree.get_values(addresses) {
        let StoredValue { address, value, number } = stored?;
        if json {
            let value = Some(serde_json::from_str(&value)?);
            let (namespace, key) = (address.namespace.as_str(), address.key.as_str());
            output::json_line(out, &Line { namespace, key, number, value, element: None })?;
        } else {
            print_row(out, &address, '=', &value)?;
        }
    }
    Ok(())
}

fn print_list(out: &mut impl Write, tree: &Tree<'_>, address: &Address, json: bool) -> Result<()> {
    for element in tree.list(address.clone(), RangeScan::default()) {
        let ListElement { number, value } = element?;
        if json {
            let element = Some(serde_json::from_str(&value)?);
            let (namespace, key) = (address.namespace.as_str(), address.key.as_str());
            output::json_line(out, &Line { namespace, key, number, value: None, element })?;
        } else {
            print_row(out, address, '+', &value)?;
        }
    }
    Ok(())
}

fn print_row(out: &mut impl Write, address: &Address, mark: char, value: &str) -> io::Result<()> {
    let place = text::fit(&place_of(address), width() / 2);
    let left = width().saturating_sub(console::measure_text_width(&place) + 3).max(20);
    writeln!(out, "{BOLD}{place}{BOLD:#} {DIM}{mark}{DIM:#} {}", text::fit(value, left))
}
