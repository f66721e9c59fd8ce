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
    after_help = "EXIT CODES:\n  0  SSHOMs were found\n  1  wrong arguments or input\n  2  --verify: a test disagrees with what was found\n  4  the unchanged project does not build, or its tests fail\n  5  none was found\n  130  stopped by Ctrl-C; what was found until then was printed"
)]
pub struct SshomArgs {
    #[command(subcommand)]
    pub command: Option<SshomCommand>,
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// What is searched, and how.
#[derive(Args, Debug)]
pub struct ProgramArgs {
    /// Files and directories whose operators are exchanged; those of the settings if left out.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The project's settings; without them the project is looked at, as `wildcaught init` does.
    #[arg(long, value_name = "FILE", default_value = "wildcaught.toml")]
    pub config: PathBuf,

    /// Keep what is built once in this directory.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,

    /// Count the points of each file, build nothing and end. What does not compile is counted, too.
    #[arg(long)]
    pub dry_run: bool,

    /// Search in these ways, comma-separated; several are compared. If left out: var up to 500 mutants, pri above.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub search: Vec<SearchArg>,

    /// Exchange only these kinds of operators, comma-separated: relational, arithmetic, logical.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub kinds: Vec<String>,

    /// Search no longer than this: 90s, 30m, 2h; mutants one by one included, each search by itself. With it, var
    /// looks for pairs first, then for triples, and so on.
    #[arg(long, value_name = "TIME")]
    pub budget: Option<String>,

    /// Look at no more than N combinations (pri, gen, bf), or at no more than N leaves for each test that may be the
    /// first to kill (var).
    #[arg(long, value_name = "N")]
    pub max_looked: Option<u64>,

    /// Combine at most K mutants; if left out, 6 for pri, 2 for bf, and 40 for gen.
    #[arg(long, value_name = "K")]
    pub max_order: Option<usize>,

    /// Count and list only strict ones: some test that kills each of their mutants does not kill them.
    #[arg(long)]
    pub strict: bool,

    /// Breed (gen) with this seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,

    /// Put those that are listed, and their mutants, into the sources one by one, build, test, and compare.
    #[arg(long)]
    pub verify: bool,

    /// Write those that are listed into this directory, each as a diff.
    #[arg(long, value_name = "DIR")]
    pub patches: Option<PathBuf>,

    /// Draw what was found over time as an SVG file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write a page for browsers: figures, curves, and those that are listed as diffs.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// List the first N, by order, then by mutants; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub list: usize,

    /// Print JSON. Counts are strings, since they may be larger than any number that JSON readers hold.
    #[arg(long)]
    pub json: bool,

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
    /// All: each test is run once for all combinations that do the same in it.
    Var,
    /// Likely ones first: few mutants, near each other, that nearly the same tests kill.
    Pri,
    /// Breed from those that came near.
    Gen,
    /// All pairs, then all triples, and so on.
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
    /// Find all strongly subsuming higher-order mutants (SSHOMs) from failing conditions: for each test, the
    /// combinations with which it fails.
    Solve(SolveArgs),
}

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  there are SSHOMs\n  1  wrong arguments or input, or the answer is too large\n  5  there are none\n  130  stopped by Ctrl-C; nothing was printed"
)]
pub struct SolveArgs {
    /// A folder with a file per test: binary decision diagrams as JavaBDD saves them (*.txt), or formulas
    /// (*.cnf, *.dimacs); or one document of boxes (*.json).
    pub conditions: PathBuf,

    /// Which mutants are of one point and never combine: a line per point, with the names of its mutants, in
    /// the order of their variables. Boxes have their own points.
    #[arg(long, value_name = "FILE")]
    pub groups: Option<PathBuf>,

    /// The number of the first mutant's variable.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub first_variable: u32,

    /// Where mutants are, to see how far combinations spread: lines of `mutant,file,function`.
    #[arg(long, value_name = "FILE")]
    pub places: Option<PathBuf>,

    /// Combine at most K mutants.
    #[arg(long, value_name = "K")]
    pub max_order: Option<usize>,

    /// Count and list only strict ones: some test that kills each of their mutants does not kill them.
    #[arg(long)]
    pub strict: bool,

    /// List the first N, by order, then by mutants.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub list: usize,

    /// Print JSON. Counts are strings, since they may be larger than any number that JSON readers hold.
    #[arg(long)]
    pub json: bool,

    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,

    /// Give up when a decision diagram has more than N nodes.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub max_nodes: usize,
}
