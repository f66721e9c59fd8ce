//! How suspicious a part is: one row per formula.

/// How runs are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum WitnessFormula {
    /// What measures best.
    #[default]
    Combined,
    /// Of DiWi: the mean of 1/√(1 + ep) over the executed lines.
    Diwi,
    /// What the failing program executes and the nearest witness does not.
    Nearest,
    /// What few of the developers' tests execute.
    Tests,
    /// What few of the developers' tests and of the variations that pass execute.
    Spectrum,
}

/// The formulas by name.
pub static FORMULAS: [(&str, WitnessFormula); 5] = [
    ("combined", WitnessFormula::Combined),
    ("diwi", WitnessFormula::Diwi),
    ("nearest", WitnessFormula::Nearest),
    ("tests", WitnessFormula::Tests),
    ("spectrum", WitnessFormula::Spectrum),
];

impl WitnessFormula {
    /// The name of a formula.
    pub fn name(self) -> &'static str {
        FORMULAS.iter().find(|(_, formula)| *formula == self).map_or("", |(name, _)| name)
    }
}
