//! The options of `tame` and `onion`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use crate::analysis::tame::Failing;
use crate::pipeline::tame::DistanceKind;
use crate::pipeline::tame::InputSource;

use super::super::args::LanguageArgs;
use super::super::gather::GatherArgs;
use super::super::target::FileArgs;
use super::super::target::FitArgs;

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  ranked\n  1  wrong arguments or input\n  4  the program does not build, or nothing fails\n  5  there was nothing to rank, or inputs were left out; what is printed says which"
)]
pub struct TameArgs {
    /// Inputs that crash a program: a directory as AFL, libFuzzer or honggfuzz leave it. Mutants of the program
    /// say which of them are alike. Left out, they are the failing tests of the project.
    #[arg(value_name = "DIR", conflicts_with_all = ["matrix", "coverage", "texts"])]
    pub crashes: Option<PathBuf>,

    #[command(flatten)]
    pub program: ProgramArgs,

    #[command(flatten)]
    pub run: GatherArgs,

    /// The input to begin with; the first if left out.
    #[arg(long, value_name = "INPUT")]
    pub start: Option<String>,

    /// End the list after this many inputs in a row that cannot be told from one before them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub stop_after: Option<u64>,

    /// How many inputs and groups are listed; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub show: usize,

    /// How many mutants or statements are named that tell an input from its nearest; all are counted.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub explain: usize,

    /// Write a page for browsers: the order, the rings around the first, and with --truth how soon bugs are seen.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Copy the inputs into a new directory: a directory 001, 002, … per group of inputs that cannot be told apart, in the
    /// order of the list.
    #[arg(long, value_name = "DIR", requires = "crashes")]
    pub group_into: Option<PathBuf>,

    /// Print everything as JSON: all inputs, whatever --show says.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub evaluation: EvaluationArgs,
}

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  shown\n  1  wrong arguments or input\n  5  inputs were left out; what is printed says which"
)]
pub struct OnionArgs {
    /// The input in the middle.
    #[arg(value_name = "INPUT")]
    pub centre: String,

    /// Where results are, if neither a matrix nor coverage nor texts are named.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,

    /// Threads; all cores if left out.
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<usize>,

    /// Print the rings as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub source: SourceArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "The program")]
pub struct ProgramArgs {
    /// How it is run; `{}` is the input's path. A program that reads standard input: `./prog < {}`.
    #[arg(long, value_name = "COMMAND", requires = "crashes")]
    pub cmd: Option<String>,

    /// Inputs that must not fail, before and after.
    #[arg(long, value_name = "DIR", requires = "crashes")]
    pub passing: Option<PathBuf>,

    /// What a failure is. With `crash`, a program that refuses an input is well again.
    #[arg(long, value_enum, default_value_t = OracleArg::Exit)]
    pub oracle: OracleArg,

    /// For `--oracle golden`: the file with the right output; `{name}` is the input's name.
    #[arg(long, value_name = "PATH")]
    pub golden: Option<String>,

    /// For `--oracle script`: exits with 0 if the output in the file `{output}` is right.
    #[arg(long, value_name = "COMMAND")]
    pub script: Option<String>,

    /// How it is built; what the settings say if left out.
    #[arg(long, value_name = "COMMAND", requires = "crashes")]
    pub build: Option<String>,

    /// Files and directories to mutate; what the settings say, or all, if left out.
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,

    /// Operator sets; left out, statements are deleted and conditions negated: fewer mutants, and better ones.
    #[arg(long, value_name = "SET", value_delimiter = ',')]
    pub ops: Vec<String>,

    #[command(flatten)]
    pub language: LanguageArgs,
    #[command(flatten)]
    pub fit: FitArgs,
    #[command(flatten)]
    pub files: FileArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OracleArg {
    /// A signal ends the program, or a sanitizer complains.
    Crash,
    /// The exit code is not 0.
    Exit,
    /// The output is not that in a file: --golden.
    Golden,
    /// A script says no.
    Script,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Where inputs come from")]
pub struct SourceArgs {
    #[command(flatten)]
    pub from: FromArgs,

    /// What is compared; left out, repair for mutants (repair-reach where no mutant repairs some input), coverage-jaccard
    /// for coverage, levenshtein for texts.
    #[arg(long, value_enum)]
    pub distance: Option<DistanceArg>,

    /// Take every test of the matrix as failing on the unchanged program: a CSV table does not say.
    #[arg(long, requires = "matrix")]
    pub all_failing: bool,

    /// Only inputs with a file of this ending in the directory; an input is called by the name without it.
    #[arg(long, value_name = "ENDING", conflicts_with = "matrix")]
    pub ending: Option<String>,
}

#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
pub struct FromArgs {
    /// A kill matrix in which the inputs are failing tests: JSON or CSV as `wildcaught export` writes it, or a
    /// directory with results.
    #[arg(long, value_name = "FILE|DIR")]
    pub matrix: Option<PathBuf>,

    /// Lines `file:line count`: a directory with a file NAME.cov per input, or one file in which a line
    /// `[NAME]` begins an input; or lcov with test names, or a directory with a report per input (lcov, gcov
    /// JSON, JaCoCo or Cobertura XML).
    #[arg(long, value_name = "FILE|DIR")]
    pub coverage: Option<PathBuf>,

    /// A directory with a file per input.
    #[arg(long, value_name = "DIR")]
    pub texts: Option<PathBuf>,
}

impl SourceArgs {
    /// Where inputs come from, if the arguments name it.
    pub fn named(&self) -> Option<InputSource> {
        let ending = || self.ending.clone();
        let failing = if self.all_failing { Failing::All } else { Failing::AsRecorded };
        let FromArgs { matrix, coverage, texts } = self.from.clone();
        let matrix = matrix.map(|path| InputSource::Matrix { path, failing });
        let coverage = coverage.map(|path| InputSource::Coverage { path, ending: ending() });
        let texts = texts.map(|path| InputSource::Texts { path, ending: ending() });
        matrix.or(coverage).or(texts)
    }
}

#[derive(Args, Debug)]
#[command(next_help_heading = "How good the order is")]
pub struct EvaluationArgs {
    /// The bugs that inputs show: JSON ({"input": "bug"} or a list of bugs), CSV (input,bug), lines `input
    /// bug`, or a directory with a file INPUT.rev per input. Inputs it does not know are left out.
    #[arg(long, value_name = "FILE|DIR")]
    pub truth: Option<PathBuf>,

    /// Rank from every input, and say how good that is on average and at worst.
    #[arg(long, requires = "truth")]
    pub all_starts: bool,

    /// After how many inputs bugs are counted; the last is where the picture ends.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "3,5,10,20,50")]
    pub at: Vec<usize>,

    /// Draw the discovery curves as an SVG file.
    #[arg(long, value_name = "FILE", requires = "truth")]
    pub svg: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DistanceArg {
    /// Mutants that repair one and not the other, of those that repair any (Jaccard).
    Repair,
    /// That, and for inputs that no mutant repairs the mutants that one reaches and the other does not.
    RepairReach,
    /// Statements that one runs and the other does not, of those that any runs; with a matrix, mutants reached.
    CoverageJaccard,
    /// How often statements are run (Euclid).
    CoverageEuclid,
    /// Bytes to change, by the length of the longer input.
    Levenshtein,
}

impl From<DistanceArg> for DistanceKind {
    fn from(distance: DistanceArg) -> Self {
        match distance {
            DistanceArg::Repair => Self::Repair,
            DistanceArg::RepairReach => Self::RepairReach,
            DistanceArg::CoverageJaccard => Self::CoverageJaccard,
            DistanceArg::CoverageEuclid => Self::CoverageEuclid,
            DistanceArg::Levenshtein => Self::Levenshtein,
        }
    }
}
