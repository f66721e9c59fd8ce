//! Logistic regression with sparse features: deterministic, and small enough to be read.
//!
//! In: rows of features with a yes or no each. Out: a weight per feature. Weights are found one after the other
//! (coordinate descent), again and again; a penalty on their size keeps rare features quiet, one on their number
//! leaves most at zero.

/// A row: features by number with their values, and the answer.
#[derive(Clone, Debug)]
pub struct Row {
    pub features: Vec<(u32, f32)>,
    pub yes: bool,
}

/// How a model is fitted.
#[derive(Clone, Copy, Debug)]
pub struct Penalty {
    /// On the square of each weight.
    pub size: f64,
    /// On each weight that is not zero.
    pub number: f64,
}

/// Weights.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    pub bias: f64,
    pub of: Vec<f64>,
}

/// Passes over all weights.
const PASSES: usize = 60;
/// A pass that moves no weight by more ends the work.
const ENOUGH: f64 = 1e-3;
/// The furthest that a weight moves at once.
const STEP: f64 = 2.0;

impl Weights {
    /// The chance of a yes.
    pub fn chance(&self, row: &Row) -> f64 {
        let sum: f64 =
            row.features.iter().map(|(feature, value)| self.of[*feature as usize] * f64::from(*value)).sum();
        sigmoid(self.bias + sum)
    }
}

fn sigmoid(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// Fits weights for `count` features; those that `used` refuses stay at zero.
pub fn fit(rows: &[&Row], count: usize, penalty: Penalty, used: impl Fn(usize) -> bool) -> Weights {
    let mut columns: Vec<Vec<(u32, f32)>> = vec![Vec::new(); count];
    for (number, row) in rows.iter().enumerate() {
        for (feature, value) in &row.features {
            if used(*feature as usize) {
                columns[*feature as usize].push((number as u32, *value));
            }
        }
    }
    let everywhere: Vec<(u32, f32)> = (0..rows.len() as u32).map(|row| (row, 1.0)).collect();
    let mut weights = Weights { bias: 0.0, of: vec![0.0; count] };
    let mut sums = vec![0.0f64; rows.len()];
    for _ in 0..PASSES {
        let free = Penalty { size: 0.0, number: 0.0 };
        let mut moved = step(&mut weights.bias, &everywhere, rows, &mut sums, free);
        for (weight, column) in weights.of.iter_mut().zip(&columns) {
            if !column.is_empty() {
                moved = moved.max(step(weight, column, rows, &mut sums, penalty));
            }
        }
        if moved < ENOUGH {
            break;
        }
    }
    weights
}

/// Moves one weight to where the error is least, as far as slope and curvature tell; gives how far.
fn step(weight: &mut f64, column: &[(u32, f32)], rows: &[&Row], sums: &mut [f64], penalty: Penalty) -> f64 {
    let (mut slope, mut curve) = (penalty.size * *weight, penalty.size + 1e-6);
    for (row, value) in column {
        let value = f64::from(*value);
        let chance = sigmoid(sums[*row as usize]);
        slope += value * (chance - f64::from(u8::from(rows[*row as usize].yes)));
        curve += value * value * (chance * (1.0 - chance)).max(1e-4);
    }
    // The penalty on the number pulls towards zero, and holds there.
    let wanted = *weight - slope / curve;
    let pull = penalty.number / curve;
    let wanted = wanted.signum() * (wanted.abs() - pull).max(0.0);
    let moved = (wanted - *weight).clamp(-STEP, STEP);
    if moved != 0.0 {
        *weight += moved;
        for (row, value) in column {
            sums[*row as usize] += moved * f64::from(*value);
        }
    }
    moved.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A feature that decides, one that says nothing, one that is rare.
    fn planted() -> Vec<Row> {
        (0..400u32)
            .map(|number| {
                let decides = number.is_multiple_of(3);
                let mut features = vec![];
                if decides {
                    features.push((0, 1.0));
                }
                if number.is_multiple_of(2) {
                    features.push((1, 1.0));
                }
                if number == 7 {
                    features.push((2, 1.0));
                }
                Row { features, yes: decides != number.is_multiple_of(10) }
            })
            .collect()
    }

    #[test]
    fn the_feature_that_decides_is_found() {
        let rows = planted();
        let rows: Vec<&Row> = rows.iter().collect();
        let weights = fit(&rows, 3, Penalty { size: 0.5, number: 1.0 }, |_| true);
        assert!(weights.of[0] > 2.0, "{weights:?}");
        assert!(weights.of[1].abs() < 0.5 && weights.of[2] == 0.0, "{weights:?}");
        let right = rows.iter().filter(|row| (weights.chance(row) > 0.5) == row.yes).count();
        assert_eq!(right, 360);
    }

    #[test]
    fn the_same_rows_give_the_same_weights() {
        let rows = planted();
        let rows: Vec<&Row> = rows.iter().collect();
        let fitted = || fit(&rows, 3, Penalty { size: 1.0, number: 0.0 }, |_| true).of;
        assert_eq!(fitted(), fitted());
    }

    #[test]
    fn what_is_not_used_stays_at_zero() {
        let rows = planted();
        let rows: Vec<&Row> = rows.iter().collect();
        assert_eq!(fit(&rows, 3, Penalty { size: 1.0, number: 0.0 }, |feature| feature != 0).of[0], 0.0);
    }
}
