//! Builds what was found from the sources, as if somebody had written it there, and runs it.
//!
//! In: combinations of operators. Out: the tests that fail with each, without anything that was woven.

use std::path::PathBuf;
use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::insert::Target;
use crate::matrix::Fate;

use super::program::PointProgram;
use crate::engine::ChangedFile;
use crate::engine::Classic;
use crate::engine::ClassicTask;
use crate::engine::Project;
use crate::engine::TestError;

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
    let task = |(mutant, combination): (u32, &Vec<u32>)| {
        let files = program.edits(combination).into_iter().map(file).collect();
        ClassicTask { mutant, files }
    };
    let tasks: Vec<ClassicTask> = (0..).zip(combinations).map(task).collect();
    let classic = Classic {
        project,
        baseline: &program.baseline,
        failing: RoaringBitmap::new(),
        thorough: false,
        full: true,
        jobs,
        env: &program.env,
        check: None,
    };
    let found = Mutex::new(vec![None; combinations.len()]);
    classic.run(&tasks, &|number, outcome| {
        let failing = outcome.kills();
        let killers = (0..).zip(&program.tests).filter(|(_, test)| failing.contains(**test));
        let killers: RoaringBitmap = killers.map(|(test, _): (u32, _)| test).collect();
        let built = outcome.fate != Fate::Unviable;
        found.lock().expect("no worker panics with the lock")[number as usize] = built.then_some(killers);
        Ok(())
    })?;
    Ok(found.into_inner().expect("no worker panics with the lock"))
}
