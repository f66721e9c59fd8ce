//! `wildcaught init`.

use std::fs;
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
use crate::harness::CONFIG;
use crate::harness::CargoChoice;
use crate::harness::Missing;
use crate::harness::Suggestion;
use crate::harness::detect;
use crate::harness::members;
use crate::harness::missing_submodules;
use crate::harness::read::DocName;
use crate::harness::unsupported;
use crate::matrix::RunDir;
use crate::pipeline::TriedOut;
use crate::pipeline::try_out;
use crate::report::counted;
use crate::runner::RunError;
use crate::runner::explained;
use crate::runner::remedy;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::output::write_out;
use super::super::progress::catch_interrupt;
use super::super::sandbox::contain;
use super::super::settings::OUT;
use super::super::settings::outer;
use super::super::watch::watch;
use super::args::InitArgs;
use super::install::install;

/// One of so many tests may fail, and the others are used without it.
const FEW: usize = 5;

/// Ways to test that are tried.
const MOST_TRIED: usize = 3;

/// Runs the command.
pub fn run(args: &InitArgs) -> Result<Exit> {
    let root = &args.directory;
    let mut found = found(args)?;
    if args.list {
        print_text(&listed(root, &found))?;
        return Ok(Exit::Fine);
    }
    let Some(first) = chosen(&found, args.preset.as_deref())? else {
        bail!("{}", nothing_found(root));
    };
    let own = written_by_us(args, &found);
    if args.install {
        install(root, &mut found[first], args.quiet)?;
    } else if let Some(missing) = &found[first].missing
        && !args.dry_run
        && !args.no_check
    {
        tell!("error: {}: {}; {}", found[first].why, missing.what, remedy_of(missing));
        return Ok(Exit::Baseline);
    }
    let text = found[first].config.to_commented_toml(&notes(first, &found));
    if args.dry_run {
        write_out(None, &text)?;
        return Ok(Exit::Fine);
    }
    let path = root.join(CONFIG);
    if path.exists() && !args.force && !own {
        bail!("{} already exists; --force overwrites it", path.display());
    }
    write_out(Some(&path), &text)?;
    tell!("wrote {}: {} ({})", path.display(), found[first].why, found[first].language);
    if args.no_check {
        return Ok(Exit::Fine);
    }
    try_all(args, &path, first, &found)
}

/// Whether `wildcaught.toml` is what an earlier call wrote, and nobody changed.
fn written_by_us(args: &InitArgs, found: &[Suggestion]) -> bool {
    let there = fs::read_to_string(args.directory.join(CONFIG)).unwrap_or_default();
    (0..found.len()).any(|way| found[way].config.to_commented_toml(&notes(way, found)) == there)
}

/// Tries what was chosen; where it cannot be run at all, the other ways that were found, unless one was asked for.
fn try_all(args: &InitArgs, path: &Path, first: usize, found: &[Suggestion]) -> Result<Exit> {
    let others = (0..found.len()).filter(|way| *way != first && args.preset.is_none());
    let language = &found[first].language;
    let others = others.filter(|way| found[*way].language == *language && found[*way].missing.is_none());
    let ways: Vec<usize> = [first].into_iter().chain(others).take(MOST_TRIED).collect();
    let submodules = missing_submodules(&args.directory);
    if !submodules.is_empty() {
        tell!(
            "warning: this clone has no files of {}: what needs them does not build; run `git submodule update --init \
             --recursive`",
            submodules.join(", ")
        );
    }
    for (number, &way) in ways.iter().enumerate() {
        if number > 0 {
            tell!("trying another preset: {}", found[way].why);
        }
        let accept = |failing: &[String]| {
            let mut config = found[way].config.clone();
            config.tests.known_failing = failing.to_vec().into();
            write_out(Some(path), &config.to_commented_toml(&notes(way, found)))
        };
        match check(args, &args.directory, &found[way], &accept)? {
            Tried::Ended(exit) => {
                if way != first && exit == Exit::Fine {
                    accept(&[])?;
                    tell!("wrote {}: {} works instead", path.display(), found[way].why);
                }
                return Ok(exit);
            }
            Tried::Unusable(why) => tell!("error: {why}"),
        }
    }
    if ways.len() > 1 {
        tell!("no preset works; {} has the first one: {}", path.display(), found[first].why);
    }
    Ok(Exit::Baseline)
}

/// The result of a way to test.
enum Tried {
    Ended(Exit),
    /// It cannot be run here.
    Unusable(String),
}

/// Everything that was found, and what is below if there are several projects.
fn listed(root: &Path, found: &[Suggestion]) -> String {
    let lines = found.iter().map(|one| {
        let missing = one.missing.as_ref().map_or(String::new(), |missing| match &missing.command {
            Some(command) => format!("; first: {command}"),
            None => format!(" ({})", missing.what),
        });
        format!("{:<10} {:<10} {}{missing}\n", one.preset, one.language, one.why)
    });
    let below = members(root).into_iter().map(|(place, one)| {
        format!("{:<10} {:<10} {place}/{}: wildcaught init {place}\n", one.preset, one.language, one.why)
    });
    lines.chain(below).collect()
}

/// What to do about something that is not installed.
fn remedy_of(missing: &Missing) -> String {
    match &missing.command {
        Some(command) => format!(
            "run `{command}` here, or `wildcaught init --install`, which installs into a cache outside of the project"
        ),
        None => "install it, or see `wildcaught init --list`".to_owned(),
    }
}

/// Why nothing can be tested here, and what can be done.
fn nothing_found(root: &Path) -> String {
    let below: Vec<String> = members(root)
        .iter()
        .map(|(place, one)| format!("\n  wildcaught init {place}    {}", one.why))
        .collect();
    if !below.is_empty() {
        return format!(
            "{}: no preset fits the whole directory, but parts of it can be tested:{}",
            root.display(),
            below.concat()
        );
    }
    match unsupported(root) {
        Some(why) => format!("{}: {why}", root.display()),
        None => format!(
            "{}: no preset fits; write a wildcaught.toml with [tests] preset = \"command\" and command = \"…\", \
             or see `wildcaught init --list`",
            root.display()
        ),
    }
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

/// The place of the way that is taken.
fn chosen(found: &[Suggestion], preset: Option<&str>) -> Result<Option<usize>> {
    let Some(name) = preset.filter(|_| !found.is_empty()) else {
        return Ok((!found.is_empty()).then_some(0));
    };
    let names: Vec<&str> = found.iter().map(|one| one.preset.as_str()).collect();
    match found.iter().position(|one| one.preset == name) {
        Some(one) => Ok(Some(one)),
        None => bail!("--preset {name}: does not fit this project; presets that do: {}", names.join(", ")),
    }
}

fn notes(way: usize, found: &[Suggestion]) -> Vec<String> {
    let mut notes = vec![format!("Detected from {}.", found[way].why)];
    let others = found.iter().enumerate().filter(|(other, _)| *other != way);
    let mut others: Vec<&str> = others.map(|(_, one)| one.preset.as_str()).collect();
    others.dedup();
    if !others.is_empty() {
        notes.push(format!("Alternative: wildcaught init --preset {}.", others.join(" | ")));
    }
    notes
}

/// Builds the project and runs its tests once, in a copy.
fn check(
    args: &InitArgs,
    root: &Path,
    best: &Suggestion,
    accept: &dyn Fn(&[String]) -> Result<()>,
) -> Result<Tried> {
    catch_interrupt()?;
    let events = Events::default();
    // Built where `test` builds, so that nothing of it lies elsewhere.
    let out = RunDir::lock(&root.join(OUT))?;
    tidy(&out.cache()?);
    let project = Project {
        root,
        config: &best.config,
        cache: out.cache()?,
        out: Some(out.path().to_owned()),
        outer: outer(),
        strays: OnceLock::new(),
        usual_build: OnceLock::new(),
        containment: contain(&best.config.sandbox, args.quiet)?,
        progress: &events.progress,
    };
    Ok(match watch(&events, args.quiet, || try_out(&project, &events)) {
        Ok(TriedOut::Tested(baseline)) if baseline.tests.is_empty() => {
            Tried::Unusable(format!("{}: no tests were found; change [tests] in wildcaught.toml", best.why))
        }
        Ok(TriedOut::Tested(baseline)) => Tried::Ended(judge(args, &baseline, accept)?),
        Ok(TriedOut::Broken(said)) => Tried::Unusable(format!(
            "the project does not build; change `command` in [build] of wildcaught.toml:\n{}",
            remedy(&said).map_or(said.clone(), |remedy| format!("{remedy}\n{said}"))
        )),
        Ok(TriedOut::Idle(why)) => Tried::Unusable(why),
        Err(TestError::Run(RunError::Stopped)) => Tried::Ended(Exit::Interrupted),
        Err(error) => Tried::Unusable(format!("{}: {error}; change [tests] in wildcaught.toml", best.why)),
    })
}

/// Says how many tests are in the documentation, and how to leave them out.
fn doc_tests(baseline: &Baseline) -> String {
    match baseline.tests.iter().filter(|row| DocName::parse(&row.name).is_some()).count() {
        0 => String::new(),
        count => format!(" ({count} in documentation; `doc = false` in [tests] skips these)"),
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
            "it works: {}{} passed in {:.1} s; now run `wildcaught test`",
            counted(baseline.tests.len() as u64, "test"),
            doc_tests(baseline),
            total / 1e3
        );
        return Ok(Exit::Fine);
    }
    let (count, some) = (failing.len(), failing[..failing.len().min(8)].join(", "));
    let all = baseline.tests.len();
    if count * FEW <= all || (args.accept_failing && count < all) {
        accept(&failing)?;
        tell!(
            "warning: {count} of {} fail without any mutant and are ignored: {some}; they are now listed under \
             known_failing in wildcaught.toml: remove them there once they pass",
            counted(all as u64, "test")
        );
        tell!("it works; now run `wildcaught test`");
        return Ok(Exit::Fine);
    }
    tell!(
        "error: {count} of {all} tests fail: {some}; fix them, or list them under known_failing in [tests] \
         (wildcaught init --accept-failing --force lists them for you)"
    );
    if count == all
        && let Some(said) = baseline.messages.iter().find(|said| !said.trim().is_empty())
    {
        tell!("the first of them says:\n{}", explained(said));
    }
    Ok(Exit::Baseline)
}
