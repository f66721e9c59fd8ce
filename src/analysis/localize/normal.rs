//! The tail of the normal distribution.

use std::f64::consts::PI;

/// How likely a standard normal variable is to be at least `z`, for z ≥ 0. Relative error below 10⁻¹².
pub fn upper_tail(z: f64) -> f64 {
    0.5 * complementary_error(z / std::f64::consts::SQRT_2)
}

/// erfc for x ≥ 0: the series of erf near 0, where it converges fast, and the continued fraction beyond.
fn complementary_error(x: f64) -> f64 {
    if x < 2.0 {
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term.abs() > 1e-17 * sum.abs() {
            n += 1.0;
            term *= -x * x / n;
            sum += term / (2.0 * n + 1.0);
            if n > 200.0 {
                break;
            }
        }
        return 1.0 - 2.0 / PI.sqrt() * sum;
    }
    let fraction = (1..=120).rev().fold(0.0, |inner, k| f64::from(k) / 2.0 / (x + inner));
    (-x * x).exp() / PI.sqrt() / (x + fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_the_tables() {
        // scipy.stats.norm.sf
        for (z, wanted) in [
            (0.0, 0.5),
            (0.5, 0.3085375387259869),
            (1.0, 0.15865525393145707),
            (1.959963984540054, 0.025),
            (2.8, 0.002555130330427932),
            (3.0, 0.0013498980316300957),
            (6.0, 9.865876450376946e-10),
            (10.0, 7.61985302416047e-24),
        ] {
            let found = upper_tail(z);
            assert!((found / wanted - 1.0).abs() < 1e-12, "{z}: {found}, not {wanted}");
        }
    }
}
