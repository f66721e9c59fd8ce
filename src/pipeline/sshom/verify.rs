//! Verification: what was found is built from the sources, as if somebody had written it there, and tested.
//!
//! In: what was found. Out: combinations that do something else without anything that was woven.

use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::engine::ChangedFile;
use crate::engine::Classic;
use crate::engine::Judged;
use crate::engine::Policy;
use crate::engine::Task;
use crate::engine::TestError;
use crate::engine::TestOrder;
use crate::engine::Until;
use crate::engine::Variant;
use crate::engine::complaints;
use crate::matrix::Fate;

use super::super::subject::Subject;
use super::points::PointProgram;
use super::result::SshomResult;

/// A combination that does something else when it is built from the sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub mutants: Vec<u32>,
    pub disagreement: Disagreement,
}

/// What a combination does that was not found.
#[derive(Clone, Debug, PartialEq)]
pub enum Disagreement {
    DoesNotBuild,
    /// Tests that fail, and tests that pass, though the search says otherwise.
    Tests {
        failing: RoaringBitmap,
        passing: RoaringBitmap,
    },
}

impl Difference {
    /// Compares the tests that fail, none if it does not build, with those that the search found.
    fn between(mutants: Vec<u32>, found: &RoaringBitmap, built: Option<&RoaringBitmap>) -> Option<Self> {
        let disagreement = match built {
            None => Disagreement::DoesNotBuild,
            Some(ran) if ran == found => return None,
            Some(ran) => Disagreement::Tests { failing: ran - found, passing: found - ran },
        };
        Some(Self { mutants, disagreement })
    }

    /// The difference in words.
    pub fn text(&self, program: &PointProgram) -> String {
        let names: Vec<&str> = self.mutants.iter().map(|mutant| program.points.name(*mutant)).collect();
        let what = match &self.disagreement {
            Disagreement::DoesNotBuild => "does not build".to_owned(),
            Disagreement::Tests { failing, passing } => {
                let more =
                    (!failing.is_empty()).then(|| format!("{} also fail", program.some_names(failing)));
                let less = (!passing.is_empty()).then(|| format!("{} pass", program.some_names(passing)));
                more.into_iter().chain(less).collect::<Vec<String>>().join("; ")
            }
        };
        format!("{}: {what}", names.join(" and "))
    }
}

/// Puts those that are listed, and each of their mutants, into the sources, builds and tests them.
pub fn verify(
    result: &SshomResult,
    subject: &Subject,
    program: &PointProgram,
) -> Result<Vec<Difference>, TestError> {
    let listed: Vec<_> = result.listed().collect();
    let mut mutants: Vec<u32> = listed.iter().flat_map(|sshom| sshom.mutants.iter().copied()).collect();
    mutants.sort_unstable();
    mutants.dedup();
    let alone = &result.first_order.first.kills;
    let singles = mutants.iter().map(|mutant| (vec![*mutant], &alone[*mutant as usize]));
    let all: Vec<(Vec<u32>, &RoaringBitmap)> =
        singles.chain(listed.iter().map(|sshom| (sshom.mutants.clone(), &sshom.kills))).collect();
    let combinations: Vec<&[u32]> = all.iter().map(|(mutants, _)| &mutants[..]).collect();
    let built = build_each(subject, program, &combinations)?;
    let differs = |((mutants, found), built): (_, Option<RoaringBitmap>)| {
        Difference::between(mutants, found, built.as_ref())
    };
    Ok(all.into_iter().zip(built).filter_map(differs).collect())
}

/// Builds and tests combinations one by one: for each, the tests that fail; none if it does not build.
fn build_each(
    subject: &Subject,
    program: &PointProgram,
    combinations: &[&[u32]],
) -> Result<Vec<Option<RoaringBitmap>>, TestError> {
    let file = |(source, edits): (usize, Vec<_>)| ChangedFile {
        path: subject.paths[source].clone(),
        original: &subject.inserter.target.files[source].text,
        edits,
    };
    let edited = |combination: &&[u32]| program.edits(combination).into_iter().map(file).collect();
    let changes: Vec<Vec<ChangedFile>> = combinations.iter().map(edited).collect();
    let (baseline, env) = (&program.baseline, &program.env);
    let trusted: RoaringBitmap = baseline.trusted().into_iter().collect();
    let tasks: Vec<Task> = (0..)
        .zip(&changes)
        .map(|(number, files)| Task { number, variant: Variant::Edits(files), covered: trusted.clone() })
        .collect();
    let edits = |_: u32| unreachable!("only edits are asked for");
    let complaints = &complaints(subject.inserter.def)?;
    let classic = Classic {
        project: subject.project,
        baseline,
        env,
        silent: env,
        complaints,
        check: None,
        edits: &edits,
    };
    let engines = classic.engines(program.workers.len());
    let policy = Policy::new(&baseline.limits, trusted.clone(), Until::All);
    let found = Mutex::new(vec![None; combinations.len()]);
    engines.judge(&policy, TestOrder::new(&baseline.tests), &tasks, &|judged: &Judged| {
        let failing = judged.outcome.kills();
        let killers = (0..).zip(&program.tests).filter(|(_, test)| failing.contains(**test));
        let killers: RoaringBitmap = killers.map(|(test, _): (u32, _)| test).collect();
        let built = judged.outcome.fate != Fate::Unviable;
        found.lock().expect("the lock is not poisoned")[judged.number as usize] = built.then_some(killers);
        Ok(())
    })?;
    Ok(found.into_inner().expect("the lock is not poisoned"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_what_fails_and_what_passes_otherwise() {
        let of = |tests: &[u32]| tests.iter().copied().collect::<RoaringBitmap>();
        let between = |found: &[u32], built: Option<&[u32]>| {
            let built = built.map(of);
            Difference::between(vec![7], &of(found), built.as_ref()).map(|difference| difference.disagreement)
        };
        assert_eq!(between(&[1, 2], Some(&[1, 2])), None);
        assert_eq!(between(&[1, 2], None), Some(Disagreement::DoesNotBuild));
        let tests = Disagreement::Tests { failing: of(&[3]), passing: of(&[1]) };
        assert_eq!(between(&[1, 2], Some(&[2, 3])), Some(tests));
    }
}
