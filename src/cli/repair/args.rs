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
    after_help = "EXAMPLES:\n  wildcaught repair                          patches for the failing tests of the project\n  wildcaught repair src/parse.c --budget 2m  only edits of this file, for two minutes\n  wildcaught repair --apply 1                writes the first patch of the last run; --revert takes it back\n\nEXIT CODES:\n  0  a patch was found\n  1  wrong arguments or input\n  4  the project does not build, or all of its tests pass\n  5  no patch was found\n  130  stopped by Ctrl-C; what was found until then was printed"
)]
pub struct RepairArgs {
    /// Files and directories that may be edited; those of the settings if left out.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The project's settings; without them the project is looked at, as `wildcaught init` does.
    #[arg(long, value_name = "FILE", default_value = "wildcaught.toml")]
    pub config: PathBuf,

    /// Keep results in this directory.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,

    /// Count the places and edits of each file, build nothing and end. What does not compile is counted, too.
    #[arg(long)]
    pub dry_run: bool,

    /// Search no longer than this: 90s, 30m, 2h. Building and verifying come on top.
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

    /// Search in this way.
    #[arg(long, value_enum, default_value_t = SearchArg::Split)]
    pub search: SearchArg,

    /// Also look for patches of more edits than the smallest one has.
    #[arg(long)]
    pub all: bool,

    /// Run this command with every patch that is found, in a copy. Patches with which it fails come last.
    #[arg(long, value_name = "COMMAND")]
    pub held_out: Option<String>,

    /// Breed (gen) with this seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,

    /// Write patch N of the last run into the sources. `--revert` takes it back.
    #[arg(long, value_name = "N", conflicts_with_all = ["revert", "dry_run", "json"])]
    pub apply: Option<usize>,

    /// Take back what --apply wrote.
    #[arg(long, conflicts_with_all = ["dry_run", "json"])]
    pub revert: bool,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    /// Write a page for browsers: the patches as diffs, and what was tried.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Print nothing but the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,

    /// Workers; all cores if left out.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub language: LanguageArgs,
    #[command(flatten)]
    pub files: FileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchArg {
    /// Conditions that give the same are tried once; combinations that come near are tried first.
    Split,
    /// Every edit is tried by itself, then together with others.
    Each,
    /// Breed from combinations that come near, as GenProg does.
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
