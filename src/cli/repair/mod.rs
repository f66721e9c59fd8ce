//! `wildcaught repair`: patches that make all tests pass.

mod apply;
mod args;
mod job;
mod page;
mod show;

use anyhow::Result;

pub use args::RepairArgs;

use super::exit::Exit;

/// Runs the command.
pub fn run(args: &RepairArgs) -> Result<Exit> {
    match (args.apply, args.revert) {
        (Some(number), _) => apply::apply(args, number),
        (None, true) => super::mutate::revert(),
        _ => job::run(args),
    }
}
