//! `wildcaught merge`: merges the parts of a run or of a harvest.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Result;
use anyhow::bail;

use crate::files::replace;
use crate::matrix::KillMatrix;
use crate::matrix::Memory;
use crate::matrix::Parts;
use crate::matrix::RunDir;
use crate::report::ReportDocument;
use crate::report::RunNotes;
use crate::report::counted;

use super::super::exit::Exit;
use super::super::harvest::merge_tallies;
use super::super::output::as_json;
use super::super::output::print_text;
use super::super::output::write_result;
use super::super::report::Finished;
use super::super::report::after_test;
use super::super::report::notes;
use super::super::report::project_root;
use super::super::settings::SHARDS;
use super::super::settings::results;
use super::args::MergePartsArgs;
use super::gate::Gate;
use super::show::View;
use super::show::fates;
use super::show::missed;

/// Runs the command.
pub fn run(args: &MergePartsArgs) -> Result<Exit> {
    let is_tally = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "tally");
    match args.parts.iter().filter(is_tally).count() {
        0 if args.output.is_some() => bail!("-o is for tallies; to merge results of runs, use --out DIR"),
        0 => merge_runs(args),
        tallies if tallies == args.parts.len() => merge_tallies(&args.parts, args.output.as_deref()),
        _ => bail!("tallies and results of runs cannot be merged with each other; merge them separately"),
    }
}

fn merge_runs(args: &MergePartsArgs) -> Result<Exit> {
    let home = results(&args.out);
    let directories = match args.parts.is_empty() {
        true => below(&home.join(SHARDS))?,
        false => expanded(&args.parts)?,
    };
    let stores = directories.iter().map(|path| RunDir::store_in(path)).collect::<Result<Vec<_>, _>>()?;
    let parts = Parts::gather(&stores)?;
    let out = RunDir::lock(&home)?;
    out.put_together(&parts)?;
    for test in parts.distrusted() {
        tell!(
            "warning: one part found test {test} unreliable, so it is ignored in all parts; mutants that only it \
             killed count as survived, or as untested if other tests did not run on them"
        );
    }
    remember(&directories, out.path())?;
    let is_localization = take_coverage(&directories, &out)?;
    let root = args.root.clone().unwrap_or_else(project_root);
    let matrix = KillMatrix::load(&RunDir::open_store(out.path())?)?;
    let missing = parts.whole.missing();
    let whole = missing.is_empty();
    let notes = all_notes(&directories);
    let finished =
        Finished { root: &root, out: out.path(), matrix: &matrix, notes, whole: whole && !is_localization };
    let kept = after_test(finished)?;
    let gate = Gate::new(&args.gate, &matrix, &kept, false)?;
    if args.json {
        write_result(out.path(), None, &as_json(&ReportDocument::new(&gate.documented))?)?;
    } else {
        let view = View { root: &root, out: out.path(), shard: None, most: args.show };
        let tests = counted(matrix.tests.len() as u64, "test");
        let from = counted(directories.len() as u64, "part");
        let text = format!("{}, {tests}, from {from}\n", fates(&matrix));
        print_text(&(text + &missed(&matrix, &gate, &view)))?;
    }
    if whole {
        return Ok(gate.exit());
    }
    let names: Vec<String> = missing.iter().map(|part| format!("{part}/{}", parts.whole.of)).collect();
    tell!("warning: missing: {}; the figures cover only the parts found", names.join(", "));
    Ok(Exit::Incomplete)
}

/// The directories that were named; one without results stands for those in it.
fn expanded(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in named {
        match RunDir::store_in(path) {
            Ok(_) => all.push(path.clone()),
            Err(nothing) => all.extend(below(path).map_err(|_| nothing)?),
        }
    }
    Ok(all)
}

/// The directories with results below a directory, by name.
fn below(home: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(home).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| RunDir::store_in(path).is_ok()).collect();
    found.sort();
    if found.is_empty() {
        bail!(
            "{}: no parts found; name their directories, or run `wildcaught test --shard K/N` first",
            home.display()
        );
    }
    Ok(found)
}

/// Keeps what all parts depend on, so that the next run can take over their verdicts.
fn remember(parts: &[PathBuf], out: &Path) -> Result<()> {
    let mut all: Option<Memory> = None;
    for part in parts {
        match (&mut all, Memory::read(part)) {
            (_, None) => {
                Memory::forget(out);
                return Ok(());
            }
            (None, first) => all = first,
            (Some(all), Some(other)) => all.add(other),
        }
    }
    Ok(all.map_or(Ok(()), |all| all.write(out))?)
}

/// Takes over which tests execute which lines, which all parts of a localization found out; whether they are one.
fn take_coverage(parts: &[PathBuf], out: &RunDir) -> Result<bool> {
    let found: Vec<Vec<u8>> =
        parts.iter().filter_map(|part| fs::read(RunDir::coverage_in(part)).ok()).collect();
    let Some(first) = found.first() else { return Ok(false) };
    if found.iter().any(|other| other != first) {
        tell!(
            "warning: tests execute different lines in different parts; the merged result uses the lines of the \
             first part"
        );
    }
    replace(&out.coverage(), first)?;
    Ok(true)
}

/// The notes on all parts; their seconds add up.
fn all_notes(parts: &[PathBuf]) -> RunNotes {
    let mut all = RunNotes::default();
    for part in parts {
        let own = notes(part);
        all.seconds += own.seconds;
        all.keep(own);
    }
    all
}
