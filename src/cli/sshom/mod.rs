//! `wildcaught sshom`: strongly subsuming higher-order mutants.

mod args;
mod show;
mod solve;

use anyhow::Result;

pub use args::SshomCommand;

use super::exit::Exit;

/// Runs the command.
pub fn run(command: &SshomCommand) -> Result<Exit> {
    match command {
        SshomCommand::Solve(args) => solve::run(args),
    }
}
