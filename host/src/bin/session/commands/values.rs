//! `session values`

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use serde_json::value::RawValue;
use session_host::tree::{Address, Kept, StoredValue, Tree};

use super::tree::warn_of_refused;
use crate::exit::Exit;
use crate::output::{self, BOLD, DIM, width};
use crate::place::Place;
use crate::view::{state, text};

/// So many are read at once.
const PART: usize = 1_000;

/// What `values` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to show the values of
    pub id: String,
    /// Only those whose namespace/key begins so
    #[arg(value_name = "PREFIX")]
    prefix: Option<String>,
}

/// A value, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    namespace: &'a str,
    key: &'a str,
    number: u64,
    value: &'a RawValue,
}

impl Args {
    /// Prints them by namespace and key.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let tree = sessions.tree(&self.id);
        let told = tree.state()?;
        let mut out: Box<dyn Write> = if json { Box::new(output::bytes()) } else { Box::new(output::people()) };
        let mut wanted = Vec::new();
        for address in tree.addresses(Kept::Values) {
            let address = address?;
            if self.prefix.as_ref().is_none_or(|prefix| place_of(&address).starts_with(prefix.as_str())) {
                wanted.push(address);
            }
            if wanted.len() == PART {
                print(&mut out, &tree, std::mem::take(&mut wanted), json)?;
            }
        }
        print(&mut out, &tree, wanted, json)?;
        out.flush()?;
        warn_of_refused(&told);
        state::warn_of_damage(&sessions, &self.id, "shown", place);
        Ok(Exit::Done)
    }
}

fn place_of(address: &Address) -> String {
    format!("{}/{}", address.namespace, address.key)
}

fn print(out: &mut impl Write, tree: &Tree<'_>, addresses: Vec<Address>, json: bool) -> Result<()> {
    for stored in tree.values(addresses) {
        let StoredValue { address, value, number } = stored?;
        if json {
            let (namespace, key) = (address.namespace.as_str(), address.key.as_str());
            output::json_line(out, &Line { namespace, key, number, value: serde_json::from_str(&value)? })?;
        } else {
            let place = text::line(&place_of(&address));
            let left = width().saturating_sub(console::measure_text_width(&place) + 3).max(20);
            writeln!(out, "{BOLD}{place}{BOLD:#} {DIM}={DIM:#} {}", text::fit(&value, left))?;
        }
    }
    Ok(())
}
