//! What is known of the coupling of some repositories.

use std::collections::BTreeMap;

use super::fault::NoFault;
use super::loss::Loss;
use super::request::by_frequency;

/// Whether mutants of one set recreate a fault.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The operator by which some mutant is the fault.
    pub operator: Option<String>,
    /// Mutants of the changed lines and some around them, of the function, of the file.
    pub near: usize,
    pub function: usize,
    pub file: usize,
    /// Its place among the mutants near the fix and among those of the function, the likeliest first, from 1.
    pub rank_near: Option<usize>,
    pub rank_function: Option<usize>,
    /// Why no mutant is the fault.
    pub loss: Option<Loss>,
}

impl Attempt {
    /// Whether some mutant is the fault.
    pub fn recreates(&self) -> bool {
        self.operator.is_some()
    }
}

/// A fix, and whether mutants of each set recreate its fault.
#[derive(Clone, Debug)]
pub struct FixResult {
    pub repository: String,
    pub commit: String,
    pub path: String,
    /// The first changed line of the fixed file.
    pub line: usize,
    /// The commit changed a test file, too.
    pub with_test: bool,
    /// The fix only added lines.
    pub only_adds: bool,
    /// It changes more than attributes, imports, modifiers and tests.
    pub behaviour: bool,
    /// Tokens of the file.
    pub tokens: usize,
    pub attempts: Vec<Attempt>,
}

/// The result of a request.
#[derive(Debug, Default)]
pub struct Coupling {
    /// The names of the sets.
    pub columns: Vec<String>,
    pub fixes: Vec<FixResult>,
    /// Commits that mention a fix but do not count.
    pub left_out: BTreeMap<NoFault, usize>,
    pub warnings: Vec<String>,
    pub stopped: bool,
}

/// The result of one set.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// Faults that some mutant is.
    pub recreated: usize,
    /// Those of fixes that change behaviour.
    pub behaviour: usize,
    /// Of those, faults that no set before this one recreates.
    pub alone: usize,
    /// Faults among the first ten mutants near the fix, the likeliest first.
    pub ranked_ten: usize,
    /// Faults expected among ten mutants drawn at random from those near the fix.
    pub first_ten: f64,
    /// Faults among the first mutants of the function: mutants tried, faults found by likelihood, and expected at
    /// random.
    pub curve: Vec<CurvePoint>,
    /// Mutants per 1,000 tokens of the fixed files.
    pub per_thousand: f64,
    /// Why the others are not recreated, most frequent first.
    pub losses: Vec<(String, usize)>,
}

/// How many faults are found with so many mutants of each function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    pub tried: usize,
    pub ranked: usize,
    pub random: f64,
}

/// The numbers of mutants at which the curve is read.
const TRIED: [usize; 9] = [1, 3, 5, 10, 20, 50, 100, 200, 500];

impl Coupling {
    /// An empty result.
    pub fn new(columns: impl Iterator<Item = String>) -> Self {
        Self { columns: columns.collect(), ..Self::default() }
    }

    /// Fixes that change more than attributes, imports, modifiers and tests.
    pub fn behaviour(&self) -> usize {
        self.fixes.iter().filter(|fix| fix.behaviour).count()
    }

    /// What a set reaches, by its place among the columns.
    pub fn share(&self, column: usize) -> Share {
        let attempts = || self.fixes.iter().map(|fix| &fix.attempts[column]);
        let (mutants, tokens) = self.fixes.iter().fold((0, 0), |(mutants, tokens), fix| {
            (mutants + fix.attempts[column].file, tokens + fix.tokens)
        });
        let alone = |fix: &&FixResult| {
            fix.attempts[column].recreates() && !fix.attempts[..column].iter().any(Attempt::recreates)
        };
        let hits = attempts().filter(|attempt| attempt.recreates());
        Share {
            recreated: attempts().filter(|attempt| attempt.recreates()).count(),
            behaviour: self
                .fixes
                .iter()
                .filter(|fix| fix.behaviour && fix.attempts[column].recreates())
                .count(),
            alone: self.fixes.iter().filter(alone).count(),
            ranked_ten: attempts().filter(|attempt| attempt.rank_near.is_some_and(|rank| rank <= 10)).count(),
            curve: TRIED.map(|tried| self.curve_point(column, tried)).to_vec(),
            first_ten: hits.map(|attempt| (10.0 / attempt.near.max(1) as f64).min(1.0)).sum(),
            per_thousand: mutants as f64 * 1000.0 / (tokens.max(1) as f64),
            losses: by_frequency(attempts().filter_map(|attempt| attempt.loss.as_ref().map(Loss::name))),
        }
    }

    fn curve_point(&self, column: usize, tried: usize) -> CurvePoint {
        let ranks =
            || self.fixes.iter().map(|fix| &fix.attempts[column]).filter(|attempt| attempt.recreates());
        CurvePoint {
            tried,
            ranked: ranks().filter(|attempt| attempt.rank_function.is_some_and(|rank| rank <= tried)).count(),
            random: ranks().map(|attempt| (tried as f64 / attempt.function.max(1) as f64).min(1.0)).sum(),
        }
    }
}
