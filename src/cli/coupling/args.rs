//! The options of `coupling`, as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::HistoryArgs;
use crate::cli::args::LanguageArgs;
use crate::cli::target::FitArgs;

use super::tested_args::TestedArgs;

#[derive(Args, Debug)]
#[command(
    after_help = "A fault is recreated if some mutant of the fixed version equals the faulty version, token for token.\nWith --test, it is coupled if some mutant passes the tests from before the fix and fails those that came with it.\n\nExit codes:\n  0  success\n  1  wrong arguments or input\n  5  no small fix was found, or parts of a history could not be read\n  130  stopped by Ctrl-C; the result covers what was read until then"
)]
pub struct CouplingArgs {
    /// Read these git repositories (bare or not), URLs, or gh:owner/name. Default: the current directory.
    #[arg(value_name = "REPOSITORY")]
    pub sources: Vec<String>,
    /// Compare these operator sets, comma-separated or one by one: files, or shipped sets by name. Default: all
    /// shipped sets of the language.
    #[arg(long, value_name = "SET", value_delimiter = ',')]
    pub ops: Vec<String>,
    #[command(flatten)]
    pub language: LanguageArgs,
    #[command(flatten)]
    pub fixes: FixArgs,
    #[command(flatten)]
    pub history: HistoryArgs,
    #[command(flatten)]
    pub fit: FitArgs,
    #[command(flatten)]
    pub tested: TestedArgs,
    /// List every fix with its result.
    #[arg(help_heading = "Output", long)]
    pub list: bool,
    /// Write an HTML page: shares, curve, reasons, and every fix.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print the result as JSON on standard output.
    #[arg(help_heading = "Output", long)]
    pub json: bool,
    /// Print only the result, warnings and errors.
    #[arg(help_heading = "Output", short, long)]
    pub quiet: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Small fixes")]
pub struct FixArgs {
    /// Take at most N fixes of each repository, the newest.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub fixes: usize,
    /// Take only fixes that change at most N lines, before and after.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub lines: usize,
    /// Take only fixes that also change a test file.
    #[arg(long)]
    pub with_test: bool,
    /// Count mutants as near up to N lines before and after the changed ones.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub around: usize,
}
