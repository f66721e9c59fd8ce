//! Spectrum-based formulas: one row each.
//!
//! In: how many failing and passing tests execute a statement and how many do not. Out: a finite score.
//! Convention: 0/0 is 0, so that what no test executes is not suspicious.

use serde::Serialize;

/// Tests that execute a statement (`e`) or do not (`n`), and fail (`f`) or pass (`p`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SpectrumCounts {
    pub ef: f64,
    pub ep: f64,
    pub nf: f64,
    pub np: f64,
}

/// A formula, by the name it is known by.
#[derive(Debug)]
pub struct Formula {
    pub name: &'static str,
    pub says: &'static str,
    pub score: fn(SpectrumCounts) -> f64,
}

/// The formulas there are.
pub static FORMULAS: [Formula; 8] = [
    Formula {
        name: "jaccard",
        says: "ef / (ef + nf + ep)",
        score: |SpectrumCounts { ef, ep, nf, .. }| share(ef, ef + nf + ep),
    },
    Formula {
        name: "ochiai",
        says: "ef / √((ef + nf)(ef + ep))",
        score: |SpectrumCounts { ef, ep, nf, .. }| share(ef, ((ef + nf) * (ef + ep)).sqrt()),
    },
    Formula {
        name: "ochiai2",
        says: "ef·np / √((ef + ep)(np + nf)(ef + nf)(ep + np))",
        score: |SpectrumCounts { ef, ep, nf, np }| {
            share(ef * np, ((ef + ep) * (np + nf) * (ef + nf) * (ep + np)).sqrt())
        },
    },
    Formula {
        name: "op2",
        says: "ef − ep / (ep + np + 1)",
        score: |SpectrumCounts { ef, ep, np, .. }| ef - ep / (ep + np + 1.0),
    },
    Formula {
        name: "tarantula",
        says: "(ef / F) / (ef / F + ep / P), F and P being all failing and passing tests",
        score: |SpectrumCounts { ef, ep, nf, np }| {
            let (failing, passing) = (share(ef, ef + nf), share(ep, ep + np));
            share(failing, failing + passing)
        },
    },
    Formula {
        name: "dstar",
        says: "ef² / (ep + nf); if the divisor is 0, it is 2·ef², more than any other value",
        // The largest that a denominator of 1 or more can give is F², with all F failing tests; only a
        // statement that all of them and no passing test execute has the denominator 0.
        score: |SpectrumCounts { ef, ep, nf, .. }| ef * ef / (ep + nf).max(0.5),
    },
    Formula {
        name: "kulczynski2",
        says: "½ (ef / (ef + nf) + ef / (ef + ep))",
        score: |SpectrumCounts { ef, ep, nf, .. }| 0.5 * (share(ef, ef + nf) + share(ef, ef + ep)),
    },
    Formula {
        name: "sbi",
        says: "ef / (ef + ep)",
        score: |SpectrumCounts { ef, ep, .. }| share(ef, ef + ep),
    },
];

/// A quotient, and 0 for 0/0.
fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(name: &str, ef: f64, ep: f64, nf: f64, np: f64) -> f64 {
        let formula = FORMULAS.iter().find(|formula| formula.name == name).unwrap();
        (formula.score)(SpectrumCounts { ef, ep, nf, np })
    }

    #[test]
    fn formulas_give_what_they_say() {
        // Two of three failing tests and one of five passing ones execute the statement.
        let close = |name, wanted: f64| {
            let found = score(name, 2.0, 1.0, 1.0, 4.0);
            assert!((found - wanted).abs() < 1e-12, "{name}: {found}, not {wanted}");
        };
        close("jaccard", 2.0 / 4.0);
        close("ochiai", 2.0 / 3.0);
        close("ochiai2", 8.0 / (3.0_f64 * 5.0 * 3.0 * 5.0).sqrt());
        close("op2", 2.0 - 1.0 / 6.0);
        close("tarantula", (2.0 / 3.0) / (2.0 / 3.0 + 1.0 / 5.0));
        close("dstar", 4.0 / 2.0);
        close("kulczynski2", 2.0 / 3.0);
        close("sbi", 2.0 / 3.0);
    }

    #[test]
    fn every_score_is_a_number_whatever_the_counts() {
        for formula in &FORMULAS {
            for bits in 0..16u8 {
                let count = |bit: u8| f64::from(bits >> bit & 1);
                let counts = SpectrumCounts { ef: count(0), ep: count(1), nf: count(2), np: count(3) };
                let score = (formula.score)(counts);
                assert!(score.is_finite(), "{} of {counts:?} is {score}", formula.name);
                assert!(
                    counts.ef > 0.0 || score <= 0.0,
                    "{} suspects what no failing test executes",
                    formula.name
                );
            }
        }
    }

    #[test]
    fn a_statement_that_only_failing_tests_execute_is_first_for_dstar() {
        let only = score("dstar", 3.0, 0.0, 0.0, 9.0);
        assert!(only > score("dstar", 3.0, 1.0, 0.0, 8.0));
        assert!(only > score("dstar", 2.0, 0.0, 1.0, 9.0));
    }

    #[test]
    fn with_one_failing_test_ochiai_is_what_diwi_uses() {
        for ep in 0..50 {
            let found = score("ochiai", 1.0, f64::from(ep), 0.0, 50.0 - f64::from(ep));
            assert!((found - 1.0 / (1.0 + f64::from(ep)).sqrt()).abs() < 1e-15);
        }
    }
}
