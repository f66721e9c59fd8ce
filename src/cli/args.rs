//! The commands and their options, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::Parser;
use clap::Subcommand;
use clap::ValueEnum;

use super::coupling::CouplingArgs;
use super::localize::LocalizeArgs;
use super::mutate::ExplainArgs;
use super::mutate::MutateArgs;
use super::ops::FieldTestArgs;
use super::ops::LearnFitArgs;
use super::ops::WeighArgs;
use super::repair::RepairArgs;
use super::report::AcceptArgs;
use super::report::ReportArgs;
use super::schema::SchemaArgs;
use super::shard::ShardArgs;
use super::sshom::SshomArgs;
use super::submit::SubmitCommand;
use super::tame::OnionArgs;
use super::tame::TameArgs;
use super::test::ExportArgs;
use super::test::InitArgs;
use super::test::MergePartsArgs;
use super::test::PlanArgs;
use super::test::ShowArgs;
use super::test::TestArgs;
use super::witness::WitnessArgs;

/// Mutation testing with operators caught in the wild.
#[derive(Debug, Parser)]
#[command(name = "wildcaught", version, arg_required_else_help = true, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Set up a project: write and check `wildcaught.toml`.
    Init(InitArgs),
    /// Run the project's tests against mutants, and list the mutants they miss.
    Test(Box<TestArgs>),
    /// Choose mutants and measure the tests once, before several machines share a run.
    Plan(Box<PlanArgs>),
    /// Merge the results of a run's parts, or raw tallies.
    Merge(Box<MergePartsArgs>),
    /// Split a command into parts and run them with Slurm, Kubernetes or GNU parallel.
    #[command(subcommand)]
    Submit(SubmitCommand),
    /// Show mutants of the last run as diffs, with the tests that reach and kill them.
    Show(ShowArgs),
    /// Write a report of the last run: HTML, SARIF, JUnit, Markdown and more.
    Report(ReportArgs),
    /// Accept missed mutants: list them in `wildcaught.accepted.toml` with a reason.
    Accept(AcceptArgs),
    /// Export the kill matrix and the mutants of the last run for other tools.
    Export(ExportArgs),
    /// Locate the fault behind failing tests, by mutants and coverage.
    Localize(Box<LocalizeArgs>),
    /// Find patches that make all tests pass, and rank them.
    Repair(Box<RepairArgs>),
    /// Locate the bug in a compiler or interpreter from one program that triggers it.
    Witness(Box<WitnessArgs>),
    /// Rank failing inputs so that different bugs come early (fuzzer taming).
    Tame(Box<TameArgs>),
    /// Show failing inputs in rings, by their distance from one of them.
    Onion(Box<OnionArgs>),
    /// Mine git histories and patches for mutation operators.
    Harvest(Box<HarvestArgs>),
    /// Measure which real faults from a git history the mutants recreate.
    Coupling(Box<CouplingArgs>),
    /// List mutants, write them as patches, or check that they compile; runs no tests.
    Mutate(Box<MutateArgs>),
    /// Explain a mutant or an operator: where it comes from, where it fits, what it does.
    Explain(Box<ExplainArgs>),
    /// Find combinations of mutants that are harder to kill than each of them (SSHOMs).
    Sshom(Box<SshomArgs>),
    /// Show, compare, merge, filter and measure operator sets.
    #[command(subcommand)]
    Ops(OpsCommand),
    /// Show, check and import language definitions.
    #[command(subcommand)]
    Langdef(LangdefCommand),
    /// Show the tokens of a file as the lexer sees them.
    Lex(LexArgs),
    /// Print the JSON schema of a result or file format, or list them.
    Schema(SchemaArgs),
    /// Print a completion script for a shell.
    Completions {
        /// Write the script for this shell.
        shell: clap_complete::Shell,
    },
    /// Write man pages into a directory.
    Man {
        /// Write to this directory; created if missing.
        directory: PathBuf,
    },
}

#[derive(Args, Clone, Debug)]
pub struct LanguageArgs {
    /// Use this language: a built-in name or a definition file (*.toml). Default: detected from the files.
    #[arg(short, long, value_name = "NAME|FILE")]
    pub language: Option<String>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes:\n  0  success\n  1  wrong arguments or input; nothing was written\n  5  written, but a source was empty or parts of it could not be read\n  130  stopped by Ctrl-C; what was found is written and marked partial"
)]
pub struct HarvestArgs {
    /// Mine these sources: git repositories (bare or not), URLs, gh:owner/name, or raw tallies (*.tally). `name=path`
    /// names a source.
    #[arg(value_name = "SOURCE")]
    pub sources: Vec<String>,

    /// Read patch files: unified diffs, `git log -p` text, `git format-patch` or mbox; `-` is standard input.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub patches: Vec<PathBuf>,

    /// Write the set to this file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub language: LanguageArgs,

    /// Write the raw tally instead of a set: without thresholds and idioms, so that tallies merge exactly.
    #[arg(long)]
    pub raw: bool,

    /// Name the set. Default: the name of the output file.
    #[arg(long)]
    pub name: Option<String>,

    /// Read changes in this direction.
    #[arg(long, value_enum, default_value_t = DirectionArg::Backward)]
    pub direction: DirectionArg,

    /// Take this part of a changed block as the pattern: all tokens of its lines, or only those that differ.
    #[arg(long, value_enum, default_value_t = GranularityArg::Token)]
    pub granularity: GranularityArg,

    /// Keep N unchanged tokens on each side of the difference (with --granularity token).
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub context: u8,

    #[command(flatten)]
    pub scale: ScaleArgs,
    #[command(flatten)]
    pub history: HistoryArgs,
    #[command(flatten)]
    pub filters: FilterArgs,
    #[command(flatten)]
    pub idioms: IdiomArgs,
    #[command(flatten)]
    pub shown: ShownArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Many repositories")]
pub struct ScaleArgs {
    /// Read more sources from FILE: `SOURCE [COMMIT]`, one per line, `#` for comments. COMMIT (or a branch or tag)
    /// replaces --branch for that source.
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Keep the tally of each repository in DIR, and skip repositories whose tally is already there: after Ctrl-C,
    /// with more repositories, or with other thresholds and idioms. With -l, a repository whose full COMMIT is in the
    /// manifest is not even fetched.
    #[arg(long, value_name = "DIR", conflicts_with = "explain")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub shard: ShardArgs,
    /// Merge tallies in about SIZE of memory (512M, 2G), then in temporary files (in $TMPDIR). The resulting set is
    /// the same. The tally of a single repository, the set itself, and all that --raw writes stay in memory in any
    /// case; raise --min-count or --min-repos for a smaller set.
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    pub memory: String,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "History")]
pub struct HistoryArgs {
    /// Read only commits from this day on (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Read only commits up to this day (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Read at most the N newest commits of each repository.
    #[arg(long, value_name = "N")]
    pub max_commits: Option<usize>,
    /// Start from this branch, tag or commit. Default: HEAD.
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// Read only files in these directories or matching these globs.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub paths: Vec<String>,
    /// Also read vendored, generated and minified files.
    #[arg(long)]
    pub everything: bool,
    /// Count a commit as a fix if its message has one of these words, comma-separated; a trailing * matches any
    /// ending, and `#reference` matches references to issues.
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub fix_words: Option<Vec<String>>,
    /// Do not use the network, only the cache.
    #[arg(long)]
    pub offline: bool,
    /// Keep clones in this directory.
    #[arg(long, value_name = "DIR", env = "WILDCAUGHT_CACHE")]
    pub cache: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// Reject changes with more than N tokens on one side.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_tokens: usize,
    /// Reject changes with fewer than N tokens on the larger side.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_tokens: usize,
    /// Treat N equal operator characters in a row as ASCII art.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub ascii_art: usize,
    /// Reject changes with more than N distinct identifiers and literals.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub max_identifiers: usize,
    /// Reject changes with more than N identifiers in a row.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub max_adjacent: usize,
    /// Keep identifier shifts seen at least N times.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub shift_min: u64,
    /// Keep operators seen at least N times.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_count: u64,
    /// Keep operators and shifts seen in at least N repositories.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_repos: usize,
    /// Keep operators seen at least N times in fixes (with --granularity levels).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_fixes: u64,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Idioms (identifiers and literals that count as keywords)")]
#[group(multiple = false)]
pub struct IdiomChoice {
    /// Use the K most frequent. Default without any other rule: 50.
    #[arg(long, value_name = "K")]
    pub idioms_top: Option<usize>,
    /// Use those that occur at least N times.
    #[arg(long, value_name = "N")]
    pub idioms_min: Option<u64>,
    /// Use those that make up at least this share (0 to 1) of all identifiers and literals.
    #[arg(long, value_name = "SHARE")]
    pub idioms_share: Option<f64>,
    /// Use exactly these, comma-separated.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub idioms: Option<Vec<String>>,
    /// Use no idioms.
    #[arg(long)]
    pub no_idioms: bool,
}

#[derive(Args, Debug)]
pub struct IdiomArgs {
    #[command(flatten)]
    pub choice: IdiomChoice,
    /// Choose idioms from the files of this directory instead of the changes.
    #[arg(long, value_name = "DIR")]
    pub idioms_from: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct ShownArgs {
    /// Draw the funnel as an SVG file (or JSON, if the name ends in .json).
    #[arg(long, value_name = "FILE")]
    pub funnel: Option<PathBuf>,
    /// Print N sample rejections per filter.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "3")]
    pub explain: Option<usize>,
    /// Print the summary as JSON on standard output; write the set to --output.
    #[arg(long, requires = "output")]
    pub json: bool,
    /// Print only warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Use N threads. Default: all cores.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DirectionArg {
    /// From the new code to the old: mutants bring back what was changed.
    Backward,
    /// From the old code to the new.
    Forward,
    /// Both directions in one set.
    Both,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum GranularityArg {
    /// Take all tokens of the changed lines, as in the paper.
    Line,
    /// Trim the tokens that both sides share at their ends.
    Token,
    /// Take each change at several levels: with 2, 1 and 0 tokens of context, and folded by structure. Skip tests,
    /// imports, annotations, modifiers, renamings and moved code.
    Levels,
}

#[derive(Debug, Subcommand)]
pub enum OpsCommand {
    /// List the operators of a set, one per line, or show one of them in full.
    Show {
        /// Read this set; `-` is standard input.
        set: PathBuf,
        /// Show everything about the operator or shift whose id begins like this.
        id: Option<String>,
        /// Show at most N operators and N shifts.
        #[arg(long, value_name = "N", conflicts_with = "id")]
        top: Option<usize>,
        /// Write an HTML page instead: figures, the funnel of the harvest, and details of each operator.
        #[arg(long, value_name = "FILE", conflicts_with = "id")]
        html: Option<PathBuf>,
    },
    /// Show statistics of a set: corpus, funnel, and what its operators do.
    Stats {
        /// Read this set; `-` is standard input.
        set: PathBuf,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Merge sets into one.
    Merge(MergeArgs),
    /// Show which operators and shifts are in only one of two sets.
    #[command(after_help = FINDINGS)]
    Diff {
        /// Compare this set; `-` is standard input.
        first: PathBuf,
        /// Compare it with this set.
        second: PathBuf,
    },
    /// Keep only the operators and shifts that were seen often and widely enough.
    Filter(ThinArgs),
    /// Try operators on other projects, and record in the set how often they compile.
    FieldTest(Box<FieldTestArgs>),
    /// Weigh operators by how often they were fixed against how often their pattern occurs, and drop weak ones.
    Weigh(Box<WeighArgs>),
    /// Train the model behind `--fit learned`: which mutants compile.
    LearnFit(Box<LearnFitArgs>),
    /// Find operators that cannot work or change nothing.
    #[command(after_help = FINDINGS)]
    Lint {
        /// Read this set; `-` is standard input.
        set: PathBuf,
        #[command(flatten)]
        language: LanguageArgs,
    },
}

const FINDINGS: &str =
    "Exit codes:\n  0  no findings\n  1  wrong arguments or input\n  2  there are findings";

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Merge these sets; `-` is standard input.
    #[arg(required = true, value_name = "SET")]
    pub sets: Vec<PathBuf>,
    /// Write to this file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Name the result. Default: the name of the first set.
    #[arg(long)]
    pub name: Option<String>,
}

#[derive(Args, Debug)]
pub struct ThinArgs {
    /// Read this set; `-` is standard input.
    pub set: PathBuf,
    /// Keep those seen at least N times.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_count: u64,
    /// Keep those seen in at least N repositories.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_repos: usize,
    /// Keep those with at least this share (0 to 1) from commits that fix something.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub min_fix_share: f64,
    /// Keep operators that compiled at this share (0 to 1) or more of the sites where they were tried, and those
    /// never tried.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub min_viable: f64,
    /// Keep at most the N operators and N shifts that were seen most widely.
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Write to this file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Name the result. Default: the name of the set.
    #[arg(long)]
    pub name: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum LangdefCommand {
    /// List the built-in languages.
    List,
    /// Print a built-in definition.
    Show {
        /// Print the definition of this language; `langdef list` lists the names.
        name: String,
    },
    /// Check a definition file.
    Check {
        /// Check this definition (TOML).
        file: PathBuf,
    },
    /// Convert a definition in the paper's K/O/Q/C/c format to TOML.
    Import {
        /// Read this file, whose lines begin with K, O, Q, C or c.
        file: PathBuf,
        /// Use this short name for the language. Default: the name of the file.
        #[arg(long)]
        name: Option<String>,
        /// Use these file name extensions, comma-separated. Default: the name of the language.
        #[arg(long, value_delimiter = ',')]
        extensions: Vec<String>,
    },
}

#[derive(Args, Debug)]
pub struct LexArgs {
    /// Read this file; `-` is standard input.
    pub file: PathBuf,
    #[command(flatten)]
    pub language: LanguageArgs,
    /// Also show white space and comments.
    #[arg(long)]
    pub all: bool,
    /// Show only the number of tokens of each kind.
    #[arg(long)]
    pub count: bool,
}
