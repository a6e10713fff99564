//! What the baselines are made of: the system calls that a program without any rules would get by with.

use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// Bytes of one read: as many as the component asks for at the most.
pub const WINDOW: usize = 512 << 10;

/// A file to append to, opened like a log.
pub fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)
}

/// Reads a file from end to end, window by window, and looks at nothing.
pub fn read(path: &Path) -> io::Result<()> {
    let file = File::open(path)?;
    let mut window = vec![0; WINDOW];
    let mut at = 0;
    loop {
        let read = file.read_at(&mut window, at)?;
        black_box(&window[..read]);
        if read == 0 {
            return Ok(());
        }
        at += read as u64;
    }
}
