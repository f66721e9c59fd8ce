//! `wildcaught sshom`: strongly subsuming higher-order mutants.

mod args;
mod figures;
mod job;
mod page;
mod show;
mod solve;
mod view;

use anyhow::Result;

pub use args::SshomArgs;

use crate::analysis::sshom::Which;

use super::exit::Exit;
use args::SshomCommand;

/// Runs the command.
pub fn run(args: &SshomArgs) -> Result<Exit> {
    match &args.command {
        Some(SshomCommand::Solve(args)) => solve::run(args),
        None => job::run(&args.program),
    }
}

/// Which ones are wanted.
fn which(strict: bool) -> Which {
    if strict { Which::Strict } else { Which::All }
}
