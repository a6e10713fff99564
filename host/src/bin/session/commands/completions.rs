//! `session completions`

use std::io::Write;

use anyhow::Result;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit::Exit;
use crate::output;
use crate::place::Place;

/// What `completions` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    /// Prints the script.
    pub fn run(&self, _: &Place, _: bool) -> Result<Exit> {
        // Written to memory first: the generator panics where a pipe is closed.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::parser(), "session", &mut script);
        let mut out = output::bytes();
        out.write_all(&script)?;
        out.flush()?;
        Ok(Exit::Done)
    }
}
