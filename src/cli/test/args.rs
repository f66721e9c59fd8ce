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
    after_help = "Exit codes:\n  0  tests killed every mutant that was tested\n  1  wrong arguments or input\n  2  mutants were missed (with --min-score: the score is below it)\n  3  none was missed, but some were detected only by a time-out\n  4  the unchanged project does not build, its tests fail, or they do not execute the mutated code\n  5  there was no mutant, or not all were tested\n  6  --audit: the original project does not confirm a verdict\n  70  internal error: a bug in wildcaught\n  130  stopped by Ctrl-C; --resume continues"
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
    /// Continue the last run: keep its results, and test only what is missing.
    #[arg(help_heading = "Execution", long)]
    pub resume: bool,
    /// Test every mutant again, even if its verdicts of the last run are still valid.
    #[arg(help_heading = "Execution", long, conflicts_with_all = ["resume", "survived"])]
    pub fresh: bool,
    /// Test only the mutants that the last run missed, and keep all other verdicts.
    #[arg(help_heading = "Execution", long, conflicts_with_all = ["resume", "op", "id"])]
    pub survived: bool,
    /// Watch the project: when a file is saved, test the mutants of the changed functions; when only tests are saved,
    /// test the mutants of the last functions again. Stop with Ctrl-C.
    #[arg(help_heading = "Execution", long, conflicts_with_all = [
        "resume", "fresh", "survived", "shard", "plan", "in_diff", "id", "json", "dry_run", "audit", "suites", "fail_on",
        "against", "min_score",
    ])]
    pub watch: bool,
    #[command(flatten)]
    pub shared: SharedArgs,
    #[command(flatten)]
    pub gate: GateArgs,
    /// Draw N random suites of K tests and print the share of mutants that they kill (Am); needs a full matrix.
    #[arg(help_heading = "Execution", long, value_name = "NxK")]
    pub suites: Option<String>,
    /// Check N verdicts of each fate: apply the mutant as a diff to a fresh copy, and run the project's own build and
    /// test commands. With --resume after a finished run, nothing else runs.
    #[arg(help_heading = "Execution", long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub audit: Option<u32>,
    /// Print mutants, build command and test command without running anything.
    #[arg(help_heading = "Execution", long)]
    pub dry_run: bool,
    /// Keep the copy of the project with all mutants in it, and print its path.
    #[arg(help_heading = "Execution", long)]
    pub keep: bool,
    /// Show N missed mutants as diffs.
    #[arg(help_heading = "Output", long, value_name = "N", default_value_t = 5)]
    pub show: usize,
    /// Print the result as JSON.
    #[arg(help_heading = "Output", long)]
    pub json: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Execution")]
pub struct HowArgs {
    /// Read the project's settings from FILE. If it is missing, settings are detected as by `wildcaught init`.
    #[arg(long, value_name = "FILE", default_value = "wildcaught.toml")]
    pub config: PathBuf,
    /// Write results to this directory. Results of the last run move to its subdirectory `previous`.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Test every mutant. Without --all and --count, 1,000 are sampled across operators.
    #[arg(long, conflicts_with_all = ["count", "op", "id"])]
    pub all: bool,
    /// Run mutants with this engine.
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub engine: EngineArg,
    /// Compute this much of the kill matrix.
    #[arg(long, value_enum, default_value_t = MatrixArg::First)]
    pub matrix: MatrixArg,
    /// Do not compare compiled code to find equivalent and duplicate mutants.
    #[arg(long)]
    pub no_tce: bool,
    /// Print only the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Use N workers. Default: all cores.
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
    /// Use the plan that `wildcaught plan` wrote: the mutants, and all measurements made before they are tested.
    /// Default file: `wildcaught.out/plan.wc`. With --shard but without --plan, every part makes the plan for itself.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = [
        "paths", "ops", "language", "fit", "without", "min_viable", "min_repos", "density", "draws", "min_fix_share",
        "exclude", "exclude_lines", "skip_calls", "skip_ops", "tests", "everything", "in_diff", "count", "per_function", "by", "op", "site", "id", "all", "engine", "matrix",
        "no_tce", "survived", "fresh",
    ])]
    pub plan: Option<Option<PathBuf>>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Pass or fail")]
pub struct GateArgs {
    /// Exit with 2 for these mutants. Mutants in wildcaught.accepted.toml never count, and single parts of a run
    /// never fail: see `wildcaught merge`.
    #[arg(long, value_enum, default_value_t = FailOnArg::Missed, conflicts_with = "min_score")]
    pub fail_on: FailOnArg,
    /// With --fail-on new-survivors, compare with the results of another run (of the main branch): mutants missed
    /// there are not new.
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,
    /// Exit with 0 if the score is at least this many percent, otherwise with 2.
    #[arg(long, value_name = "PERCENT")]
    pub min_score: Option<f64>,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit codes:\n  0  written\n  1  wrong arguments or input\n  4  the unchanged project does not build, its tests fail, or they do not execute the mutated code\n  5  there was no mutant\n  130  stopped by Ctrl-C; nothing was written"
)]
pub struct PlanArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub how: HowArgs,
    /// Write the plan to this file. Default: `plan.wc` in the results directory.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes:\n  0 to 3  as for `wildcaught test`, for all parts together\n  1  wrong arguments or input, or parts of different runs; nothing was written\n  5  written, but parts are missing or mutants were not tested"
)]
pub struct MergePartsArgs {
    /// Merge these results: directories that `test --shard` or a previous merge wrote, or a directory that holds
    /// them. Default: `wildcaught.out/shards`. Raw tallies (*.tally) are merged into one.
    #[arg(value_name = "DIR|TALLY")]
    pub parts: Vec<PathBuf>,
    /// Write the merged results to this directory. Results already there move to its subdirectory `previous`.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Write the merged tally to this file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Read source files from this project root. Default: the directory of the settings.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    #[command(flatten)]
    pub gate: GateArgs,
    /// Show N missed mutants as diffs.
    #[arg(help_heading = "Output", long, value_name = "N", default_value_t = 5)]
    pub show: usize,
    /// Print the result as JSON.
    #[arg(help_heading = "Output", long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// All mutants in one build where that works, one build per mutant elsewhere.
    Auto,
    /// Only mutants that fit into one build.
    Switch,
    /// One build per mutant.
    Classic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MatrixArg {
    /// Stop at the first test that kills a mutant.
    First,
    /// Run every mutant with every test that reaches it.
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOnArg {
    /// Every missed mutant.
    Missed,
    /// Only mutants that were not missed in the run of --against.
    NewSurvivors,
    /// Never.
    Nothing,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes:\n  0  settings were written, and they work\n  1  wrong arguments, or no test command was detected\n  4  settings were written, but the unchanged project does not build, its tests fail, or they do not\n     execute its sources"
)]
pub struct InitArgs {
    /// The project's root.
    #[arg(value_name = "DIR", default_value = ".")]
    pub directory: PathBuf,
    /// Use this preset even if another was found first; see --list.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Build, test and mutate only this package of a cargo workspace.
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
    /// Build and test with these cargo features, comma-separated; `all` for all.
    #[arg(long, value_name = "LIST")]
    pub features: Option<String>,
    /// List the presets that fit the project, and exit.
    #[arg(long)]
    pub list: bool,
    /// Print the settings instead of writing them.
    #[arg(long)]
    pub dry_run: bool,
    /// Overwrite an existing wildcaught.toml.
    #[arg(long)]
    pub force: bool,
    /// Do not check that the project builds and its tests pass.
    #[arg(long, conflicts_with = "accept_failing")]
    pub no_check: bool,
    /// List failing tests under known_failing in wildcaught.toml; they are then ignored.
    #[arg(long)]
    pub accept_failing: bool,
    /// Install dependencies (npm, pip) into a cache outside of the project and use them; nothing in the project
    /// changes.
    #[arg(long, alias = "fix")]
    pub install: bool,
    /// Print only results, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Show this mutant; the beginning of its id (`3f9a-17`) is enough.
    #[arg(value_name = "ID", conflicts_with = "survived")]
    pub id: Option<String>,
    /// Show only survivors: mutants that tests execute but do not kill.
    #[arg(long)]
    pub survived: bool,
    /// Show mutants with this fate: killed, survived, time-out, unviable, not-covered, equivalent, duplicate, untested.
    #[arg(long, value_name = "FATE", conflicts_with_all = ["id", "survived"])]
    pub fate: Option<String>,
    /// Show at most N mutants.
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// Read the results from this directory.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Read source files from this project root.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
}

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Write these files; the name sets the content: matrix.json, matrix.csv, mutants.json or mte.json (the schema of
    /// mutation-testing-elements).
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print to standard output instead.
    #[arg(long)]
    pub print: bool,
    /// Read the results from this directory.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Read the source files for mte.json from this project root.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
}
