//! The options of `coupling --test`, as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::sandbox::SandboxArgs;
use crate::cli::shard::ShardArgs;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Coupling with tests")]
pub struct TestedArgs {
    /// Ask the tests: is there a mutant of the fixed code that the tests from before the fix miss and those that came
    /// with it kill? Every revision is built and tested in a copy.
    #[arg(long)]
    pub test: bool,
    /// Show the fixes that would be tested, and run nothing.
    #[arg(long, requires = "test")]
    pub dry_run: bool,
    /// Settings for all revisions, as `wildcaught init` writes them; found out for each revision if left out.
    #[arg(long, value_name = "FILE", requires = "test")]
    pub config: Option<PathBuf>,
    /// Try at most N mutants of a fix, those near the changed lines first.
    #[arg(long, value_name = "N", default_value_t = 300, requires = "test")]
    pub most: usize,
    /// Give up on a fix after this time: 90s, 30m or 2h.
    #[arg(long, value_name = "TIME", default_value = "10m", requires = "test")]
    pub each: String,
    /// Begin no further fix after this time: 90s, 30m or 2h.
    #[arg(long, value_name = "TIME", requires = "test")]
    pub budget: Option<String>,
    /// Keep what becomes of each fix in DIR, and measure only what is not known there: after Ctrl-C, with a new budget, or
    /// with other operators.
    #[arg(long, value_name = "DIR", requires = "test")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub shard: ShardArgs,
    /// Run N tests at a time; as many as there are processors if left out.
    #[arg(short, long, value_name = "N", requires = "test")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}
