//! The Wilcoxon signed-rank test: whether one method is better than another over the same faults.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use super::normal::upper_tail;

/// Up to this many differences without ties, the distribution is counted out.
const EXACT: usize = 50;

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wilcoxon {
    /// Pairs that differ.
    pub n: usize,
    /// Sum of the ranks of pairs whose first value is larger.
    pub plus: f64,
    /// Sum of the ranks of pairs whose first value is smaller.
    pub minus: f64,
    /// How likely a difference at least so large is if there is none, in either direction.
    pub p: f64,
    /// Whether p was counted out or comes from the normal approximation.
    pub exact: bool,
}

/// Tests pairs of values. Pairs that do not differ are left out, as Wilcoxon did. With up to 50 others whose
/// differences are all of different size, p is exact; otherwise it is that of the normal approximation with
/// the correction for ties and without that for continuity. None if no pair differs.
pub fn wilcoxon(pairs: &[(f64, f64)]) -> Option<Wilcoxon> {
    let mut differences: Vec<f64> = pairs.iter().map(|(a, b)| a - b).filter(|d| *d != 0.0).collect();
    differences.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = differences.len();
    let (mut plus, mut minus, mut ties) = (0.0, 0.0, 0.0);
    let mut start = 0;
    while start < n {
        let tied = differences[start..].iter().take_while(|d| d.abs() == differences[start].abs()).count();
        let rank = start as f64 + (tied + 1) as f64 / 2.0;
        for difference in &differences[start..start + tied] {
            *(if *difference > 0.0 { &mut plus } else { &mut minus }) += rank;
        }
        ties += (tied as f64).powi(3) - tied as f64;
        start += tied;
    }
    let exact = n <= EXACT && ties == 0.0;
    let p = if exact { exact_p(n, plus.min(minus)) } else { approximate_p(n, plus.min(minus), ties) };
    (n > 0).then_some(Wilcoxon { n, plus, minus, p, exact })
}

/// How many of the 2ⁿ sets of ranks 1 to n have a sum of at most `least`, twice, as a share.
fn exact_p(n: usize, least: f64) -> f64 {
    let most = n * (n + 1) / 2;
    let mut shares = vec![0.0; most + 1];
    shares[0] = 1.0;
    for rank in 1..=n {
        for sum in (0..=most).rev() {
            let with = if sum >= rank { shares[sum - rank] } else { 0.0 };
            shares[sum] = (shares[sum] + with) / 2.0;
        }
    }
    (2.0 * shares[..=(least as usize).min(most)].iter().sum::<f64>()).min(1.0)
}

fn approximate_p(n: usize, least: f64, ties: f64) -> f64 {
    let n = n as f64;
    let mean = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    (2.0 * upper_tail((mean - least) / variance.sqrt())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn against_zero(differences: impl IntoIterator<Item = i32>) -> Wilcoxon {
        let pairs: Vec<(f64, f64)> = differences.into_iter().map(|d| (f64::from(d), 0.0)).collect();
        wilcoxon(&pairs).unwrap()
    }

    /// What scipy.stats.wilcoxon says, 1.17.1, with zero_method="wilcox" and correction=False.
    fn agrees(found: Wilcoxon, statistic: f64, p: f64, exact: bool) {
        assert_eq!((found.plus.min(found.minus), found.exact), (statistic, exact));
        assert!((found.p / p - 1.0).abs() < 1e-12, "{found:?}, not {p}");
    }

    #[test]
    fn few_differences_without_ties_are_counted_out() {
        agrees(against_zero([1, 2, 3, 4, 5]), 0.0, 0.0625, true);
        let differences = [6, -8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75];
        agrees(against_zero(differences), 26.0, 0.05535888671875, true);
        let fifty = (1..=50).map(|size| if size % 2 == 0 { size } else { -size });
        agrees(against_zero(fifty), 625.0, 0.9085978224870299, true);
    }

    #[test]
    fn ties_and_zeros_are_corrected_for() {
        let one = [125, 115, 130, 140, 140, 115, 140, 125, 140, 135];
        let other = [110, 122, 125, 120, 140, 124, 123, 137, 135, 145];
        let pairs: Vec<(f64, f64)> =
            one.into_iter().zip(other).map(|(a, b)| (f64::from(a), f64::from(b))).collect();
        let found = wilcoxon(&pairs).unwrap();
        assert_eq!(found.n, 9);
        agrees(found, 18.0, 0.5936305914425295, false);
        let sixty = (1..=60).map(|size| if size % 3 == 0 { size } else { -size });
        agrees(against_zero(sixty), 630.0, 0.03590012321587811, false);
    }

    #[test]
    fn nothing_differs_and_nothing_is_said() {
        assert_eq!(wilcoxon(&[(1.0, 1.0)]), None);
        assert_eq!(wilcoxon(&[]), None);
    }
}
