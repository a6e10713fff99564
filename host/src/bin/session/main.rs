//! The command `session`: durable agent sessions from a shell, a script or another program.

mod cli;
mod commands;
mod exit;
mod explain;
mod file;
mod output;
mod place;
mod store;
mod view;

use std::process::ExitCode;

use crate::cli::Cli;
use crate::place::Place;

fn main() -> ExitCode {
    turn_file_size_signal_into_an_error();
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(parsed) => return exit::tell(&parsed),
    };
    let place = match Place::find(cli.store.as_ref(), cli.root.as_deref()) {
        Ok(place) => place,
        Err(error) => return exit::report(&error, None, None),
    };
    match cli.command.run(&place, cli.json) {
        Ok(exit) => exit.into(),
        Err(error) => exit::report(&error, cli.command.id(), Some(&place)),
    }
}

/// A file that reaches the limit of its size raises SIGXFSZ, which kills. Ignored, the write fails like one on a full disk.
fn turn_file_size_signal_into_an_error() {
    // SAFETY: `SIG_IGN` is no handler, so no code runs in a signal's context; and no other thread exists yet.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
