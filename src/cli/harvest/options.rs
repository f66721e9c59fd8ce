//! Resolves the options of `harvest`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::cli::args::DirectionArg;
use crate::cli::args::HarvestArgs;
use crate::cli::args::HistoryArgs;
use crate::cli::args::LanguageArgs;
use crate::cli::sources::NamedSource;
use crate::cli::sources::SourceOrigin;
use crate::harvest::IdiomRule;
use crate::harvest::count_words;
use crate::harvest::read_raw;
use crate::history::CommitSelection;
use crate::history::FixWords;
use crate::history::GitOptions;
use crate::history::detect_language;
use crate::langdef::LangDef;
use crate::langdef::all_languages;
use crate::langdef::language;
use crate::operator::Date;
use crate::operator::Direction;
use crate::operator::Thresholds;

/// How many idioms there are if the user does not say.
const DEFAULT_TOP: usize = 50;

pub fn choose_language(
    wanted: &LanguageArgs,
    branch: Option<&str>,
    sources: &[NamedSource],
) -> Result<LangDef> {
    if let Some(name) = &wanted.language {
        return Ok(language(name)?);
    }
    let all = all_languages();
    let mut found: BTreeMap<String, &str> = BTreeMap::new();
    let mut unread = None;
    for source in sources {
        match &source.origin {
            SourceOrigin::Repository(path) => {
                let start = source.at.as_deref().or(branch);
                match detect_language(path, start, &all) {
                    Ok(Some(def)) => {
                        found.entry(def.name().to_owned()).or_insert(&source.name);
                    }
                    Ok(None) => {}
                    Err(error) => unread = unread.or(Some(error)),
                }
            }
            SourceOrigin::Tally(path) => {
                let text =
                    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
                let tally = read_raw(&text, &path.display().to_string())?;
                found.entry(tally.language().to_owned()).or_insert(&source.name);
            }
            SourceOrigin::Patch(_) | SourceOrigin::Remote(_) => {}
        }
    }
    let mut names = found.iter();
    match (names.next(), names.next()) {
        (Some((name, _)), None) => Ok(language(name)?),
        // What cannot be read has no language: say why.
        (None, _) if let Some(error) = unread => Err(error.into()),
        (None, _) => {
            bail!("cannot detect the language; name it with -l (`wildcaught langdef list` lists them)")
        }
        (Some((a, in_a)), Some((b, in_b))) => {
            bail!("{in_a} is in {a}, but {in_b} is in {b}; a set has one language: choose it with -l")
        }
    }
}

/// Which part of histories is read.
pub fn git_options(args: &HistoryArgs, def: &LangDef) -> Result<GitOptions> {
    Ok(GitOptions {
        since: args.since.as_deref().map(day).transpose()?.map(Date::seconds),
        until: args.until.as_deref().map(day).transpose()?.map(|day| day.seconds() + 86_399),
        max_commits: args.max_commits,
        branch: args.branch.clone(),
        selection: CommitSelection::new(def, &args.paths, args.everything)?,
        fixes: fix_words(args)?,
    })
}

/// Which part of histories is read, as a text: equal for equal parts.
pub fn history_text(args: &HistoryArgs, git: &GitOptions) -> String {
    let HistoryArgs { max_commits, paths, everything, .. } = args;
    let days = (git.since, git.until);
    format!("{days:?} {max_commits:?} {paths:?} {everything} {:?}", git.fixes.describe())
}

fn day(text: &str) -> Result<Date> {
    Date::parse(text).with_context(|| format!("{text:?} is not a date; write YYYY-MM-DD"))
}

fn fix_words(args: &HistoryArgs) -> Result<FixWords> {
    let Some(words) = &args.fix_words else { return Ok(FixWords::default()) };
    let references = words.iter().any(|word| word == "#reference");
    let words: Vec<String> =
        words.iter().filter(|word| *word != "#reference" && !word.is_empty()).cloned().collect();
    FixWords::new(&words, references).context("--fix-words")
}

pub fn limits(args: &HarvestArgs, fixes: &FixWords) -> Thresholds {
    Thresholds {
        max_tokens: args.filters.max_tokens.min(u8::MAX as usize / 2),
        min_tokens: args.filters.min_tokens,
        ascii_art: args.filters.ascii_art,
        max_identifiers: args.filters.max_identifiers,
        max_adjacent: args.filters.max_adjacent,
        shift_min: args.filters.shift_min,
        min_count: args.filters.min_count,
        min_repos: args.filters.min_repos,
        min_fixes: args.filters.min_fixes,
        idioms: String::new(),
        fix_words: fixes.describe(),
    }
}

pub fn direction(arg: DirectionArg) -> Direction {
    match arg {
        DirectionArg::Backward => Direction::Backward,
        DirectionArg::Forward => Direction::Forward,
        DirectionArg::Both => Direction::Both,
    }
}

pub fn idiom_rule(args: &HarvestArgs, def: &LangDef) -> Result<IdiomRule> {
    let choice = &args.idioms.choice;
    let rule = if choice.no_idioms {
        IdiomRule::None
    } else if let Some(list) = &choice.idioms {
        IdiomRule::Given(list.iter().map(|word| word.as_bytes().to_vec()).collect())
    } else if let Some(least) = choice.idioms_min {
        IdiomRule::Incidence(least)
    } else if let Some(share) = choice.idioms_share {
        IdiomRule::Frequency(share)
    } else {
        IdiomRule::Top(choice.idioms_top.unwrap_or(DEFAULT_TOP))
    };
    let Some(directory) = &args.idioms.idioms_from else { return Ok(rule) };
    let mut counts = BTreeMap::new();
    for file in files_under(directory)? {
        if def.owns(file.as_os_str().as_encoded_bytes()) {
            let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            count_words(def, &text, &mut counts);
        }
    }
    if counts.is_empty() {
        bail!("{}: no {} files to choose idioms from", directory.display(), def.name());
    }
    Ok(IdiomRule::Given(rule.choose(&counts).into_iter().map(|(_, word)| word).collect()))
}

fn files_under(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let entries =
            fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", directory.display()))?;
            let kind =
                entry.file_type().with_context(|| format!("cannot read {}", entry.path().display()))?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}
