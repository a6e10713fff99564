//! How logs look to people.

pub mod content;
pub mod entry;
pub mod event;
pub mod graph;
pub mod json;
pub mod members;
pub mod object;
pub mod state;
pub mod text;
pub mod timeline;
