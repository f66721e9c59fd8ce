//! `cargo wildcaught`: the same program under the name by which cargo finds its subcommands.

use std::process::ExitCode;

fn main() -> ExitCode {
    wildcaught::cli::run(std::env::args_os())
}
