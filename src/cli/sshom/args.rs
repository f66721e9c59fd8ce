//! What can be typed after `wildcaught sshom`.

use std::path::PathBuf;

use clap::Args;
use clap::Subcommand;
use clap::ValueEnum;

use crate::pipeline::sshom::SearchKind;

use super::super::args::LanguageArgs;
use super::super::sandbox::SandboxArgs;
use super::super::target::FileArgs;

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit codes:\n  0  SSHOMs were found\n  1  wrong arguments or input\n  2  --verify: a test contradicts a result\n  4  the unchanged project does not build, or its tests fail\n  5  none was found\n  130  stopped by Ctrl-C; results so far were printed"
)]
pub struct SshomArgs {
    #[command(subcommand)]
    pub command: Option<SshomCommand>,
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// What to search, and how.
#[derive(Args, Debug)]
pub struct ProgramArgs {
    /// Exchange operators in these files and directories. Default: those of the settings.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Read the project's settings from FILE. If it is missing, settings are detected as by `wildcaught init`.
    #[arg(long, value_name = "FILE", default_value = "wildcaught.toml")]
    pub config: PathBuf,

    /// Keep results and builds in this directory.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,

    /// Count the points of each file, and exit. Builds nothing, so points that do not compile are counted as well.
    #[arg(long)]
    pub dry_run: bool,

    /// Search with these strategies, comma-separated; several are compared. Default: var up to 500 mutants, pri above.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub search: Vec<SearchArg>,

    /// Exchange only these kinds of operators, comma-separated: relational, arithmetic, logical.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub kinds: Vec<String>,

    /// Stop each search after this time: 90s, 30m, 2h. This includes the time for running single mutants. With a
    /// budget, var looks for pairs first, then for triples, and so on.
    #[arg(long, value_name = "TIME")]
    pub budget: Option<String>,

    /// Try at most N combinations (pri, gen, bf), or at most N leaves for each test that may be the first to kill
    /// (var).
    #[arg(long, value_name = "N")]
    pub max_looked: Option<u64>,

    /// Combine at most K mutants. Default: 6 for pri, 2 for bf, and 40 for gen.
    #[arg(long, value_name = "K")]
    pub max_order: Option<usize>,

    /// Count and list only strict SSHOMs: some test that kills each of the mutants does not kill the combination.
    #[arg(long)]
    pub strict: bool,

    /// Use this random seed for --search gen.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,

    /// Verify the listed SSHOMs: write each of them and each of its mutants into the sources, build, test, and compare.
    #[arg(long)]
    pub verify: bool,

    /// Write the listed SSHOMs into this directory, each as a diff.
    #[arg(long, value_name = "DIR")]
    pub patches: Option<PathBuf>,

    /// Draw the number of SSHOMs found over time as an SVG file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write an HTML page: figures, curves, and the listed SSHOMs as diffs.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// List the first N SSHOMs, by order, then by mutants; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub list: usize,

    /// Print JSON. Counts are strings, since they can be too large for JSON readers.
    #[arg(long)]
    pub json: bool,

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
    /// Find all: run each test once for all combinations that behave the same in it.
    Var,
    /// Try likely ones first: few mutants, near each other, killed by almost the same tests.
    Pri,
    /// Evolve near misses with a genetic algorithm.
    Gen,
    /// Try all pairs, then all triples, and so on (brute force).
    Bf,
}

impl From<SearchArg> for SearchKind {
    fn from(search: SearchArg) -> Self {
        match search {
            SearchArg::Var => Self::Variational,
            SearchArg::Pri => Self::Prioritized,
            SearchArg::Gen => Self::Genetic,
            SearchArg::Bf => Self::BruteForce,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum SshomCommand {
    /// Find all strongly subsuming higher-order mutants (SSHOMs) from failing conditions: the combinations that each
    /// test fails with.
    Solve(SolveArgs),
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes:\n  0  SSHOMs were found\n  1  wrong arguments or input, or the answer is too large\n  5  none was found\n  130  stopped by Ctrl-C; nothing was printed"
)]
pub struct SolveArgs {
    /// Read a directory with one file per test: binary decision diagrams as JavaBDD saves them (*.txt), or formulas
    /// (*.cnf, *.dimacs); or read one document of boxes (*.json).
    pub conditions: PathBuf,

    /// Read which mutants belong to one point and never combine: one line per point with the names of its mutants, in
    /// the order of their variables. Boxes have their own points.
    #[arg(long, value_name = "FILE")]
    pub groups: Option<PathBuf>,

    /// Number variables from N on: the variable of the first mutant.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub first_variable: u32,

    /// Read where mutants are, to report how far combinations spread: lines of `mutant,file,function`.
    #[arg(long, value_name = "FILE")]
    pub places: Option<PathBuf>,

    /// Combine at most K mutants.
    #[arg(long, value_name = "K")]
    pub max_order: Option<usize>,

    /// Count and list only strict SSHOMs: some test that kills each of the mutants does not kill the combination.
    #[arg(long)]
    pub strict: bool,

    /// List the first N SSHOMs, by order, then by mutants.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub list: usize,

    /// Print JSON. Counts are strings, since they can be too large for JSON readers.
    #[arg(long)]
    pub json: bool,

    /// Print no progress.
    #[arg(short, long)]
    pub quiet: bool,

    /// Stop when a decision diagram has more than N nodes.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub max_nodes: usize,
}
