//! The options of `tame` and `onion`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  ranked\n  1  wrong arguments or input\n  5  there was nothing to rank, or inputs were left out; what is printed says which"
)]
pub struct TameArgs {
    /// The input to begin with; the first if left out.
    #[arg(long, value_name = "INPUT")]
    pub start: Option<String>,

    /// End the list after so many inputs in a row that cannot be told from one before them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub stop_after: Option<u64>,

    /// How many inputs and groups are listed; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub show: usize,

    /// How many mutants or statements are named that tell an input from its nearest; all are counted.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub explain: usize,

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

    /// Print the rings as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub source: SourceArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Where inputs come from")]
pub struct SourceArgs {
    #[command(flatten)]
    pub from: FromArgs,

    /// What is compared; repair for a matrix, coverage-jaccard for coverage, levenshtein for texts.
    #[arg(long, value_enum)]
    pub distance: Option<DistanceArg>,

    /// Take every test of the matrix as failing on the unchanged program: a CSV table does not say.
    #[arg(long, requires = "matrix")]
    pub all_failing: bool,

    /// Only inputs with a file of this ending in the directory; an input is called by the name without it.
    #[arg(long, value_name = "ENDING", conflicts_with = "matrix")]
    pub ending: Option<String>,

    /// Threads; all cores if left out.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct FromArgs {
    /// A kill matrix in which the inputs are failing tests: JSON or CSV as `wildcaught export` writes it, or a
    /// directory with results.
    #[arg(long, value_name = "FILE|DIR")]
    pub matrix: Option<PathBuf>,

    /// Lines `file:line count`: a directory with a file NAME.cov per input, or one file in which a line
    /// `[NAME]` begins an input.
    #[arg(long, value_name = "FILE|DIR")]
    pub coverage: Option<PathBuf>,

    /// A directory with a file per input.
    #[arg(long, value_name = "DIR")]
    pub texts: Option<PathBuf>,
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
    /// Statements that one runs and the other does not, of those that any runs; with a matrix, mutants reached.
    CoverageJaccard,
    /// How often statements are run (Euclid).
    CoverageEuclid,
    /// Bytes to change, by the length of the longer input.
    Levenshtein,
}

impl DistanceArg {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Repair => "repair",
            Self::CoverageJaccard => "coverage-jaccard",
            Self::CoverageEuclid => "coverage-euclid",
            Self::Levenshtein => "levenshtein",
        }
    }
}
