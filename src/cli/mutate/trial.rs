//! `--check`: which of the chosen mutants compile.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::control::Progress;
use crate::insert::Description;
use crate::insert::Inserter;
use crate::insert::Target;
use crate::pipeline::Check;
use crate::pipeline::Trial;
use crate::pipeline::Viability;
use crate::pipeline::try_mutants;
use crate::report::thousands;

use super::super::exit::Exit;
use super::super::progress::interrupted;
use super::super::progress::watch;
use super::args::OutputArgs;

/// Kinds of errors that are shown.
const ERRORS: usize = 8;

/// Tries the mutants and notes their results.
pub fn run(
    command: &str,
    output: &OutputArgs,
    inserter: &Inserter,
    shown: &mut [Description],
) -> Result<Exit> {
    let threads =
        output.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let check = Check {
        root: output.root.clone(),
        command: command.to_owned(),
        limit: Duration::from_secs(output.timeout),
        threads,
        compilers: output.sandbox.compilers(output.quiet)?,
    };
    let inside: Vec<PathBuf> =
        shown.iter().map(|mutant| relative(&mutant.file, &output.root)).collect::<Result<_>>()?;
    baseline(&check, inside.iter().min().map(PathBuf::as_path))?;
    let texts: Vec<&[u8]> = shown
        .iter()
        .map(|mutant| {
            let file = inserter.target.files.iter().find(|file| file.path == mutant.file);
            &file.expect("it is one of them").text[..]
        })
        .collect();
    let trials: Vec<Trial> = shown
        .iter()
        .zip(&inside)
        .zip(&texts)
        .map(|((mutant, file), text)| Trial {
            file,
            original: text,
            mutate: Box::new(|| mutant.edit.apply(text)),
        })
        .collect();
    let progress = Progress::default();
    progress.expect(trials.len() as u64);
    let verdicts =
        watch(&progress, "trying", "mutants", output.quiet, || try_mutants(&check, &trials, &progress))
            .context("cannot try a mutant")?;
    drop(trials);
    for (mutant, verdict) in shown.iter_mut().zip(&verdicts) {
        match verdict {
            Viability::Viable => mutant.viable = Some(true),
            Viability::Broken(line) => {
                mutant.viable = Some(false);
                mutant.error.clone_from(line);
            }
            Viability::TimedOut => {
                mutant.viable = Some(false);
                mutant.error = "timed out".into();
            }
            Viability::Untried => {}
        }
    }
    summary(shown);
    Ok(if interrupted() { Exit::Interrupted } else { Exit::Fine })
}

/// The path of a file inside of the tree that is copied.
fn relative(file: &Path, root: &Path) -> Result<PathBuf> {
    let full = |path: &Path| path.canonicalize().with_context(|| format!("cannot find {}", path.display()));
    match full(file)?.strip_prefix(full(root)?) {
        Ok(inside) => Ok(inside.to_owned()),
        Err(_) => {
            bail!("{} is outside of {}; name the tree to copy with --root", file.display(), root.display())
        }
    }
}

/// The files of a target, relative to the root.
pub fn inside(target: &Target, root: &Path) -> Result<Vec<PathBuf>> {
    target.files.iter().map(|file| relative(&file.path, root)).collect()
}

/// The command must be content with the unchanged files, or it says nothing about mutants.
pub fn baseline(check: &Check, file: Option<&Path>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let tried = check
        .baseline(file)
        .with_context(|| format!("cannot run the command in a copy of {}", check.root.display()))?;
    match tried {
        Viability::Viable => Ok(()),
        Viability::Broken(line) => bail!(
            "--check fails for the unchanged {}: {line}{}",
            file.display(),
            check.compilers.containment.compiler_hint()
        ),
        _ => bail!(
            "--check takes more than {} seconds for the unchanged {}; raise --timeout",
            check.limit.as_secs(),
            file.display()
        ),
    }
}

fn summary(shown: &[Description]) {
    let tried = shown.iter().filter(|mutant| mutant.viable.is_some()).count();
    let viable = shown.iter().filter(|mutant| mutant.viable == Some(true)).count();
    tell!(
        "{} of {} mutants compile ({:.1} %)",
        thousands(viable as u64),
        thousands(tried as u64),
        100.0 * viable as f64 / tried.max(1) as f64
    );
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for mutant in shown.iter().filter(|mutant| mutant.viable == Some(false)) {
        *kinds.entry(kind(&mutant.error)).or_default() += 1;
    }
    let mut kinds: Vec<(String, usize)> = kinds.into_iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (kind, count) in kinds.into_iter().take(ERRORS) {
        tell!("{count:>6}  {kind}");
    }
}

/// An error without the place and the names that are in it.
fn kind(line: &str) -> String {
    let text = line.split_once("error").map_or(line, |(_, text)| text);
    let text = text.trim_start_matches([':', ' ']);
    let mut out = String::new();
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '‘' | '’' | '`' | '\'' | '"' => {
                quoted = !quoted;
                out.push(if quoted { '‘' } else { '’' });
            }
            _ if quoted => {}
            '0'..='9' if !text.starts_with('[') => {}
            letter => out.push(letter),
        }
    }
    out
}
