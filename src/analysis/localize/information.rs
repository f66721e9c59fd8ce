//! LIL: what is lost when a distribution of suspicion is believed instead of the truth.

/// What stands for no suspicion at all, so that no logarithm is of 0.
const EPSILON: f64 = 1e-16;

/// Locality information loss: scores are put between 0 and 1, 0 becomes ε = 10⁻¹⁶, and both they and the truth
/// (1/m on each of m faults, ε elsewhere) become distributions P and L. The loss is `Σ L·ln(L/P)`: 0 for a
/// method that suspects the faults alone. `faults` are places in `scores`; none without scores or faults.
pub fn locality_information_loss(scores: &[f64], faults: &[usize]) -> Option<f64> {
    if scores.is_empty() || faults.is_empty() {
        return None;
    }
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = most - least;
    let between = |score: f64| if width > 0.0 { (score - least) / width } else { 0.0 };
    let found = distribution(scores.iter().map(|score| between(*score)));
    let mut truth = vec![0.0; scores.len()];
    faults.iter().for_each(|fault| truth[*fault] = 1.0 / faults.len() as f64);
    let truth = distribution(truth.into_iter());
    Some(truth.iter().zip(&found).map(|(truth, found)| truth * (truth / found).ln()).sum())
}

fn distribution(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.map(|value| if value == 0.0 { EPSILON } else { value }).collect();
    let sum: f64 = values.iter().sum();
    values.into_iter().map(|value| value / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(scores: &[f64], faults: &[usize], wanted: f64) {
        let found = locality_information_loss(scores, faults).unwrap();
        assert!((found - wanted).abs() < 1e-9, "{found}, not {wanted}");
    }

    #[test]
    fn the_loss_is_what_is_computed_by_hand() {
        // 3, 1, −1 become 1, ½, 0, and then 2/3, 1/3, 0.
        close(&[3.0, 1.0, -1.0], &[0], 1.5_f64.ln());
        close(&[3.0, 1.0, -1.0], &[1], 3.0_f64.ln());
        close(&[3.0, 1.0, -1.0], &[0, 1], 0.5 * 0.75_f64.ln() + 0.5 * 1.5_f64.ln());
    }

    #[test]
    fn the_truth_loses_nothing_and_silence_loses_the_most() {
        close(&[0.0, 1.0, 0.0], &[1], 0.0);
        // Everything is equally likely.
        close(&[0.5; 8], &[3], 8.0_f64.ln());
        // The fault is the one statement that is not suspected at all.
        close(&[0.0, 1.0], &[0], 1e16_f64.ln());
        assert_eq!(locality_information_loss(&[1.0], &[]), None);
    }
}
