//! `wildcaught init`.

use std::path::Path;
use std::sync::OnceLock;

use anyhow::Result;
use anyhow::bail;

use crate::control::Events;
use crate::engine::Baseline;
use crate::engine::Project;
use crate::engine::TestError;
use crate::engine::tidy;
use crate::exec::Verdict;
use crate::harness::CargoChoice;
use crate::harness::Suggestion;
use crate::harness::detect;
use crate::harness::read::DocName;
use crate::matrix::RunDir;
use crate::pipeline::TriedOut;
use crate::pipeline::try_out;
use crate::report::counted;
use crate::runner::RunError;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::output::write_out;
use super::super::progress::catch_interrupt;
use super::super::sandbox::contain;
use super::super::settings::OUT;
use super::super::settings::outer;
use super::super::watch::watch;
use super::args::InitArgs;

/// Ways to test that are tried.
const MOST_TRIED: usize = 3;

/// Runs the command.
pub fn run(args: &InitArgs) -> Result<Exit> {
    let root = &args.directory;
    let path = root.join("wildcaught.toml");
    let found = found(args)?;
    if args.list {
        let lines: Vec<String> = found
            .iter()
            .map(|one| format!("{:<10} {:<10} {}{}\n", one.preset, one.language, one.why, lacking(one)))
            .collect();
        print_text(&lines.concat())?;
        return Ok(Exit::Fine);
    }
    let Some(best) = chosen(&found, args.preset.as_deref())? else {
        bail!(
            "{}: no way to test was found; write wildcaught.toml with [tests] preset = \"command\" and command = \"…\", \
             or see `wildcaught init --list`",
            root.display()
        );
    };
    if let Some(tool) = &best.lacks {
        bail!("{}: {} is not installed; install it, or see `wildcaught init --list`", best.why, either(tool));
    }
    let text = best.config.to_commented_toml(&notes(best, &found));
    if args.dry_run {
        write_out(None, &text)?;
        return Ok(Exit::Fine);
    }
    if path.exists() && !args.force {
        bail!("{} is there already; --force writes over it", path.display());
    }
    if args.no_check {
        write_out(Some(&path), &text)?;
        tell!("wrote {}: {} ({})", path.display(), best.why, best.language);
        return Ok(Exit::Fine);
    }
    let others = found.iter().filter(|one| args.preset.is_none() && *one != best && one.lacks.is_none());
    let ways: Vec<&Suggestion> = std::iter::once(best).chain(others).take(MOST_TRIED).collect();
    try_in_turn(args, &path, &ways, &found)
}

/// Tries one way to test after the other until one works; if none does, the settings of the first are kept.
fn try_in_turn(args: &InitArgs, path: &Path, ways: &[&Suggestion], found: &[Suggestion]) -> Result<Exit> {
    for (number, way) in ways.iter().enumerate() {
        write_out(Some(path), &way.config.to_commented_toml(&notes(way, found)))?;
        tell!("wrote {}: {} ({})", path.display(), way.why, way.language);
        let accept = |failing: &[String]| {
            let mut config = way.config.clone();
            config.tests.known_failing = failing.to_vec().into();
            write_out(Some(path), &config.to_commented_toml(&notes(way, found)))
        };
        match check(args, &args.directory, way, &accept)? {
            Checked::Done(exit) => return Ok(exit),
            Checked::Failed(why) => tell!("error: {why}"),
        }
        if let Some(next) = ways.get(number + 1) {
            tell!("trying another way: {}", next.why);
        }
    }
    if let [first, _, ..] = ways {
        write_out(Some(path), &first.config.to_commented_toml(&notes(first, found)))?;
        tell!("no way works; {} has the first again: {}", path.display(), first.why);
    }
    Ok(Exit::Baseline)
}

/// What came of trying a way to test.
enum Checked {
    Done(Exit),
    /// It cannot be used; why.
    Failed(String),
}

/// The ways to test, with what the user chose of a workspace.
fn found(args: &InitArgs) -> Result<Vec<Suggestion>> {
    let mut found = detect(&args.directory);
    let choice = CargoChoice { package: args.package.clone(), features: args.features.clone() };
    if let Some(first) = found.first_mut() {
        choice.apply(&args.directory, &mut first.config)?;
    }
    Ok(found)
}

fn chosen<'f>(found: &'f [Suggestion], preset: Option<&str>) -> Result<Option<&'f Suggestion>> {
    let Some(name) = preset else { return Ok(found.first()) };
    let names: Vec<&str> = found.iter().map(|one| one.preset.as_str()).collect();
    match found.iter().find(|one| one.preset == name) {
        Some(one) => Ok(Some(one)),
        None => bail!("--preset {name}: found were {}", names.join(", ")),
    }
}

/// What is missing for a way to test.
fn lacking(one: &Suggestion) -> String {
    one.lacks.as_ref().map_or(String::new(), |tool| format!(" ({} is not installed)", either(tool)))
}

fn either(tools: &str) -> String {
    tools.replace('|', " or ")
}

fn notes(best: &Suggestion, found: &[Suggestion]) -> Vec<String> {
    let mut notes = vec![format!("Found by {}.", best.why)];
    let mut others: Vec<&str> =
        found.iter().filter(|one| *one != best).map(|one| one.preset.as_str()).collect();
    others.dedup();
    if !others.is_empty() {
        notes.push(format!("Also possible: wildcaught init --preset {}.", others.join(" | ")));
    }
    notes
}

/// Builds the project and runs its tests once, in a copy.
fn check(
    args: &InitArgs,
    root: &Path,
    best: &Suggestion,
    accept: &dyn Fn(&[String]) -> Result<()>,
) -> Result<Checked> {
    catch_interrupt()?;
    let events = Events::default();
    // What is built now is not built again by `test`.
    let out = RunDir::lock(&root.join(OUT))?;
    tidy(&out.cache()?);
    let project = Project {
        root,
        config: &best.config,
        cache: out.cache()?,
        out: Some(out.path().to_owned()),
        outer: outer(),
        strays: OnceLock::new(),
        containment: contain(&best.config.sandbox, args.quiet)?,
        progress: &events.progress,
    };
    match watch(&events, args.quiet, || try_out(&project, &events)) {
        Ok(TriedOut::Tested(baseline)) if baseline.tests.is_empty() => {
            Ok(Checked::Failed("no tests were found; change [tests]".to_owned()))
        }
        Ok(TriedOut::Tested(baseline)) => judge(args, &baseline, accept).map(Checked::Done),
        Ok(TriedOut::Broken(said)) => {
            Ok(Checked::Failed(format!("the project does not build; change command in [build]:\n{said}")))
        }
        Ok(TriedOut::Idle(why)) => Ok(Checked::Failed(why)),
        Err(TestError::Run(RunError::Stopped)) => Ok(Checked::Done(Exit::Interrupted)),
        Err(error) => Ok(Checked::Failed(format!("{error}; change [tests]"))),
    }
}

/// Says how many tests are in the documentation, and how to leave them out.
fn doc_tests(baseline: &Baseline) -> String {
    match baseline.tests.iter().filter(|row| DocName::parse(&row.name).is_some()).count() {
        0 => String::new(),
        count => format!(" ({count} in documentation; `doc = false` in [tests] leaves these out)"),
    }
}

fn judge(args: &InitArgs, baseline: &Baseline, accept: &dyn Fn(&[String]) -> Result<()>) -> Result<Exit> {
    let failing: Vec<String> = baseline
        .tests
        .iter()
        .filter(|row| row.verdict != Verdict::Pass)
        .map(|row| row.name.clone())
        .collect();
    let total: f64 = baseline.tests.iter().map(|row| row.millis).sum();
    if failing.is_empty() {
        tell!(
            "it works: {}{} in {:.1} s, and all is well; now run `wildcaught test`",
            counted(baseline.tests.len() as u64, "test"),
            doc_tests(baseline),
            total / 1e3
        );
        return Ok(Exit::Fine);
    }
    let (count, some) = (failing.len(), failing[..failing.len().min(8)].join(", "));
    let all = baseline.tests.len();
    if args.accept_failing && count < all {
        accept(&failing)?;
        tell!("it works but for {count} of {all} tests, now listed under known_failing: {some}");
        return Ok(Exit::Fine);
    }
    tell!(
        "error: {count} of {all} tests fail: {some}; fix them, or list them under known_failing in [tests] \
         (wildcaught init --accept-failing --force does)"
    );
    Ok(Exit::Baseline)
}
