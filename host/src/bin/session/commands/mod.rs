//! One file per subcommand: what it takes, and what it does.

pub mod append;
pub mod aside;
pub mod check;
pub mod completions;
pub mod compose;
pub mod copy;
pub mod create;
pub mod delete;
pub mod demo;
pub mod emit;
pub mod export;
pub mod follow;
pub mod fork;
pub mod handoff;
pub mod has;
pub mod import;
pub mod inspect;
pub mod list;
pub mod messages;
pub mod run;
pub mod show;
pub mod tree;
pub mod usage;
pub mod values;
pub mod verify;
pub mod wake;
