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
    after_help = "Exit codes:\n  0  ranked\n  1  wrong arguments or input\n  4  the program does not build, or nothing fails\n  5  there was nothing to rank, or inputs were left out; the output says which"
)]
pub struct TameArgs {
    /// Rank the inputs in this directory, as AFL, libFuzzer or honggfuzz leave it. Mutants of the program show which
    /// inputs are alike. Default: the failing tests of the project.
    #[arg(value_name = "DIR", conflicts_with_all = ["matrix", "coverage", "texts"])]
    pub crashes: Option<PathBuf>,

    #[command(flatten)]
    pub program: ProgramArgs,

    #[command(flatten)]
    pub run: GatherArgs,

    /// Begin with this input. Default: the first.
    #[arg(help_heading = "Output", long, value_name = "INPUT")]
    pub start: Option<String>,

    /// End the list after N inputs in a row that cannot be told apart from an earlier one.
    #[arg(help_heading = "Output", long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub stop_after: Option<u64>,

    /// List N inputs and groups; 0 for all.
    #[arg(help_heading = "Output", long, value_name = "N", default_value_t = 20)]
    pub show: usize,

    /// Name N mutants or statements that distinguish an input from its nearest one; all are counted.
    #[arg(help_heading = "Output", long, value_name = "N", default_value_t = 3)]
    pub explain: usize,

    /// Write an HTML page: the order, the rings around the first input, and with --truth how early bugs are seen.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Copy the inputs into a new directory, with a subdirectory 001, 002, … per group of inputs that cannot be told
    /// apart, in the order of the list.
    #[arg(help_heading = "Output", long, value_name = "DIR", requires = "crashes")]
    pub group_into: Option<PathBuf>,

    /// Print JSON: always all inputs, whatever --show says.
    #[arg(help_heading = "Output", long)]
    pub json: bool,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub evaluation: EvaluationArgs,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes:\n  0  shown\n  1  wrong arguments or input\n  5  inputs were left out; the output says which"
)]
pub struct OnionArgs {
    /// Measure distances from this input.
    #[arg(value_name = "INPUT")]
    pub centre: String,

    /// Read results from this directory if no matrix, coverage or texts are given.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,

    /// Use N threads. Default: all cores.
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
    /// Run the program with this command; `{}` is the path of the input. For a program that reads standard input:
    /// `./prog < {}`.
    #[arg(long, value_name = "COMMAND", requires = "crashes")]
    pub cmd: Option<String>,

    /// Use these inputs as controls: they must not fail, neither before nor after.
    #[arg(long, value_name = "DIR", requires = "crashes")]
    pub passing: Option<PathBuf>,

    /// Recognize failures in this way. With `crash`, rejecting an input with an error counts as success.
    #[arg(long, value_enum, default_value_t = OracleArg::Exit)]
    pub oracle: OracleArg,

    /// For `--oracle golden`: compare with the expected output in this file; `{name}` is the name of the input.
    #[arg(long, value_name = "PATH")]
    pub golden: Option<String>,

    /// For `--oracle script`: run this command; exit code 0 means that the output in the file `{output}` is correct.
    #[arg(long, value_name = "COMMAND")]
    pub script: Option<String>,

    /// Build the program with this command. Default: as the settings say.
    #[arg(long, value_name = "COMMAND", requires = "crashes")]
    pub build: Option<String>,

    /// Mutate these files and directories. Default: as the settings say, or all.
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,

    /// Use these operator sets. Default: delete statements and negate conditions, which gives fewer and better mutants.
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
    /// A signal ends the program, or a sanitizer reports an error.
    Crash,
    /// The exit code is not 0.
    Exit,
    /// The output differs from the file of --golden.
    Golden,
    /// The command of --script fails.
    Script,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Inputs")]
pub struct SourceArgs {
    #[command(flatten)]
    pub from: FromArgs,

    /// Measure distances in this way. Default: repair for mutants (repair-reach if no mutant repairs some input),
    /// coverage-jaccard for coverage, levenshtein for texts.
    #[arg(long, value_enum)]
    pub distance: Option<DistanceArg>,

    /// Treat every test of the matrix as failing on the unchanged program, since a CSV table does not say which fail.
    #[arg(long, requires = "matrix")]
    pub all_failing: bool,

    /// Use only files with this extension; an input is named after its file without the extension.
    #[arg(long, value_name = "ENDING", conflicts_with = "matrix")]
    pub ending: Option<String>,
}

#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
pub struct FromArgs {
    /// Read a kill matrix in which the inputs are failing tests: JSON or CSV as `wildcaught export` writes it, or a
    /// results directory.
    #[arg(long, value_name = "FILE|DIR")]
    pub matrix: Option<PathBuf>,

    /// Read coverage. Either lines of `file:line count`: a directory with a file NAME.cov per input, or one file in
    /// which a line `[NAME]` begins an input. Or reports: lcov with test names, or a directory with one report per
    /// input (lcov, gcov JSON, JaCoCo or Cobertura XML).
    #[arg(long, value_name = "FILE|DIR")]
    pub coverage: Option<PathBuf>,

    /// Read the inputs themselves from this directory, one file per input.
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
#[command(next_help_heading = "Evaluation")]
pub struct EvaluationArgs {
    /// Read which bug each input shows: JSON ({"input": "bug"} or a list of bugs), CSV (input,bug), lines `input
    /// bug`, or a directory with a file INPUT.rev per input. Inputs without an entry are left out.
    #[arg(long, value_name = "FILE|DIR")]
    pub truth: Option<PathBuf>,

    /// Rank from every input in turn, and print the mean and the worst quality.
    #[arg(long, requires = "truth")]
    pub all_starts: bool,

    /// Count bugs after these numbers of inputs; the curves end at the last one.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "3,5,10,20,50")]
    pub at: Vec<usize>,

    /// Draw the discovery curves as an SVG file.
    #[arg(long, value_name = "FILE", requires = "truth")]
    pub svg: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DistanceArg {
    /// Mutants that repair only one of two inputs, among those that repair any (Jaccard).
    Repair,
    /// Like repair, but for inputs that no mutant repairs: mutants that only one of two inputs reaches.
    RepairReach,
    /// Statements that only one of two inputs executes, among those that any executes; with a matrix, mutants reached.
    CoverageJaccard,
    /// How often statements are executed (Euclidean distance).
    CoverageEuclid,
    /// Bytes to change, relative to the length of the longer input.
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
