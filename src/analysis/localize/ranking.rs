//! Places, the most suspicious first.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use super::CodePlace;
use super::RankedBy;
use super::Scores;
use super::Spectrum;

/// Scores that differ by less are the same: they were added up in another order.
const RESOLUTION: f64 = 1e12;

/// Where a place stands: from 1, with those before it and the ones it is tied with.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rank {
    pub best: usize,
    pub mean: f64,
    pub worst: usize,
}

/// A place and how suspicious it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub place: CodePlace,
    /// The function that it is in or is.
    pub function: Option<String>,
    /// Its statements, by number.
    pub statements: Vec<usize>,
    pub score: f64,
    pub rank: Rank,
}

/// All places, the most suspicious first; tied ones in the order of the files and lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    pub places: Vec<Ranked>,
    /// Statements left out because nobody knows which function they are in.
    pub outside: usize,
}

/// Ranks statements, or the functions or files that they are in.
///
/// A function or file scores what its most suspicious statement does: a fault is in one place, and a mean
/// would hide it the better, the longer the function is.
pub fn rank(spectrum: &Spectrum, scores: &Scores, granularity: RankedBy) -> Ranking {
    let mut groups: BTreeMap<(&str, u32, u32), Ranked> = BTreeMap::new();
    let mut outside = 0;
    for (number, statement) in spectrum.statements.iter().enumerate() {
        let (place, score) = (&statement.place, scores.values[number]);
        let function = statement.function.as_ref();
        let key = match (granularity, function) {
            (RankedBy::Statement, _) => (place.file.as_str(), place.line, place.end_line),
            (RankedBy::Function, Some(function)) => (place.file.as_str(), function.first, function.last),
            (RankedBy::Function, None) => {
                outside += 1;
                continue;
            }
            (RankedBy::File, _) => (place.file.as_str(), 1, u32::MAX),
        };
        let name = function.filter(|_| granularity != RankedBy::File).map(|function| function.name.clone());
        let group = groups.entry(key).or_insert_with(|| Ranked {
            place: CodePlace { file: place.file.clone(), line: key.1, end_line: key.2 },
            function: name,
            statements: Vec::new(),
            score,
            rank: Rank { best: 0, mean: 0.0, worst: 0 },
        });
        group.score = group.score.max(score);
        group.statements.push(number);
        if granularity == RankedBy::File {
            group.place.end_line = place.end_line;
        }
    }
    let is_executed = |place: &Ranked| {
        place.statements.iter().any(|statement| scores.executed.binary_search(statement).is_ok())
    };
    Ranking { places: ordered(groups.into_values().collect(), &is_executed), outside }
}

fn ordered(mut places: Vec<Ranked>, is_executed: &dyn Fn(&Ranked) -> bool) -> Vec<Ranked> {
    let key = |place: &Ranked| ((place.score * RESOLUTION).round(), is_executed(place));
    // Stable: tied places stay in the order of the files and lines.
    places.sort_by(|a, b| key(b).0.total_cmp(&key(a).0).then(key(b).1.cmp(&key(a).1)));
    let mut start = 0;
    while start < places.len() {
        let tied = places[start..].iter().take_while(|place| key(place) == key(&places[start])).count();
        let (best, worst) = (start + 1, start + tied);
        let rank = Rank { best, mean: (best + worst) as f64 / 2.0, worst };
        places[start..worst].iter_mut().for_each(|place| place.rank = rank);
        start = worst;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::localize::FunctionTable;
    use crate::matrix::from_csv;
    use crate::text::FunctionLines;

    fn ranking(values: &[f64], granularity: RankedBy) -> Vec<String> {
        let table = "mutant,file,line,fate\n1,a.c,1,\n2,a.c,5,\n3,a.c,6,\n4,b.c,1,\n";
        let function = |first, last, name: &str| FunctionLines { first, last, name: name.into() };
        let functions =
            FunctionTable::from([("a.c".to_owned(), vec![function(1, 3, "f"), function(4, 9, "g")])]);
        let spectrum = Spectrum::from_matrix(&from_csv(table, "t").unwrap(), &functions);
        let scores = Scores { values: values.to_vec(), facts: Vec::new(), test: None, executed: Vec::new() };
        let ranking = rank(&spectrum, &scores, granularity);
        let rows = ranking.places.iter();
        rows.map(|row| format!("{} {} {}-{}", row.place, row.score, row.rank.best, row.rank.worst)).collect()
    }

    #[test]
    fn ties_share_their_ranks_and_keep_the_order_of_the_code() {
        let found = ranking(&[0.5, 0.1 + 0.2, 0.3, 0.9], RankedBy::Statement);
        assert_eq!(found[0], "b.c:1 0.9 1-1");
        assert_eq!(found[1], "a.c:1 0.5 2-2");
        assert!(found[2].starts_with("a.c:5") && found[2].ends_with("3-4"), "{found:?}");
        assert!(found[3].starts_with("a.c:6") && found[3].ends_with("3-4"), "{found:?}");
    }

    #[test]
    fn a_function_or_file_is_as_suspicious_as_its_worst_statement() {
        let values = [0.5, -1.0, 0.75, 0.25];
        assert_eq!(ranking(&values, RankedBy::Function), ["a.c:4-9 0.75 1-1", "a.c:1-3 0.5 2-2"]);
        assert_eq!(ranking(&values, RankedBy::File), ["a.c:1-6 0.75 1-1", "b.c:1 0.25 2-2"]);
    }

    #[test]
    fn among_equals_those_come_first_that_a_failing_test_executes() {
        let row = |line: u32| crate::matrix::MutantRow { file: "a.c".into(), line, ..Default::default() };
        let matrix = crate::matrix::KillMatrix {
            mutants: (1..4).map(row).collect(),
            outcomes: vec![None; 3],
            ..Default::default()
        };
        let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
        let scores = Scores { values: vec![0.0; 3], facts: Vec::new(), test: None, executed: vec![1] };
        let ranked = rank(&spectrum, &scores, RankedBy::Statement);
        let lines: Vec<(u32, usize)> =
            ranked.places.iter().map(|place| (place.place.line, place.rank.worst)).collect();
        assert_eq!(lines, [(2, 1), (1, 3), (3, 3)]);
    }
}
