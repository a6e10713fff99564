//! The files that the WASI storage keeps.

mod failed_sync;
mod folder;
mod full;
mod same_files;
mod support;
