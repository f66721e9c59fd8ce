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
    /// Look at a project, write `wildcaught.toml` for it, and try whether that works.
    Init(InitArgs),
    /// Break a project on purpose and see whether its tests notice.
    Test(Box<TestArgs>),
    /// Decide what several machines that share a run must know, once for all of them.
    Plan(Box<PlanArgs>),
    /// Put the parts of a run together, or raw tallies.
    Merge(Box<MergePartsArgs>),
    /// Cut a command into parts and have Slurm, Kubernetes or GNU parallel run them.
    #[command(subcommand)]
    Submit(SubmitCommand),
    /// Show mutants of the last run: as diffs, with the tests that reach and notice them.
    Show(ShowArgs),
    /// Write the last run as a page for a browser, or as a document that other programs read.
    Report(ReportArgs),
    /// Accept missed mutants: list them in `wildcaught.accepted.toml`, with a reason.
    Accept(AcceptArgs),
    /// Write the last run's kill matrix and mutants for other tools.
    Export(ExportArgs),
    /// Find where a fault is that tests fail for: by mutants that make them pass, and by who executes what.
    Localize(Box<LocalizeArgs>),
    /// Find edits with which all tests pass, and show them as ranked patches.
    Repair(Box<RepairArgs>),
    /// Find which part of a compiler or interpreter is broken, from one program with which it fails.
    Witness(Box<WitnessArgs>),
    /// Put failing inputs into an order that shows different bugs early.
    Tame(Box<TameArgs>),
    /// Show failing inputs by their distance from one of them.
    Onion(Box<OnionArgs>),
    /// Mine git histories and patches for mutation operators.
    Harvest(Box<HarvestArgs>),
    /// Measure which real faults of a history some mutant would have been.
    Coupling(Box<CouplingArgs>),
    /// Find every place in a codebase where an operator fits, and put mutants there.
    Mutate(Box<MutateArgs>),
    /// Show what is known of a mutant or an operator: where it comes from, where it fits, what it does.
    Explain(Box<ExplainArgs>),
    /// Find combinations of mutants that are harder to notice than each of them.
    Sshom(Box<SshomArgs>),
    /// Look at, compare, merge and thin operator sets.
    #[command(subcommand)]
    Ops(OpsCommand),
    /// Look at, check and import language definitions.
    #[command(subcommand)]
    Langdef(LangdefCommand),
    /// Show what the lexer sees in a file.
    Lex(LexArgs),
    /// Print the JSON schema of a result or a file, or list what has one.
    Schema(SchemaArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell that will read it.
        shell: clap_complete::Shell,
    },
    /// Write man pages into a directory.
    Man {
        /// Where to; created if it is not there.
        directory: PathBuf,
    },
}

#[derive(Args, Clone, Debug)]
pub struct LanguageArgs {
    /// Language: a built-in name, or a definition file (*.toml). Detected if left out.
    #[arg(short, long, value_name = "NAME|FILE")]
    pub language: Option<String>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  all is well\n  1  wrong arguments or input; nothing was written\n  5  written, but a source was empty or parts of it could not be read\n  130  stopped by Ctrl-C; what was found is written, marked partial\n\nMANY MACHINES:\n  wildcaught harvest --manifest list -l c --keep tallies --shard 1/8    on the first of eight, and so on\n  wildcaught harvest --manifest list -l c --keep tallies -o set.toml    puts the parts together"
)]
pub struct HarvestArgs {
    /// Git repositories (bare or not), URLs, gh:owner/name, or raw tallies (*.tally). `name=path` names a
    /// source.
    #[arg(value_name = "SOURCE")]
    pub sources: Vec<String>,

    /// Patch files: unified diffs, `git log -p` text, `git format-patch` or mbox; `-` is standard input.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub patches: Vec<PathBuf>,

    /// Where to write the set; standard output if left out.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub language: LanguageArgs,

    /// Write the raw tally instead of a set: no thresholds and no idioms applied, merges exactly.
    #[arg(long)]
    pub raw: bool,

    /// Name of the set; the output file's name if left out.
    #[arg(long)]
    pub name: Option<String>,

    /// Which way changes are read.
    #[arg(long, value_enum, default_value_t = DirectionArg::Backward)]
    pub direction: DirectionArg,

    /// What of a changed block becomes the pattern: all tokens of its lines, or only those that differ.
    #[arg(long, value_enum, default_value_t = GranularityArg::Token)]
    pub granularity: GranularityArg,

    /// Equal tokens kept on either side of the difference (with --granularity token).
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
    /// Read more sources from FILE: `SOURCE [COMMIT]`, one per line, `#` for comments. COMMIT (or a branch or tag) is where
    /// that history starts, instead of --branch.
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Keep the tally of each repository in DIR, and read only repositories whose tally is not there: after Ctrl-C, with
    /// more repositories, or with other thresholds and idioms. A repository whose full COMMIT is in the manifest is not
    /// even fetched (with -l).
    #[arg(long, value_name = "DIR", conflicts_with = "explain")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub shard: ShardArgs,
    /// Put tallies together in about SIZE of memory (512M, 2G), then in temporary files (in $TMPDIR). The set is the same.
    /// The tally of a single repository, the set itself, and all that --raw writes are held in memory in any case: a
    /// larger --min-count or --min-repos makes the set smaller.
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    pub memory: String,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "History")]
pub struct HistoryArgs {
    /// Only commits of this day or later (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only commits of this day or earlier (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// At most this many commits of each repository, the newest.
    #[arg(long, value_name = "N")]
    pub max_commits: Option<usize>,
    /// Branch, tag or commit to start from; HEAD if left out.
    #[arg(long, value_name = "NAME")]
    pub branch: Option<String>,
    /// Only files under these directories or matching these globs.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub paths: Vec<String>,
    /// Read vendored, generated and minified files, too.
    #[arg(long)]
    pub everything: bool,
    /// Words in a commit message that mark a fix, comma-separated; a trailing * takes any ending, and
    /// `#reference` counts references to issues.
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub fix_words: Option<Vec<String>>,
    /// Do not go to the network: use what is in the cache.
    #[arg(long)]
    pub offline: bool,
    /// Where clones are kept.
    #[arg(long, value_name = "DIR", env = "WILDCAUGHT_CACHE")]
    pub cache: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// Most tokens on either side.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_tokens: usize,
    /// Fewest tokens on the larger side.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_tokens: usize,
    /// So many equal operator characters in a row are ASCII art.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub ascii_art: usize,
    /// Most distinct identifiers and literals.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub max_identifiers: usize,
    /// Most identifiers in a row.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub max_adjacent: usize,
    /// Keep identifier shifts seen at least so often.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub shift_min: u64,
    /// Keep operators seen at least so often.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_count: u64,
    /// Keep operators and shifts seen in at least this many repositories.
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
    /// The K most frequent; 50 unless another rule is given.
    #[arg(long, value_name = "K")]
    pub idioms_top: Option<usize>,
    /// Those that occur at least N times.
    #[arg(long, value_name = "N")]
    pub idioms_min: Option<u64>,
    /// Those that make up at least this share (0 to 1) of all identifiers and literals.
    #[arg(long, value_name = "SHARE")]
    pub idioms_share: Option<f64>,
    /// Exactly these, comma-separated.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub idioms: Option<Vec<String>>,
    /// None.
    #[arg(long)]
    pub no_idioms: bool,
}

#[derive(Args, Debug)]
pub struct IdiomArgs {
    #[command(flatten)]
    pub choice: IdiomChoice,
    /// Choose them from the files of this directory instead of the changes.
    #[arg(long, value_name = "DIR")]
    pub idioms_from: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "What is shown")]
pub struct ShownArgs {
    /// Draw the funnel as an SVG file (or JSON, if the name ends in .json).
    #[arg(long, value_name = "FILE")]
    pub funnel: Option<PathBuf>,
    /// Print this many sample rejections per filter.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "3")]
    pub explain: Option<usize>,
    /// Print the summary as JSON on standard output; the set itself goes to a file.
    #[arg(long, requires = "output")]
    pub json: bool,
    /// Print nothing but warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Threads; all cores if left out.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DirectionArg {
    /// From after to before: brings back what was changed.
    Backward,
    /// From before to after.
    Forward,
    /// Both, in one set.
    Both,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum GranularityArg {
    /// All tokens of the changed lines, as in the paper.
    Line,
    /// Common tokens at both ends trimmed.
    Token,
    /// One change at several levels: contexts 2, 1 and 0, and folded by structure. Tests, imports, annotations, modifiers,
    /// renamings and moved code are left out.
    Levels,
}

#[derive(Debug, Subcommand)]
pub enum OpsCommand {
    /// Show the operators of a set in a line each, or one of them in full.
    Show {
        /// The set; `-` is standard input.
        set: PathBuf,
        /// Beginning of an id: shows everything the set knows of that operator or shift.
        id: Option<String>,
        /// At most this many operators, and this many shifts.
        #[arg(long, value_name = "N", conflicts_with = "id")]
        top: Option<usize>,
        /// Write a page for browsers instead: figures, the funnel of the harvest, and what is known of each operator.
        #[arg(long, value_name = "FILE", conflicts_with = "id")]
        html: Option<PathBuf>,
    },
    /// Show the figures of a set: corpus, funnel, what its operators do.
    Stats {
        /// The set; `-` is standard input.
        set: PathBuf,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Put sets together.
    Merge(MergeArgs),
    /// Show which operators and shifts only one of two sets has.
    #[command(after_help = FINDINGS)]
    Diff {
        /// A set; `-` is standard input.
        first: PathBuf,
        /// The set to compare it with.
        second: PathBuf,
    },
    /// Keep the operators and shifts that were seen widely enough.
    Filter(ThinArgs),
    /// Try operators in other programs, and note how often they compile.
    FieldTest(Box<FieldTestArgs>),
    /// Count how often the patterns of a set stand in the code that they were mined from, and leave out what does not pay.
    Weigh(Box<WeighArgs>),
    /// Learn from other programs which mutants compile.
    LearnFit(Box<LearnFitArgs>),
    /// Look for operators that cannot work or change nothing.
    #[command(after_help = FINDINGS)]
    Lint {
        /// The set; `-` is standard input.
        set: PathBuf,
        #[command(flatten)]
        language: LanguageArgs,
    },
}

const FINDINGS: &str =
    "EXIT CODES:\n  0  nothing was found\n  1  wrong arguments or input\n  2  something was found";

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// The sets; `-` is standard input.
    #[arg(required = true, value_name = "SET")]
    pub sets: Vec<PathBuf>,
    /// Where to write; standard output if left out.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Name of the result; the first set's if left out.
    #[arg(long)]
    pub name: Option<String>,
}

#[derive(Args, Debug)]
pub struct ThinArgs {
    /// The set; `-` is standard input.
    pub set: PathBuf,
    /// Seen at least so often.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_count: u64,
    /// Seen in at least this many repositories.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_repos: usize,
    /// At least this share (0 to 1) from commits that fix something.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub min_fix_share: f64,
    /// Compiled in at least this share (0 to 1) of the places where it was tried; what never was stays.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub min_viable: f64,
    /// At most this many operators, and this many shifts, those seen most widely.
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Where to write; standard output if left out.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Name of the result; the set's if left out.
    #[arg(long)]
    pub name: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum LangdefCommand {
    /// List the built-in languages.
    List,
    /// Print a built-in definition.
    Show {
        /// The language, as `langdef list` names it.
        name: String,
    },
    /// Check a definition file.
    Check {
        /// The definition, as TOML.
        file: PathBuf,
    },
    /// Turn the paper's K/O/Q/C/c format into ours.
    Import {
        /// Lines that begin with K, O, Q, C or c.
        file: PathBuf,
        /// Short name of the language; the file's name if left out.
        #[arg(long)]
        name: Option<String>,
        /// File name endings, comma-separated; the name if left out.
        #[arg(long, value_delimiter = ',')]
        extensions: Vec<String>,
    },
}

#[derive(Args, Debug)]
pub struct LexArgs {
    /// The file; `-` is standard input.
    pub file: PathBuf,
    #[command(flatten)]
    pub language: LanguageArgs,
    /// Show white space and comments, too.
    #[arg(long)]
    pub all: bool,
    /// Show only how many tokens of each kind there are.
    #[arg(long)]
    pub count: bool,
}
