//! What the tests share.

pub mod cases;
#[cfg(unix)]
pub mod command;
pub mod model;
