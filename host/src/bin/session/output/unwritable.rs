//! Standard output that can't be written to: told apart from every other failure, for it is none of the sessions'.

use std::fmt;
use std::io::{self, ErrorKind, Write};

use crate::exit::{Exit, reason};

/// What kept the output from being written.
#[derive(Debug)]
pub struct Unwritable(io::Error);

/// The same error, marked as one of the output.
pub fn unwritable(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), Unwritable(error))
}

/// A writer to standard output, whose errors are marked.
pub struct Output<W>(pub W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(unwritable)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(unwritable)
    }
}

impl Unwritable {
    /// The failure of the output that an error comes from, if it comes from one.
    pub fn in_chain(error: &anyhow::Error) -> Option<&Self> {
        error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref())
    }

    /// Nobody reads the output any more.
    pub fn is_closed_pipe(&self) -> bool {
        self.0.kind() == ErrorKind::BrokenPipe
    }

    /// How the command ends for it.
    pub fn exit(&self) -> Exit {
        Exit::from(&self.0)
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "can't write the output: {}", reason(&self.0))
    }
}

impl std::error::Error for Unwritable {}
