//! From what was typed to a target and the operators for it: shared by all commands that insert.

use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use clap::Args;
use clap::ValueEnum;
use regex::bytes::Regex;

use crate::control::Progress;
use crate::history::ChangedLines;
use crate::history::changed_in;
use crate::history::changed_since;
use crate::insert::Arsenal;
use crate::insert::FileChoice;
use crate::insert::FileMutants;
use crate::insert::Fit;
use crate::insert::FoundFiles;
use crate::insert::Inserter;
use crate::insert::LeftOut;
use crate::insert::RULES;
use crate::insert::Rule;
use crate::insert::Rules;
use crate::insert::Skipped;
use crate::insert::Skips;
use crate::insert::Target;
use crate::insert::walk;
use crate::langdef::LangDef;
use crate::operator::Keep;
use crate::operator::OperatorSet;
use crate::operator::filter;
use crate::operator::read_set;
use crate::operator::shipped_names;
use crate::operator::shipped_text;
use crate::text::LineIndex;

use super::args::LanguageArgs;
use super::languages;
use super::ops::source;
use super::progress::catch_interrupt;
use super::progress::interrupted;
use super::progress::watch;

/// Where to look and with what.
#[derive(Args, Clone, Debug)]
pub struct TargetArgs {
    /// Files and directories to mutate; the current directory if left out.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Operator sets, comma-separated or one by one: files, or shipped ones by name (`wild`, `classic`,
    /// `wild-c`, `all`). The shipped wild set of the language if left out, or the classic one where there is
    /// none; `localize` takes all.
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
#[command(next_help_heading = "Where a mutant can live")]
pub struct FitArgs {
    /// How much a place must look as if the mutant compiled there.
    #[arg(long, value_enum, default_value_t = FitArg::Sane)]
    pub fit: FitArg,
    /// Leave these rules out, comma-separated; `--rules` lists them.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Leave out operators that compiled in a smaller share (0 to 1) of the places where they were tried;
    /// 0.5 if left out, 0.8 with --fit strict.
    #[arg(long, value_name = "SHARE")]
    pub min_viable: Option<f64>,
    /// Only operators seen in at least so many repositories (those written by hand stay).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_repos: usize,
    /// Only operators with at least this share (0 to 1) from commits that fix something.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub min_fix_share: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FitArg {
    /// Wherever the pattern matches, as in the paper.
    Off,
    /// Where nothing speaks against it: names, rows of tokens, arguments, types.
    Sane,
    /// Only where also the neighbours were seen in the wild.
    Strict,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What is left alone")]
pub struct FileArgs {
    /// Leave files alone that match these globs.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Leave lines alone that match this regular expression.
    #[arg(long, value_name = "REGEX")]
    pub exclude_lines: Vec<String>,
    /// Mutate test code, too.
    #[arg(long)]
    pub tests: bool,
    /// Mutate vendored, generated and minified files, too.
    #[arg(long)]
    pub everything: bool,
    /// Only lines changed since a revision (`main`, `main..`, `v1..v2`), or added in a diff (a file, `-`).
    #[arg(long, value_name = "REV|FILE")]
    pub in_diff: Option<String>,
}

/// A target, and everything that was left out of it.
pub struct Prepared {
    pub def: LangDef,
    pub arsenal: Arsenal,
    pub target: Target,
    pub fit: Fit,
    pub left_out: Vec<(PathBuf, LeftOut)>,
    /// Per file, what of it is left alone.
    pub skipped: Vec<Vec<Skipped>>,
}

/// The mutants of all files, with a bar where that takes long; none if Ctrl-C was pressed.
pub fn find_mutants(inserter: &Inserter, quiet: bool) -> Result<Option<Vec<FileMutants>>> {
    catch_interrupt()?;
    let progress = Progress::default();
    let all = watch(&progress, "matching", "files", quiet, || inserter.all(&progress));
    Ok((!interrupted()).then_some(all))
}

/// Share of bytes that mean nothing in the language from which a file is left out.
const UNKNOWN_SHARE: f64 = 0.02;

/// The name for all shipped sets of a language.
pub const ALL: &str = "all";

/// Whether a set is read from a file, or from standard input: whoever has a file `all` writes `./all`.
fn is_read(name: &str) -> bool {
    name == "-" || (name != ALL && Path::new(name).is_file())
}

/// Reads sets and target.
pub fn prepare(args: &TargetArgs) -> Result<Prepared> {
    let sets = args
        .ops
        .iter()
        .filter(|name| is_read(name))
        .map(|name| source::read(Path::new(name)))
        .collect::<Result<Vec<_>>>()?;
    prepare_with(args, sets)
}

/// The same with sets that were read already, and the shipped ones that are named.
pub fn prepare_with(args: &TargetArgs, mut sets: Vec<OperatorSet>) -> Result<Prepared> {
    let roots = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths.clone() };
    let def = language(args, &sets, &roots)?;
    for name in args.ops.iter().filter(|name| !is_read(name)) {
        if name == ALL {
            sets.extend(shipped("wild", def.name()));
            sets.push(shipped("classic", def.name())?);
        } else {
            sets.push(shipped(name, def.name())?);
        }
    }
    if sets.is_empty() {
        sets.push(shipped("wild", def.name()).or_else(|_| shipped("classic", def.name()))?);
    }
    let keep = Keep {
        min_count: 0,
        min_repos: args.fit.min_repos,
        min_fix_share: args.fit.min_fix_share,
        min_viable: 0.0,
        top: None,
    };
    for set in sets.iter_mut().filter(|set| !set.header.sources.is_empty()) {
        filter(set, &keep);
    }
    let arsenal = Arsenal::new(&sets, &def)?;
    let choice = FileChoice {
        exclude: args.files.exclude.clone(),
        tests: args.files.tests,
        everything: args.files.everything,
    };
    let FoundFiles { files, mut left_out } = walk(&def, &roots, &choice)?;
    if files.is_empty() {
        bail!(no_files(&def, &roots, &left_out));
    }
    let mut target = Target::new(&def, files);
    warn_of_unknown(&target, &def);
    let skipped = leave_alone(&mut target, &def, args)?;
    left_out.sort();
    Ok(Prepared { fit: fit(&args.fit)?, def, arsenal, target, left_out, skipped })
}

fn no_files(def: &LangDef, roots: &[PathBuf], left_out: &[(PathBuf, LeftOut)]) -> String {
    let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
    let why = match left_out {
        [] => format!("there is none; say the language with -l, built in are {}", {
            let names: Vec<&str> = crate::langdef::builtin_names().collect();
            names.join(", ")
        }),
        some => format!("{} are left alone; see --tests, --everything and --exclude", some.len()),
    };
    format!("no {} file to mutate in {}: {why}", def.file.title, roots.join(", "))
}

fn warn_of_unknown(target: &Target, def: &LangDef) {
    for file in &target.files {
        let share = file.unknown as f64 / file.tokens.len().max(1) as f64;
        if share > UNKNOWN_SHARE {
            anstream::eprintln!(
                "warning: {}: {} of {} tokens mean nothing in {}; is it another language? Leave it out with --exclude",
                file.path.display(),
                file.unknown,
                file.tokens.len(),
                def.file.title
            );
        }
    }
}

/// The language: as given, as the sets say, or the one with most files.
fn language(args: &TargetArgs, sets: &[OperatorSet], roots: &[PathBuf]) -> Result<LangDef> {
    if let Some(name) = &args.language.language {
        return languages::language(name);
    }
    if let Some(set) = sets.first() {
        return languages::language(&set.header.language).with_context(|| {
            format!("set {} is for {:?}; give its definition with -l", set.header.name, set.header.language)
        });
    }
    let shipped: Option<&str> =
        args.ops.iter().find_map(|name| name.split_once('-').map(|(_, language)| language));
    if let Some(name) = shipped {
        return languages::language(name);
    }
    languages::of_tree(roots)
}

/// A shipped set by its name, whole or without the language.
fn shipped(name: &str, language: &str) -> Result<OperatorSet> {
    let whole = format!("{name}-{language}");
    let Some((name, text)) =
        [name, &whole].into_iter().find_map(|name| shipped_text(name).map(|text| (name, text)))
    else {
        let names: Vec<&str> = shipped_names().collect();
        bail!("{name}: no such file, and no shipped set {whole}; shipped are {}", names.join(", "));
    };
    Ok(read_set(text, name)?)
}

/// Refuses what is no share.
pub fn check_share(flag: &str, share: f64) -> Result<()> {
    if !(0.0..=1.0).contains(&share) {
        bail!("{flag} {share} is no share; give a number from 0 to 1");
    }
    Ok(())
}

fn fit(args: &FitArgs) -> Result<Fit> {
    check_share("--min-fix-share", args.min_fix_share)?;
    check_share("--min-viable", args.min_viable.unwrap_or(0.0))?;
    let mut rules = match args.fit {
        FitArg::Off => Rules::NONE,
        FitArg::Sane => Rules::sane(),
        FitArg::Strict => Rules::strict(),
    };
    for name in &args.without {
        let Some(rule) = Rule::of_name(name) else {
            let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
            bail!("no rule {name:?}; there are {}", names.join(", "));
        };
        rules.remove(rule);
    }
    let usual = if args.fit == FitArg::Strict { 0.8 } else { 0.5 };
    Ok(Fit { rules, min_viable: args.min_viable.unwrap_or(usual), keep_unfit: false })
}

/// Marks what may not be touched.
fn leave_alone(target: &mut Target, def: &LangDef, args: &TargetArgs) -> Result<Vec<Vec<Skipped>>> {
    let lines = args
        .files
        .exclude_lines
        .iter()
        .map(|text| Regex::new(text).with_context(|| format!("--exclude-lines {text:?}")))
        .collect::<Result<Vec<_>>>()?;
    let skips = Skips::new(def, lines, args.files.tests);
    let mut skipped = Vec::new();
    for file in 0..target.files.len() {
        let (allowed, parts) = skips.apply(target.view(file));
        target.allowed[file] = allowed;
        skipped.push(parts);
    }
    if let Some(named) = &args.files.in_diff {
        let (root, changed) = changed(named)?;
        only_lines(target, &root, &changed);
    }
    Ok(skipped)
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

/// Forbids everything but these lines.
fn only_lines(target: &mut Target, root: &Path, changed: &ChangedLines) {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    for (file, allowed) in target.files.iter().zip(&mut target.allowed) {
        let full = file.path.canonicalize().unwrap_or_else(|_| file.path.clone());
        let ranges = full.strip_prefix(&root).ok().and_then(|inside| changed.get(inside));
        let Some(ranges) = ranges else {
            allowed.fill(false);
            continue;
        };
        let lines = LineIndex::new(&file.text);
        for (token, allowed) in file.tokens.iter().zip(allowed.iter_mut()) {
            let line = lines.place(token.span.start as usize).line;
            *allowed &= ranges.iter().any(|range| range.contains(&line));
        }
    }
}
