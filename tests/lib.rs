//! What the tests share.

#[cfg(unix)]
pub mod command;
pub mod model;
