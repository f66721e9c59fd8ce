//! The result of `wildcaught sshom solve`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::analysis::sshom::Problem;
use crate::analysis::sshom::Solution;
use crate::analysis::sshom::SolutionFigures;

use super::sshom_figures::FiguresDocument;

/// The format that this version writes.
const FORMAT: u32 = 1;

/// All SSHOMs that follow from failing conditions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveDocument {
    /// The version of this format.
    pub format: u32,
    pub mutants: usize,
    pub points: usize,
    pub tests: usize,
    /// The largest order that was searched; null if there was no limit.
    pub max_order: Option<usize>,
    /// Figures of all SSHOMs; missing with --strict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<FiguresDocument>,
    /// Figures of the strict ones.
    pub strict: FiguresDocument,
    /// The first SSHOMs, by order, then by mutants.
    pub list: Vec<SolvedEntry>,
}

/// An SSHOM that follows from failing conditions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolvedEntry {
    /// The names of its mutants.
    pub mutants: Vec<String>,
    /// How many tests kill it.
    pub killed_by: u64,
    /// How many tests kill each of its mutants alone.
    pub of: u64,
    pub strict: bool,
}

impl SolveDocument {
    /// What follows from failing conditions, with a list of combinations.
    pub fn new(
        problem: &Problem,
        max_order: Option<usize>,
        figures: &SolutionFigures,
        list: Vec<SolvedEntry>,
    ) -> Self {
        Self {
            format: FORMAT,
            mutants: problem.points.mutants(),
            points: problem.points.len(),
            tests: problem.tests.len(),
            max_order,
            all: figures.all.as_ref().map(FiguresDocument::new),
            strict: FiguresDocument::new(&figures.strict),
            list,
        }
    }
}

impl SolvedEntry {
    /// A combination of a solution.
    pub fn new(mutants: &[u32], problem: &Problem, solution: &Solution) -> Self {
        let alone = mutants.iter().map(|mutant| solution.killers_of(*mutant));
        let shared = alone.reduce(|first, second| first & second).map_or(0, |shared| shared.len());
        let killed_by = problem.killers(mutants).len();
        Self {
            mutants: mutants.iter().map(|mutant| problem.points.name(*mutant).to_owned()).collect(),
            killed_by,
            of: shared,
            strict: killed_by < shared,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use serde_json::json;

    use super::*;
    use crate::analysis::sshom::Characteristics;
    use crate::analysis::sshom::Conditions;
    use crate::analysis::sshom::OrderSpread;
    use crate::analysis::sshom::Points;
    use crate::analysis::sshom::Which;

    fn figures(spread: bool) -> Characteristics {
        let spread = spread.then(OrderSpread::default);
        let solution = Solution::listed(vec![], vec![], vec![]).unwrap();
        Characteristics { spread, ..solution.characteristics(Which::All, None).unwrap() }
    }

    #[test]
    fn what_is_written_is_read_and_what_is_unknown_is_refused() {
        let (all, strict) = (Some(figures(true)), figures(false));
        let list = vec![SolvedEntry { mutants: vec!["a".into()], killed_by: 1, of: 2, strict: true }];
        let problem = Problem { points: Points::default(), conditions: Conditions::new(1), tests: vec![] };
        let document = SolveDocument::new(&problem, None, &SolutionFigures { all, strict }, list);
        let text = serde_json::to_string(&document).unwrap();
        assert!(text.starts_with("{\"format\":1,"), "{text}");
        assert_eq!(serde_json::from_str::<SolveDocument>(&text).unwrap(), document);
        let mut value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["max_order"], value["strict"].get("spread")), (&Value::Null, None));
        assert_eq!(value["all"]["spread"]["one_file"], json!("0"));
        value["other"] = json!(1);
        assert!(serde_json::from_value::<SolveDocument>(value).is_err());
    }
}
