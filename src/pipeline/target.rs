//! What is mutated and with what: files of a language, and operators that fit there.
//!
//! In: paths, operator sets, what is skipped. Out: a target, an arsenal, the rules of fit, and everything that
//! was left out.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use regex::bytes::Regex;
use thiserror::Error;

use crate::harness::Config;
use crate::history::ChangedLines;
use crate::insert::Arsenal;
use crate::insert::ArsenalError;
use crate::insert::CallPattern;
use crate::insert::FileChoice;
use crate::insert::Fit;
use crate::insert::FoundFiles;
use crate::insert::Inserter;
use crate::insert::LeftOut;
use crate::insert::ModelError;
use crate::insert::ModelWish;
use crate::insert::Rules;
use crate::insert::Skipped;
use crate::insert::Skips;
use crate::insert::Target;
use crate::insert::WalkError;
use crate::insert::walk;
use crate::langdef::FindError;
use crate::langdef::LangDef;
use crate::langdef::builtin_names;
use crate::langdef::language;
use crate::langdef::language_of_tree;
use crate::operator::Keep;
use crate::operator::OperatorSet;
use crate::operator::SetError;
use crate::operator::filter;
use crate::operator::read_set;
use crate::operator::shipped_names;
use crate::operator::shipped_text;
use crate::text::LineIndex;

/// Share of tokens that mean nothing in the language from which a file is warned of.
const UNKNOWN_SHARE: f64 = 0.02;
/// The name for all shipped sets of a language.
pub const ALL_SETS: &str = "all";

/// The target and the operators.
pub struct TargetRequest {
    /// Files and directories; the current directory if there are none.
    pub paths: Vec<PathBuf>,
    /// Sets that were read.
    pub sets: Vec<OperatorSet>,
    /// Shipped sets by name, whole or without the language, or [`ALL_SETS`].
    pub shipped: Vec<String>,
    /// A built-in language or a definition file; else what the sets or the files say.
    pub language: Option<String>,
    pub fit: Fit,
    /// Whether the model of the language decides, if there is one, in place of the rules.
    pub model: Option<ModelWish>,
    /// Which operators of sets that were caught are used.
    pub keep: Keep,
    pub files: FileChoice,
    /// Regular expressions of lines that are skipped.
    pub exclude_lines: Vec<String>,
    /// Names of calls that are skipped.
    pub skip_calls: Vec<String>,
    /// Operators that are not used: names, or beginnings of ids.
    pub skip_ops: Vec<String>,
    /// Only these lines, in files below this directory.
    pub only: Option<(PathBuf, ChangedLines)>,
}

/// A target, and everything that was left out of it.
pub struct Prepared {
    pub def: LangDef,
    pub arsenal: Arsenal,
    pub target: Target,
    pub fit: Fit,
    pub left_out: Vec<(PathBuf, LeftOut)>,
    /// Per file, what of it is skipped.
    pub skipped: Vec<Vec<Skipped>>,
    /// Per operator that the user does not want, how many operators and shifts that is.
    pub skipped_ops: BTreeMap<String, usize>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Why there is no target.
#[derive(Debug, Error)]
pub enum TargetError {
    #[error(transparent)]
    Language(#[from] FindError),
    #[error("set {set} is for {language:?}, which is not built in; name its definition with -l")]
    LanguageOfSet { set: String, language: String, source: Box<FindError> },
    #[error("--ops {name}: neither a file nor a shipped set ({whole}); shipped are {shipped}")]
    NoSet { name: String, whole: String, shipped: String },
    #[error(transparent)]
    Set(#[from] SetError),
    #[error(transparent)]
    Arsenal(#[from] ArsenalError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error("no {language} file to mutate in {roots}: {why}")]
    NoFiles { language: String, roots: String, why: String },
    #[error("--exclude-lines {text:?}")]
    Expression { text: String, source: regex::Error },
    #[error("--skip-calls: {0}")]
    Call(String),
}

impl Prepared {
    /// What finds mutants in it.
    pub fn inserter(&self) -> Inserter<'_> {
        Inserter { def: &self.def, arsenal: &self.arsenal, target: &self.target, fit: self.fit.clone() }
    }

    /// Per file of the target, its path inside of a directory; files that are elsewhere stay as they are.
    pub fn inside(&self, root: &Path) -> Vec<PathBuf> {
        let inside = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_owned();
        self.target.files.iter().map(|file| inside(&file.path)).collect()
    }
}

impl TargetRequest {
    /// All sources that the settings of a project name, with the usual operators.
    pub fn of_settings(root: &Path, config: &Config) -> Self {
        let mut exclude = config.exclude.clone();
        exclude.push("**/wildcaught.out*/**".into());
        Self {
            paths: config.sources.iter().map(|source| root.join(source)).collect(),
            sets: vec![],
            shipped: vec![],
            language: config.language.clone(),
            fit: Fit::of(Rules::sane(), 0.0),
            model: None,
            keep: Keep { min_count: 0, min_repos: 0, min_fix_share: 0.0, min_viable: 0.0, top: None },
            files: FileChoice { exclude, tests: false, everything: false },
            exclude_lines: vec![],
            skip_calls: vec![],
            skip_ops: vec![],
            only: None,
        }
    }

    /// Reads sets and files.
    pub fn run(mut self) -> Result<Prepared, TargetError> {
        if self.paths.is_empty() {
            self.paths.push(PathBuf::from("."));
        }
        let def = self.language()?;
        let mut sets = self.sets(&def)?;
        let skipped_ops = without_operators(&mut sets, &self.skip_ops);
        let arsenal = Arsenal::new(&sets, &def)?;
        let FoundFiles { files, mut left_out } = walk(&def, &self.paths, &self.files)?;
        if files.is_empty() {
            return Err(self.no_files(&def, &left_out));
        }
        let mut target = Target::new(&def, files);
        let mut warnings = warnings(&target, &def);
        let unused = skipped_ops.iter().filter(|(_, count)| **count == 0);
        warnings.extend(unused.map(|(name, _)| {
            format!(
                "--skip-ops {name}: no operator of these sets has this name, or an id that begins like this; \
                 remove it"
            )
        }));
        let skipped = self.leave_alone(&mut target, &def)?;
        left_out.sort();
        let fit = match self.model {
            Some(wish) => self.fit.learned_for(def.name(), wish)?,
            None => self.fit,
        };
        Ok(Prepared { fit, def, arsenal, target, left_out, skipped, skipped_ops, warnings })
    }

    /// The language: as given, as the sets say, or the one with most files.
    fn language(&self) -> Result<LangDef, TargetError> {
        if let Some(name) = &self.language {
            return Ok(language(name)?);
        }
        if let Some(set) = self.sets.first() {
            let (set, wanted) = (set.header.name.clone(), set.header.language.clone());
            return language(&wanted).map_err(|error| {
                let source = Box::new(error);
                TargetError::LanguageOfSet { set, language: wanted, source }
            });
        }
        let named = self.shipped.iter().find_map(|name| name.split_once('-').map(|(_, language)| language));
        Ok(match named {
            Some(name) => language(name)?,
            None => language_of_tree(&self.paths)?,
        })
    }

    /// The sets that were read and those that are named; all shipped ones of the language if there are none.
    fn sets(&mut self, def: &LangDef) -> Result<Vec<OperatorSet>, TargetError> {
        let mut sets = std::mem::take(&mut self.sets);
        if sets.is_empty() && self.shipped.is_empty() {
            self.shipped.push(ALL_SETS.to_owned());
        }
        for name in &self.shipped {
            if name == ALL_SETS {
                sets.extend(shipped_set("wild", def.name()));
                sets.push(shipped_set("classic", def.name())?);
            } else {
                sets.push(shipped_set(name, def.name())?);
            }
        }
        // What was written by hand was never counted.
        for set in sets.iter_mut().filter(|set| !set.header.sources.is_empty()) {
            filter(set, &self.keep);
        }
        Ok(sets)
    }

    fn no_files(&self, def: &LangDef, left_out: &[(PathBuf, LeftOut)]) -> TargetError {
        let roots: Vec<String> = self.paths.iter().map(|root| root.display().to_string()).collect();
        let why = match left_out.len() {
            0 => {
                let names: Vec<&str> = builtin_names().collect();
                format!(
                    "there are no files of a known language; name the language with -l; built in are {}",
                    names.join(", ")
                )
            }
            some => format!("{some} are skipped; see --tests, --everything and --exclude"),
        };
        TargetError::NoFiles { language: def.file.title.clone(), roots: roots.join(", "), why }
    }

    /// Marks what may not be touched.
    fn leave_alone(&self, target: &mut Target, def: &LangDef) -> Result<Vec<Vec<Skipped>>, TargetError> {
        let compile = |text: &String| {
            Regex::new(text).map_err(|source| TargetError::Expression { text: text.clone(), source })
        };
        let lines = self.exclude_lines.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
        let calls = self.skip_calls.iter().map(|name| CallPattern::new(name));
        let calls = calls.collect::<Result<Vec<_>, _>>().map_err(TargetError::Call)?;
        let skips = Skips::new(def, lines, self.files.tests).with_calls(calls);
        let mut skipped = Vec::new();
        for file in 0..target.files.len() {
            let (allowed, parts) = skips.apply(target.view(file));
            target.allowed[file] = allowed;
            skipped.push(parts);
        }
        if let Some((root, changed)) = &self.only {
            only_lines(target, root, changed);
        }
        Ok(skipped)
    }
}

/// Takes operators out of sets by their names or the beginnings of their ids; per name, how many.
fn without_operators(sets: &mut [OperatorSet], unwanted: &[String]) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = unwanted.iter().map(|name| (name.clone(), 0)).collect();
    let mut is_unwanted = |name: &str, id: &str| {
        let meant = |wanted: &&String| *wanted == name || id.starts_with(wanted.as_str());
        let found = unwanted.iter().find(meant);
        found.and_then(|wanted| counts.get_mut(wanted)).map(|count| *count += 1).is_some()
    };
    for set in sets.iter_mut().filter(|_| !unwanted.is_empty()) {
        set.operators.retain(|operator| !is_unwanted(&operator.name, &operator.id()));
        set.shifts.retain(|shift| !is_unwanted("", &shift.id()));
    }
    counts
}

/// Files that look like another language.
fn warnings(target: &Target, def: &LangDef) -> Vec<String> {
    let share = |unknown: usize, tokens: usize| unknown as f64 / tokens.max(1) as f64;
    let odd = target.files.iter().filter(|file| share(file.unknown, file.tokens.len()) > UNKNOWN_SHARE);
    let warning = |file: &crate::insert::SourceFile| {
        format!(
            "{}: {} of {} tokens are unknown in {}, so mutants there may be wrong; if it is another language, \
             skip it with --exclude",
            file.path.display(),
            file.unknown,
            file.tokens.len(),
            def.file.title
        )
    };
    odd.map(warning).collect()
}

/// A shipped set by its name, whole or without the language.
pub fn shipped_set(name: &str, language: &str) -> Result<OperatorSet, TargetError> {
    let whole = format!("{name}-{language}");
    let found = [name, &whole].into_iter().find_map(|name| shipped_text(name).map(|text| (name, text)));
    let Some((name, text)) = found else {
        let names: Vec<&str> = shipped_names().collect();
        return Err(TargetError::NoSet { name: name.to_owned(), whole, shipped: names.join(", ") });
    };
    Ok(read_set(text, name)?)
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
