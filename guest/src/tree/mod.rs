//! The session tree: entries with parents, keyed values, lists and a ledger of usage, as the events `tree/commit` of a log
//! amount to.
//!
//! What is kept in memory is where things are and how they hang together, never what they hold: payloads stay in the log, and
//! are read from there when they are asked for.

mod commit;
pub mod context;
mod fork;
mod ids;
mod path;
mod payload;
mod projection;
mod read;
mod scan;
mod series;
mod stats;
mod table;
mod write;

pub use commit::{Commit, Refusal};
pub use fork::Fork;
pub use projection::{Entry, MOST_WEIGHT, Stored, Tree};
pub use read::{Change, change, check_address, usage_row};
pub use table::Place;
pub use write::encode;

/// The type of the events that a tree is made of.
pub const COMMIT: &str = "tree/commit";

/// The values that the tree knows of itself.
pub mod names {
    /// Branches: the key is the name, the value the id of an entry or null.
    pub const TIP: &str = "pi.branch.tip";
    /// Labels: the key is the id of an entry, the value text.
    pub const LABEL: &str = "pi.entry.label";
    /// What the session is called: the key is empty, the value text.
    pub const NAME: &str = "pi.session.name";
    /// How a lane is set up: the key is the name of its branch.
    pub const LANE_CONFIG: &str = "pi.lane.config";
    /// What a lane is doing: the key is the name of its branch.
    pub const LANE_STATE: &str = "pi.lane.state";
}
