//! `wildcaught sshom`: strongly subsuming higher-order mutants.

mod args;
mod figures;
mod found;
mod list;
mod page;
mod show;
mod solve;
mod source;

use anyhow::Result;

pub use args::SshomArgs;

use super::exit::Exit;
use args::SshomCommand;

/// Runs the command.
pub fn run(args: &SshomArgs) -> Result<Exit> {
    match &args.command {
        Some(SshomCommand::Solve(args)) => solve::run(args),
        None => source::run(&args.source),
    }
}
