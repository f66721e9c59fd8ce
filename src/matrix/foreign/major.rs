//! Major's files: `mutants.log`, `testMap.csv`, `killMap.csv` and, where it is there, `covMap.csv`.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::exec::Verdict;

use super::super::Fate;
use super::super::KillMatrix;
use super::super::MutantRow;
use super::super::Outcome;
use super::super::TestRow;
use super::super::csv::OpenQuote;
use super::super::csv::Rows;
use super::MatrixReadError;

/// The texts of the files, each with the name that errors give it.
pub struct MajorFiles<'a> {
    /// `id:operator:from:to:class@method:line[:offset]:before |==> after`, a line per mutant.
    pub mutants: (&'a str, &'a str),
    /// `TestNo,TestName[,Runtime]`, with a header.
    pub tests: (&'a str, &'a str),
    /// `TestNo,MutantNo,FAIL|TIME|EXC`, with a header: kills only.
    pub kills: (&'a str, &'a str),
    /// `TestNo,MutantNo`, with a header: which tests reach which mutants.
    pub covered: Option<(&'a str, &'a str)>,
}

/// Reads Major's files; each is (name, text).
///
/// Without `covMap.csv`, every test counts as run on every mutant, and nothing is known of who reaches whom.
/// An exception is a failure here, as it is to JUnit. The file of `a.b.C$D@m` is `a/b/C.java`.
pub fn from_major(files: &MajorFiles) -> Result<KillMatrix, MatrixReadError> {
    let (tests, numbers) = tests(files.tests)?;
    let mut mutants: BTreeMap<u32, (MutantRow, Outcome)> = mutants(files.mutants)?;
    let all = RoaringBitmap::from_iter(0..tests.len() as u32);
    match files.covered {
        Some(covered) => pairs(covered, &numbers, &mut mutants, |outcome, test, _| {
            outcome.covered.insert(test);
            outcome.ran.insert(test);
            Ok(())
        })?,
        None => mutants.values_mut().for_each(|(_, outcome)| outcome.ran = all.clone()),
    }
    pairs(files.kills, &numbers, &mut mutants, |outcome, test, how| {
        let verdict = match how {
            "FAIL" | "EXC" => Verdict::Fail,
            "TIME" => Verdict::TimeOut,
            other => return Err(format!("unknown result `{other}`; Major writes FAIL, TIME or EXC")),
        };
        outcome.note(test, verdict);
        Ok(())
    })?;
    let mut matrix = KillMatrix { tests, ..KillMatrix::default() };
    for (row, mut outcome) in mutants.into_values() {
        outcome.fate = match (outcome.failed.is_empty(), outcome.timed_out.is_empty()) {
            (false, _) => Fate::Killed,
            (true, false) => Fate::TimeOut,
            (true, true) if outcome.ran.is_empty() => Fate::NotCovered,
            (true, true) => Fate::Survived,
        };
        matrix.mutants.push(row);
        matrix.outcomes.push(Some(outcome));
    }
    Ok(matrix)
}

/// The tests in the order of the file, and their places by Major's numbers.
fn tests((origin, text): (&str, &str)) -> Result<(Vec<TestRow>, BTreeMap<u32, u32>), MatrixReadError> {
    let (mut tests, mut numbers) = (Vec::new(), BTreeMap::new());
    each_row(origin, text, |fields| {
        let [number, name, more @ ..] = fields else {
            return Err("too few fields; Major writes TestNo,TestName,Runtime".to_owned());
        };
        let millis = more.first().and_then(|field| field.parse().ok()).unwrap_or(0.0);
        numbers.insert(parse(number)?, tests.len() as u32);
        tests.push(TestRow { name: name.clone(), verdict: Verdict::Pass, millis, flaky: false });
        Ok(())
    })?;
    Ok((tests, numbers))
}

fn mutants((origin, text): (&str, &str)) -> Result<BTreeMap<u32, (MutantRow, Outcome)>, MatrixReadError> {
    let mut mutants = BTreeMap::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let (number, row) = mutant(line).ok_or_else(|| MatrixReadError::Line {
            origin: origin.to_owned(),
            line: at + 1,
            problem: "not a line of Major's mutants.log; expected id:operator:from:to:class@method:line:before |==> after"
                .to_owned(),
        })?;
        mutants.insert(number, (row, Outcome::new(Fate::Untested)));
    }
    Ok(mutants)
}

/// Symbols may have colons in them, and later versions have an offset behind the line.
fn mutant(line: &str) -> Option<(u32, MutantRow)> {
    let fields: Vec<&str> = line.split(':').collect();
    let is_place = |at: usize| {
        fields[at].parse::<u32>().is_ok()
            && fields[at - 1].starts_with(|first: char| first.is_alphabetic() || first == '_')
    };
    let at = (5..fields.len())
        .find(|at| is_place(*at))
        .or((fields.len() > 5 && fields[5].parse::<u32>().is_ok()).then_some(5))?;
    let skip = usize::from(
        fields.get(at + 1).is_some_and(|field| field.parse::<u64>().is_ok()) && fields.len() > at + 2,
    );
    let summary = fields.get(at + 1 + skip..)?.join(":");
    let (before, after) = summary.split_once("|==>").unwrap_or((summary.as_str(), ""));
    let class = fields[at - 1].split('@').next()?.split('$').next()?;
    let line = fields[at].parse().ok()?;
    let row = MutantRow {
        id: fields[0].to_owned(),
        file: format!("{}.java", class.replace('.', "/")),
        line,
        end_line: line,
        operator: fields[1].to_owned(),
        before: before.trim().to_owned(),
        after: after.trim().to_owned(),
        ..MutantRow::default()
    };
    Some((fields[0].parse().ok()?, row))
}

/// Reads (test, mutant, how) and notes each at its mutant.
fn pairs(
    (origin, text): (&str, &str),
    numbers: &BTreeMap<u32, u32>,
    mutants: &mut BTreeMap<u32, (MutantRow, Outcome)>,
    mut note: impl FnMut(&mut Outcome, u32, &str) -> Result<(), String>,
) -> Result<(), MatrixReadError> {
    each_row(origin, text, |fields| {
        let [test, mutant, more @ ..] = fields else {
            return Err("too few fields; Major writes TestNo,MutantNo".to_owned());
        };
        let known = numbers.get(&parse(test)?).ok_or_else(|| format!("test {test} is not in testMap.csv"))?;
        let (_, outcome) = mutants
            .get_mut(&parse(mutant)?)
            .ok_or_else(|| format!("mutant {mutant} is not in mutants.log"))?;
        note(outcome, *known, more.first().map_or("", |how| how.trim()))
    })
}

/// All rows but the header and empty ones.
fn each_row(
    origin: &str,
    text: &str,
    mut visit: impl FnMut(&[String]) -> Result<(), String>,
) -> Result<(), MatrixReadError> {
    let refused = |line, problem| MatrixReadError::Line { origin: origin.to_owned(), line, problem };
    for row in Rows::new(text) {
        let row = row.map_err(|OpenQuote(line)| refused(line, "a quoted field does not end".to_owned()))?;
        let head = row.line == 1 && row.fields[0].parse::<u32>().is_err();
        if !head && row.fields != [""] {
            visit(&row.fields).map_err(|problem| refused(row.line, problem))?;
        }
    }
    Ok(())
}

fn parse(field: &str) -> Result<u32, String> {
    field.trim().parse().map_err(|_| format!("`{field}` is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MUTANTS: &str = "1:ROR:<=(int,int):<(int,int):triangle.Triangle@classify(int,int,int):11:a <= 0 |==> a < 0\n\
        2:LVR:POS:0:org.x.Big$Inner:45:1817:2 |==> 0\n3:STD:<CALL>:<NO-OP>:T@m():3:f(\"a:b\") |==> <NO-OP>\n";
    const TESTS: &str = "TestNo,TestName,Runtime\n1,t.T[one],3\n2,t.T[two],4\n";
    const KILLS: &str = "TestNo,MutantNo,[FAIL | TIME | EXC]\n2,1,FAIL\n1,2,TIME\n";

    fn read(
        mutants: &str,
        tests: &str,
        kills: &str,
        covered: Option<&str>,
    ) -> Result<KillMatrix, MatrixReadError> {
        let covered = covered.map(|text| ("covMap.csv", text));
        let (mutants, tests) = (("mutants.log", mutants), ("testMap.csv", tests));
        from_major(&MajorFiles { mutants, tests, kills: ("killMap.csv", kills), covered })
    }

    #[test]
    fn the_files_become_a_matrix() {
        let matrix = read(MUTANTS, TESTS, KILLS, Some("TestNo,MutantNo\n1,1\n2,1\n1,2\n")).unwrap();
        let places: Vec<_> = matrix.mutants.iter().map(|row| (row.file.as_str(), row.line)).collect();
        assert_eq!(places, [("triangle/Triangle.java", 11), ("org/x/Big.java", 45), ("T.java", 3)]);
        assert_eq!((matrix.mutants[1].before.as_str(), matrix.mutants[1].after.as_str()), ("2", "0"));
        assert_eq!(matrix.mutants[2].before, "f(\"a:b\")");
        let fates: Vec<Fate> = (0..3).map(|mutant| matrix.fate(mutant)).collect();
        assert_eq!(fates, [Fate::Killed, Fate::TimeOut, Fate::NotCovered]);
        assert_eq!(matrix.outcome(0).unwrap().ran.len(), 2);
    }

    #[test]
    fn without_coverage_all_tests_ran() {
        let matrix = read(MUTANTS, TESTS, KILLS, None).unwrap();
        assert_eq!((matrix.fate(2), matrix.outcome(2).unwrap().ran.len()), (Fate::Survived, 2));
    }

    #[test]
    fn refusals_name_file_and_line() {
        let refusal = |mutants, tests, kills| read(mutants, tests, kills, None).unwrap_err().to_string();
        assert!(refusal("1:x\n", TESTS, KILLS).starts_with("mutants.log:1: not a line of Major's"));
        assert_eq!(refusal(MUTANTS, TESTS, "a,b\n9,1,FAIL\n"), "killMap.csv:2: test 9 is not in testMap.csv");
        assert_eq!(
            refusal(MUTANTS, TESTS, "a,b\n1,9,FAIL\n"),
            "killMap.csv:2: mutant 9 is not in mutants.log"
        );
        assert!(
            refusal(MUTANTS, TESTS, "a,b\n1,1,DEAD\n").starts_with("killMap.csv:2: unknown result `DEAD`")
        );
    }
}
