//! Why a place is suspected: what its mutants did to the tests.

use roaring::RoaringBitmap;

use super::Ranked;
use super::Subject;

/// What a mutant did.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The mutant's number in the matrix.
    pub mutant: usize,
    /// Failing tests that pass under it.
    pub repaired: RoaringBitmap,
    /// Passing tests that fail under it.
    pub broken: RoaringBitmap,
}

/// What the mutants of a place did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaceEvidence {
    /// Those that made a failing test pass: most tests first, then those that broke fewest.
    pub repairs: Vec<Effect>,
    /// Those that only broke passing tests: most tests first.
    pub breaks: Vec<Effect>,
    /// Mutants that changed nothing.
    pub silent: usize,
    /// Mutants that were not run.
    pub unrun: usize,
    /// The failing and the passing tests that execute the place.
    pub failing: RoaringBitmap,
    pub passing: RoaringBitmap,
}

/// What there is to say about a place.
pub fn evidence(subject: &Subject, place: &Ranked) -> PlaceEvidence {
    let mut found = PlaceEvidence::default();
    for statement in place.statements.iter().map(|number| &subject.spectrum.statements[*number]) {
        found.failing |= &statement.covered & &subject.failing;
        found.passing |= &statement.covered & &subject.passing;
        for &mutant in &statement.mutants {
            if subject.matrix.outcome(mutant).is_none() {
                found.unrun += 1;
                continue;
            }
            let changes = &subject.changes[mutant];
            let effect =
                Effect { mutant, repaired: changes.repaired.clone(), broken: changes.broken.clone() };
            match (effect.repaired.is_empty(), effect.broken.is_empty()) {
                (false, _) => found.repairs.push(effect),
                (true, false) => found.breaks.push(effect),
                (true, true) => found.silent += 1,
            }
        }
    }
    let most = |set: &RoaringBitmap| std::cmp::Reverse(set.len());
    found.repairs.sort_by_key(|effect| (most(&effect.repaired), effect.broken.len(), effect.mutant));
    found.breaks.sort_by_key(|effect| (most(&effect.broken), effect.mutant));
    found
}
