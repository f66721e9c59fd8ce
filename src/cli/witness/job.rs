//! `wildcaught witness`: from arguments to a request, and from its result to what is shown.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use regex::bytes::Regex;

use crate::control::Events;
use crate::exec::SandboxPolicy;
use crate::insert::Arsenal;
use crate::langdef::LangDef;
use crate::langdef::language;
use crate::langdef::language_of_file;
use crate::operator::OperatorSet;
use crate::pipeline::ALL_SETS;
use crate::pipeline::shipped_set;
use crate::pipeline::witness;
use crate::pipeline::witness::BisectRequest;
use crate::pipeline::witness::CoverageSource;
use crate::pipeline::witness::Expected;
use crate::pipeline::witness::Oracle;
use crate::pipeline::witness::WitnessError;
use crate::pipeline::witness::WitnessRequest;
use crate::pipeline::witness::WitnessResult;
use crate::report::documents::WitnessDocument;

use super::super::exit::Exit;
use super::super::ops::source;
use super::super::output::as_json;
use super::super::output::print_text;
use super::super::output::write_out;
use super::super::progress::catch_interrupt;
use super::super::sandbox::contain;
use super::super::settings::duration;
use super::super::settings::outer;
use super::super::watch::watch;
use super::args::CoverageArg;
use super::args::WitnessArgs;
use super::page::page;
use super::show::text;
use super::traces::traces;

/// Shipped sets that are used if nothing else is said, where the language has them.
const USUAL: [&str; 3] = ["diwi", "classic", "wild"];

/// How programs are built that have a file of this name.
const USUAL_BUILDS: [(&str, &str); 5] = [
    ("Makefile", "make"),
    ("makefile", "make"),
    ("GNUmakefile", "make"),
    ("Cargo.toml", "cargo build"),
    ("go.mod", "go build ./..."),
];

/// Runs the command.
pub fn run(args: &WitnessArgs) -> Result<Exit> {
    let def = match &args.language.language {
        Some(name) => language(name)?,
        None => language_of_file(&args.program)?,
    };
    check_files(args)?;
    let arsenal = Arsenal::new(&sets(args, &def)?, &def)?;
    let request = request(args, &def, &arsenal)?;
    catch_interrupt()?;
    let events = Events::default();
    let result = match watch(&events, args.quiet, || witness::run(&request, &events)) {
        Ok(result) => result,
        Err(WitnessError::Stopped) => return Ok(Exit::Interrupted),
        Err(error) => return Err(error.into()),
    };
    let document = WitnessDocument::new(&result, &request);
    print_text(&if args.json { as_json(&document)? } else { text(&document, args.top) })?;
    write_files(args, &result, &document)?;
    Ok(match result.witnesses.is_empty() {
        _ if events.progress.stopped() => Exit::Interrupted,
        true => {
            let remedy = match (&args.expect, args.tests.is_empty()) {
                (Some(_), true) => {
                    "with --expect, only variations with the same output can pass: give --reference or --tests"
                }
                (Some(_), false) => {
                    "with --expect, only variations with the same output can pass: give --reference"
                }
                (None, _) => "raise --tries, or change --keep",
            };
            tell!(
                "warning: no variation of the program passes, so the ranking has no close program to compare \
                 with and is weak; {remedy}"
            );
            Exit::Incomplete
        }
        false => Exit::Fine,
    })
}

/// Writes the requested files.
fn write_files(args: &WitnessArgs, result: &WitnessResult, document: &WitnessDocument) -> Result<()> {
    if let Some(path) = &args.reduced {
        fs::write(path, &result.reduced).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(path) = &args.html {
        write_out(Some(path), &page(document, &args.sources, args.top))?;
    }
    if let Some(path) = &args.traces {
        write_out(Some(path), &as_json(&traces(result))?)?;
    }
    Ok(())
}

/// Refuses files that could not be written, before minutes are spent on what would be in them.
fn check_files(args: &WitnessArgs) -> Result<()> {
    for path in [&args.reduced, &args.html, &args.traces].into_iter().flatten() {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if directory.is_some_and(|directory| !directory.is_dir()) || path.is_dir() {
            bail!("cannot write {}: its directory does not exist, or it is a directory", path.display());
        }
    }
    Ok(())
}

/// The requested operator sets, or all that the language has.
fn sets(args: &WitnessArgs, def: &LangDef) -> Result<Vec<OperatorSet>> {
    let mut sets = Vec::new();
    let all = args.ops.is_empty() || args.ops.iter().any(|name| name == ALL_SETS);
    if all {
        sets.extend(USUAL.iter().filter_map(|name| shipped_set(name, def.name()).ok()));
    }
    for name in args.ops.iter().filter(|name| *name != ALL_SETS) {
        sets.push(match Path::new(name).exists() {
            true => source::read(Path::new(name))?,
            false => shipped_set(name, def.name())?,
        });
    }
    Ok(sets)
}

/// What was typed, as a request.
fn request<'a>(args: &WitnessArgs, def: &'a LangDef, arsenal: &'a Arsenal) -> Result<WitnessRequest<'a>> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let oracle = match (&args.oracle, &args.run) {
        (Some(command), _) => Oracle::Script(command.clone()),
        (None, Some(command)) => {
            let expected = match (&args.expect, &args.reference) {
                (Some(path), _) => Expected::Output(read(path)?),
                (None, Some(reference)) => Expected::Reference(reference.clone()),
                (None, None) => Expected::Success,
            };
            Oracle::Run { command: command.clone(), expected }
        }
        (None, None) => bail!("give --run or --oracle, which decide whether a program fails"),
    };
    let coverage = match (&args.coverage_command, args.coverage) {
        (Some(command), _) => CoverageSource::Command(command.clone()),
        (None, CoverageArg::Reach) => {
            CoverageSource::Reach { build: build(args)?, language: args.sources_language.clone() }
        }
        (None, CoverageArg::Gcov) => CoverageSource::Gcov,
        (None, CoverageArg::Llvm) => CoverageSource::Llvm { binary: args.binary.clone().unwrap_or_default() },
    };
    let bisect = match &args.bisect {
        Some(range) => Some(BisectRequest { range: range.clone(), build: build(args)? }),
        None => None,
    };
    if args.tries == 0 || args.top == 0 {
        bail!("--tries and --top must be at least 1");
    }
    let name =
        args.program.file_name().with_context(|| format!("{} is not a file", args.program.display()))?;
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    Ok(WitnessRequest {
        name: name.to_string_lossy().into_owned(),
        text: read(&args.program)?,
        def,
        arsenal,
        keep: Regex::new(&args.keep).with_context(|| format!("--keep {:?}", args.keep))?,
        oracle,
        guard: args.guard.clone(),
        coverage,
        sources: args.sources.clone(),
        directory: std::env::current_dir().context("the current directory")?,
        tests: tests(args)?,
        reduce: !args.no_reduce,
        search: args.search.into(),
        formula: args.formula.into(),
        by: args.by.into(),
        tries: args.tries,
        budget: duration("--budget", &args.budget)?,
        timeout: duration("--timeout", &args.timeout)?,
        seed: args.seed,
        jobs,
        containment: contain(&args.sandbox.over(&SandboxPolicy::default()), args.quiet)?,
        outer: outer(),
        bisect,
    })
}

/// How the broken program is built: as was typed, or as it is usual for what is there.
fn build(args: &WitnessArgs) -> Result<String> {
    if let Some(command) = &args.build {
        return Ok(command.clone());
    }
    let usual = USUAL_BUILDS.iter().find(|(file, _)| args.sources.join(file).is_file());
    let command = usual.map(|(_, command)| (*command).to_owned());
    command.with_context(|| format!("--build: name the command that builds {}", args.sources.display()))
}

/// Programs of the developers: files, and those in directories that end as the failing program does.
fn tests(args: &WitnessArgs) -> Result<Vec<PathBuf>> {
    let ending = args.program.extension();
    let mut found = Vec::new();
    for path in &args.tests {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut inside = Vec::new();
        for entry in entries {
            let path = entry.with_context(|| format!("cannot read {}", path.display()))?.path();
            if path.is_file() && path.extension() == ending {
                inside.push(path);
            }
        }
        if inside.is_empty() {
            bail!("{}: no program has the extension of {}", path.display(), args.program.display());
        }
        inside.sort();
        found.extend(inside);
    }
    let own = fs::canonicalize(&args.program).ok();
    found.retain(|path| fs::canonicalize(path).ok() != own);
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    Ok(found.into_iter().map(absolute).take(args.most_tests).collect())
}
