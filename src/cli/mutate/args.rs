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
    after_help = "Exit codes:\n  0  success\n  1  wrong arguments or input; nothing was written\n  5  there is no mutant\n  130  stopped by Ctrl-C"
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
#[command(next_help_heading = "Selection")]
pub struct ChoiceArgs {
    /// Choose at most N mutants; a larger N keeps the choice of a smaller one.
    #[arg(long, visible_alias = "max", value_name = "N")]
    pub count: Option<usize>,
    /// Choose at most N mutants per function, from different lines first. Code outside of functions counts as one
    /// function.
    #[arg(long, value_name = "N", value_parser = per_function)]
    pub per_function: Option<usize>,
    /// Use this random seed (MT19937).
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// Choose mutants in this way.
    #[arg(long, value_enum, default_value_t = ByArg::Likelihood)]
    pub by: ByArg,
    /// Choose only mutants of operators whose id begins like this.
    #[arg(long, value_name = "ID")]
    pub op: Option<String>,
    /// Choose only the N-th of these, in the order of files and positions.
    #[arg(long, value_name = "N", requires = "op")]
    pub site: Option<usize>,
    /// Choose only the mutant whose id begins like this.
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
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "must be at least 1".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ByArg {
    /// Likeliest faults first: one per function before a second.
    Likelihood,
    /// At random, each mutant as likely as every other.
    Uniform,
    /// One per operator and function first, then a second, so that no operator dominates.
    Operator,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// List the mutants, one per line.
    #[arg(long)]
    pub list: bool,
    /// Print unified diffs.
    #[arg(long, conflicts_with = "list")]
    pub diff: bool,
    /// Print JSON instead of text.
    #[arg(long, conflicts_with = "diff")]
    pub json: bool,
    /// Show what was skipped, with reasons.
    #[arg(long)]
    pub left_out: bool,
    /// List the rules of --fit and exit.
    #[arg(long)]
    pub rules: bool,
    /// Keep mutants that break rules, and show which rules (with --list --json).
    #[arg(long)]
    pub keep_unfit: bool,
    /// Write the one chosen mutant into its file, which must be inside the project; `--revert` removes it.
    #[arg(long, conflicts_with_all = ["list", "diff", "json", "out", "check"])]
    pub in_place: bool,
    /// Remove the mutant that --in-place wrote.
    #[arg(long, conflicts_with_all = ["in_place", "list", "diff", "json", "out", "check"])]
    pub revert: bool,
    /// Write the mutants to this directory, which must be empty or new.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write this into --out.
    #[arg(long = "as", value_enum, default_value_t = AsArg::Patches, requires = "out")]
    pub form: AsArg,
    /// Check every chosen mutant with this command in a copy of the tree; `{file}` is the changed file.
    #[arg(long, value_name = "COMMAND")]
    pub check: Option<String>,
    /// Copy this tree for --check; the command runs in the copy.
    #[arg(long, value_name = "DIR", default_value = ".", requires = "check")]
    pub root: PathBuf,
    /// Stop the command of --check after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "check")]
    pub timeout: u64,
    #[command(flatten)]
    pub sandbox: CompilerSandboxArgs,
    /// Show N rows of each table.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Print only results, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Use N threads. Default: all cores.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AsArg {
    /// One patch per mutant, and a `series` file that lists them.
    Patches,
    /// The changed file of each mutant, in a directory named after its id.
    Files,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// Explain this mutant (`3f9a-17`), operator or shift (`3f9a`); the beginning of an id is enough.
    pub id: String,
    #[command(flatten)]
    pub target: TargetArgs,
}
