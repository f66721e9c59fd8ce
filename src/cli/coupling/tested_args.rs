//! The options of `coupling --test`, as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::sandbox::SandboxArgs;
use crate::cli::shard::ShardArgs;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Coupling with tests")]
pub struct TestedArgs {
    /// Run the tests: find a mutant of the fixed code that the tests from before the fix miss and the tests that came
    /// with the fix kill. Builds and tests every revision in a copy.
    #[arg(long)]
    pub test: bool,
    /// Show the fixes that would be tested, without running anything.
    #[arg(long, requires = "test")]
    pub dry_run: bool,
    /// Use these settings (as `wildcaught init` writes them) for all revisions. Default: detected for each revision.
    #[arg(long, value_name = "FILE", requires = "test")]
    pub config: Option<PathBuf>,
    /// Try at most N mutants of a fix, those near the changed lines first.
    #[arg(long, value_name = "N", default_value_t = 300, requires = "test")]
    pub most: usize,
    /// Give up on a fix after this time: 90s, 30m or 2h.
    #[arg(long, value_name = "TIME", default_value = "10m", requires = "test")]
    pub each: String,
    /// Start no further fix after this time: 90s, 30m or 2h.
    #[arg(long, value_name = "TIME", requires = "test")]
    pub budget: Option<String>,
    /// Keep the result of each fix in DIR, and measure only fixes without one: after Ctrl-C, with a new budget, or
    /// with other operators.
    #[arg(long, value_name = "DIR", requires = "test")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub shard: ShardArgs,
    /// Run N tests at a time. Default: all cores.
    #[arg(short, long, value_name = "N", requires = "test")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}
