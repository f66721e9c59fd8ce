//! The options of `test`, `init`, `show` and `export`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

use super::super::mutate::ChoiceArgs;
use super::super::sandbox::SandboxArgs;
use super::super::shard::ShardArgs;
use super::super::target::TargetArgs;

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  every mutant that was tested was noticed\n  1  wrong arguments or input\n  2  mutants were missed (with --min-score: the score is below it)\n  3  none was missed, but some only by a time-out\n  4  the unchanged project does not build, its tests fail, or they do not execute what is mutated\n  5  there was no mutant, or not all were tested\n  6  --audit: the plain project does not confirm a verdict\n  70  an error in wildcaught\n  130  stopped by Ctrl-C; --resume goes on"
)]
pub struct TestArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub how: HowArgs,
    /// Go on with the last run: what is known is not tested again.
    #[arg(long)]
    pub resume: bool,
    /// Run every mutant, also those whose verdicts of the last run still hold.
    #[arg(long, conflicts_with_all = ["resume", "survived"])]
    pub fresh: bool,
    /// Run only the mutants that the last run missed, and keep all other verdicts.
    #[arg(long, conflicts_with_all = ["resume", "op", "id"])]
    pub survived: bool,
    /// Wait for files to be saved, and test the mutants of the functions that changed; after other saves (of tests), those
    /// of the last functions again. Ctrl-C ends.
    #[arg(long, conflicts_with_all = [
        "resume", "fresh", "survived", "shard", "plan", "in_diff", "id", "json", "dry_run", "audit", "suites", "fail_on",
        "against", "min_score",
    ])]
    pub watch: bool,
    #[command(flatten)]
    pub shared: SharedArgs,
    #[command(flatten)]
    pub gate: GateArgs,
    /// Also draw N random suites of K tests and say which share of the mutants they notice (Am), from a full matrix.
    #[arg(long, value_name = "NxK")]
    pub suites: Option<String>,
    /// Try N verdicts of each fate again: the mutant as a diff, in a fresh copy, with the project's own build and test
    /// commands. With --resume after a finished run, nothing else is run.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub audit: Option<u32>,
    /// Say what would be done: mutants, build and test commands; run nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Keep the copy of the project with all mutants in it, and say where it is.
    #[arg(long)]
    pub keep: bool,
    /// How many missed mutants are shown as diffs.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub show: usize,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How it is run")]
pub struct HowArgs {
    /// The project's settings; without them the project is looked at, as `wildcaught init` does.
    #[arg(long, value_name = "FILE", default_value = "wildcaught.toml")]
    pub config: PathBuf,
    /// Where results are kept; those of the run before are kept in `previous` inside of it.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Test every mutant; without this and --count, 1,000 are drawn, operator by operator.
    #[arg(long, conflicts_with_all = ["count", "op", "id"])]
    pub all: bool,
    /// How mutants are switched on.
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,
    /// How much of the kill matrix is wanted.
    #[arg(long, value_enum, default_value_t = MatrixArg::First)]
    pub matrix: MatrixArg,
    /// Do not compare compiled code to find mutants that change nothing.
    #[arg(long)]
    pub no_tce: bool,
    /// Print nothing but the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Workers; all cores if left out.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Several machines")]
pub struct SharedArgs {
    #[command(flatten)]
    pub part: ShardArgs,
    /// What `wildcaught plan` wrote: the mutants, and everything about them that is decided before they are tested.
    /// `wildcaught.out/plan.wc` if no file is named. With --shard alone, every part makes the plan for itself first.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = [
        "paths", "ops", "language", "fit", "without", "min_viable", "min_repos", "density", "draws", "min_fix_share",
        "exclude", "exclude_lines", "skip_calls", "skip_ops", "tests", "everything", "in_diff", "count", "per_function", "by", "op", "site", "id", "all", "engine", "matrix",
        "no_tce", "survived", "fresh",
    ])]
    pub plan: Option<Option<PathBuf>>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Whether it is good enough")]
pub struct GateArgs {
    /// What makes the exit code 2. Mutants in wildcaught.accepted.toml never do, nor do those of one part of a run: see
    /// `wildcaught merge`.
    #[arg(long, value_enum, default_value_t = FailOnArg::Missed, conflicts_with = "min_score")]
    pub fail_on: FailOnArg,
    /// With --fail-on new-survivors, the results of another run (of the main branch): what was missed there is not new.
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,
    /// Exit with 0 if at least this many percent are noticed, else with 2.
    #[arg(long, value_name = "PERCENT")]
    pub min_score: Option<f64>,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  written\n  1  wrong arguments or input\n  4  the unchanged project does not build, its tests fail, or they do not execute what is mutated\n  5  there was no mutant\n  130  stopped by Ctrl-C; nothing was written"
)]
pub struct PlanArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub how: HowArgs,
    /// Where to write the plan; `plan.wc` where results are kept if left out.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0 to 3  as of `wildcaught test`, for all parts together\n  1  wrong arguments or input, or parts that do not go together; nothing was written\n  5  written, but parts are missing or mutants were not tested"
)]
pub struct MergePartsArgs {
    /// Results of the parts: the directories that `test --shard` wrote, or what came of merging some of them, or a directory
    /// with such directories; `wildcaught.out/shards` if left out. Raw tallies (*.tally) are put together into one.
    #[arg(value_name = "DIR|TALLY")]
    pub parts: Vec<PathBuf>,
    /// Where the results of the whole go; what is there is kept in `previous` inside of it.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Where the tally of all goes; standard output if left out.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The project's root, whose files are shown; where the settings are if left out.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    #[command(flatten)]
    pub gate: GateArgs,
    /// How many missed mutants are shown as diffs.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub show: usize,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// All mutants in one program where that works, one build per mutant elsewhere.
    Auto,
    /// Only what can live in one program.
    Switch,
    /// One build per mutant.
    Classic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MatrixArg {
    /// Until the first test that notices.
    First,
    /// Every mutant with every test that reaches it.
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOnArg {
    /// Every mutant that was missed.
    Missed,
    /// Only mutants that were not missed in the run that --against names.
    NewSurvivors,
    /// None: the result is for reading.
    Nothing,
}

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  written, and it works\n  1  wrong arguments, or no way to test was found\n  4  the settings were written, but the unchanged project does not build, its tests fail, or they do not\n     execute its sources"
)]
pub struct InitArgs {
    /// The project's root.
    #[arg(value_name = "DIR", default_value = ".")]
    pub directory: PathBuf,
    /// Take this way to test, though another was found first; see --list.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Build, test and mutate only this package of a cargo workspace.
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
    /// Build and test with these features of cargo, with commas between them; `all` for all.
    #[arg(long, value_name = "LIST")]
    pub features: Option<String>,
    /// List the ways to test that were found, and end.
    #[arg(long)]
    pub list: bool,
    /// Print the settings instead of writing them.
    #[arg(long)]
    pub dry_run: bool,
    /// Write over a wildcaught.toml that is there.
    #[arg(long)]
    pub force: bool,
    /// Do not try whether the project builds and its tests pass.
    #[arg(long, conflicts_with = "accept_failing")]
    pub no_check: bool,
    /// Declare tests that fail as known to fail: they are then not asked about mutants.
    #[arg(long)]
    pub accept_failing: bool,
    /// Install what the project needs (npm, pip) into a cache outside of it, and use that; nothing in the project is
    /// changed.
    #[arg(long, alias = "fix")]
    pub install: bool,
    /// Print nothing but results, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// A mutant, by the beginning of its id (`3f9a-17`).
    #[arg(value_name = "ID", conflicts_with = "survived")]
    pub id: Option<String>,
    /// Only mutants that tests executed and did not notice, without those that no test executes.
    #[arg(long)]
    pub survived: bool,
    /// Those with this fate: killed, survived, time-out, unviable, not-covered, equivalent, duplicate, untested.
    #[arg(long, value_name = "FATE", conflicts_with_all = ["id", "survived"])]
    pub fate: Option<String>,
    /// At most this many.
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// Where results are kept.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// The project's root, whose files are shown.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
}

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// What is written, by its name: matrix.json, matrix.csv, mutants.json or mte.json (the schema of
    /// mutation-testing-elements).
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print it instead.
    #[arg(long)]
    pub print: bool,
    /// Where results are kept.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// The project's root, whose files go into mte.json.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
}
