//! The files that the WASI storage keeps.

mod folder;
mod same_files;
mod support;
