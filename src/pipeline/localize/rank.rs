//! Scores, ranks and evaluates: one answer per method.

use std::rc::Rc;

use crate::analysis::localize::Evaluation;
use crate::analysis::localize::FaultLine;
use crate::analysis::localize::LocalizeError;
use crate::analysis::localize::Method;
use crate::analysis::localize::MethodWish;
use crate::analysis::localize::PartialMutants;
use crate::analysis::localize::RankedBy;
use crate::analysis::localize::Ranking;
use crate::analysis::localize::Scores;
use crate::analysis::localize::Subject;
use crate::analysis::localize::evaluate;
use crate::analysis::localize::rank;

use super::error::RankError;
use super::gather::RanWith;
use super::input::LocalizeInput;
use super::shortcoming::Shortcoming;

/// Places to rank, and by which methods.
pub struct RankRequest<'a> {
    pub input: &'a LocalizeInput,
    /// The first one is the main answer; see [`chosen_methods`].
    pub methods: Vec<Method>,
    pub by: RankedBy,
    /// One failing test to localize alone.
    pub test: Option<&'a str>,
    /// Where the fault is, if that is known.
    pub faults: Option<&'a [FaultLine]>,
}

/// The answers of all methods.
pub struct Localization<'a> {
    /// In the order of the request.
    pub found: Vec<Localized<'a>>,
    /// What the answers could not go by, that of the input included.
    pub shortcomings: Vec<Shortcoming>,
    /// How mutants were run, if they were.
    pub ran: Option<&'a RanWith>,
}

/// A method's answer.
pub struct Localized<'a> {
    pub method: Method,
    pub subject: Rc<Subject<'a>>,
    pub scores: Scores,
    pub ranking: Ranking,
    /// How good it is, if the fault is known.
    pub evaluation: Option<Evaluation>,
}

impl<'a> RankRequest<'a> {
    /// Ranks the places by each method.
    pub fn run(&self) -> Result<Localization<'a>, RankError> {
        let LocalizeInput { matrix, spectrum, changes, .. } = self.input;
        let all = Rc::new(Subject::new(matrix, spectrum)?);
        let test = self.test.map(|name| self.input.test(name)).transpose()?;
        let alone = test.map(|test| Subject::about(matrix, spectrum, test)).transpose()?.map(Rc::new);
        let wish = MethodWish { test, coverage: changes.as_ref() };
        let mut found = Vec::new();
        for &method in &self.methods {
            let subject = alone.as_ref().filter(|_| !method.is_single()).unwrap_or(&all);
            let scores = method.scores(subject, wish)?;
            let ranking = rank(spectrum, &scores, self.by);
            let evaluation = self.faults.map(|faults| evaluate(subject, &ranking, faults));
            found.push(Localized { method, subject: Rc::clone(subject), scores, ranking, evaluation });
        }
        let mut shortcomings = self.input.shortcomings.clone();
        shortcomings.extend(self.shortcomings(&found)?);
        Ok(Localization { found, shortcomings, ran: self.input.ran.as_ref() })
    }

    /// What the answers could not go by.
    fn shortcomings(&self, found: &[Localized]) -> Result<Vec<Shortcoming>, RankError> {
        let mut missing = Vec::new();
        let Some(first) = found.first() else { return Ok(missing) };
        if self.by == RankedBy::Function && first.ranking.places.is_empty() {
            return Err(RankError::NoFunctions);
        }
        if first.ranking.outside > 0 {
            missing.push(Shortcoming::OutsideFunctions(first.ranking.outside));
        }
        let only_repairs = !found.iter().any(|one| one.method.needs_all_tests());
        if found.iter().any(|one| one.method.asks_mutants()) {
            missing.extend(self.partial(first.subject.partial_mutants(only_repairs)));
        }
        if first.subject.targets() == 0 {
            missing.push(Shortcoming::NothingExecuted);
        }
        if let Some(evaluation) = first.evaluation.as_ref().filter(|found| !found.missing.is_empty()) {
            missing.push(Shortcoming::MissingFaults(evaluation.missing.clone()));
        }
        Ok(missing)
    }
}

impl RankRequest<'_> {
    /// What is not known of mutants.
    fn partial(&self, partial: PartialMutants) -> Vec<Shortcoming> {
        let PartialMutants { hanging, unfinished, unrun } = partial;
        let ran = self.input.ran.as_ref();
        let all = self.input.matrix.mutants.len();
        let mut missing = Vec::new();
        if unrun > 0 {
            missing.push(Shortcoming::UnrunMutants { unrun, all, end: ran.map(|ran| ran.end) });
        }
        if unfinished > 0 {
            missing.push(Shortcoming::PartialMutants { mutants: unfinished, here: ran.is_some() });
        }
        if hanging > 0 {
            missing.push(Shortcoming::HangingMutants(hanging));
        }
        missing
    }
}

/// The methods of these names, each once. `all` stands for those whose input is there: the method `coverage`
/// needs coverage under mutants.
pub fn chosen_methods(names: &[String], with_changes: bool) -> Result<Vec<Method>, LocalizeError> {
    let mut methods: Vec<Method> = Vec::new();
    for name in names.iter().map(|name| name.trim().to_lowercase()) {
        let wanted: Vec<Method> = match name.as_str() {
            "all" => Method::all().filter(|method| method.name() != "coverage" || with_changes).collect(),
            name => vec![Method::called(name)?],
        };
        for method in wanted {
            if !methods.iter().any(|known| known.name() == method.name()) {
                methods.push(method);
            }
        }
    }
    Ok(methods)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(wanted: &[&str], with_changes: bool) -> Vec<&'static str> {
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        chosen_methods(&wanted, with_changes).unwrap().into_iter().map(Method::name).collect()
    }

    #[test]
    fn every_method_is_chosen_once_and_the_first_stays_first() {
        assert_eq!(names(&["ochiai", " MUSE", "ochiai"], false), ["ochiai", "muse"]);
        let all = names(&["ochiai", "all"], false);
        assert_eq!(all[0], "ochiai");
        assert_eq!(all.len(), Method::all().count() - 1);
        assert!(!all.contains(&"coverage") && names(&["all"], true).contains(&"coverage"));
        assert!(chosen_methods(&["magic".to_owned()], false).is_err());
    }
}
