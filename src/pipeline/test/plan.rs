//! One plan for all machines that share a run: made once, read by each.
//!
//! In: a project and its mutants. Out: a file with the mutants, what the tests say of the unchanged project, which of
//! them reach which mutant, and what needs no test. From the file: the mutants of one part.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use crate::control::Events;
use crate::control::Shard;
use crate::engine::CampaignSummary;
use crate::engine::Plan;
use crate::engine::Step;
use crate::engine::with_switches;
use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::mutant_ids;
use crate::matrix::Memory;
use crate::matrix::MutantRow;
use crate::matrix::Outcome;
use crate::matrix::Part;
use crate::matrix::RunDirError;
use crate::matrix::Store;
use crate::matrix::StoreError;
use crate::matrix::mutant_rows;

use super::super::error::PipelineError;
use super::request::TestRequest;

/// Where a store keeps what else a plan says.
const PLAN: &str = "plan";

/// Up to this many mutants, every part builds the same program with all of them: what is undefined in a language is then
/// the same in all parts. Beyond, a part builds only its own, and each takes less time and memory.
const BUILT_TOGETHER: usize = 20_000;

/// One part of a plan.
#[derive(Clone, Debug)]
pub struct TestPlan {
    /// A number for what is in the file.
    pub id: String,
    /// A number for the project, and the project file by file.
    pub fingerprint: String,
    pub memory: Memory,
    pub shard: Shard,
    /// How many mutants all parts have.
    pub mutants: usize,
    /// The mutants of this part, and their numbers among all.
    pub rows: Vec<MutantRow>,
    pub numbers: Vec<u32>,
    /// The ids of the mutants that are built into one program, and per mutant, its place in this part.
    woven: Vec<String>,
    pub own: Vec<Option<u32>>,
    /// What was decided about those.
    pub plan: Plan,
}

/// What a plan came to.
#[derive(Clone, Debug)]
pub struct PlanResult {
    pub mutants: usize,
    /// Mutants whose fate is known without any test.
    pub settled: usize,
    /// Mutants that are built one by one.
    pub alone: usize,
    /// Mutants that no test reaches.
    pub unreached: usize,
    pub summary: CampaignSummary,
}

#[derive(Deserialize, Serialize)]
struct PlanNotes {
    id: String,
    version: String,
    fingerprint: String,
    /// What was typed: the same target and the same operators.
    arguments: Vec<String>,
    /// The project, file by file.
    memory: Memory,
}

impl PlanNotes {
    fn read(store: &Store) -> Result<Self, PipelineError> {
        let path = || store.path().to_owned();
        let text = store.meta(PLAN)?.ok_or_else(|| PipelineError::NoPlan { path: path() })?;
        let notes: Self = serde_json::from_str(&text)
            .map_err(|_| StoreError::Damaged { path: path(), what: "the notes on the plan".to_owned() })?;
        if notes.version != env!("CARGO_PKG_VERSION") {
            return Err(PipelineError::PlanVersion { path: path(), version: notes.version });
        }
        Ok(notes)
    }
}

impl TestPlan {
    /// The arguments with which a plan was made.
    pub fn arguments(file: &Path) -> Result<Vec<String>, PipelineError> {
        Ok(PlanNotes::read(&open(file)?)?.arguments)
    }

    /// Reads one part of a plan.
    pub fn read(file: &Path, shard: Shard) -> Result<Self, PipelineError> {
        let store = open(file)?;
        let PlanNotes { id, fingerprint, memory, .. } = PlanNotes::read(&store)?;
        let rows = store.mutants()?;
        let mutants = rows.len();
        let together = mutants <= BUILT_TOGETHER;
        let (mut own, mut woven, mut steps, mut numbers) = (vec![], vec![], vec![], vec![]);
        let mut kept = Vec::new();
        for (number, row) in (0u32..).zip(rows) {
            let is_own = shard.owns(&row.id);
            if is_own || together {
                own.push(is_own.then_some(numbers.len() as u32));
                woven.push(row.id.clone());
                steps.push(number);
            }
            if is_own {
                numbers.push(number);
                kept.push(row);
            }
        }
        let plan = Plan::read(&store, &steps)?;
        Ok(Self { id, fingerprint, memory, shard, mutants, rows: kept, numbers, woven, own, plan })
    }

    /// The mutants that are built into one program, found again in the target. The plan knows them by their ids.
    pub fn mutants<'m>(
        &self,
        inserter: &Inserter,
        all: &'m [FileMutants],
    ) -> Result<Vec<&'m Mutant>, PipelineError> {
        let known = mutant_ids(inserter, all);
        let find =
            |id: &String| known.get(id).copied().ok_or_else(|| PipelineError::NotInPlan { id: id.clone() });
        self.woven.iter().map(find).collect()
    }

    /// What results of it say that they are.
    pub fn part(&self) -> Part {
        Part::new(&self.id, self.shard, self.mutants, self.numbers.clone())
    }

    /// Outcomes that are known already, by their place in this part.
    pub fn settled(&self) -> impl Iterator<Item = (u32, &Outcome)> {
        self.own.iter().zip(&self.plan.steps).filter_map(|(own, step)| match step {
            Step::Settled(outcome) => Some(((*own)?, outcome)),
            _ => None,
        })
    }
}

fn open(file: &Path) -> Result<Store, PipelineError> {
    if !file.exists() {
        return Err(PipelineError::NoPlan { path: file.to_owned() });
    }
    Ok(Store::open(file)?)
}

impl TestRequest<'_> {
    /// Makes a plan and writes it into a file, whole or not at all.
    pub fn plan(
        &self,
        file: &Path,
        arguments: &[String],
        events: &Events,
    ) -> Result<PlanResult, PipelineError> {
        let wrong = |source| RunDirError::Io { path: file.to_owned(), source };
        let home = file.parent().filter(|home| !home.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(home).map_err(wrong)?;
        let fingerprint = self.fingerprint();
        let new = Unfinished(file.with_extension(format!("{}.new.wc", std::process::id())));
        let result = self.write_plan(&new.0, fingerprint, arguments, events)?;
        fs::rename(&new.0, file).map_err(wrong)?;
        Ok(result)
    }

    fn write_plan(
        &self,
        file: &Path,
        fingerprint: String,
        arguments: &[String],
        events: &Events,
    ) -> Result<PlanResult, PipelineError> {
        let store = Store::create(file)?;
        let rows = mutant_rows(self.inserter, &self.mutants, self.paths);
        store.put_mutants(&rows)?;
        let known = vec![false; rows.len()];
        let summary = self.campaign(&store, &known, None, events).plan()?;
        store.put_mutants(&with_switches(rows, &summary))?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let id = id(&store, &fingerprint)?;
        let (arguments, memory) = (arguments.to_vec(), self.memory());
        let notes = PlanNotes { id, version, fingerprint, arguments, memory };
        store.set_meta(PLAN, &serde_json::to_string(&notes).expect("strings and numbers are JSON"))?;
        let result = counted(&store, summary)?;
        drop(store);
        Store::seal(file)?;
        Ok(result)
    }
}

/// A file that is removed unless it is renamed, with what SQLite may have left beside it.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        for ending in ["", "-wal", "-shm", "-journal"] {
            let _ = fs::remove_file(format!("{}{ending}", self.0.display()));
        }
    }
}

/// A number for everything in a plan that a part may depend on.
fn id(store: &Store, fingerprint: &str) -> Result<String, StoreError> {
    let mut hash = Xxh3::new();
    let mut part = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(fingerprint.as_bytes());
    for test in store.tests()? {
        part(test.name.as_bytes());
    }
    for (row, outcome) in store.mutants()?.iter().zip(store.outcomes()?) {
        part(row.id.as_bytes());
        if let Some(outcome) = outcome {
            part(outcome.fate.name().as_bytes());
            part(outcome.log.as_bytes());
            outcome.covered.iter().for_each(|test| part(&test.to_le_bytes()));
        }
    }
    Ok(format!("{:016x}", hash.digest()))
}

/// What a plan says, counted.
fn counted(store: &Store, summary: CampaignSummary) -> Result<PlanResult, PipelineError> {
    let mutants = store.mutants()?.len();
    let steps = Plan::read(store, &(0..mutants as u32).collect::<Vec<_>>())?.steps;
    let count = |is: &dyn Fn(&Step) -> bool| steps.iter().filter(|step| is(step)).count();
    Ok(PlanResult {
        mutants,
        settled: count(&|step| matches!(step, Step::Settled(_))),
        alone: count(&|step| matches!(step, Step::Alone(_))),
        unreached: count(&|step| matches!(step, Step::Switched { covered, .. } if covered.is_empty())),
        summary,
    })
}
