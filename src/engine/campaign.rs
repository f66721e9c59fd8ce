//! A whole run: baseline, meta-program, reach, mutants, what is left.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::RwLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use roaring::RoaringBitmap;
use thiserror::Error;

use crate::insert::Inserter;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::matrix::Store;
use crate::matrix::StoreError;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::workspace::Runtime;
use crate::workspace::RuntimeError;
use crate::workspace::Workspace;
use crate::workspace::Woven;

use super::baseline::Baseline;
use super::classic::ChangedFile;
use super::classic::Classic;
use super::classic::ClassicTask;
use super::project::Project;
use super::project::complaints;
use super::project::put;
use super::project::scratch;
use super::screen::Ladder;
use super::screen::Rung;
use super::screen::ScreenError;
use super::screen::Site;
use super::screen::screen;
use super::switched::Crew;
use super::switched::Task;
use crate::control::Events;
use crate::control::Phase;

/// Tests that are warned of by name.
const MOST_WARNINGS: usize = 3;

/// How mutants are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// Switched where that works, built one by one elsewhere.
    Auto,
    /// Only what can be switched.
    Switch,
    /// All built one by one.
    Classic,
}

/// What a run is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Which mutants tests notice; all of them pass without one.
    #[default]
    Score,
    /// Which mutants change what failing tests say; `thorough` asks the others even where none does.
    Blame { thorough: bool },
}

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum TestError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The unchanged project does not build or pass.
    #[error("{0}")]
    Baseline(String),
}

/// What is to be done.
pub struct Campaign<'a> {
    pub project: &'a Project<'a>,
    pub inserter: &'a Inserter<'a>,
    pub sites: Vec<Site<'a>>,
    /// Per file of the target, its path inside of the project.
    pub paths: Vec<PathBuf>,
    /// Per mutant, whether its fate is known already.
    pub known: Vec<bool>,
    pub engine: EngineChoice,
    pub purpose: Purpose,
    pub full: bool,
    pub jobs: usize,
    pub store: &'a Store,
    pub events: &'a Events,
    /// Compare compiled code first, and do not run what changes nothing.
    pub compare: bool,
    /// Keep the copy in which the meta-program is.
    pub keep: bool,
    /// What the unchanged project does, if that is known.
    pub baseline: Option<&'a Baseline>,
}

/// What was done, besides fates.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub tests: usize,
    pub rounds: usize,
    pub switched: usize,
    pub built_alone: usize,
    pub unviable: usize,
    /// Mutants that were left out since they cannot be switched.
    pub left_out: usize,
    /// Per mutant, its unit in the meta-program and its number there.
    pub places: Vec<Option<(u32, u32)>>,
    /// What was done, and how long it took.
    pub times: Vec<(Phase, std::time::Duration)>,
}

/// A meta-program that was built, and who is where in it.
struct Meta {
    /// Per mutant, its unit and its number there.
    places: Vec<Option<(u32, u32)>>,
    said: Vec<u8>,
}

impl<'a> Campaign<'a> {
    /// Does it.
    pub fn run(&self) -> Result<Summary, TestError> {
        let events = self.events;
        events.enter(Phase::CopyingProject);
        let workspace = self.project.copy()?;
        let scratch = scratch()?;
        let switch = &self.inserter.def.file.switch;
        // Both engines build in the same environment: what is a warning must not make a mutant unviable here
        // and not there.
        let runtime = if switch.is_given() {
            let units = self.sites.len() as u32;
            self.events.enter(Phase::InstallingRuntime);
            let directory = scratch.path().join("runtime");
            let outer = &self.project.outer;
            Some(Runtime::install(&switch.runtime, units, &directory, workspace.path(), outer)?)
        } else {
            None
        };
        let runtime_env = runtime.as_ref().map_or(vec![], |runtime| runtime.env.clone());
        let runtime = runtime.filter(|_| self.engine != EngineChoice::Classic);
        let env = self.project.env(&runtime_env, 0);
        let mut baseline = self.baseline(&workspace, &env)?;
        let mut summary = Summary { tests: baseline.tests.len(), ..Summary::default() };
        let mut ladder = Ladder::new(self.inserter, self.sites.clone());
        if let Some(runtime) = &runtime {
            let meta = self.meta(&workspace, runtime, &env, &mut ladder, &mut summary)?;
            self.note_dead(&ladder)?;
            if let Some(mut meta) = meta {
                if let Some(compiles) = runtime.compiles().filter(|_| self.compares()) {
                    for mutant in self.settled(workspace.path(), compiles, &ladder)? {
                        meta.places[mutant as usize] = None;
                    }
                }
                if !self.switched(&workspace, runtime, &env, &meta, &mut baseline, &mut summary)? {
                    for (mutant, _) in (0u32..).zip(&meta.places).filter(|(_, place)| place.is_some()) {
                        ladder.set_alone(mutant, "the meta-program does not behave as the original");
                    }
                }
            }
        } else {
            for mutant in 0..self.sites.len() as u32 {
                ladder.set_alone(mutant, "nothing is switched");
            }
        }
        if self.keep {
            events.warn(format!("the copy is kept in {}", workspace.keep().display()));
        }
        self.alone(&ladder, &baseline, &runtime_env, &mut summary)?;
        summary.times = events.times();
        Ok(summary)
    }

    /// Tests that fail without any mutant, where that is what it is about.
    fn broken(&self, baseline: &Baseline) -> RoaringBitmap {
        match self.purpose {
            Purpose::Score => RoaringBitmap::new(),
            Purpose::Blame { .. } => baseline.broken().into_iter().collect(),
        }
    }

    fn is_thorough(&self) -> bool {
        self.purpose == Purpose::Blame { thorough: true }
    }

    /// Builds and tests the unchanged project; tests that fail must be wanted.
    fn baseline(&self, workspace: &Workspace, env: &[(String, String)]) -> Result<Baseline, TestError> {
        let baseline = match self.baseline {
            Some(known) => known.clone(),
            None => original_baseline(self.project, workspace, env, self.events)?,
        };
        let failing = baseline.failing(self.project.config);
        if !failing.is_empty() && self.purpose == Purpose::Score {
            let names: Vec<&str> = failing.iter().take(8).map(|row| row.name.as_str()).collect();
            let more = failing.len().saturating_sub(names.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            return Err(TestError::Baseline(format!(
                "{} of {} tests fail without any mutant: {}{more}; mend them, or declare them as known_failing in [tests]",
                failing.len(),
                baseline.tests.len(),
                names.join(", ")
            )));
        }
        self.store.put_tests(&baseline.tests)?;
        Ok(baseline)
    }

    /// Weaves and builds the meta-program; none if there is nothing in it.
    fn meta(
        &self,
        workspace: &Workspace,
        runtime: &Runtime,
        env: &[(String, String)],
        ladder: &mut Ladder<'a>,
        summary: &mut Summary,
    ) -> Result<Option<Meta>, TestError> {
        if ladder.rungs.iter().all(|rung| rung.piece().is_none()) {
            return Ok(None);
        }
        let target = self.inserter.target;
        let used: Vec<(&Path, &crate::insert::SourceFile)> = (0..target.files.len())
            .filter(|file| !ladder.by_file[*file].is_empty())
            .map(|file| (self.paths[file].as_path(), &target.files[file]))
            .collect();
        for (path, text) in runtime.companions(&used) {
            put(workspace, &path, &text)?;
        }
        let complaints = complaints(self.inserter.def)?;
        let mut said = Vec::new();
        let screened = screen(self.inserter, ladder, &complaints, runtime.lead(), |changed, round| {
            self.events.at(Phase::BuildingMutants, format!("round {round}"));
            for (file, text) in changed {
                put(workspace, &self.paths[*file], &runtime.dress(&target.files[*file], text))
                    .map_err(stopped)?;
            }
            let built = match &self.inserter.def.file.switch.check {
                Some(line) if !self.project.builds() => {
                    let files: Vec<&Path> =
                        changed.iter().map(|(file, _)| self.paths[*file].as_path()).collect();
                    self.project.check(workspace.path(), &files, line, env)
                }
                _ => self.project.build(workspace.path(), env),
            };
            let built = built.map_err(stopped)?;
            said.clone_from(&built.said);
            Ok(built)
        });
        let screened = match screened {
            Ok(screened) => screened,
            Err(ScreenError::Stopped) => return Err(RunError::Stopped.into()),
            Err(error) => {
                self.events.warn(format!("{error}\nAll mutants are built one by one."));
                for mutant in 0..self.sites.len() as u32 {
                    ladder.set_alone(mutant, "the meta-program does not build");
                }
                return Ok(None);
            }
        };
        summary.rounds = screened.rounds;
        let mut places = vec![None; self.sites.len()];
        for unit in screened.files.values().flat_map(|woven: &Woven| &woven.units) {
            for (place, mutant) in (1..).zip(&unit.mutants) {
                places[*mutant as usize] = Some((unit.number, place));
            }
        }
        Ok(Some(Meta { places, said }))
    }

    /// Notes the mutants that do not compile.
    fn note_dead(&self, ladder: &Ladder) -> Result<(), TestError> {
        for (mutant, rung) in (0u32..).zip(&ladder.rungs) {
            if let (Rung::Dead(message), false) = (rung, self.known[mutant as usize]) {
                let mut outcome = Outcome::new(Fate::Unviable);
                outcome.log.clone_from(message);
                self.store.record(mutant, &outcome)?;
                self.events.count(Fate::Unviable.name());
            }
        }
        Ok(())
    }

    /// Runs what is in the meta-program; whether that could be done.
    fn switched(
        &self,
        workspace: &Workspace,
        runtime: &Runtime,
        env: &[(String, String)],
        meta: &Meta,
        baseline: &mut Baseline,
        summary: &mut Summary,
    ) -> Result<bool, TestError> {
        let events = self.events;
        events.enter(Phase::TestingSwitchedOff);
        let tree = workspace.path();
        let (units, names) = (runtime.units(), baseline.names());
        let runner = self.project.runner(tree, tree, &meta.said, env, units, Some(&names))?;
        let mut runner = baseline.align(runner);
        let switched_off = Baseline::run(&mut *runner, self.project.config, &events.progress)?;
        let differing = baseline.differing(&switched_off);
        if differing.len() * 2 > baseline.tests.len() {
            let said = switched_off.messages.iter().find(|said| !said.is_empty());
            let said = said.map_or("", |said| said.lines().next().unwrap_or(""));
            events.warn(format!(
                "{} of {} tests fail when all mutants are built in and switched off ({said}); all mutants are \
                 built one by one",
                differing.len(),
                baseline.tests.len()
            ));
            return Ok(false);
        }
        if differing.len() > MOST_WARNINGS {
            let more = differing.len() - MOST_WARNINGS;
            events.warn(format!("{more} more tests fail like those that follow"));
        }
        for &test in differing.iter().skip(MOST_WARNINGS) {
            baseline.distrust(test);
        }
        for &test in differing.iter().take(MOST_WARNINGS) {
            let name = &baseline.tests[test as usize].name;
            let said =
                switched_off.messages.get(test as usize).map_or("", |said| said.lines().next().unwrap_or(""));
            events.warn(format!(
                "{name} fails when all mutants are built in and switched off ({said}); its word does not count. \
                 Does it depend on memory that is not set, on addresses, or on the text of the program?"
            ));
            baseline.distrust(test);
        }
        baseline.slow_down(&switched_off, self.project.config);
        self.store.put_tests(&baseline.tests)?;
        let mut runners: Vec<Mutex<Box<dyn Runner>>> = vec![Mutex::new(runner)];
        let mut copies = Vec::new();
        for _ in 1..self.jobs {
            let copy = Project::copy_of(tree)?;
            let runner = self.project.runner(copy.path(), tree, &meta.said, env, units, Some(&names))?;
            runners.push(Mutex::new(baseline.align(runner)));
            copies.push(copy);
        }
        let failing = self.broken(baseline);
        let trusted: Vec<u32> = baseline.trusted().into_iter().chain(&failing).collect();
        let crew = Crew {
            runners,
            baseline,
            trusted: trusted.iter().copied().collect(),
            thorough: self.is_thorough(),
            failing,
            full: self.full,
            progress: &events.progress,
            unsure: AtomicUsize::new(0),
            given_up: AtomicUsize::new(0),
            quiet: RwLock::new(()),
        };
        events.enter(Phase::FindingReach);
        let covered = self.covered(&crew, &trusted, meta)?;
        events.enter(Phase::TestingMutants);
        let tasks: Vec<Task> = meta
            .places
            .iter()
            .zip(covered)
            .zip(0u32..)
            .filter(|((place, _), mutant)| place.is_some() && !self.known[*mutant as usize])
            .map(|((place, covered), mutant)| {
                let (unit, number) = place.unwrap_or_default();
                Task { mutant, on: format!("{unit}:{number}"), covered }
            })
            .collect();
        summary.switched = tasks.len();
        summary.places.clone_from(&meta.places);
        crew.run(&tasks, &|mutant, outcome| self.done(mutant, outcome))?;
        let given_up = crew.given_up.load(Ordering::Relaxed);
        if given_up > 0 {
            events.warn(format!(
                "{given_up} mutants hang in test after test, and were not run with all of them"
            ));
        }
        let unsure = crew.unsure.load(Ordering::Relaxed);
        if unsure > 0 {
            events.warn(format!(
                "{unsure} times a mutant mended a failing test and, run again, did not; that counts as not known"
            ));
        }
        Ok(true)
    }

    /// Per mutant, the tests that reach it.
    fn covered(&self, crew: &Crew, tests: &[u32], meta: &Meta) -> Result<Vec<RoaringBitmap>, TestError> {
        let reached = crew.reach(tests)?;
        let most = meta.places.iter().flatten().map(|(unit, _)| *unit + 1).max().unwrap_or(0);
        let mut by_unit = vec![RoaringBitmap::new(); most as usize];
        for (test, units) in &reached {
            for unit in units.iter().filter(|unit| *unit < most) {
                by_unit[unit as usize].insert(*test);
            }
        }
        let of = |place: &Option<(u32, u32)>| {
            place.map_or_else(RoaringBitmap::new, |(unit, _)| by_unit[unit as usize].clone())
        };
        Ok(meta.places.iter().map(of).collect())
    }

    fn done(&self, mutant: u32, outcome: &Outcome) -> Result<(), RunError> {
        self.store.record(mutant, outcome).map_err(|error| RunError::Broken(error.to_string()))?;
        self.events.count(outcome.fate.name());
        Ok(())
    }

    /// What cannot be switched is built one by one.
    fn alone(
        &self,
        ladder: &Ladder,
        baseline: &Baseline,
        env: &[(String, String)],
        summary: &mut Summary,
    ) -> Result<(), TestError> {
        summary.unviable = ladder.rungs.iter().filter(|rung| matches!(rung, Rung::Dead(_))).count();
        let left: Vec<u32> = (0u32..)
            .zip(&ladder.rungs)
            .filter(|(mutant, rung)| matches!(rung, Rung::Alone(_)) && !self.known[*mutant as usize])
            .map(|(mutant, _)| mutant)
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        if self.engine == EngineChoice::Switch {
            summary.left_out = left.len();
            return Ok(());
        }
        self.events.enter(Phase::TestingAlone);
        summary.built_alone = left.len();
        let files = &self.inserter.target.files;
        let tasks: Vec<ClassicTask> = left
            .iter()
            .map(|&mutant| {
                let site = self.sites[mutant as usize];
                let (path, original) = (self.paths[site.file].clone(), &files[site.file].text[..]);
                let edits = vec![ladder.text_edit(mutant)];
                ClassicTask { mutant, files: vec![ChangedFile { path, original, edits }] }
            })
            .collect();
        let classic = Classic {
            project: self.project,
            baseline,
            failing: self.broken(baseline),
            thorough: self.is_thorough(),
            full: self.full,
            jobs: self.jobs,
            env,
            check: self.inserter.def.file.switch.check.as_deref(),
        };
        classic.run(&tasks, &|mutant, outcome| self.done(mutant, outcome))?;
        Ok(())
    }
}

/// Builds and tests the unchanged project.
pub fn original_baseline(
    project: &Project,
    workspace: &Workspace,
    env: &[(String, String)],
    events: &Events,
) -> Result<Baseline, TestError> {
    events.enter(Phase::BuildingOriginal);
    let tree = workspace.path();
    let built = project.build(tree, env)?;
    if !built.fine {
        let said = built.last_lines();
        return Err(TestError::Baseline(format!("the unchanged project does not build:\n{said}")));
    }
    events.enter(Phase::TestingOriginal);
    let mut runner = project.runner(tree, tree, &built.said, env, 1, None)?;
    if runner.tests().is_empty() {
        return Err(TestError::Baseline("there are no tests; see [tests] in wildcaught.toml".into()));
    }
    let mut baseline = Baseline::run(&mut *runner, project.config, &events.progress)?;
    baseline.expected = runner.expected();
    for row in baseline.tests.iter().filter(|row| row.flaky) {
        events.warn(format!("{} passes and fails by turns; its word does not count", row.name));
    }
    if baseline.skipped() > 0 {
        events.warn(format!("{} tests are skipped, with and without mutants", baseline.skipped()));
    }
    Ok(baseline)
}

fn stopped(error: RunError) -> ScreenError {
    match error {
        RunError::Stopped => ScreenError::Stopped,
        error => ScreenError::Io(std::io::Error::other(error.to_string())),
    }
}
