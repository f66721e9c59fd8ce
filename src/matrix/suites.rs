//! How good random suites are: Am(S) of the wild-caught paper.
//!
//! In: a full kill matrix. Out: for each of many random suites S the share of mutants it detects, of those
//! that all tests together detect. The same seed gives the same suites on every machine.

use fixedbitset::FixedBitSet;
use serde::Serialize;

use crate::exec::Verdict;
use crate::insert::Sampler;

use super::KillMatrix;
use super::Outcome;

/// Which suites to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// How many suites.
    pub suites: usize,
    /// Tests in each, all different; all there are, if there are fewer.
    pub tests: usize,
    /// Seed of the Mersenne Twister.
    pub seed: u32,
}

/// The distribution of the values; quartiles by linear interpolation between neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SuiteSpread {
    pub mean: f64,
    pub min: f64,
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
    pub max: f64,
}

/// Why suites cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuitesError {
    /// A test that was not run might have killed the mutant.
    #[error("--suites: mutant `{mutant}` was not run with {missing} tests that reach it; use --matrix full")]
    NotFull { mutant: String, missing: u64 },
    /// Every share would be 0 of 0.
    #[error("--suites: no passing test kills a mutant; add mutants or tests")]
    NothingDetected,
    /// The mean of nothing.
    #[error("--suites: draw at least one suite of at least one test")]
    NoSuites,
}

/// Draws suites and gives Am(S) of each, in the order drawn. Tests that fail on the unchanged program or
/// sometimes fail are in no suite, not even in the complete one.
pub fn draw_suites(matrix: &KillMatrix, draw: &Draw) -> Result<Vec<f64>, SuitesError> {
    expect_full(matrix)?;
    let columns = columns(matrix);
    let all = union(matrix.mutants.len(), &columns, 0..columns.len());
    if all == 0 {
        return Err(SuitesError::NothingDetected);
    }
    let mut sampler = Sampler::new(draw.seed);
    let mut share = |_| {
        let suite = sampler.choose(draw.tests, columns.len());
        union(matrix.mutants.len(), &columns, suite) as f64 / all as f64
    };
    Ok((0..draw.suites).map(&mut share).collect())
}

/// Draws suites and returns the distribution of their Am(S).
pub fn suite_spread(matrix: &KillMatrix, draw: &Draw) -> Result<SuiteSpread, SuitesError> {
    SuiteSpread::of(draw_suites(matrix, draw)?).ok_or(SuitesError::NoSuites)
}

impl SuiteSpread {
    /// Sums up values; none if there are none.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let at = |share: f64| {
            let place = share * (values.len() - 1) as f64;
            let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        Some(Self { mean, min, lower: at(0.25), median: at(0.5), upper: at(0.75), max })
    }
}

/// Every mutant that was run was run with every test that reaches it.
fn expect_full(matrix: &KillMatrix) -> Result<(), SuitesError> {
    let missing = |known: &Outcome| {
        let counts = known.fate.is_detected() || known.fate.is_missed();
        if counts { (&known.covered - &known.ran).len() } else { 0 }
    };
    let gap = matrix.mutants.iter().zip(&matrix.outcomes).find_map(|(row, known)| {
        let missing = known.as_ref().map_or(0, missing);
        (missing > 0).then(|| SuitesError::NotFull { mutant: row.id.clone(), missing })
    });
    gap.map_or(Ok(()), Err)
}

/// For each test that can be relied on, the mutants that it kills.
fn columns(matrix: &KillMatrix) -> Vec<FixedBitSet> {
    let mut columns = vec![FixedBitSet::with_capacity(matrix.mutants.len()); matrix.tests.len()];
    for mutant in 0..matrix.mutants.len() {
        for test in &matrix.kills(mutant) {
            if let Some(column) = columns.get_mut(test as usize) {
                column.insert(mutant);
            }
        }
    }
    let reliable = |at: usize| matrix.tests[at].verdict == Verdict::Pass && !matrix.tests[at].flaky;
    columns.into_iter().enumerate().filter(|(at, _)| reliable(*at)).map(|(_, column)| column).collect()
}

/// How many mutants these tests kill together.
fn union(mutants: usize, columns: &[FixedBitSet], suite: impl IntoIterator<Item = usize>) -> usize {
    let mut killed = FixedBitSet::with_capacity(mutants);
    suite.into_iter().for_each(|test| killed.union_with(&columns[test]));
    killed.count_ones(..)
}

#[cfg(test)]
mod tests {
    use super::super::from_csv;
    use super::*;

    const TABLE: &str = "mutant,file,line,fate,a,b,c\n\
        1,f,1,killed,F,P,P\n2,f,1,killed,F,P,P\n3,f,1,killed,P,C,P\n4,f,1,survived,P,P,P\n";

    fn draw(tests: usize) -> Draw {
        Draw { suites: 300, tests, seed: 1 }
    }

    #[test]
    fn suites_of_one_detect_what_their_test_does() {
        let matrix = from_csv(TABLE, "t").unwrap();
        let spread = suite_spread(&matrix, &draw(1)).unwrap();
        assert_eq!((spread.min, spread.median, spread.max), (0.0, 1.0 / 3.0, 2.0 / 3.0));
        assert!((spread.mean - 1.0 / 3.0).abs() < 0.05, "{spread:?}");
        assert_eq!(suite_spread(&matrix, &draw(1)).unwrap(), spread);
    }

    #[test]
    fn the_complete_suite_detects_everything() {
        let matrix = from_csv(TABLE, "t").unwrap();
        assert_eq!(suite_spread(&matrix, &draw(9)).unwrap().min, 1.0);
    }

    #[test]
    fn a_matrix_with_gaps_is_refused() {
        let mut matrix = from_csv(TABLE, "t").unwrap();
        matrix.outcomes[1].as_mut().unwrap().ran.remove(2);
        let refusal = suite_spread(&matrix, &draw(1)).unwrap_err();
        assert_eq!(refusal, SuitesError::NotFull { mutant: "2".into(), missing: 1 });
    }

    #[test]
    fn quartiles_lie_between_neighbours() {
        let spread = SuiteSpread::of(vec![4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((spread.lower, spread.median, spread.upper), (1.75, 2.5, 3.25));
        assert_eq!(SuiteSpread::of(Vec::new()), None);
    }
}
