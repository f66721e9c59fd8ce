//! Runs the mutants of a project in which tests fail: only where failing tests come by, failing tests first.
//!
//! In: settings and what was typed. Out: a kill matrix, and which tests execute which statements.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use clap::Args;
use roaring::RoaringBitmap;

use crate::control::Events;
use crate::engine::Campaign;
use crate::engine::EngineChoice;
use crate::engine::Purpose;
use crate::engine::Survey;
use crate::engine::TestError;
use crate::engine::screen::Site;
use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Sampler;
use crate::matrix::KillMatrix;
use crate::matrix::LineCoverage;
use crate::matrix::Store;
use crate::matrix::to_lcov;
use crate::report::counted;
use crate::report::thousands;
use crate::runner::RunError;

use super::exit::Exit;
use super::mutate::Place;
use super::mutate::relative;
use super::progress::catch_interrupt;
use super::target::Prepared;
use super::target::TargetArgs;
use super::target::find_mutants;
use super::target::prepare;
use super::test::Settings;
use super::test::begin;
use super::test::fingerprint;
use super::test::rows;
use super::test::watch;
use super::test::with_settings;

/// The file with which tests execute which lines, beside the store.
pub const COVERAGE: &str = "coverage.info";

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How mutants are run")]
pub struct BlameArgs {
    /// The project's settings; without them the project is looked at, as `wildcaught init` does.
    #[arg(long, value_name = "FILE", default_value = "wildcaught.toml")]
    pub config: PathBuf,
    /// Where results are kept.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// At most so many mutants of a statement, drawn; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub per_statement: usize,
    /// The seed of the draw.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// Go on with the last run: what is known is not run again.
    #[arg(long)]
    pub resume: bool,
    /// Print nothing but the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Workers; all cores if left out.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
}

/// What is to be run.
pub struct Blame<'a> {
    pub args: &'a BlameArgs,
    pub target: &'a TargetArgs,
    pub settings: &'a Settings,
    /// Only operators of these names; all if there are none.
    pub operators: &'a [&'a str],
    /// Whether mutants are run at all, or only the tests.
    pub mutants: bool,
    /// Whether passing tests are asked about mutants that mend nothing.
    pub thorough: bool,
}

/// What came of it.
pub struct Blamed {
    pub matrix: KillMatrix,
    pub coverage: LineCoverage,
}

impl Blame<'_> {
    /// Runs it; or says why not, and with which code to end.
    pub fn run(&self) -> Result<Result<Blamed, Exit>> {
        catch_interrupt()?;
        let prepared = prepare(&with_settings(self.target, self.settings))?;
        let Prepared { def, arsenal, target, fit, .. } = &prepared;
        let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
        let Some(all) = find_mutants(&inserter, self.args.quiet)? else { return Ok(Err(Exit::Interrupted)) };
        let root = &self.settings.root;
        let paths: Vec<PathBuf> =
            target.files.iter().map(|file| relative(&file.path, root)).collect::<Result<_>>()?;
        let events = Events::default();
        let done = watch(&events, self.args.quiet, || self.blame(&inserter, &all, &paths, &events));
        match done {
            Ok(blamed) => Ok(Ok(blamed)),
            Err(error) => match error.downcast::<TestError>() {
                Ok(TestError::Run(RunError::Stopped)) => {
                    anstream::eprintln!("stopped; `--resume` goes on");
                    Ok(Err(Exit::Interrupted))
                }
                Ok(TestError::Baseline(why)) => {
                    anstream::eprintln!("error: {why}");
                    Ok(Err(Exit::Baseline))
                }
                Ok(error) => Err(error.into()),
                Err(error) => Err(error),
            },
        }
    }

    fn blame(
        &self,
        inserter: &Inserter,
        all: &[FileMutants],
        paths: &[PathBuf],
        events: &Events,
    ) -> Result<Blamed> {
        let config = &self.settings.config;
        let jobs = self.settings.jobs(self.args.jobs);
        let project = self.settings.project(&self.args.out, &events.progress)?;
        let survey = Survey::run(&project, inserter, paths, jobs, events)?;
        let failing: RoaringBitmap = survey.baseline.broken().into_iter().collect();
        if failing.is_empty() {
            let tests = counted(survey.baseline.tests.len() as u64, "test");
            let why = format!("no test fails ({tests}): there is nothing to blame");
            return Err(TestError::Baseline(why).into());
        }
        let places = match self.mutants {
            true => self.places(inserter, all, &survey, &failing),
            false => vec![],
        };
        let rows = rows(inserter, all, &places, paths);
        let settings = format!("{:?} {:?} {}", config.build, config.tests, self.thorough);
        let fingerprint = fingerprint(&self.settings.root, &settings);
        let (store, known) = begin(&self.args.out, self.args.resume, &fingerprint, &rows)?;
        events.progress.expect(known.iter().filter(|known| !**known).count() as u64);
        self.announce(&survey, places.len(), failing.len());
        let coverage = coverage(&survey, paths);
        let file = self.args.out.join(COVERAGE);
        fs::write(&file, to_lcov(&coverage)).with_context(|| format!("cannot write {}", file.display()))?;
        let site = |&(file, at): &Place| Site { file, mutant: &all[file].mutants[at] };
        let sites = places.iter().map(site).collect();
        let campaign = Campaign {
            project: &project,
            inserter,
            sites,
            paths: paths.to_vec(),
            known,
            engine: EngineChoice::Auto,
            purpose: Purpose::Blame { thorough: self.thorough },
            full: true,
            jobs,
            store: &store,
            events,
            compare: false,
            keep: false,
            baseline: Some(&survey.baseline),
        };
        campaign.run()?;
        finished(&store, coverage)
    }

    fn announce(&self, survey: &Survey, mutants: usize, failing: u64) {
        if !self.args.quiet {
            anstream::eprintln!(
                "{} mutants in what {} of {} come by",
                thousands(mutants as u64),
                counted(failing, "failing test"),
                thousands(survey.baseline.tests.len() as u64)
            );
        }
    }

    /// The mutants of statements that failing tests execute; without statements, all.
    fn places(
        &self,
        inserter: &Inserter,
        all: &[FileMutants],
        survey: &Survey,
        failing: &RoaringBitmap,
    ) -> Vec<Place> {
        let mut by_statement: BTreeMap<(usize, u32, u32), Vec<Place>> = BTreeMap::new();
        for (file, found) in all.iter().enumerate() {
            for (at, mutant) in found.mutants.iter().enumerate() {
                let entry = &inserter.arsenal.entries[mutant.entries[0] as usize];
                let wanted = self.operators.is_empty() || self.operators.contains(&entry.name());
                if !wanted {
                    continue;
                }
                let (from, to) = (mutant.edit.from, mutant.edit.to);
                match survey.statement(file, from, to) {
                    Some(statement) if statement.covered.is_disjoint(failing) => {}
                    Some(statement) => {
                        let key = (file, statement.piece.start, statement.piece.end);
                        by_statement.entry(key).or_default().push((file, at));
                    }
                    None if survey.is_unwatched(file, from, to) => {
                        by_statement.entry((file, from, to)).or_default().push((file, at));
                    }
                    None => {}
                }
            }
        }
        let most = if self.args.per_statement == 0 { usize::MAX } else { self.args.per_statement };
        let mut sampler = Sampler::new(self.args.seed);
        let mut places: Vec<Place> = Vec::new();
        for here in by_statement.into_values() {
            let drawn = sampler.choose(most, here.len());
            places.extend(drawn.into_iter().map(|at| here[at]));
        }
        places.sort_unstable();
        places
    }
}

fn finished(store: &Store, coverage: LineCoverage) -> Result<Blamed> {
    Ok(Blamed { matrix: KillMatrix::load(store)?, coverage })
}

/// The survey as line coverage: a statement is the line on which it begins.
fn coverage(survey: &Survey, paths: &[PathBuf]) -> LineCoverage {
    let mut coverage = LineCoverage::default();
    let heard = survey.baseline.heard();
    let name = |test: u32| &survey.baseline.tests[test as usize].name;
    if survey.statements.is_empty() {
        return coverage;
    }
    for test in heard {
        coverage.tests.insert(name(test).clone(), BTreeMap::new());
    }
    for statement in &survey.statements {
        let file = paths[statement.file].display().to_string();
        coverage.lines.entry(file.clone()).or_default().insert(statement.line);
        for test in &statement.covered {
            let executed = coverage.tests.entry(name(test).clone()).or_default();
            executed.entry(file.clone()).or_default().insert(statement.line);
        }
    }
    coverage
}
