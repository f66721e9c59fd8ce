//! The options of `coupling`, as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::HistoryArgs;
use crate::cli::args::LanguageArgs;
use crate::cli::target::FitArgs;

use super::tested_args::TestedArgs;

#[derive(Args, Debug)]
#[command(
    after_help = "A fault is recreated if some mutant of the fixed version is the faulty version, token for token. With --test, it is coupled if\nsome mutant passes the tests from before the fix and fails those that came with it.\n\nEXIT CODES:\n  0  all is well\n  1  wrong arguments or input\n  5  no small fix was found, or parts of a history could not be read\n  130  stopped by Ctrl-C; the result is about what was read until then"
)]
pub struct CouplingArgs {
    /// Git repositories (bare or not), URLs, or gh:owner/name; the current directory if left out.
    #[arg(value_name = "REPOSITORY")]
    pub sources: Vec<String>,
    /// Operator sets to compare, comma-separated or one by one: files, or shipped ones by name. All shipped sets of
    /// the language if left out.
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
    /// List every fix with what became of it.
    #[arg(long)]
    pub list: bool,
    /// Write a page for browsers: shares, curve, reasons, and every fix.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print the result as JSON on standard output.
    #[arg(long)]
    pub json: bool,
    /// Print nothing but the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What counts as a small fix")]
pub struct FixArgs {
    /// Take at most N fixes of each repository, the newest.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub fixes: usize,
    /// Most changed lines before and after.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub lines: usize,
    /// Only fixes that change a test file, too.
    #[arg(long)]
    pub with_test: bool,
    /// Count mutants as near up to N lines before and after the changed ones.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub around: usize,
}
