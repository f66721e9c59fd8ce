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
    after_help = "EXAMPLES:\n  wildcaught witness bug.c --run './tcc -run {file}' --reference 'gcc {file} -o {dir}/a && {dir}/a'\n  wildcaught witness bug.c --run './cc {file}'                        the compiler crashes\n  wildcaught witness bug.js --oracle ./oracle.sh --tests test/        an interpreter, and its own tests\n  wildcaught witness bug.c --oracle ./oracle.sh --bisect v1.0..HEAD --build 'make -j4'\n  wildcaught witness bug.js --run 'out/js {file}' --coverage reach\n\nThe broken program must be built so that runs leave coverage: `gcc --coverage`, or see --coverage.\n\nEXIT CODES:\n  0  a ranking was printed\n  1  wrong arguments or input; the program does not fail\n  5  no variation passes: the ranking says little\n  130  stopped by Ctrl-C; what was found until then was printed"
)]
pub struct WitnessArgs {
    /// The program that makes the other one fail.
    #[arg(value_name = "FILE")]
    pub program: PathBuf,

    /// Judge programs by a command: exit code 0 if all is well, 125 if the program cannot be judged, else it shows the
    /// fault. `{file}` is the program's path, else it is added at the end; `{dir}` is a directory to write to, the only
    /// one.
    #[arg(long, value_name = "COMMAND", required_unless_present = "run", conflicts_with_all = ["run", "expect", "reference"])]
    pub oracle: Option<String>,

    /// Run the broken program with `{file}` (and `{dir}`, as above). It fails if it crashes or hangs, or does not do what --expect or --reference
    /// say.
    #[arg(long, value_name = "COMMAND")]
    pub run: Option<String>,

    /// What --run should print.
    #[arg(long, value_name = "FILE", requires = "run", conflicts_with = "reference")]
    pub expect: Option<PathBuf>,

    /// What --run should do: print and end as this command does, another compiler or the same with other options.
    #[arg(long, value_name = "COMMAND", requires = "run")]
    pub reference: Option<String>,

    /// Do not judge programs with which this command fails: undefined behaviour, warnings.
    #[arg(long, value_name = "COMMAND")]
    pub guard: Option<String>,

    /// Where the sources of the broken program are; code that lies elsewhere is not ranked.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub sources: PathBuf,

    /// What says which code was executed.
    #[arg(long, value_enum, default_value_t = CoverageArg::Gcov)]
    pub coverage: CoverageArg,

    /// The broken program, for --coverage llvm.
    #[arg(long, value_name = "FILE", required_if_eq("coverage", "llvm"))]
    pub binary: Option<PathBuf>,

    /// Build the broken program with this command, for --coverage reach and --bisect. If left out, `make`, `cargo build`
    /// or `go build ./...`, as there is a Makefile, Cargo.toml or go.mod.
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,

    /// The language of --sources, for --coverage reach; the one with most files if left out.
    #[arg(long, value_name = "NAME")]
    pub sources_language: Option<String>,

    /// Also search the history of --sources for the commit that brought the fault; GOOD works, BAD fails.
    #[arg(long, value_name = "GOOD..BAD")]
    pub bisect: Option<String>,

    /// Run this after every run; it prints coverage as lcov, gcov JSON, JaCoCo or Cobertura. `{dir}` is a directory of the
    /// run, which the run itself finds in WILDCAUGHT_COVERAGE.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["coverage", "binary"])]
    pub coverage_command: Option<String>,

    /// Also compare with programs that pass: files, or directories of them with the ending of FILE. With --expect, what
    /// NAME.c should print is in NAME.expect, .expected, .out or .txt.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub tests: Vec<PathBuf>,

    /// Compare with at most N of them.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub most_tests: usize,

    /// Do not change lines that match: what they print or check is what the oracle looks at.
    #[arg(long, value_name = "REGEX", default_value = KEEP)]
    pub keep: String,

    /// Do not make the failing program smaller first.
    #[arg(long)]
    pub no_reduce: bool,

    /// Operator sets: files, or shipped ones by name; all of the language if left out.
    #[arg(long, value_name = "SET", value_delimiter = ',')]
    pub ops: Vec<String>,

    /// How variations are chosen.
    #[arg(long, value_enum, default_value_t = SearchArg::Nearest)]
    pub search: SearchArg,

    /// How runs are compared.
    #[arg(long, value_enum, default_value_t = FormulaArg::Combined)]
    pub formula: FormulaArg,

    /// What is ranked.
    #[arg(long, value_enum, default_value_t = ByArg::Function)]
    pub by: ByArg,

    /// Try N variations. Reducing may take up to three times as many.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub tries: usize,

    /// Search no longer than this: 90s, 5m, 2h.
    #[arg(long, value_name = "TIME", default_value = "5m")]
    pub budget: String,

    /// End a run after this time.
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub timeout: String,

    /// Choose variations with this seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,

    /// Show the N most suspicious.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,

    /// Write what was found as a page for a browser.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write the reduced program to this file.
    #[arg(long, value_name = "FILE")]
    pub reduced: Option<PathBuf>,

    /// Write all runs with the code that they executed as JSON, for analyses of your own.
    #[arg(long, value_name = "FILE")]
    pub traces: Option<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    /// Print nothing but the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,

    /// Workers; all cores if left out. The result is the same for any number.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,

    #[command(flatten)]
    pub sandbox: SandboxArgs,
    #[command(flatten)]
    pub language: LanguageArgs,
}

/// Calls that print or check, in most languages.
const KEEP: &str = r"\b(f?printf|f?puts|putchar|putc|abort|__builtin_abort|assert|exit|print|println|console\.log|echo|write|error)\b";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoverageArg {
    /// Programs built with `gcc --coverage`; the counters are read directly.
    Gcov,
    /// A program built with `clang -fprofile-instr-generate -fcoverage-mapping`; needs llvm-profdata and llvm-cov.
    Llvm,
    /// No coverage tool: a copy of --sources is built by --build with every statement watched, and commands are run
    /// there. For C, C++, Rust, Go, Java, Python, JavaScript, C#.
    Reach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchArg {
    /// One of every place before a second.
    Nearest,
    /// By the success and the diversity of operators, as DiWi does.
    Diwi,
    /// At random.
    Random,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormulaArg {
    /// What measured best: the others together.
    Combined,
    /// The mean of 1/√(1 + witnesses) over the lines of a function, as DiWi does.
    Diwi,
    /// What the nearest witness does not execute.
    Nearest,
    /// What few of --tests execute.
    Tests,
    /// What few of --tests and of the variations that pass execute.
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
