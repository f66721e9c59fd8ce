//! Failing conditions as boxes: our own format.
//!
//! In: one JSON document with the points and, for each test, a list of boxes. A box is a product: for each
//! point that it names, the alternatives that the point may have (0 is the original, 1 its first mutant and
//! so on); points that it does not name may have any. Out: a condition per test. What no box holds passes; a
//! combination that one box says fails and another says passes is refused.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde::Serialize;

use super::super::condition::Condition;
use super::super::condition::Conditions;
use super::super::condition::TooLarge;
use super::super::places::Places;
use super::super::points::Points;
use super::super::problem::ConditionTest;
use super::super::problem::Problem;
use super::error::ConditionFileError;
use super::error::TextOrigin;

/// The format that this wildcaught reads and writes.
pub const FORMAT: u32 = 1;

/// A document of boxes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BoxesFile {
    pub format: u32,
    pub points: Vec<PointEntry>,
    pub tests: Vec<TestEntry>,
}

/// A point and its mutants.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PointEntry {
    pub name: String,
    pub mutants: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// A test and what is known of it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TestEntry {
    pub name: String,
    pub boxes: Vec<BoxEntry>,
}

/// Combinations with which a test does the same.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BoxEntry {
    pub fails: bool,
    /// Alternatives by the names of points.
    pub sets: BTreeMap<String, Vec<u32>>,
}

/// Reads a document of boxes.
pub fn read_boxes(
    origin: &str,
    text: &str,
    max_nodes: usize,
) -> Result<(Problem, Option<Places>), ConditionFileError> {
    let file: BoxesFile = serde_json::from_str(text)
        .map_err(|source| ConditionFileError::Json { origin: origin.to_owned(), source })?;
    let origin = TextOrigin(origin);
    if file.format != FORMAT {
        let problem = format!("format {}, but this version reads format {FORMAT}", file.format);
        return Err(origin.file(problem));
    }
    check_names(&file).map_err(|problem| origin.file(problem))?;
    let points = Points::new(file.points.iter().map(|point| point.mutants.clone()));
    let numbers: FxHashMap<&str, usize> =
        file.points.iter().enumerate().map(|(at, point)| (point.name.as_str(), at)).collect();
    let mut reader = Reader { points: &points, numbers, conditions: Conditions::new(max_nodes) };
    let mut tests = Vec::new();
    for test in &file.tests {
        let fails = reader.test(test, origin)?;
        tests.push(ConditionTest { name: test.name.clone(), fails });
    }
    let conditions = reader.conditions;
    let places = places(&file, &points);
    Ok((Problem { points, conditions, tests }, places))
}

fn check_names(file: &BoxesFile) -> Result<(), String> {
    let mut seen = FxHashSet::default();
    for point in &file.points {
        if !seen.insert(("point", &point.name)) {
            return Err(format!("two points `{}`", point.name));
        }
        if let Some(twice) = point.mutants.iter().find(|name| !seen.insert(("mutant", *name))) {
            return Err(format!("two mutants `{twice}`"));
        }
    }
    match file.tests.iter().find(|test| !seen.insert(("test", &test.name))) {
        Some(twice) => Err(format!("two tests `{}`", twice.name)),
        None => Ok(()),
    }
}

/// Where the mutants are, if that is said of every point.
fn places(file: &BoxesFile, points: &Points) -> Option<Places> {
    let mut places = Places::new(points.mutants());
    for (at, point) in file.points.iter().enumerate() {
        let (file, function) = (point.file.as_deref()?, point.function.as_deref()?);
        points.at(at).for_each(|mutant| places.put(mutant, file, function));
    }
    Some(places)
}

struct Reader<'a> {
    points: &'a Points,
    numbers: FxHashMap<&'a str, usize>,
    conditions: Conditions,
}

impl Reader<'_> {
    fn test(&mut self, test: &TestEntry, origin: TextOrigin) -> Result<Condition, ConditionFileError> {
        let mut verdicts = [Vec::new(), Vec::new()];
        for (at, entry) in test.boxes.iter().enumerate() {
            let sets = self
                .sets(entry)
                .map_err(|problem| origin.file(format!("test `{}`, box {}: {problem}", test.name, at + 1)))?;
            let inside = self.inside(&sets).map_err(|source| origin.too_large(source))?;
            verdicts[usize::from(entry.fails)].push(inside);
        }
        let [passes, fails] = verdicts;
        let judge = || {
            let (passes, fails) = (self.any(passes)?, self.any(fails)?);
            Ok((self.conditions.and(passes, fails)?, fails))
        };
        let (both, fails) = judge().map_err(|source| origin.too_large(source))?;
        if both != Condition::NEVER {
            let problem = "a combination is in a box that fails and in one that passes";
            return Err(origin.file(format!("test `{}`: {problem}", test.name)));
        }
        Ok(fails)
    }

    /// The sets of a box, by the number of the point.
    fn sets<'b>(&self, entry: &'b BoxEntry) -> Result<BTreeMap<usize, &'b [u32]>, String> {
        let mut sets = BTreeMap::new();
        for (name, alternatives) in &entry.sets {
            let Some(point) = self.numbers.get(name.as_str()) else {
                return Err(format!("point `{name}` is not in the list of points"));
            };
            let last = self.points.at(*point).len() as u32;
            if let Some(wrong) = alternatives.iter().find(|alternative| **alternative > last) {
                return Err(format!("alternative {wrong} of point `{name}`, which has 0 to {last}"));
            }
            sets.insert(*point, alternatives.as_slice());
        }
        Ok(sets)
    }

    /// Every point has one of its alternatives.
    fn inside(&mut self, sets: &BTreeMap<usize, &[u32]>) -> Result<Condition, TooLarge> {
        let mut rest = Condition::ALWAYS;
        for (point, alternatives) in sets.iter().rev() {
            let then = |alternative: u32| match alternatives.contains(&alternative) {
                true => rest,
                false => Condition::NEVER,
            };
            let mut one = then(0);
            for (alternative, mutant) in
                (1..).zip(self.points.at(*point)).collect::<Vec<_>>().into_iter().rev()
            {
                one = self.conditions.ask(mutant, one, then(alternative))?;
            }
            rest = one;
        }
        Ok(rest)
    }

    fn any(&mut self, mut parts: Vec<Condition>) -> Result<Condition, TooLarge> {
        while parts.len() > 1 {
            let pairs = parts.chunks(2).map(|pair| match pair {
                [first, second] => self.conditions.or(*first, *second),
                _ => Ok(pair[0]),
            });
            parts = pairs.collect::<Result<_, _>>()?;
        }
        Ok(parts.pop().unwrap_or(Condition::NEVER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: &str = r#""points": [{"name": "p", "mutants": ["a", "b"], "file": "F", "function": "f"},
        {"name": "q", "mutants": ["c"], "file": "F", "function": "g"}]"#;

    fn read(tests: &str) -> Result<(Problem, Option<Places>), String> {
        let text = format!(r#"{{"format": 1, {POINTS}, "tests": {tests}}}"#);
        read_boxes("b.json", &text, 1000).map_err(|error| error.to_string())
    }

    #[test]
    fn a_test_fails_in_its_failing_boxes() {
        let (problem, places) = read(
            r#"[{"name": "t", "boxes": [{"fails": true, "sets": {"p": [1], "q": [0]}},
                {"fails": true, "sets": {"p": [0, 2], "q": [1]}}, {"fails": false, "sets": {"p": [0], "q": [0]}}]}]"#,
        )
        .unwrap();
        let fails = |on: &[u32]| problem.conditions.holds(problem.tests[0].fails, on);
        let held = [&[][..], &[0], &[1], &[2], &[0, 2], &[1, 2]].map(fails);
        assert_eq!(held, [false, true, false, true, false, true]);
        assert_eq!(places.unwrap().function(2), Some(1));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let contradiction = r#"[{"name": "t", "boxes": [{"fails": true, "sets": {"p": [1]}},
            {"fails": false, "sets": {"q": [0]}}]}]"#;
        for (tests, wanted) in [
            (contradiction, "b.json: test `t`: a combination is in a box that fails and"),
            (
                r#"[{"name": "t", "boxes": [{"fails": true, "sets": {"r": [1]}}]}]"#,
                "b.json: test `t`, box 1: point `r`",
            ),
            (
                r#"[{"name": "t", "boxes": [{"fails": true, "sets": {"q": [2]}}]}]"#,
                "b.json: test `t`, box 1: alternative 2",
            ),
            (r#"[{"name": "t", "boxes": []}, {"name": "t", "boxes": []}]"#, "b.json: two tests `t`"),
            (r#"[{"name": "t", "box": []}]"#, "b.json: unknown field `box`"),
        ] {
            let error = read(tests).err().unwrap_or_default();
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}
