//! `wildcaught test`.

use std::path::PathBuf;

use anyhow::Result;
use anyhow::bail;

use crate::control::Events;
use crate::engine::Campaign;
use crate::engine::EngineChoice;
use crate::engine::Purpose;
use crate::engine::Summary;
use crate::engine::TestError;
use crate::engine::screen::Site;
use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::matrix::KillMatrix;
use crate::matrix::MutantRow;
use crate::matrix::Store;
use crate::report::thousands;
use crate::runner::RunError;

use super::super::exit::Exit;
use super::super::mutate::ByArg;
use super::super::mutate::ChoiceArgs;
use super::super::mutate::Place;
use super::super::mutate::choose;
use super::super::mutate::relative;
use super::super::target::Prepared;
use super::super::target::find_mutants;
use super::super::target::prepare;
use super::args::EngineArg;
use super::args::MatrixArg;
use super::args::TestArgs;
use super::out;
use super::rows::rows;
use super::settings::Settings;
use super::settings::settings;
use super::settings::with_settings;
use super::show::result;
use super::watch::watch;

/// How many mutants are drawn where nothing is said.
const DRAWN: usize = 1000;

/// Runs the command.
pub fn run(args: &TestArgs) -> Result<Exit> {
    let settings = settings(&args.run.config)?;
    let prepared = prepare(&with_settings(&args.target, &settings))?;
    let Prepared { def, arsenal, target, fit, .. } = &prepared;
    let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
    let Some(all) = find_mutants(&inserter, args.run.quiet)? else { return Ok(Exit::Interrupted) };
    let places = chosen(args, &inserter, &all)?;
    let there: usize = all.iter().map(|file| file.mutants.len()).sum();
    if places.is_empty() {
        anstream::eprintln!("no mutant to test; `wildcaught mutate` says what became of every place");
        return Ok(Exit::Incomplete);
    }
    let paths: Vec<PathBuf> =
        target.files.iter().map(|file| relative(&file.path, &settings.root)).collect::<Result<_>>()?;
    let rows = rows(&inserter, &all, &places, &paths);
    if !args.run.quiet {
        announce(args, &settings, rows.len(), there);
    }
    if args.run.dry_run {
        return Ok(dry_run(&settings, &rows));
    }
    let job = Job { args, settings: &settings, inserter: &inserter, all: &all, places: &places, paths };
    job.run(&rows)
}

fn announce(args: &TestArgs, settings: &Settings, chosen: usize, there: usize) {
    let drawn = match (chosen, args.run.all) {
        (chosen, _) if chosen == there => format!("{} mutants", thousands(there as u64)),
        _ => format!("{} of {} mutants", thousands(chosen as u64), thousands(there as u64)),
    };
    let more = if chosen < there && limited(args) { "; --all tests every one" } else { "" };
    anstream::eprintln!("{drawn}, tested as {} says{more}", settings.from);
}

fn limited(args: &TestArgs) -> bool {
    let choice = &args.choice;
    choice.count.is_none() && choice.op.is_none() && choice.id.is_none() && !args.run.all
}

/// The mutants to test, in the order of their files and places.
fn chosen(args: &TestArgs, inserter: &Inserter, all: &[FileMutants]) -> Result<Vec<Place>> {
    let choice = &args.choice;
    let mut places = if limited(args) {
        let drawn = ChoiceArgs { count: Some(DRAWN), by: ByArg::Operator, ..choice.clone() };
        choose(&drawn, inserter, all)?
    } else {
        choose(choice, inserter, all)?
    };
    places.sort_unstable();
    if let Some(shard) = &args.run.shard {
        let (part, parts) = shard_of(shard)?;
        places = places.into_iter().skip(part - 1).step_by(parts).collect();
    }
    Ok(places)
}

fn shard_of(text: &str) -> Result<(usize, usize)> {
    let numbers =
        text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match numbers {
        Some((part, parts)) if (1..=parts).contains(&part) => Ok((part, parts)),
        _ => bail!("--shard {text}: write K/N, with K from 1 to N"),
    }
}

fn dry_run(settings: &Settings, rows: &[MutantRow]) -> Exit {
    let config = &settings.config;
    let build = config.build.command.as_deref().unwrap_or("(nothing, or javac)");
    let test = config.tests.style.command().unwrap_or(config.tests.style.name());
    anstream::println!("build:   {build}\ntest:    {test}\nmutants: {}", thousands(rows.len() as u64));
    for row in rows.iter().take(10) {
        anstream::println!("  {}  {}:{}  {} → {}", row.id, row.file, row.line, row.before, row.after);
    }
    Exit::Fine
}

/// The rows with where each mutant is in the meta-program.
fn with_places(rows: &[MutantRow], summary: &Summary) -> Vec<MutantRow> {
    let places = summary.places.iter().copied().chain(std::iter::repeat(None));
    let with = |(row, unit): (&MutantRow, Option<(u32, u32)>)| {
        let engine = if unit.is_some() { "switch" } else { "classic" };
        MutantRow { unit, engine: engine.into(), ..row.clone() }
    };
    rows.iter().zip(places).map(with).collect()
}

struct Job<'a> {
    args: &'a TestArgs,
    settings: &'a Settings,
    inserter: &'a Inserter<'a>,
    all: &'a [FileMutants],
    places: &'a [Place],
    paths: Vec<PathBuf>,
}

impl Job<'_> {
    fn run(&self, rows: &[MutantRow]) -> Result<Exit> {
        let run = &self.args.run;
        let text = format!("{:?} {:?}", self.settings.config.build, self.settings.config.tests);
        let fingerprint = out::fingerprint(&self.settings.root, &format!("{text} {:?}", run.matrix));
        let (store, known) = out::begin(&run.out, run.resume, &fingerprint, rows)?;
        let events = Events::default();
        events.progress.expect(known.iter().filter(|known| !**known).count() as u64);
        let begun = std::time::Instant::now();
        let done = watch(&events, run.quiet, || self.campaign(&store, known, &events));
        if let Ok(summary) = &done {
            store.put_mutants(&with_places(rows, summary))?;
        }
        let matrix = KillMatrix::load(&store)?;
        match done {
            Ok(summary) => result(self.args, &self.settings.root, &matrix, &summary, begun.elapsed()),
            Err(TestError::Run(RunError::Stopped)) => {
                let tested = matrix.outcomes.iter().flatten().count();
                anstream::eprintln!(
                    "stopped after {} of {} mutants; `--resume` goes on",
                    thousands(tested as u64),
                    thousands(rows.len() as u64)
                );
                Ok(Exit::Interrupted)
            }
            Err(TestError::Baseline(why)) => {
                anstream::eprintln!("error: {why}");
                Ok(Exit::Baseline)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn campaign(&self, store: &Store, known: Vec<bool>, events: &Events) -> Result<Summary, TestError> {
        let run = &self.args.run;
        let jobs = self.settings.jobs(run.jobs);
        let project = self.settings.project(&run.out, &events.progress);
        let project = project.map_err(|error| RunError::Broken(format!("{error:#}")))?;
        let site = |&(file, at): &Place| Site { file, mutant: &self.all[file].mutants[at] };
        let campaign = Campaign {
            project: &project,
            inserter: self.inserter,
            sites: self.places.iter().map(site).collect(),
            paths: self.paths.clone(),
            known,
            engine: match run.engine {
                EngineArg::Auto => EngineChoice::Auto,
                EngineArg::Switch => EngineChoice::Switch,
                EngineArg::Classic => EngineChoice::Classic,
            },
            purpose: Purpose::Score,
            full: run.matrix == MatrixArg::Full,
            jobs: jobs.max(1),
            store,
            events,
            compare: !run.no_tce,
            keep: run.keep,
            baseline: None,
        };
        campaign.run()
    }
}
