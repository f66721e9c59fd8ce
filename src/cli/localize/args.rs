//! The options of `localize`, as typed.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use crate::analysis::localize::RankedBy;

use super::super::gather::GatherArgs;
use super::super::shard::ShardArgs;
use super::super::target::TargetArgs;

/// The default method.
const DEFAULT_METHOD: &str = "blend";

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes:\n  0  ranked\n  1  wrong arguments or input\n  4  the project does not build, or no test fails\n  5  ranked, but incomplete: tests without coverage, mutants that did not run or not with all tests, faults missing from the ranking\n  6  --audit: the original project does not confirm what a mutant repairs or breaks\n  130  stopped by Ctrl-C: ranked with the results so far"
)]
pub struct LocalizeArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub run: GatherArgs,
    #[command(flatten, next_help_heading = "Running mutants")]
    pub part: ShardArgs,
    /// Read this kill matrix instead of running mutants: results of `wildcaught test --matrix full` (the directory),
    /// its matrix.json or matrix.csv, a mutation-testing-elements JSON, PIT's mutations.xml, or a directory with
    /// Major's files.
    #[arg(long, value_name = "FILE|DIR")]
    pub matrix: Option<PathBuf>,
    /// Run at most N mutants: the first ones of the statements that are most suspicious by coverage.
    #[arg(long, value_name = "N", conflicts_with_all = ["matrix", "compare", "methods"],
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max: Option<u32>,
    /// Stop after this time (60s, 10m) and rank with the results so far. Suspicious statements run first, failing
    /// tests before passing ones; --resume continues. Ctrl-C does the same at any time.
    #[arg(long, value_name = "TIME", conflicts_with_all = ["matrix", "compare", "methods", "audit"])]
    pub budget: Option<String>,
    /// Check N mutants that repair a test and N that only break some: apply each as a diff to a fresh copy, build it
    /// with the project's own command, and run it test by test. With --resume after a finished run, little else runs.
    #[arg(long, value_name = "N", conflicts_with_all = ["matrix", "compare", "methods"],
          value_parser = clap::value_parser!(u32).range(1..))]
    pub audit: Option<u32>,
    /// Compare methods over results written by `--json`, one file per fault: mean ranks, top n, and whether the first
    /// method differs from the others (Wilcoxon). `--method a,b` compares b with a.
    #[arg(help_heading = "Output", long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["matrix", "methods"])]
    pub compare: Vec<PathBuf>,
    /// List the methods and what they use, and exit.
    #[arg(help_heading = "Output", long)]
    pub methods: bool,
    #[command(flatten)]
    pub tests: TestsArgs,
    #[command(flatten)]
    pub view: ViewArgs,
    #[command(flatten)]
    pub truth: TruthArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Tests")]
pub struct TestsArgs {
    /// Read which lines each test executes: lcov with test names, or a directory with one file or directory per test
    /// (lcov, gcov JSON, JaCoCo or Cobertura XML). Default: derived from the mutants that tests reach.
    #[arg(long, value_name = "FILE|DIR")]
    pub coverage: Option<PathBuf>,
    /// Read coverage under mutants, for the method `coverage`: a directory with an entry per mutant, named by its id,
    /// each in a format that --coverage reads.
    #[arg(long, value_name = "DIR", requires = "coverage")]
    pub mutant_coverage: Option<PathBuf>,
    /// Read the names of tests that fail on the unchanged program, one per line; for matrices without that information.
    #[arg(long, value_name = "FILE")]
    pub failing: Option<PathBuf>,
    /// Localize only the fault behind this failing test.
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct ViewArgs {
    /// Use these methods, comma-separated, or `all`; the first one orders the list. See --methods.
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = DEFAULT_METHOD)]
    pub method: Vec<String>,
    /// Rank statements, functions or files.
    #[arg(long, value_enum, default_value_t = ByArg::Statement)]
    pub by: ByArg,
    /// Show N places, 0 for all. Default: 5, and all with --json.
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Read source files from this project root. Default: the directory of the settings.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Write an HTML page: the places with their evidence, and the sources with every statement marked.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print rankings, reasons and evaluations as JSON.
    #[arg(long)]
    pub json: bool,
}

impl ViewArgs {
    /// The project's root.
    pub fn root(&self) -> &Path {
        self.root.as_deref().unwrap_or(Path::new("."))
    }

    /// The methods to compare, the first with each of the others; empty for all.
    pub fn compared(&self) -> &[String] {
        if self.method == [DEFAULT_METHOD] { &[] } else { &self.method }
    }

    /// How many places are wanted, if that was said.
    pub fn limit(&self) -> Option<usize> {
        self.top.map(|top| if top == 0 { usize::MAX } else { top })
    }
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Known faults (to evaluate rankings)")]
#[group(multiple = false)]
pub struct TruthArgs {
    /// Read faulty lines from FILE: `file:line`, one per line; `#` begins a comment.
    #[arg(long, value_name = "FILE")]
    pub faults: Option<PathBuf>,
    /// Read the fix as a unified diff: faulty lines are those it removes or replaces, or the line after those it adds.
    #[arg(long, value_name = "FILE")]
    pub fix_diff: Option<PathBuf>,
    /// Compare with the fixed project in this directory.
    #[arg(long, value_name = "DIR")]
    pub fixed: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ByArg {
    /// Executable lines.
    Statement,
    /// Functions, each by its most suspicious statement.
    Function,
    /// Files, each by its most suspicious statement.
    File,
}

impl From<ByArg> for RankedBy {
    fn from(by: ByArg) -> Self {
        match by {
            ByArg::Statement => Self::Statement,
            ByArg::Function => Self::Function,
            ByArg::File => Self::File,
        }
    }
}
