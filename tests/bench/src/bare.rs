//! What the baselines are made of: the system calls that a program without any rules would get by with.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use anyhow::Result;

/// Bytes of one read: as many as the component asks for at the most.
const WINDOW: usize = 512 << 10;

/// A file to append to, opened like a log.
pub fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)
}

/// Reads a file from there to its end, window by window, and hands over each.
pub fn read(path: &Path, mut at: u64, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let file = File::open(path)?;
    let mut window = vec![0; WINDOW];
    loop {
        let read = file.read_at(&mut window, at)?;
        if read == 0 {
            return Ok(());
        }
        each(&window[..read])?;
        at += read as u64;
    }
}
