//! The spectrum: which tests execute which statements.
//!
//! In: a kill matrix and, where there is one, line coverage. Out: [`Spectrum`]. Invariant: statements stand in
//! the order of their places, no two share a line, and every mutant belongs to exactly one of them.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::matrix::KillMatrix;
use crate::matrix::LineCoverage;
use crate::text::FunctionLines;

use super::CodePlace;
use super::FileNames;
use super::TestNames;

/// Per file, its functions.
pub type FunctionTable = BTreeMap<String, Vec<FunctionLines>>;

/// A statement, as far as lines tell statements apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub place: CodePlace,
    /// The function it is in, if that is known.
    pub function: Option<FunctionLines>,
    /// The tests that execute it.
    pub covered: RoaringBitmap,
    /// The mutants that begin in it.
    pub mutants: Vec<usize>,
}

/// All statements that are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spectrum {
    pub statements: Vec<Statement>,
    /// Tests that coverage names and the matrix does not.
    pub strangers: Vec<String>,
    /// Tests, by number, of which coverage says nothing; the mutants that they reach speak for them.
    pub unseen: RoaringBitmap,
}

impl Spectrum {
    /// The spectrum that the matrix itself holds: a statement is a line on which a mutant begins, and the
    /// tests that reach one of its mutants execute it. Where nobody looked who reaches a mutant, it is the
    /// tests that ran on it.
    pub fn from_matrix(matrix: &KillMatrix, functions: &FunctionTable) -> Self {
        let mut lines = Lines::default();
        (0..matrix.mutants.len()).for_each(|mutant| lines.add_mutant(matrix, mutant, None));
        Self { statements: lines.finish(matrix, functions), ..Self::default() }
    }

    /// The spectrum of a coverage: every line that can be executed is a statement. A mutant on another line
    /// belongs to the nearest one above it in the same function, and otherwise makes its own.
    pub fn with_coverage(matrix: &KillMatrix, coverage: &LineCoverage, functions: &FunctionTable) -> Self {
        let files = FileNames::new(matrix.mutants.iter().map(|row| row.file.as_str()));
        let tests = TestNames::new(matrix.tests.iter().map(|test| test.name.as_str()));
        let name = |file: &str| files.find(file).unwrap_or(file).to_owned();
        let mut functions = functions.clone();
        for (file, known) in &coverage.functions {
            functions.entry(name(file)).or_insert_with(|| known.clone());
        }
        let mut lines = Lines { functions: Some(functions.clone()), ..Lines::default() };
        for (file, executable) in &coverage.lines {
            let file = name(file);
            executable.iter().for_each(|line| lines.at(&file, line).executable = true);
        }
        let mut spectrum = Self::default();
        let mut seen = RoaringBitmap::new();
        for (test, executed) in &coverage.tests {
            let Some(number) = tests.find(test) else {
                spectrum.strangers.push(test.clone());
                continue;
            };
            for (file, executed) in executed {
                let file = name(file);
                for line in executed {
                    lines.at(&file, line).covered.insert(number);
                }
                seen.insert(number);
            }
        }
        spectrum.unseen = RoaringBitmap::from_iter(0..matrix.tests.len() as u32) - &seen;
        (0..matrix.mutants.len()).for_each(|mutant| lines.add_mutant(matrix, mutant, Some(&spectrum.unseen)));
        spectrum.statements = lines.finish(matrix, &functions);
        spectrum
    }

    /// The statement that a line belongs to: the one that holds it, else the nearest one above it in the
    /// file, else the first one of the file.
    pub fn statement_at(&self, file: &str, line: u32) -> Option<usize> {
        let from = self.statements.partition_point(|known| known.place.file.as_str() < file);
        let to = self.statements.partition_point(|known| known.place.file.as_str() <= file);
        let below = self.statements[from..to].partition_point(|known| known.place.line <= line);
        (from < to).then(|| from + below.saturating_sub(1))
    }

    /// The files in it, each once, in order.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = self.statements.iter().map(|known| known.place.file.as_str()).collect();
        files.dedup();
        files
    }
}

/// What is known of a line.
#[derive(Default)]
struct Line {
    covered: RoaringBitmap,
    mutants: Vec<usize>,
    /// Coverage lists it.
    executable: bool,
}

#[derive(Default)]
struct Lines {
    found: BTreeMap<String, BTreeMap<u32, Line>>,
    /// Where coverage says which lines can be executed, the functions that keep a mutant from going astray.
    functions: Option<FunctionTable>,
}

impl Lines {
    fn at(&mut self, file: &str, line: u32) -> &mut Line {
        if !self.found.contains_key(file) {
            self.found.insert(file.to_owned(), BTreeMap::new());
        }
        let lines = self.found.get_mut(file).expect("it was just put there");
        lines.entry(line).or_default()
    }

    /// Puts a mutant on its line; `unseen` are the tests that it speaks for, all if there is no coverage.
    fn add_mutant(&mut self, matrix: &KillMatrix, mutant: usize, unseen: Option<&RoaringBitmap>) {
        let row = &matrix.mutants[mutant];
        let reached = match matrix.outcome(mutant) {
            Some(known) if known.covered.is_empty() => &known.ran | &known.kills(),
            Some(known) => known.covered.clone(),
            None => RoaringBitmap::new(),
        };
        let home = self.home(&row.file, row.line);
        let line = self.at(&row.file, home.unwrap_or(row.line));
        line.covered |= match unseen {
            Some(unseen) if line.executable => reached & unseen,
            // Coverage says nothing of this line: its mutants do.
            _ => reached,
        };
        line.mutants.push(mutant);
    }

    /// The executable line that a line belongs to.
    fn home(&self, file: &str, line: u32) -> Option<u32> {
        let functions = self.functions.as_ref()?.get(file).map_or(&[][..], Vec::as_slice);
        let above = self.found.get(file)?.range(..=line).rev().find(|(_, known)| known.executable)?.0;
        let same = FunctionLines::around(functions, *above) == FunctionLines::around(functions, line);
        same.then_some(*above)
    }

    fn finish(self, matrix: &KillMatrix, functions: &FunctionTable) -> Vec<Statement> {
        let mut statements = Vec::new();
        for (file, lines) in self.found {
            let functions = functions.get(&file).map_or(&[][..], Vec::as_slice);
            let starts: Vec<u32> = lines.keys().copied().collect();
            let lasts = starts.into_iter().skip(1).map(|next| next - 1).chain([u32::MAX]);
            for ((at, line), last) in lines.into_iter().zip(lasts) {
                // A mutant may take out many lines; those on which something else begins are not its place.
                let ends = line.mutants.iter().map(|mutant| matrix.mutants[*mutant].end_line);
                let end_line = ends.max().unwrap_or(at).clamp(at, last);
                statements.push(Statement {
                    place: CodePlace { file: file.clone(), line: at, end_line },
                    function: FunctionLines::around(functions, at).cloned(),
                    covered: line.covered,
                    mutants: line.mutants,
                });
            }
        }
        statements
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::coverage_from;
    use crate::matrix::from_csv;

    const TABLE: &str = "mutant,file,line,fate,a::x,b\n1,src/f.c,2,killed,F,.\n2,src/f.c,2,survived,P,P\n\
        3,src/f.c,4,survived,.,P\n4,src/g.c,9,,.,.\n";

    fn shown(spectrum: &Spectrum) -> Vec<String> {
        let tests = |set: &RoaringBitmap| set.iter().map(|test| test.to_string()).collect::<String>();
        let rows = spectrum.statements.iter();
        rows.map(|row| format!("{} by [{}] mutants {:?}", row.place, tests(&row.covered), row.mutants))
            .collect()
    }

    #[test]
    fn mutants_make_statements() {
        let spectrum = Spectrum::from_matrix(&from_csv(TABLE, "t").unwrap(), &FunctionTable::new());
        let wanted = [
            "src/f.c:2 by [01] mutants [0, 1]",
            "src/f.c:4 by [1] mutants [2]",
            "src/g.c:9 by [] mutants [3]",
        ];
        assert_eq!(shown(&spectrum), wanted);
    }

    #[test]
    fn coverage_makes_statements_and_mutants_find_theirs() {
        let info = "TN:a__x\nSF:/home/src/f.c\nFN:1,3,f\nFN:4,9,g\nDA:1,1\nDA:3,0\nend_of_record\nTN:who\nSF:h.c\nDA:1,1\nend_of_record\n";
        let coverage = coverage_from(info, "t", "t").unwrap();
        let spectrum =
            Spectrum::with_coverage(&from_csv(TABLE, "t").unwrap(), &coverage, &FunctionTable::new());
        let wanted = [
            "h.c:1 by [] mutants []",
            "src/f.c:1 by [01] mutants [0, 1]",
            "src/f.c:3 by [] mutants []",
            "src/f.c:4 by [1] mutants [2]",
            "src/g.c:9 by [] mutants [3]",
        ];
        assert_eq!(shown(&spectrum), wanted);
        assert_eq!(
            (spectrum.strangers.as_slice(), spectrum.unseen.clone()),
            (["who".to_owned()].as_slice(), RoaringBitmap::from([1]))
        );
        assert_eq!(spectrum.statements[1].function.as_ref().unwrap().name, "f");
    }

    #[test]
    fn the_last_line_that_a_number_can_name_is_a_statement() {
        let table = format!("mutant,file,line,fate,t\n1,a.c,{},killed,F\n", u32::MAX);
        let info = format!("SF:a.c\nDA:{0},1\nend_of_record\nSF:b.c\nDA:{0},1\nend_of_record\n", u32::MAX);
        let coverage = coverage_from(&info, "t", "t").unwrap();
        let spectrum =
            Spectrum::with_coverage(&from_csv(&table, "t").unwrap(), &coverage, &FunctionTable::new());
        let wanted = ["a.c:4294967295 by [0] mutants [0]", "b.c:4294967295 by [0] mutants []"];
        assert_eq!(shown(&spectrum), wanted);
    }

    #[test]
    fn a_line_between_statements_belongs_to_the_one_above() {
        let spectrum = Spectrum::from_matrix(&from_csv(TABLE, "t").unwrap(), &FunctionTable::new());
        let at = |file, line| spectrum.statement_at(file, line);
        assert_eq!(
            [at("src/f.c", 1), at("src/f.c", 3), at("src/f.c", 99), at("src/g.c", 9)],
            [Some(0), Some(0), Some(1), Some(2)]
        );
        assert_eq!(at("src/a.c", 1), None);
    }
}
