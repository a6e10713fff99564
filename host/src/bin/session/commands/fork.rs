//! `session fork`

use anyhow::Result;
use session_host::NewSession;

use crate::exit::Exit;
use crate::output;
use crate::place::Place;
use crate::view::{state, text};

/// What `fork` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Session to copy from; it is neither changed nor claimed
    pub id: String,
    /// Name of the new session
    child: String,
    /// How many events to copy [default: all that are sound]
    #[arg(long, value_name = "N")]
    length: Option<u64>,
}

impl Args {
    /// Makes the child.
    pub fn run(&self, place: &Place, json: bool) -> Result<Exit> {
        let sessions = place.sessions()?;
        let header = sessions.fork(&self.id, self.length, NewSession::new(&self.child))?;
        let told = match json {
            true => output::json([header]),
            false => {
                let copied = text::count(header.seed_length.unwrap_or(0), "event");
                let (child, parent) = (text::name(&self.child), text::name(&self.id));
                output::line(format_args!("forked {child} from the first {copied} of {parent}"))
            }
        };
        // Who says how much to copy gets all of it.
        if self.length.is_none() {
            state::warn_of_damage(&sessions, &self.id, "copied", place);
        }
        Exit::Done.told(told)
    }
}
