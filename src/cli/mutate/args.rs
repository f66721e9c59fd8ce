//! The options of `mutate` and `explain`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use crate::insert::DrawBy;
use crate::insert::Selection;

use super::super::sandbox::CompilerSandboxArgs;
use super::super::target::TargetArgs;

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  all is well\n  1  wrong arguments or input; nothing was written\n  5  there is no mutant\n  130  stopped by Ctrl-C"
)]
pub struct MutateArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Which mutants")]
pub struct ChoiceArgs {
    /// At most N mutants; a larger number begins with what a smaller one gives.
    #[arg(long, visible_alias = "max", value_name = "N")]
    pub count: Option<usize>,
    /// At most N mutants of every function, of different lines first. What stands outside of functions counts as one.
    #[arg(long, value_name = "N", value_parser = per_function)]
    pub per_function: Option<usize>,
    /// Where the random numbers begin (MT19937).
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// How they are chosen.
    #[arg(long, value_enum, default_value_t = ByArg::Likelihood)]
    pub by: ByArg,
    /// Only mutants of operators whose id begins so.
    #[arg(long, value_name = "ID")]
    pub op: Option<String>,
    /// Only the N-th of these, in the order of files and places.
    #[arg(long, value_name = "N", requires = "op")]
    pub site: Option<usize>,
    /// Only the mutant whose id begins so.
    #[arg(long, value_name = "ID", conflicts_with_all = ["op", "site"])]
    pub id: Option<String>,
}

impl ChoiceArgs {
    /// What was typed, as the library takes it.
    pub fn selection(&self) -> Selection {
        let by = match self.by {
            ByArg::Likelihood => DrawBy::Likelihood,
            ByArg::Uniform => DrawBy::Uniform,
            ByArg::Operator => DrawBy::Operator,
        };
        let (operator, id) = (self.op.clone(), self.id.clone());
        let (site, count, per_function) = (self.site, self.count, self.per_function);
        Selection { operator, site, id, count, per_function, by, seed: self.seed }
    }
}

fn per_function(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "give a number from 1 on".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ByArg {
    /// The likeliest faults first: one of every function before a second.
    Likelihood,
    /// At random, each mutant as likely as every other.
    Uniform,
    /// One per operator and function first, then the next, so that no operator drowns the rest.
    Operator,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "What is shown or written")]
pub struct OutputArgs {
    /// List every mutant in a line.
    #[arg(long)]
    pub list: bool,
    /// Print unified diffs.
    #[arg(long, conflicts_with = "list")]
    pub diff: bool,
    /// Print JSON instead of text.
    #[arg(long, conflicts_with = "diff")]
    pub json: bool,
    /// Show what was left alone, with the reasons.
    #[arg(long)]
    pub left_out: bool,
    /// List the rules of --fit and end.
    #[arg(long)]
    pub rules: bool,
    /// Keep mutants that break rules, and say which (with --list --json).
    #[arg(long)]
    pub keep_unfit: bool,
    /// Write the one chosen mutant into its file, which must be inside of the project; `--revert` takes it back.
    #[arg(long, conflicts_with_all = ["list", "diff", "json", "out", "check"])]
    pub in_place: bool,
    /// Take back what --in-place did.
    #[arg(long, conflicts_with_all = ["in_place", "list", "diff", "json", "out", "check"])]
    pub revert: bool,
    /// Write the mutants into a directory, which must be empty or new.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What is written there.
    #[arg(long = "as", value_enum, default_value_t = AsArg::Patches, requires = "out")]
    pub form: AsArg,
    /// Try every chosen mutant with this command in a copy of the tree; `{file}` is the file that changed.
    #[arg(long, value_name = "COMMAND")]
    pub check: Option<String>,
    /// The tree that is copied for --check; the command runs in the copy.
    #[arg(long, value_name = "DIR", default_value = ".", requires = "check")]
    pub root: PathBuf,
    /// Seconds after which the command of --check is ended.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "check")]
    pub timeout: u64,
    #[command(flatten)]
    pub sandbox: CompilerSandboxArgs,
    /// Rows of the tables.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Print nothing but results, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Threads; all cores if left out.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AsArg {
    /// A patch per mutant, and a `series` file that lists them.
    Patches,
    /// The changed file of each mutant, in a directory named by its id.
    Files,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A mutant (`3f9a-17`), an operator or a shift (`3f9a`), by the beginning of its id.
    pub id: String,
    #[command(flatten)]
    pub target: TargetArgs,
}
