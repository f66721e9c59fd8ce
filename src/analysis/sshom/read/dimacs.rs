//! Failing conditions as DIMACS CNF.
//!
//! In: text: `c` comments, `p cnf VARIABLES CLAUSES`, clauses that end in 0. Comments of the form
//! `c NUMBER NAME` say which mutant a variable is; variables without a name then only stand for parts of the
//! formula, and a combination fails the test if the formula holds for some values of these. Without such
//! comments, variables are numbered in the order of the groups. Out: a condition.

use rustc_hash::FxHashMap;

use super::super::condition::Condition;
use super::super::condition::Conditions;
use super::super::condition::TooLarge;
use super::super::points::Points;
use super::error::ConditionFileError;
use super::error::TextOrigin;
use super::groups::by_name;
use super::groups::numbered;

/// Reads a formula.
pub fn read_dimacs(
    origin: &str,
    text: &str,
    points: &Points,
    first: u32,
    conditions: &mut Conditions,
) -> Result<Condition, ConditionFileError> {
    let formula = parse(TextOrigin(origin), text, points)?;
    let mut clauses = Vec::new();
    for (line, clause) in &formula.clauses {
        let literals = clause.iter().map(|literal| formula.literal(*literal, points, first));
        let literals = literals.collect::<Result<Vec<_>, _>>();
        let literals = literals.map_err(|problem| TextOrigin(origin).line(*line, problem))?;
        clauses.push(literals);
    }
    conjoin(conditions, clauses, points.mutants() as u32)
        .map_err(|source| TextOrigin(origin).too_large(source))
}

#[derive(Default)]
struct Formula {
    /// The mutants of variables that comments name.
    names: FxHashMap<u32, u32>,
    variables: u32,
    clauses: Vec<(usize, Vec<i64>)>,
}

impl Formula {
    /// A variable (what is no mutant comes behind the mutants), and whether it is on.
    fn literal(&self, literal: i64, points: &Points, first: u32) -> Result<(u32, bool), String> {
        let variable = literal.unsigned_abs() as u32;
        let mutant = match self.names.get(&variable) {
            Some(mutant) => *mutant,
            None if self.names.is_empty() => numbered(points, first, variable)?,
            None => (points.mutants() as u32)
                .checked_add(variable)
                .filter(|beyond| *beyond < u32::MAX)
                .ok_or_else(|| format!("variable {variable} is too large; number variables from 1"))?,
        };
        Ok((mutant, literal > 0))
    }
}

fn parse(origin: TextOrigin, text: &str, points: &Points) -> Result<Formula, ConditionFileError> {
    let mut formula = Formula::default();
    let (mut header, mut open) = (None, Vec::new());
    let names = by_name(points);
    let mut last = 1;
    for (at, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace().peekable();
        let refuse = |problem: String| origin.line(at + 1, problem);
        match words.peek() {
            None => continue,
            Some(&"c") => name(line, &names, &mut formula).map_err(refuse)?,
            Some(&"p") if header.is_some() => return Err(refuse("a second `p` line; write one".into())),
            Some(&"p") => header = Some(head(line).map_err(refuse)?),
            Some(_) => {
                let Some((variables, _)) = header else {
                    return Err(refuse("a clause before the line `p cnf VARIABLES CLAUSES`".into()));
                };
                for word in words {
                    match literal(word, variables).map_err(refuse)? {
                        0 => formula.clauses.push((at + 1, std::mem::take(&mut open))),
                        literal => open.push(literal),
                    }
                }
            }
        }
        last = at + 1;
    }
    let Some((variables, clauses)) = header else {
        return Err(origin.file("no line `p cnf VARIABLES CLAUSES`"));
    };
    if !open.is_empty() {
        return Err(origin.line(last, "the last clause does not end; close it with 0"));
    }
    if clauses != formula.clauses.len() {
        return Err(origin.file(format!("{} clauses, but line `p` says {clauses}", formula.clauses.len())));
    }
    formula.variables = variables;
    match formula.names.keys().find(|variable| **variable > variables || **variable == 0) {
        Some(variable) => {
            Err(origin.file(format!("a name for variable {variable}, but there are {variables}")))
        }
        None => Ok(formula),
    }
}

/// A comment that names a variable; any other says nothing.
fn name(line: &str, names: &FxHashMap<&str, u32>, formula: &mut Formula) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, number, name] = words[..] else { return Ok(()) };
    let Ok(variable) = number.parse::<u32>() else { return Ok(()) };
    let Some(mutant) = names.get(name) else {
        return Err(format!("mutant `{name}` is not in the groups"));
    };
    if formula.names.values().any(|known| known == mutant) {
        return Err(format!("mutant `{name}` already has a variable"));
    }
    match formula.names.insert(variable, *mutant) {
        None => Ok(()),
        Some(_) => Err(format!("variable {variable} already has a name")),
    }
}

fn head(line: &str) -> Result<(u32, usize), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["p", "cnf", variables, clauses] => variables.parse().ok().zip(clauses.parse().ok()),
        _ => None,
    }
    .ok_or_else(|| format!("`{line}`; write `p cnf VARIABLES CLAUSES`"))
}

fn literal(word: &str, variables: u32) -> Result<i64, String> {
    let literal: i64 = word.parse().map_err(|_| format!("`{word}` is not a literal; write 3, -3 or 0"))?;
    if literal.unsigned_abs() > u64::from(variables) {
        return Err(format!("literal {literal}, but there are {variables} variables"));
    }
    Ok(literal)
}

/// All clauses hold. Variables from `mutants` on are taken out as soon as everything that mentions one is
/// together.
fn conjoin(
    conditions: &mut Conditions,
    clauses: Vec<Vec<(u32, bool)>>,
    mutants: u32,
) -> Result<Condition, TooLarge> {
    let mut parts = Vec::new();
    for clause in clauses {
        let mut either = Condition::NEVER;
        for (variable, on) in clause {
            let literal = conditions.ask(variable, truth(!on), truth(on))?;
            either = conditions.or(either, literal)?;
        }
        parts.push(either);
    }
    while let Some(extra) = rarest(conditions, &parts, mutants) {
        let (about, mut rest): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| conditions.support(*part).contains(&extra));
        let together = all_of(conditions, about)?;
        rest.push(conditions.some(together, extra)?);
        parts = rest;
    }
    all_of(conditions, parts)
}

fn truth(value: bool) -> Condition {
    if value { Condition::ALWAYS } else { Condition::NEVER }
}

/// The variable beyond the mutants that the fewest parts mention.
fn rarest(conditions: &Conditions, parts: &[Condition], mutants: u32) -> Option<u32> {
    let mut seen = std::collections::BTreeMap::<u32, usize>::new();
    for part in parts {
        let support = conditions.support(*part);
        support.into_iter().filter(|variable| *variable >= mutants).for_each(|variable| {
            *seen.entry(variable).or_default() += 1;
        });
    }
    seen.into_iter().min_by_key(|(variable, count)| (*count, *variable)).map(|(variable, _)| variable)
}

/// All parts hold; small diagrams are put together first.
fn all_of(conditions: &mut Conditions, mut parts: Vec<Condition>) -> Result<Condition, TooLarge> {
    while parts.len() > 1 {
        let pairs = parts.chunks(2).map(|pair| match pair {
            [first, second] => conditions.and(*first, *second),
            _ => Ok(pair[0]),
        });
        parts = pairs.collect::<Result<_, _>>()?;
    }
    Ok(parts.pop().unwrap_or(Condition::ALWAYS))
}

#[cfg(test)]
mod tests {
    use super::super::groups::read_groups;
    use super::*;

    fn read(text: &str) -> Result<(Conditions, Condition), String> {
        let points = read_groups("g", "a b\nc\n").unwrap();
        let mut conditions = Conditions::new(1000);
        let condition =
            read_dimacs("t.cnf", text, &points, 1, &mut conditions).map_err(|error| error.to_string())?;
        Ok((conditions, condition))
    }

    #[test]
    fn clauses_hold_together() {
        let (all, condition) = read("c a comment of more words\np cnf 3 2\n1 2\n3 0 -1\n-3 0\n").unwrap();
        let held = [&[][..], &[0], &[1], &[2], &[0, 2], &[1, 2]].map(|on| all.holds(condition, on));
        assert_eq!(held, [false, true, true, true, false, true]);
    }

    #[test]
    fn a_variable_without_a_name_may_be_anything() {
        // 5 stands for (a or c): the formula says 5.
        let text = "c 9 a\nc 7 c\np cnf 9 4\n5 0\n-5 9 7 0\n5 -9 0\n5 -7 0\n";
        let (all, condition) = read(text).unwrap();
        let held = [&[][..], &[0], &[1], &[2]].map(|on| all.holds(condition, on));
        assert_eq!(held, [false, true, false, true]);
        assert!(all.support(condition).into_iter().all(|variable| variable < 3));
    }

    #[test]
    fn a_damaged_file_is_refused_with_its_line() {
        for (text, wanted) in [
            ("", "t.cnf: no line `p cnf"),
            ("1 0\n", "t.cnf:1: a clause before"),
            ("p cnf 3\n", "t.cnf:1: `p cnf 3`"),
            ("p cnf 3 1\n1 x 0\n", "t.cnf:2: `x` is not a literal"),
            ("p cnf 3 1\n1 4 0\n", "t.cnf:2: literal 4, but there are 3"),
            ("p cnf 3 1\n1 2\n", "t.cnf:2: the last clause does not end"),
            ("p cnf 3 2\n1 2 0\n", "t.cnf: 1 clauses, but line `p` says 2"),
            ("p cnf 4 1\n\n4 0\n", "t.cnf:3: variable 4, but the groups"),
            ("c 1 z\np cnf 3 1\n1 0\n", "t.cnf:1: mutant `z` is not in the groups"),
            ("c 1 a\nc 1 b\np cnf 3 1\n1 0\n", "t.cnf:2: variable 1 already has a name"),
            ("c 1 a\nc 2 a\np cnf 3 1\n1 0\n", "t.cnf:2: mutant `a` already has a variable"),
            ("c 4 a\np cnf 3 1\n1 0\n", "t.cnf: a name for variable 4"),
            ("c 1 a\np cnf 4294967295 1\n4294967295 0\n", "t.cnf:3: variable 4294967295 is too large"),
            ("p cnf 3 1\np cnf 3 1\n1 0\n", "t.cnf:2: a second `p`"),
        ] {
            let error = read(text).err().unwrap_or_default();
            assert!(error.starts_with(wanted), "{text:?}: {error}");
        }
    }
}
