//! What can be typed after `wildcaught witness`.

use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use crate::analysis::witness::RankBy;
use crate::analysis::witness::WitnessFormula;
use crate::pipeline::witness::WitnessSearch;

use super::super::args::LanguageArgs;
use super::super::sandbox::SandboxArgs;

#[derive(Args, Debug)]
#[command(
    after_help = "The compiler or interpreter must be built with coverage: `gcc --coverage`, or see --coverage.\n\nExit codes:\n  0  a ranking was printed\n  1  wrong arguments or input; the program does not fail\n  5  no variation passes, so the ranking is weak\n  130  stopped by Ctrl-C; results so far were printed"
)]
pub struct WitnessArgs {
    /// Use this program: the compiler or interpreter under test fails on it.
    #[arg(value_name = "FILE")]
    pub program: PathBuf,

    /// Judge programs with this command. Exit code 0: correct; 125: cannot be judged; any other: the program triggers
    /// the bug. `{file}` is the path of the program, added at the end if missing; `{dir}` is the only directory that
    /// the command may write to.
    #[arg(long, value_name = "COMMAND", required_unless_present = "run", conflicts_with_all = ["run", "expect", "reference"])]
    pub oracle: Option<String>,

    /// Run the compiler or interpreter with this command, with `{file}` and `{dir}` as above. It fails if it crashes,
    /// hangs, or does not behave as --expect or --reference demand.
    #[arg(long, value_name = "COMMAND")]
    pub run: Option<String>,

    /// Expect the output in this file from --run.
    #[arg(long, value_name = "FILE", requires = "run", conflicts_with = "reference")]
    pub expect: Option<PathBuf>,

    /// Expect the output and exit code of this command from --run: another compiler, or the same one with other
    /// options.
    #[arg(long, value_name = "COMMAND", requires = "run")]
    pub reference: Option<String>,

    /// Skip programs that this command rejects: undefined behaviour, warnings.
    #[arg(long, value_name = "COMMAND")]
    pub guard: Option<String>,

    /// Rank only code in this directory: the sources of the compiler or interpreter.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub sources: PathBuf,

    /// Measure coverage in this way.
    #[arg(long, value_enum, default_value_t = CoverageArg::Gcov)]
    pub coverage: CoverageArg,

    /// For --coverage llvm: the binary of the compiler or interpreter.
    #[arg(long, value_name = "FILE", required_if_eq("coverage", "llvm"))]
    pub binary: Option<PathBuf>,

    /// For --coverage reach and --bisect: build the compiler or interpreter with this command. Default: `make`,
    /// `cargo build` or `go build ./...`, if there is a Makefile, Cargo.toml or go.mod.
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,

    /// For --coverage reach: the language of --sources. Default: the one with most files.
    #[arg(long, value_name = "NAME")]
    pub sources_language: Option<String>,

    /// Also search the history of --sources for the commit that introduced the bug; GOOD works, BAD fails.
    #[arg(long, value_name = "GOOD..BAD")]
    pub bisect: Option<String>,

    /// Get coverage from this command, which runs after every run and prints lcov, gcov JSON, JaCoCo or Cobertura.
    /// `{dir}` is a directory of that run; the run itself finds it in WILDCAUGHT_COVERAGE.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["coverage", "binary"])]
    pub coverage_command: Option<String>,

    /// Also compare with these passing programs: files, or directories of files with the extension of FILE. With
    /// --expect, the expected output of NAME.c is in NAME.expect, .expected, .out or .txt.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub tests: Vec<PathBuf>,

    /// Use at most N programs of --tests.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub most_tests: usize,

    /// Do not change lines that match: by default, those that print or check, since the oracle depends on them.
    #[arg(long, value_name = "REGEX", default_value = KEEP)]
    pub keep: String,

    /// Do not reduce the failing program first.
    #[arg(long)]
    pub no_reduce: bool,

    /// Use these operator sets: files, or shipped sets by name. Default: all of the language.
    #[arg(long, value_name = "SET", value_delimiter = ',')]
    pub ops: Vec<String>,

    /// Choose variations in this way.
    #[arg(long, value_enum, default_value_t = SearchArg::Nearest)]
    pub search: SearchArg,

    /// Rank with this formula.
    #[arg(long, value_enum, default_value_t = FormulaArg::Combined)]
    pub formula: FormulaArg,

    /// Rank statements, functions or files.
    #[arg(long, value_enum, default_value_t = ByArg::Function)]
    pub by: ByArg,

    /// Try N variations. Reducing may take up to three times as many.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub tries: usize,

    /// Stop the search after this time: 90s, 5m, 2h.
    #[arg(long, value_name = "TIME", default_value = "5m")]
    pub budget: String,

    /// Stop a single run after this time.
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub timeout: String,

    /// Use this random seed for choosing variations.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,

    /// Show the N most suspicious places.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,

    /// Write an HTML page with the results.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write the reduced program to this file.
    #[arg(long, value_name = "FILE")]
    pub reduced: Option<PathBuf>,

    /// Write all runs with the code that they executed as JSON, for your own analyses.
    #[arg(long, value_name = "FILE")]
    pub traces: Option<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    /// Print only the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,

    /// Use N workers. Default: all cores. The result does not depend on N.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub language: LanguageArgs,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

/// Calls that print or check, in most languages.
const KEEP: &str = r"\b(f?printf|f?puts|putchar|putc|abort|__builtin_abort|assert|exit|print|println|console\.log|echo|write|error)\b";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoverageArg {
    /// For programs built with `gcc --coverage`; reads the counters directly.
    Gcov,
    /// For programs built with `clang -fprofile-instr-generate -fcoverage-mapping`; needs llvm-profdata and llvm-cov.
    Llvm,
    /// No coverage tool needed: builds a copy of --sources with every statement instrumented, and runs the commands
    /// there. For C, C++, Rust, Go, Java, Python, JavaScript, C#.
    Reach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchArg {
    /// One per place before a second.
    Nearest,
    /// By success and diversity of operators, like DiWi.
    Diwi,
    /// At random.
    Random,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormulaArg {
    /// The other formulas combined; measured best.
    Combined,
    /// The mean of 1/√(1 + witnesses) over the lines of a function, like DiWi.
    Diwi,
    /// Code that the nearest witness does not execute.
    Nearest,
    /// Code that few programs of --tests execute.
    Tests,
    /// Code that few programs of --tests and few passing variations execute.
    Spectrum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ByArg {
    Function,
    File,
}

impl From<SearchArg> for WitnessSearch {
    fn from(search: SearchArg) -> Self {
        match search {
            SearchArg::Nearest => Self::Nearest,
            SearchArg::Diwi => Self::Diwi,
            SearchArg::Random => Self::Random,
        }
    }
}

impl From<FormulaArg> for WitnessFormula {
    fn from(formula: FormulaArg) -> Self {
        match formula {
            FormulaArg::Combined => Self::Combined,
            FormulaArg::Diwi => Self::Diwi,
            FormulaArg::Nearest => Self::Nearest,
            FormulaArg::Tests => Self::Tests,
            FormulaArg::Spectrum => Self::Spectrum,
        }
    }
}

impl From<ByArg> for RankBy {
    fn from(by: ByArg) -> Self {
        match by {
            ByArg::Function => Self::Function,
            ByArg::File => Self::File,
        }
    }
}
