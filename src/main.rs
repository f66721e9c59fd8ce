//! The `wildcaught` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    wildcaught::cli::run(std::env::args_os())
}
