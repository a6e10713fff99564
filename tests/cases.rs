//! The cases of a corpus: each is a folder, and called like it.

use std::fs;
use std::path::{Path, PathBuf};

/// The cases in this folder, by name.
///
/// # Panics
/// If it can't be read.
pub fn cases(corpus: &Path) -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(corpus)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    cases
}

/// How a case is called.
pub fn name_of(case: &Path) -> String {
    case.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
