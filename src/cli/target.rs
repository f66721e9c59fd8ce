//! Resolves target and operator options, shared by all commands that make mutants.

use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use clap::Args;
use clap::ValueEnum;

use crate::control::Progress;
use crate::history::ChangedLines;
use crate::history::changed_in;
use crate::history::changed_since;
use crate::insert::DEFAULT_DRAWS;
use crate::insert::Density;
use crate::insert::FileChoice;
use crate::insert::FileMutants;
use crate::insert::Fit;
use crate::insert::Inserter;
use crate::insert::ModelWish;
use crate::insert::RULES;
use crate::insert::Rule;
use crate::insert::Rules;
use crate::operator::Keep;
use crate::operator::OperatorSet;
use crate::pipeline::ALL_SETS;
use crate::pipeline::Prepared;
use crate::pipeline::TargetRequest;

use super::args::LanguageArgs;
use super::ops::source;
use super::progress::catch_interrupt;
use super::progress::interrupted;
use super::progress::watch;

/// The target and the operators.
#[derive(Args, Clone, Debug)]
pub struct TargetArgs {
    /// Mutate these files and directories. Default: the current directory.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Use these operator sets, comma-separated or one by one: files, or shipped sets by name (`wild`, `classic`,
    /// `wild-c`, `all`). Default: all shipped sets of the language.
    #[arg(long, value_name = "SET", value_delimiter = ',')]
    pub ops: Vec<String>,
    #[command(flatten)]
    pub language: LanguageArgs,
    #[command(flatten)]
    pub fit: FitArgs,
    #[command(flatten)]
    pub files: FileArgs,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Operators and fit")]
pub struct FitArgs {
    /// Demand this much evidence that a mutant compiles at a site.
    #[arg(long, value_enum, default_value_t = FitArg::Learned)]
    pub fit: FitArg,
    /// Ignore these rules of fit, comma-separated; `wildcaught mutate --rules` lists them.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub without: Vec<String>,
    /// With --fit learned, demand at least this chance (0 to 1) that a mutant compiles; default: chosen by the model.
    /// With sane and strict, skip operators that compiled at a smaller share of the sites where they were tried;
    /// default: 0.5 and 0.8.
    #[arg(long, value_name = "SHARE")]
    pub min_viable: Option<f64>,
    /// Use only operators seen in at least N repositories; operators written by hand stay.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_repos: usize,
    /// Keep the N likeliest mutants per 1,000 tokens of each file, or `all`. Default: as the sets say.
    #[arg(long, value_name = "N|all", value_parser = density)]
    pub density: Option<Density>,
    /// Try at most N names or numbers where the template of an operator needs one that its pattern does not bind.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_DRAWS)]
    pub draws: usize,
    /// Use only operators with at least this share (0 to 1) from commits that fix something.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub min_fix_share: f64,
}

impl FitArgs {
    /// What is usual, with this fit.
    pub fn of(fit: FitArg) -> Self {
        Self {
            fit,
            without: vec![],
            min_viable: None,
            min_repos: 0,
            density: None,
            draws: DEFAULT_DRAWS,
            min_fix_share: 0.0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FitArg {
    /// Everywhere the pattern matches, as in the paper.
    Off,
    /// Where the model of the language gives the mutant a fair chance to compile; like sane if there is no model.
    Learned,
    /// Where no rule speaks against it: names, token sequences, arguments, types.
    Sane,
    /// Like sane, and the neighbouring tokens must have been seen in the wild.
    Strict,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What to skip")]
pub struct FileArgs {
    /// Skip files that match these globs.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Skip lines that match this regular expression.
    #[arg(long, value_name = "REGEX")]
    pub exclude_lines: Vec<String>,
    /// Skip these calls and their arguments: `printf`, `log.info`, `metrics.*`; the end of a longer name is enough.
    #[arg(long, value_name = "NAME")]
    pub skip_calls: Vec<String>,
    /// Skip these operators: a name (`relational`), or the beginning of an id.
    #[arg(long, value_name = "NAME|ID")]
    pub skip_ops: Vec<String>,
    /// Also mutate test code.
    #[arg(long)]
    pub tests: bool,
    /// Also mutate vendored, generated and minified files.
    #[arg(long)]
    pub everything: bool,
    /// Mutate only lines changed since a revision (`main`, `main...`, `v1..v2`) or added in a diff (a file, `-`);
    /// `none` for all lines. Default: all lines, but `wildcaught test` in the CI job of a pull request takes its
    /// changes.
    #[arg(long, value_name = "REV|FILE|none")]
    pub in_diff: Option<String>,
}

/// What stands for no diff at all.
const NO_DIFF: &str = "none";

impl FileArgs {
    /// The diff whose lines are meant, if there is one.
    pub fn diff(&self) -> Option<&str> {
        self.in_diff.as_deref().filter(|named| *named != NO_DIFF)
    }
}

/// The mutants of all files, with a bar where that takes long; none if Ctrl-C was pressed.
pub fn find_mutants(inserter: &Inserter, quiet: bool) -> Result<Option<Vec<FileMutants>>> {
    catch_interrupt()?;
    let progress = Progress::default();
    let all = watch(&progress, "matching", "files", quiet, || inserter.all(&progress));
    Ok((!interrupted()).then_some(all))
}

/// Whether a set is read from a file, or from standard input: whoever has a file `all` writes `./all`.
fn is_read(name: &str) -> bool {
    name == "-" || (name != ALL_SETS && Path::new(name).is_file())
}

/// Reads sets and target.
pub fn prepare(args: &TargetArgs) -> Result<Prepared> {
    let read = args.ops.iter().filter(|name| is_read(name)).map(|name| source::read(Path::new(name)));
    prepare_with(args, read.collect::<Result<Vec<_>>>()?)
}

/// The same with sets that were read already, and the shipped ones that are named.
pub fn prepare_with(args: &TargetArgs, sets: Vec<OperatorSet>) -> Result<Prepared> {
    let files = &args.files;
    let request = TargetRequest {
        paths: args.paths.clone(),
        sets,
        shipped: args.ops.iter().filter(|name| !is_read(name)).cloned().collect(),
        language: args.language.language.clone(),
        fit: fit(&args.fit)?,
        model: model_wish(&args.fit),
        keep: Keep {
            min_count: 0,
            min_repos: args.fit.min_repos,
            min_fix_share: args.fit.min_fix_share,
            min_viable: 0.0,
            top: None,
        },
        files: FileChoice {
            exclude: files.exclude.clone(),
            tests: files.tests,
            everything: files.everything,
        },
        exclude_lines: files.exclude_lines.clone(),
        skip_calls: files.skip_calls.clone(),
        skip_ops: files.skip_ops.clone(),
        only: files.diff().map(changed).transpose()?,
    };
    let prepared = request.run()?;
    prepared.warnings.iter().for_each(|warning| tell!("warning: {warning}"));
    Ok(prepared)
}

/// Refuses what is no share.
pub fn check_share(flag: &str, share: f64) -> Result<()> {
    if !(0.0..=1.0).contains(&share) {
        bail!("{flag} {share}: must be between 0 and 1");
    }
    Ok(())
}

/// How many mutants to keep.
fn density(text: &str) -> Result<Density, String> {
    if text == "all" {
        return Ok(Density::All);
    }
    let number = text.parse().ok().filter(|number| *number > 0);
    number.map(Density::PerThousand).ok_or_else(|| "must be at least 1, or `all`, or all".to_owned())
}

/// Whether the model of a language is to decide.
pub fn model_wish(args: &FitArgs) -> Option<ModelWish> {
    (args.fit == FitArg::Learned).then_some(ModelWish { least: args.min_viable })
}

/// The rules of fit that are meant, where no model decides.
pub fn fit(args: &FitArgs) -> Result<Fit> {
    check_share("--min-fix-share", args.min_fix_share)?;
    check_share("--min-viable", args.min_viable.unwrap_or(0.0))?;
    let mut rules = match args.fit {
        FitArg::Off => Rules::NONE,
        FitArg::Learned | FitArg::Sane => Rules::sane(),
        FitArg::Strict => Rules::strict(),
    };
    for name in &args.without {
        let Some(rule) = Rule::of_name(name) else {
            let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
            bail!("--without: unknown rule {name:?}; known are {}", names.join(", "));
        };
        rules.remove(rule);
    }
    let usual = if args.fit == FitArg::Strict { 0.8 } else { 0.5 };
    let mut fit = Fit::of(rules, args.min_viable.unwrap_or(usual));
    (fit.draws, fit.density) = (args.draws, args.density.unwrap_or_default());
    Ok(fit)
}

fn changed(named: &str) -> Result<(PathBuf, ChangedLines)> {
    let here = std::env::current_dir()?;
    if named == "-" {
        let mut diff = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut diff)?;
        return Ok((here, changed_in(&diff)));
    }
    if Path::new(named).is_file() {
        let diff = std::fs::read(named).with_context(|| format!("cannot read {named}"))?;
        return Ok((here, changed_in(&diff)));
    }
    Ok(changed_since(&here, named)?)
}
