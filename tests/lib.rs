//! What the tests share.

#[cfg(unix)]
pub mod command;
