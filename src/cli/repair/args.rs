//! What can be typed after `wildcaught repair`.

use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use crate::pipeline::repair::RepairSearch;

use super::super::args::LanguageArgs;
use super::super::sandbox::SandboxArgs;
use super::super::target::FileArgs;

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes:\n  0  a patch was found\n  1  wrong arguments or input\n  4  the project does not build, or all of its tests pass\n  5  no patch was found\n  130  stopped by Ctrl-C; results so far were printed"
)]
pub struct RepairArgs {
    /// Edit only these files and directories. Default: those of the settings.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Read the project's settings from FILE. If it is missing, settings are detected as by `wildcaught init`.
    #[arg(long, value_name = "FILE", default_value = "wildcaught.toml")]
    pub config: PathBuf,

    /// Keep results in this directory.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,

    /// Count the places and edits of each file, and exit. Builds nothing, so edits that do not compile are counted as
    /// well.
    #[arg(long)]
    pub dry_run: bool,

    /// Search no longer than this: 90s, 30m, 2h. Building and verifying take extra time.
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub budget: String,

    /// Combine at most K edits.
    #[arg(long, value_name = "K", default_value_t = 3)]
    pub degree: usize,

    /// Verify and list the best N patches.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,

    /// Make only these kinds of edits, comma-separated; --families help lists them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub families: Vec<String>,

    /// Search with this strategy.
    #[arg(long, value_enum, default_value_t = SearchArg::Split)]
    pub search: SearchArg,

    /// Also look for patches with more edits than the smallest one.
    #[arg(long)]
    pub all: bool,

    /// Run this command on a copy with each patch. Patches that fail it are ranked last.
    #[arg(long, value_name = "COMMAND")]
    pub held_out: Option<String>,

    /// Use this random seed for --search gen.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,

    /// Write patch N of the last run into the sources. `--revert` removes it.
    #[arg(long, value_name = "N", conflicts_with_all = ["revert", "dry_run", "json"])]
    pub apply: Option<usize>,

    /// Remove the patch that --apply wrote.
    #[arg(long, conflicts_with_all = ["dry_run", "json"])]
    pub revert: bool,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    /// Write an HTML page: the patches as diffs, and what was tried.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Print only the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,

    /// Use N workers. Default: all cores.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub language: LanguageArgs,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub files: FileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchArg {
    /// Try conditions with equal values once, and near misses first.
    Split,
    /// Try every edit by itself, then combined with others.
    Each,
    /// Evolve near misses with a genetic algorithm, like GenProg.
    Gen,
}

impl From<SearchArg> for RepairSearch {
    fn from(search: SearchArg) -> Self {
        match search {
            SearchArg::Split => Self::Split,
            SearchArg::Each => Self::Each,
            SearchArg::Gen => Self::Genetic,
        }
    }
}
