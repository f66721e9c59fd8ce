//! The options of `localize`, as typed.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use crate::analysis::localize::RankedBy;

use super::super::gather::GatherArgs;
use super::super::shard::ShardArgs;
use super::super::target::TargetArgs;

/// The method of those who name none.
const DEFAULT_METHOD: &str = "blend";

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  ranked\n  1  wrong arguments or input\n  4  the project does not build, or no test fails\n  5  ranked, but something is missing: tests without coverage, mutants that were not run or not with all tests, faults that are nowhere\n  6  --audit: the plain project does not confirm what a mutant repairs or breaks\n  130  stopped by Ctrl-C: ranked by what was known then"
)]
pub struct LocalizeArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub run: GatherArgs,
    #[command(flatten)]
    pub part: ShardArgs,
    /// Take this kill matrix instead of running mutants: results of `wildcaught test --matrix full` (the directory), its matrix.json or
    /// matrix.csv, a mutation-testing-elements JSON, PIT's mutations.xml, or a directory with Major's files.
    #[arg(long, value_name = "FILE|DIR")]
    pub matrix: Option<PathBuf>,
    /// Run at most N mutants: the first ones of the most suspicious statements, by who executes them.
    #[arg(long, value_name = "N", conflicts_with_all = ["matrix", "compare", "methods"],
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max: Option<u32>,
    /// Stop after this time (60s, 10m) and rank by what is known then. Suspicious statements come first, failing tests
    /// before passing ones; --resume goes on. Ctrl-C does the same at any time.
    #[arg(long, value_name = "TIME", conflicts_with_all = ["matrix", "compare", "methods", "audit"])]
    pub budget: Option<String>,
    /// Try N mutants that repair a test again, and N that only break some: each as a diff, in a fresh copy, built by the
    /// project's own command, test by test. With --resume after a finished run, hardly anything else is run.
    #[arg(long, value_name = "N", conflicts_with_all = ["matrix", "compare", "methods"],
          value_parser = clap::value_parser!(u32).range(1..))]
    pub audit: Option<u32>,
    /// Compare methods over results that `--json` wrote, one file per fault: mean ranks, top n, and whether the
    /// first method differs from the others (Wilcoxon). `--method a,b` compares b with a.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["matrix", "methods"])]
    pub compare: Vec<PathBuf>,
    /// List the methods and what they go by, and end.
    #[arg(long)]
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
    /// Which lines tests execute: lcov with test names, or a directory with one file or directory per test
    /// (lcov, gcov JSON, JaCoCo or Cobertura XML). Without it, the mutants that tests reach tell.
    #[arg(long, value_name = "FILE|DIR")]
    pub coverage: Option<PathBuf>,
    /// Coverage under mutants, for the method `coverage`: a directory with an entry per mutant, named by its
    /// id, each as --coverage takes it.
    #[arg(long, value_name = "DIR", requires = "coverage")]
    pub mutant_coverage: Option<PathBuf>,
    /// Tests that fail on the unchanged program, one name a line; for matrices that do not say.
    #[arg(long, value_name = "FILE")]
    pub failing: Option<PathBuf>,
    /// Localize this failing test alone.
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What is shown")]
pub struct ViewArgs {
    /// Methods, comma-separated, or `all`; the first one orders the list. See --methods.
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = DEFAULT_METHOD)]
    pub method: Vec<String>,
    /// What is ranked.
    #[arg(long, value_enum, default_value_t = ByArg::Statement)]
    pub by: ByArg,
    /// How many places are shown, 0 for all; 5 if left out, and all with --json.
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// The project's root, whose files are shown and searched for functions; where the settings are if left out.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Write a page for browsers: the places with their evidence, and the sources with every statement marked.
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
#[command(next_help_heading = "Where the fault is, if that is known")]
#[group(multiple = false)]
pub struct TruthArgs {
    /// Faulty lines, `file:line`, one a line; `#` begins a comment.
    #[arg(long, value_name = "FILE")]
    pub faults: Option<PathBuf>,
    /// The fix as a unified diff: the lines it takes out or replaces, or the line after those it adds.
    #[arg(long, value_name = "FILE")]
    pub fix_diff: Option<PathBuf>,
    /// The project's root after the fix.
    #[arg(long, value_name = "DIR")]
    pub fixed: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ByArg {
    /// Lines that can be executed.
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
