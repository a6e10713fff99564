//! How logs look to people.

pub mod content;
pub mod event;
pub mod json;
pub mod object;
pub mod state;
pub mod text;
pub mod timeline;
