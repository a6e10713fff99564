//! A log as bytes at offsets: its lines, what is sound of it, and where it breaks.

mod calls;
pub mod checkpoint;
mod conversation;
mod index;
mod lines;
mod scope;
mod sound;

pub use calls::{Calls, Said, call_id};
pub use conversation::{Conversation, matters};
pub use index::Index;
pub use lines::{Line, Lines, Source};
pub use scope::{NOT_STARTED, OUTCOME_UNKNOWN, Scope};
pub use sound::{Sound, Span, read, read_header};
