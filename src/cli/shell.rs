//! Completion scripts and man pages, made from the same definitions as the help.

use std::io;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use clap::CommandFactory;

use super::args::Cli;
use super::exit::Exit;

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    clap_complete::generate(shell, &mut Cli::command(), "wildcaught", &mut io::stdout());
    Ok(Exit::Fine)
}

/// Writes a man page per command.
pub fn man(directory: &Path) -> Result<Exit> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    clap_mangen::generate_to(Cli::command(), directory)
        .with_context(|| format!("cannot write man pages into {}", directory.display()))?;
    Ok(Exit::Fine)
}
