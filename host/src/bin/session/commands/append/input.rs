//! Whole lines, in pieces as large as they come.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;

/// So much is read at once.
const CHUNK: usize = 256 * 1024;
/// So much is taken at once, if so much is there; a line more.
pub const BATCH: usize = 4 * 1024 * 1024;
/// No line of a log is longer, so no longer one needs to be held.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// What comes after the lines that were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// More may have come already.
    More,
    /// Nothing has come yet: whoever sends may be waiting for us.
    Waits,
    /// Nothing will come.
    End,
}

/// The input. A thread of its own reads it, so that reading goes on while the disk is busy, and so that it is seen when nothing more has come.
pub struct Input {
    chunks: Receiver<io::Result<Vec<u8>>>,
    pending: Vec<u8>,
    /// How many bytes of `pending` were handed out.
    taken: usize,
}

impl Input {
    /// Begins to read.
    pub fn new(mut source: impl Read + Send + 'static) -> Self {
        let (send, chunks) = sync_channel(8);
        thread::spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = match source.read(&mut chunk) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read,
                };
                let ended = !matches!(read, Ok(1..));
                let piece = read.map(|length| {
                    chunk.truncate(length);
                    chunk
                });
                if send.send(piece).is_err() || ended {
                    return;
                }
            }
        });
        Self { chunks, pending: Vec::new(), taken: 0 }
    }

    /// Takes the lines that have come. If none has, `patient` says whether to wait for one. At the end the last line need
    /// not be whole.
    ///
    /// # Errors
    /// Those of reading; and a line past every limit.
    pub fn take(&mut self, patient: bool) -> io::Result<(&[u8], Next)> {
        self.pending.drain(..self.taken);
        self.taken = 0;
        let next = loop {
            let chunk = match self.chunks.try_recv() {
                Ok(chunk) => chunk?,
                Err(TryRecvError::Disconnected) => break Next::End,
                Err(TryRecvError::Empty) if self.taken > 0 || !patient => break Next::Waits,
                Err(TryRecvError::Empty) => match self.chunks.recv() {
                    Ok(chunk) => chunk?,
                    Err(_) => break Next::End,
                },
            };
            if let Some(end) = chunk.iter().rposition(|byte| *byte == b'\n') {
                self.taken = self.pending.len() + end + 1;
            }
            self.pending.extend_from_slice(&chunk);
            if self.taken >= BATCH {
                break Next::More;
            }
            if self.pending.len() - self.taken > LONGEST_LINE {
                // Too long, whatever follows: handed over as it is, it is refused with the reason.
                self.taken = self.pending.len();
                break Next::More;
            }
        };
        if next == Next::End {
            self.taken = self.pending.len();
        }
        Ok((&self.pending[..self.taken], next))
    }
}

/// How much there is to read, if standard input is a file.
pub fn size_of_stdin() -> Option<u64> {
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let metadata = file.metadata().ok()?;
    metadata.is_file().then_some(metadata.len())
}
