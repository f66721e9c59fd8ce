//! Completion scripts and man pages, made from the same definitions as the help.

use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use clap::CommandFactory;

use super::args::Cli;
use super::definition::definition;
use super::exit::Exit;
use super::output::write_bytes;

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    // Into memory first: the generator panics where it cannot write, and `| head` closes our output.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "wildcaught", &mut script);
    write_bytes(None, &script)?;
    Ok(Exit::Fine)
}

/// Writes a man page per command.
pub fn man(directory: &Path) -> Result<Exit> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    clap_mangen::generate_to(definition(), directory)
        .with_context(|| format!("cannot write man pages into {}", directory.display()))?;
    Ok(Exit::Fine)
}
