//! The methods by name: formulas over the spectrum, and those that ask mutants.

use super::CoverageChanges;
use super::FORMULAS;
use super::Formula;
use super::LocalizeError;
use super::Subject;
use super::best_repair::best_repair;
use super::blend::blend;
use super::coverage_change::coverage_change;
use super::metallaxis::metallaxis;
use super::muse::muse;
use super::muse::museum;
use super::repair::repair;

/// What a method gives the statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// One per statement, higher is more suspicious.
    pub values: Vec<f64>,
    /// Figures that the method went by.
    pub facts: Vec<(&'static str, f64)>,
    /// The failing test that was localized, where it is a single one.
    pub test: Option<u32>,
    /// Statements that a failing test executes: among equals they come first, since no other can be at fault.
    pub executed: Vec<usize>,
}

/// What is asked of a method beside the subject.
#[derive(Clone, Copy, Default)]
pub struct MethodWish<'a> {
    /// The failing test to localize, for methods that localize one; they choose if it is left out.
    pub test: Option<u32>,
    pub coverage: Option<&'a CoverageChanges>,
}

/// How statements are scored.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// By who executes them.
    Spectrum(&'static Formula),
    /// By what their mutants change.
    Mutants(&'static MutantMethod),
}

/// A row of the methods that use mutants.
#[derive(Debug)]
pub struct MutantMethod {
    name: &'static str,
    says: &'static str,
    /// Whether it localizes one failing test and needs to see the others.
    single: bool,
    scores: fn(&Subject, MethodWish) -> Result<Scores, LocalizeError>,
}

static MUTANT_METHODS: [MutantMethod; 7] = [
    MutantMethod {
        name: "blend",
        says: "the mean of muse, best-repair and ochiai, each scaled to 0 to 1; statements with a mutant that \
            repairs all failing tests and breaks none come first",
        single: false,
        scores: |subject, _| blend(subject),
    },
    MutantMethod {
        name: "muse",
        says: "mutants of a faulty statement repair failing tests, those of a correct one break passing tests",
        single: false,
        scores: |subject, _| Ok(muse(subject)),
    },
    MutantMethod {
        name: "museum",
        says: "like muse, designed for few failing tests",
        single: false,
        scores: |subject, _| Ok(museum(subject)),
    },
    MutantMethod {
        name: "best-repair",
        says: "the mutant of a statement that repairs the most failing tests and breaks the fewest passing ones",
        single: false,
        scores: |subject, _| Ok(best_repair(subject)),
    },
    MutantMethod {
        name: "metallaxis",
        says: "mutants near the fault change the results that the fault changed",
        single: false,
        scores: |subject, _| Ok(metallaxis(subject)),
    },
    MutantMethod {
        name: "repair",
        says: "mutants that repair one failing test and little else",
        single: true,
        scores: |subject, wish| Ok(repair(subject, wish.test)),
    },
    MutantMethod {
        name: "coverage",
        says: "statements whose coverage changes when one failing test is repaired",
        single: true,
        scores: |subject, wish| {
            let known = wish.coverage.ok_or(LocalizeError::NoMutantCoverage)?;
            Ok(coverage_change(subject, wish.test, known))
        },
    },
];

impl Method {
    /// Every method, those that ask mutants first.
    pub fn all() -> impl Iterator<Item = Self> {
        MUTANT_METHODS.iter().map(Self::Mutants).chain(FORMULAS.iter().map(Self::Spectrum))
    }

    /// The method of that name.
    pub fn called(name: &str) -> Result<Self, LocalizeError> {
        Self::all().find(|method| method.name() == name).ok_or_else(|| {
            let known = Self::all().map(Self::name).collect::<Vec<_>>().join(", ");
            LocalizeError::NoSuchMethod { name: name.to_owned(), known }
        })
    }

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spectrum(formula) => formula.name,
            Self::Mutants(method) => method.name,
        }
    }

    /// What it goes by, in a line.
    pub fn says(self) -> &'static str {
        match self {
            Self::Spectrum(formula) => formula.says,
            Self::Mutants(method) => method.says,
        }
    }

    /// Whether it localizes a single failing test and needs all others to judge by: then the subject must
    /// have all of them, whichever test is asked for.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Mutants(method) if method.single)
    }

    /// Whether it asks mutants at all.
    pub fn asks_mutants(self) -> bool {
        matches!(self, Self::Mutants(_))
    }

    /// Whether passing tests matter to it even where a mutant repairs nothing.
    pub fn needs_all_tests(self) -> bool {
        self.asks_mutants() && !self.is_single()
    }

    /// Scores the statements.
    pub fn scores(self, subject: &Subject, wish: MethodWish) -> Result<Scores, LocalizeError> {
        let statements = subject.spectrum.statements.iter().enumerate();
        let executed = statements.filter(|(_, known)| !known.covered.is_disjoint(&subject.failing));
        let executed = executed.map(|(at, _)| at).collect();
        let scores = match self {
            Self::Spectrum(formula) => {
                let statements = 0..subject.spectrum.statements.len();
                let values = statements.map(|at| (formula.score)(subject.counts(at))).collect();
                Ok(Scores { values, facts: Vec::new(), test: None, executed: Vec::new() })
            }
            Self::Mutants(method) => (method.scores)(subject, wish),
        };
        Ok(Scores { executed, ..scores? })
    }
}
