//! Builds what was found from the sources, as if somebody had written it there, and runs it.
//!
//! In: combinations of operators. Out: the tests that fail with each, without anything that was woven.

use std::path::PathBuf;
use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::insert::Target;
use crate::matrix::Fate;

use super::program::PointProgram;
use crate::engine::Change;
use crate::engine::ChangedFile;
use crate::engine::Classic;
use crate::engine::Policy;
use crate::engine::Project;
use crate::engine::Task;
use crate::engine::TestError;
use crate::engine::TestOrder;
use crate::engine::Until;

/// Builds and tests combinations one by one: for each, the tests that fail; none if it does not build.
pub fn build_alone(
    project: &Project,
    target: &Target,
    paths: &[PathBuf],
    program: &PointProgram,
    combinations: &[Vec<u32>],
    jobs: usize,
) -> Result<Vec<Option<RoaringBitmap>>, TestError> {
    let file = |(source, edits): (usize, Vec<_>)| ChangedFile {
        path: paths[source].clone(),
        original: &target.files[source].text,
        edits,
    };
    let changes: Vec<Vec<ChangedFile>> = combinations
        .iter()
        .map(|combination| program.edits(combination).into_iter().map(file).collect())
        .collect();
    let baseline = &program.baseline;
    let trusted: RoaringBitmap = baseline.trusted().into_iter().collect();
    let tasks: Vec<Task> = (0..)
        .zip(&changes)
        .map(|(number, files)| Task { number, change: Change::Edits(files), covered: trusted.clone() })
        .collect();
    let edits = |_: u32| unreachable!("only edits are asked for");
    let classic = Classic { project, baseline, env: &program.env, check: None, edits: &edits };
    let engines = classic.engines(jobs);
    let policy = Policy::new(&baseline.limits, trusted.clone(), Until::All, engines.count());
    let found = Mutex::new(vec![None; combinations.len()]);
    engines.judge(&policy, TestOrder::new(&baseline.tests), &tasks, &|number, outcome| {
        let failing = outcome.kills();
        let killers = (0..).zip(&program.tests).filter(|(_, test)| failing.contains(**test));
        let killers: RoaringBitmap = killers.map(|(test, _): (u32, _)| test).collect();
        let built = outcome.fate != Fate::Unviable;
        found.lock().expect("no worker panics with the lock")[number as usize] = built.then_some(killers);
        Ok(())
    })?;
    Ok(found.into_inner().expect("no worker panics with the lock"))
}
