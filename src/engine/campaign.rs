//! A whole campaign: baseline, meta-program, reach, switched mutants, and mutants that must be built one by one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use roaring::RoaringBitmap;

use crate::control::Events;
use crate::control::Phase;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::matrix::Store;
use crate::matrix::Switch;
use crate::matrix::TestRow;
use crate::runner::OriginalLines;
use crate::runner::RunError;
use crate::workspace::Runtime;
use crate::workspace::Workspace;

use super::baseline::Baseline;
use super::canary::Canary;
use super::classic::Classic;
use super::driver::BuildError;
use super::driver::Driver;
use super::driver::Finished;
use super::error::TestError;
use super::line_map::LineMap;
use super::order::TestOrder;
use super::plan::Plan;
use super::policy::Policy;
use super::project::Project;
use super::project::complaints;
use super::scenario::ChangedFile;
use super::scenario::Engine;
use super::scenario::Until;
use super::scenario::Variant;
use super::screen::Ladder;
use super::screen::Rung;
use super::screen::Screen;
use super::switched::Switched;
use super::together::Survivor;
use super::waves::Engines;
use super::waves::Judged;
use super::waves::Task;
use super::workbench::Workbench;

/// How mutants are activated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// Switched where that works, built one by one elsewhere.
    Auto,
    /// Only what can be switched.
    Switch,
    /// All built one by one.
    Classic,
}

/// What a campaign is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Which mutants tests notice. All tests must pass without one.
    #[default]
    Score,
    /// Which mutants change what failing tests say; `thorough` runs the passing tests even where none does.
    Localize { thorough: bool },
}

/// The mutant, the tests that reach it, and all tests.
pub type StaleCheck<'a> = dyn Fn(u32, &RoaringBitmap, &[TestRow]) -> bool + Sync + 'a;

/// Inputs of a campaign.
pub struct Campaign<'a> {
    pub project: &'a Project<'a>,
    pub inserter: &'a Inserter<'a>,
    pub mutants: Vec<&'a Mutant>,
    /// Per file of the target, its path inside of the project.
    pub paths: &'a [PathBuf],
    /// Per mutant, whether its fate is known already.
    pub known: Vec<bool>,
    /// Per mutant, its number in the store, where that has only some of them; those have no fate here.
    pub numbers: Option<&'a [Option<u32>]>,
    /// Says of a known mutant whether it must be run after all, now that it is known which tests reach it.
    pub stale: Option<&'a StaleCheck<'a>>,
    pub engine: EngineChoice,
    pub goal: Goal,
    pub until: Until,
    pub jobs: usize,
    pub store: &'a Store,
    pub events: &'a Events,
    /// Compare compiled code first, and do not run what changes nothing.
    pub compare: bool,
    /// Keep the copy with the meta-program in it.
    pub keep: bool,
    /// What the unchanged project does, if that is known.
    pub baseline: Option<&'a Baseline>,
    /// What was decided before: then nothing is surveyed. Its baseline counts.
    pub plan: Option<&'a Plan>,
    /// Proves that tests execute the sources, where no mutant shows it; none if that does not matter.
    pub canary: Option<Canary<'a>>,
}

/// What a campaign did; the fates are in the store.
#[derive(Clone, Debug, Default)]
pub struct CampaignSummary {
    pub tests: usize,
    /// Builds until the meta-program built.
    pub rounds: usize,
    pub switched: usize,
    pub built_alone: usize,
    /// Why mutants are built one by one, and how many for each reason, most first.
    pub alone_because: Vec<(String, usize)>,
    pub unviable: usize,
    /// Mutants that were left out since they cannot be switched.
    pub left_out: usize,
    /// Per mutant, where it is in the meta-program.
    pub switches: Vec<Option<Switch>>,
    /// Whether it is known that tests execute the sources.
    pub executed: bool,
    /// What was done, and how long it took.
    pub times: Vec<(Phase, Duration)>,
}

/// A meta-program that builds.
pub(super) struct Meta {
    pub(super) switches: Vec<Option<Switch>>,
    finished: Finished,
    lines: Arc<LineMap>,
}

/// A meta-program that does what the original does, ready for mutants.
pub(super) struct Started<'m> {
    pub(super) engines: Engines<'m>,
    _copies: Vec<Workspace>,
}

impl<'a> Campaign<'a> {
    /// Runs the campaign.
    pub fn run(&self) -> Result<CampaignSummary, TestError> {
        let bench = Workbench::set_up(self.project, self.inserter.def, self.mutants.len(), self.events)?;
        let mut baseline = self.baseline(&bench)?;
        let mut summary = CampaignSummary { tests: baseline.tests.len(), ..CampaignSummary::default() };
        let mut ladder = Ladder::new(self.inserter, self.mutants.clone());
        if let Some(plan) = self.plan {
            plan.place(&mut ladder);
        }
        match bench.runtime.as_ref().filter(|_| self.engine != EngineChoice::Classic) {
            Some(runtime) => self.switch(&bench, runtime, &mut ladder, &mut baseline, &mut summary)?,
            None => {
                self.warn_of_cost(&baseline);
                set_all_alone(&mut ladder, "classic engine");
            }
        }
        self.build_alone(&ladder, &mut baseline, &bench, &mut summary)?;
        if self.keep {
            self.events.warn(format!("kept the copy in {}", bench.keep().display()));
        }
        summary.times = self.events.times();
        Ok(summary)
    }

    /// Says what it costs that a language has no switch.
    pub(super) fn warn_of_cost(&self, baseline: &Baseline) {
        if self.engine == EngineChoice::Classic {
            return;
        }
        let seconds = baseline.tests.iter().map(|test| test.millis).sum::<f64>() / 1e3;
        let title = &self.inserter.def.file.title;
        self.events.warn(format!(
            "{title} mutants cannot be built into one program, so each takes its own copy, build and up to all \
             tests ({seconds:.1} s); to save time, lower --max or raise --jobs"
        ));
    }

    /// Builds and tests the unchanged project. Where mutants are to be noticed, its tests must pass.
    pub(super) fn baseline(&self, bench: &Workbench) -> Result<Baseline, TestError> {
        let known = self.plan.map(|plan| &plan.baseline).or(self.baseline);
        let baseline = match known {
            Some(known) => known.clone(),
            None => bench.baseline()?,
        };
        if let Some(complaint) = baseline.complaint(self.project.config).filter(|_| self.goal == Goal::Score)
        {
            let hint = self.project.containment.hint();
            return Err(TestError::Baseline(complaint + &hint));
        }
        self.store.put_tests(&baseline.tests)?;
        Ok(baseline)
    }

    /// Builds the meta-program and runs what is in it.
    fn switch(
        &self,
        bench: &Workbench,
        runtime: &Runtime,
        ladder: &mut Ladder<'a>,
        baseline: &mut Baseline,
        summary: &mut CampaignSummary,
    ) -> Result<(), TestError> {
        let Some(meta) = self.screened(bench, runtime, ladder, summary)? else { return Ok(()) };
        match self.start(bench, &meta, baseline)? {
            Some(started) => self.run_switched(&started.engines, &meta, baseline, summary),
            None => {
                set_strange(ladder, &meta);
                Ok(())
            }
        }
    }

    /// The meta-program with the mutants that are worth running; none if there are none. What becomes of the others
    /// is noted, unless a plan decided it.
    pub(super) fn screened(
        &self,
        bench: &Workbench,
        runtime: &Runtime,
        ladder: &mut Ladder<'a>,
        summary: &mut CampaignSummary,
    ) -> Result<Option<Meta>, TestError> {
        let mut meta = self.meta(bench, runtime, ladder)?;
        if let (Some(meta), None) = (&mut meta, self.plan) {
            for mutant in self.refuse_warned(bench, runtime, ladder)? {
                meta.switches[mutant as usize] = None;
            }
        }
        self.note_dead(ladder)?;
        let Some(mut meta) = meta else { return Ok(None) };
        summary.rounds = meta.finished.rounds;
        if self.plan.is_none() {
            for mutant in self.settled(bench, runtime, ladder)? {
                meta.switches[mutant as usize] = None;
            }
        }
        Ok(Some(meta))
    }

    /// Weaves and builds the meta-program; none if nothing is in it.
    fn meta(
        &self,
        bench: &Workbench,
        runtime: &Runtime,
        ladder: &mut Ladder<'a>,
    ) -> Result<Option<Meta>, TestError> {
        if ladder.rungs.iter().all(|rung| rung.piece().is_none()) {
            return Ok(None);
        }
        let (inserter, paths, phase) = (self.inserter, self.paths, Phase::BuildingMutants);
        let complaints = complaints(inserter.def)?;
        let mut screen = Screen::new(inserter, ladder, &complaints);
        let built = Driver { bench, runtime, inserter, paths, phase }.build(&mut screen);
        let switches = screen.switches();
        match built {
            Ok(finished) => {
                let lines = Arc::new(screen.line_map(&finished.lined));
                Ok(Some(Meta { switches, finished, lines }))
            }
            Err(BuildError::Run(error)) => Err(error.into()),
            Err(BuildError::Hopeless(said)) => {
                self.events.warn(format!(
                    "the program with all mutants does not build, and the errors point to no mutant: {said}\n\
                     All mutants are built one by one, which is slower."
                ));
                set_all_alone(ladder, "the program with all mutants does not build");
                Ok(None)
            }
        }
    }

    /// Notes the mutants that do not compile.
    fn note_dead(&self, ladder: &Ladder) -> Result<(), TestError> {
        for (mutant, rung) in (0u32..).zip(&ladder.rungs) {
            if let (Rung::Dead(message), false) = (rung, self.known[mutant as usize]) {
                let mut outcome = Outcome::new(Fate::Unviable);
                outcome.log.clone_from(message);
                self.done(mutant, &outcome)?;
            }
        }
        Ok(())
    }

    /// Starts runners of the meta-program; none if it does not do what the original does.
    pub(super) fn start<'m>(
        &'m self,
        bench: &Workbench,
        meta: &'m Meta,
        baseline: &mut Baseline,
    ) -> Result<Option<Started<'m>>, TestError> {
        self.events.enter(Phase::TestingSwitchedOff);
        let mut made = bench.runners(self.jobs, &meta.finished.said, baseline, |_| vec![])?;
        let told = meta.lines.clone();
        let lines: OriginalLines = Arc::new(move |text| told.restore(text));
        made.runners.iter_mut().for_each(|runner| runner.restore_lines(&lines));
        let when = "when all mutants are built in but switched off";
        if let Err(why) = bench.compare_unchanged(&mut *made.runners[0], baseline, when)? {
            self.events.warn(format!("{why}; all mutants are built one by one, which is slower"));
            return Ok(None);
        }
        if self.plan.is_some() {
            // The unchanged program itself was tested elsewhere.
            self.project.containment.settle();
        }
        self.store.put_tests(&baseline.tests)?;
        let (switches, progress) = (&meta.switches[..], &self.events.progress);
        let lines = Some(&*meta.lines);
        let engine = |runner| Box::new(Switched { runner, switches, lines, progress }) as Box<dyn Engine>;
        let engines = Engines::new(made.runners.into_iter().map(engine).collect(), progress);
        Ok(Some(Started { engines, _copies: made.copies }))
    }

    /// Per mutant, the tests that reach it. Tests that fail on the way are ignored from then on.
    pub(super) fn reach(
        &self,
        engines: &Engines,
        meta: &Meta,
        policy: &Policy,
        baseline: &Baseline,
        summary: &mut CampaignSummary,
    ) -> Result<Vec<RoaringBitmap>, TestError> {
        if let Some(plan) = self.plan {
            summary.executed = true;
            return Ok(plan.covered());
        }
        self.events.enter(Phase::FindingReach);
        let tests: Vec<u32> = policy.trusted.iter().collect();
        let reached = engines.reach(&tests, &baseline.limits)?;
        policy.distrust(&(&reached.failing - &policy.failing));
        let covered = covered(&meta.switches, &reached.units);
        summary.executed = covered.iter().any(|tests| !tests.is_empty());
        match self.complaint(baseline, summary)? {
            Some(complaint) => Err(TestError::Baseline(complaint)),
            None => Ok(covered),
        }
    }

    /// Runs what is in the meta-program.
    fn run_switched(
        &self,
        engines: &Engines,
        meta: &Meta,
        baseline: &mut Baseline,
        summary: &mut CampaignSummary,
    ) -> Result<(), TestError> {
        let switches = &meta.switches[..];
        let policy = self.policy(baseline);
        let covered = self.reach(engines, meta, &policy, baseline, summary)?;
        let numbers: Vec<u32> = (0..self.mutants.len() as u32).collect();
        let wanted = |mutant: &&u32| {
            let at = **mutant as usize;
            switches[at].is_some() && !self.is_known(**mutant, &covered[at], baseline)
        };
        let tasks: Vec<Task> = numbers
            .iter()
            .filter(wanted)
            .map(|mutant| Task {
                number: *mutant,
                variant: Variant::Mutants(std::slice::from_ref(mutant)),
                covered: covered[*mutant as usize].clone(),
            })
            .collect();
        summary.switched = tasks.len();
        summary.switches.clone_from(&meta.switches);
        self.events.enter(Phase::TestingMutants);
        let outcomes = self.judge(engines, &policy, baseline, &tasks, &|_| "")?;
        if self.goal == Goal::Score {
            self.run_together(engines, &policy, switches, &tasks, outcomes)?;
        }
        let distrusted = policy.distrusted();
        drop(policy);
        self.withdraw(&distrusted, baseline)
    }

    /// Builds what cannot be switched one by one.
    fn build_alone(
        &self,
        ladder: &Ladder,
        baseline: &mut Baseline,
        bench: &Workbench,
        summary: &mut CampaignSummary,
    ) -> Result<(), TestError> {
        summary.unviable = ladder.rungs.iter().filter(|rung| matches!(rung, Rung::Dead(_))).count();
        let trusted: RoaringBitmap = baseline.trusted().into_iter().collect();
        let alone: Vec<u32> = (0u32..)
            .zip(&ladder.rungs)
            .filter(|(mutant, rung)| {
                matches!(rung, Rung::Alone(_)) && !self.is_known(*mutant, &trusted, baseline)
            })
            .map(|(mutant, _)| mutant)
            .collect();
        if self.engine == EngineChoice::Switch || alone.is_empty() {
            summary.left_out = alone.len();
            return Ok(());
        }
        let complaint = self.complaint(baseline, summary)?;
        self.events.enter(Phase::TestingAlone);
        summary.built_alone = alone.len();
        let because = |mutant: u32| match ladder.rungs.get(mutant as usize) {
            Some(Rung::Alone(why)) if self.engine != EngineChoice::Classic => &**why,
            _ => "",
        };
        summary.alone_because = counted_reasons(alone.iter().map(|mutant| because(*mutant)));
        let files = &self.inserter.target.files;
        let edits = |mutant: u32| {
            let file = self.mutants[mutant as usize].file;
            let edits = vec![ladder.text_edit(mutant)];
            ChangedFile { path: self.paths[file].clone(), original: &files[file].text, edits }
        };
        let check = self.inserter.def.file.switch.check.as_deref();
        let env = &bench.runtime.as_ref().map_or(vec![], Runtime::plain_env);
        let silent = &bench.runtime_env;
        let complaints = &complaints(self.inserter.def)?;
        let classic =
            Classic { project: self.project, baseline, env, silent, complaints, check, edits: &edits };
        let engines = classic.engines(self.jobs.clamp(1, alone.len()));
        let policy = self.policy(baseline);
        let tasks: Vec<Task> = alone
            .iter()
            .map(|mutant| Task {
                number: *mutant,
                variant: Variant::Mutants(std::slice::from_ref(mutant)),
                covered: policy.trusted.clone(),
            })
            .collect();
        self.judge(&engines, &policy, baseline, &tasks, &because)?;
        let distrusted = policy.distrusted();
        drop((policy, engines));
        self.withdraw(&distrusted, baseline)?;
        // A program that is started without our variables is still noticed when it is built with a mutant.
        let noticed = |fate: Fate| self.events.counted(fate.name()) > 0;
        match complaint.filter(|_| !noticed(Fate::Killed) && !noticed(Fate::TimeOut)) {
            Some(complaint) => Err(TestError::Baseline(complaint)),
            None => Ok(()),
        }
    }

    /// Whether the fate of a mutant is known and still holds, now that these tests reach it.
    fn is_known(&self, mutant: u32, covered: &RoaringBitmap, baseline: &Baseline) -> bool {
        let stale = |check: &StaleCheck| check(mutant, covered, &baseline.tests);
        self.known[mutant as usize] && !self.stale.is_some_and(stale)
    }

    /// Asks survivors again with all tests in one process, where tests share one.
    fn run_together(
        &self,
        engines: &Engines,
        policy: &Policy,
        switches: &[Option<Switch>],
        tasks: &[Task],
        outcomes: Vec<Outcome>,
    ) -> Result<(), TestError> {
        let survived = tasks.iter().zip(outcomes).filter(|(_, outcome)| outcome.fate == Fate::Survived);
        let survivors: Vec<Survivor> = survived
            .filter_map(|(task, outcome)| {
                let unit = switches[task.number as usize]?.unit;
                Some(Survivor { mutant: task.number, unit, outcome })
            })
            .collect();
        for (mutant, outcome) in engines.run_together(policy, &survivors)? {
            self.done_again(mutant, &outcome, Fate::Survived)?;
        }
        Ok(())
    }

    /// Notes tests that turned out to be unreliable.
    pub(super) fn withdraw(
        &self,
        distrusted: &RoaringBitmap,
        baseline: &mut Baseline,
    ) -> Result<(), TestError> {
        if !distrusted.is_empty() {
            baseline.withdraw(distrusted, self.events);
            self.store.put_tests(&baseline.tests)?;
        }
        Ok(())
    }

    /// Which tests run on mutants, by the goal of the campaign.
    pub(super) fn policy<'p>(&self, baseline: &'p Baseline) -> Policy<'p> {
        let failing: RoaringBitmap = match self.goal {
            Goal::Score => RoaringBitmap::new(),
            Goal::Localize { .. } => baseline.broken().into_iter().collect(),
        };
        let trusted = baseline.trusted().into_iter().chain(&failing).collect();
        let mut policy = Policy::new(&baseline.limits, trusted, self.until);
        policy.thorough = self.goal == Goal::Localize { thorough: true };
        policy.failing = failing;
        policy
    }

    /// Judges mutants, keeps their outcomes, and warns of what could not be found out. `alone` says why a mutant was
    /// built one by one; nothing if it was not.
    fn judge<'x>(
        &self,
        engines: &Engines,
        policy: &Policy,
        baseline: &Baseline,
        tasks: &[Task],
        alone: &(dyn Fn(u32) -> &'x str + Sync),
    ) -> Result<Vec<Outcome>, TestError> {
        let order = match self.plan {
            Some(plan) => TestOrder::fixed(&plan.baseline.tests),
            None => TestOrder::new(&baseline.tests),
        };
        let outcomes = engines.judge(policy, order, tasks, &|judged: &Judged| {
            let outcome = &with_reason(judged.outcome, alone(judged.number));
            let noted = match judged.before {
                None => self.done(judged.number, outcome),
                Some(before) => self.done_again(judged.number, outcome, before),
            };
            noted.map_err(|error| RunError::Broken(error.to_string()))
        })?;
        self.warn_of_doubts(policy, baseline);
        Ok(outcomes)
    }

    /// Keeps the outcome of a mutant.
    pub(super) fn done(&self, mutant: u32, outcome: &Outcome) -> Result<(), TestError> {
        self.record(mutant, outcome)?;
        self.events.count(outcome.fate.name());
        Ok(())
    }

    /// Keeps the outcome of a mutant in place of another.
    fn done_again(&self, mutant: u32, outcome: &Outcome, before: Fate) -> Result<(), TestError> {
        self.record(mutant, outcome)?;
        self.events.recount(before.name(), outcome.fate.name());
        Ok(())
    }

    fn record(&self, mutant: u32, outcome: &Outcome) -> Result<(), TestError> {
        let number = self.numbers.map_or(Some(mutant), |numbers| numbers[mutant as usize]);
        Ok(number.map_or(Ok(()), |number| self.store.record(number, outcome))?)
    }
}

/// An outcome that says why its mutant was built one by one.
fn with_reason(outcome: &Outcome, why: &str) -> Outcome {
    let mut outcome = outcome.clone();
    if !why.is_empty() {
        let gap = if outcome.log.is_empty() || outcome.log.ends_with('\n') { "" } else { "\n" };
        outcome.log.push_str(&format!("{gap}built alone: {why}"));
    }
    outcome
}

/// Reasons with how often each is given, most first.
fn counted_reasons<'w>(all: impl Iterator<Item = &'w str>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    all.filter(|why| !why.is_empty()).for_each(|why| *counts.entry(why).or_default() += 1);
    let mut counts: Vec<_> = counts.into_iter().map(|(why, count)| (why.to_owned(), count)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Takes all mutants out of a meta-program that does something else than the original.
pub(super) fn set_strange(ladder: &mut Ladder, meta: &Meta) {
    for (mutant, _) in (0u32..).zip(&meta.switches).filter(|(_, switch)| switch.is_some()) {
        ladder.set_alone(mutant, "the program with all mutants does not behave like the original");
    }
}

pub(super) fn set_all_alone(ladder: &mut Ladder, why: &'static str) {
    for mutant in 0..ladder.mutants.len() as u32 {
        ladder.set_alone(mutant, why);
    }
}

/// Per mutant, the tests that reach it.
fn covered(switches: &[Option<Switch>], reached: &[(u32, RoaringBitmap)]) -> Vec<RoaringBitmap> {
    let most = switches.iter().flatten().map(|switch| switch.unit + 1).max().unwrap_or(0);
    let mut by_unit = vec![RoaringBitmap::new(); most as usize];
    for (test, units) in reached {
        for unit in units.iter().filter(|unit| *unit < most) {
            by_unit[unit as usize].insert(*test);
        }
    }
    let of = |switch: &Option<Switch>| {
        switch.map_or_else(RoaringBitmap::new, |switch| by_unit[switch.unit as usize].clone())
    };
    switches.iter().map(of).collect()
}
