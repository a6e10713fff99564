//! The library as its users see it, with the component that is committed.

mod cache;
mod calls;
mod claims;
mod faults;
mod grants;
mod harness;
mod hostile_logs;
mod hostile_plugins;
mod large_trees;
mod nth_fault;
mod pages;
mod plugins;
mod pool;
mod rows;
mod sizes;
mod support;
mod tree;
