//! The tests of one tree: what they say of the program with and without its fault, and of mutants.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::control::Events;
use crate::engine::Baseline;
use crate::engine::Campaign;
use crate::engine::EngineChoice;
use crate::engine::Goal;
use crate::engine::Project;
use crate::engine::TestError;
use crate::engine::Until;
use crate::engine::Workbench;
use crate::exec::Containment;
use crate::exec::SandboxPolicy;
use crate::files::TemporaryDirectory;
use crate::harness::Config;
use crate::harness::Names;
use crate::harness::Style;
use crate::harness::detect;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::langdef::LangDef;
use crate::matrix::Fate;
use crate::matrix::Store;
use crate::matrix::mutant_rows;
use crate::runner::RunError;

use super::trees::Tree;

/// Up to this many mutants are built one by one where they cannot be switched.
const MOST_ALONE: usize = 12;

/// What all suites of a run share.
pub(super) struct Surroundings<'a> {
    pub def: &'a LangDef,
    /// How projects are tested, if the user says so.
    pub config: Option<&'a Config>,
    pub sandbox: &'a SandboxPolicy,
    pub outer: &'a BTreeMap<String, String>,
    /// What can be built once is kept there.
    pub cache: &'a Path,
    pub jobs: usize,
}

/// A tree and how it is tested.
pub(super) struct Suite<'a> {
    around: &'a Surroundings<'a>,
    tree: &'a Tree,
    pub config: Config,
    /// What shows how it is tested.
    pub how: String,
    containment: Containment,
}

impl<'a> Suite<'a> {
    /// Finds out how a tree is tested; none if nothing shows it.
    pub fn new(around: &'a Surroundings<'a>, tree: &'a Tree) -> Result<Option<Self>, TestError> {
        let found = match around.config {
            Some(config) => Some((config.clone(), "the given settings".to_owned())),
            None => detected(tree.root(), around.def),
        };
        let Some((mut config, how)) = found else { return Ok(None) };
        // Settings for all revisions may name directories that this one has not.
        if let Style::Junit(junit) = &mut config.tests.style {
            for directories in [&mut junit.main, &mut junit.test, &mut junit.resources] {
                directories.retain(|directory| tree.root().join(directory).is_dir());
            }
        }
        // A kill is tried again without the mutant, which finds flaky tests; documentation is seldom changed by a fix,
        // and slow to test.
        (config.limits.repeat, config.tests.doc) = (1, false);
        let containment = Containment::set_up(around.sandbox)
            .map_err(|error| TestError::Run(RunError::Broken(error.to_string())))?;
        Ok(Some(Self { around, tree, config, how, containment }))
    }

    fn project<'p>(&'p self, events: &'p Events) -> Project<'p> {
        Project {
            root: self.tree.root(),
            config: &self.config,
            cache: self.around.cache.to_owned(),
            out: None,
            outer: self.around.outer.clone(),
            strays: OnceLock::new(),
            usual_build: OnceLock::new(),
            containment: self.containment.clone(),
            progress: &events.progress,
        }
    }

    /// Builds and tests the tree, with or without its fault.
    pub fn baseline(&self, fault: bool, events: &Events) -> Result<Baseline, TestError> {
        let put =
            |fault| self.tree.put_fault(fault).map_err(RunError::io(self.tree.file.display().to_string()));
        put(fault)?;
        let project = self.project(events);
        let tested = Workbench::set_up(&project, self.around.def, 1, events).and_then(|bench| match fault {
            true => bench.baseline_with_fault(),
            false => bench.baseline(),
        });
        put(false)?;
        tested
    }

    /// Ignores tests that fail without any mutant; how many.
    pub fn ignore(&mut self, baseline: &Baseline) -> usize {
        let failing: Vec<String> =
            baseline.failing(&self.config).iter().map(|row| row.name.clone()).collect();
        let count = failing.len();
        let known = self.config.tests.known_failing.patterns().iter().cloned();
        self.config.tests.known_failing = Names::from(known.chain(failing).collect::<Vec<_>>());
        count
    }

    /// What becomes of mutants, in their order.
    pub fn fates(
        &self,
        inserter: &Inserter,
        mutants: &[&Mutant],
        baseline: &Baseline,
        events: &Events,
    ) -> Result<Vec<Fate>, TestError> {
        if mutants.is_empty() {
            return Ok(vec![]);
        }
        let home = TemporaryDirectory::new("store").map_err(RunError::io("a temporary directory"))?;
        let store = Store::create(&home.path().join("matrix"))?;
        let paths: Vec<PathBuf> = inserter.target.files.iter().map(|file| file.path.clone()).collect();
        store.put_mutants(&mutant_rows(inserter, mutants, &paths))?;
        events.progress.expect(mutants.len() as u64);
        let project = self.project(events);
        let few = mutants.len() <= MOST_ALONE;
        let campaign = Campaign {
            project: &project,
            inserter,
            mutants: mutants.to_vec(),
            paths: &paths,
            known: vec![false; mutants.len()],
            stale: None,
            engine: if few || !inserter.def.file.switch.is_given() {
                EngineChoice::Auto
            } else {
                EngineChoice::Switch
            },
            goal: Goal::Score,
            until: Until::FirstKill,
            jobs: self.around.jobs,
            store: &store,
            events,
            compare: false,
            keep: false,
            baseline: Some(baseline),
            plan: None,
            numbers: None,
            canary: None,
        };
        campaign.run()?;
        let mut outcomes = store.outcomes()?;
        outcomes.resize(mutants.len(), None);
        Ok(outcomes.into_iter().map(|outcome| outcome.map_or(Fate::Untested, |known| known.fate)).collect())
    }
}

/// The first way to test a tree that is for the language.
fn detected(root: &Path, def: &LangDef) -> Option<(Config, String)> {
    let found = detect(root).into_iter().find(|found| found.language == def.name())?;
    Some((found.config, found.why))
}

/// The names of tests that pass, and always do.
pub(super) fn passing(baseline: &Baseline) -> BTreeSet<&str> {
    baseline.trusted().into_iter().map(|test| baseline.tests[test as usize].name.as_str()).collect()
}
