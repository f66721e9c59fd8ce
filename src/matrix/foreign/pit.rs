//! PIT's `mutations.xml`; with `fullMutationMatrix` it names all tests that kill and all that do not.

use std::collections::BTreeMap;

use crate::exec::Verdict;

use super::super::Fate;
use super::super::KillMatrix;
use super::super::MutantRow;
use super::super::Outcome;
use super::super::xml::XmlStep;
use super::super::xml::walk;
use super::MatrixReadError;
use super::gathered::ForeignRows;

/// Reads a report; `origin` names it in errors.
///
/// The file of `a.b.C$D` is `a/b/` and the source file's name. Without the full matrix a mutant was run, as
/// far as anybody can tell, with the test that killed it.
pub fn from_pit(text: &str, origin: &str) -> Result<KillMatrix, MatrixReadError> {
    let mut report = Report::default();
    let step = |step: XmlStep| {
        match step {
            XmlStep::Open(tag) => {
                if tag.name == "mutation" {
                    report.status = tag.text("status")?.to_owned();
                    report.fields.clear();
                }
                report.open = Some(tag.name);
            }
            XmlStep::Text(text) => report.text(text),
            XmlStep::Close("mutation") => report.finish()?,
            XmlStep::Close(_) => report.open = None,
        }
        Ok(())
    };
    walk(text, step).map_err(|problem| MatrixReadError::Line {
        origin: origin.to_owned(),
        line: problem.line,
        problem: problem.problem,
    })?;
    Ok(report.gathered.matrix)
}

#[derive(Default)]
struct Report {
    gathered: ForeignRows,
    status: String,
    /// The element whose text comes.
    open: Option<String>,
    /// The texts of a mutation's elements. Of several with one name, joined by commas.
    fields: BTreeMap<String, String>,
}

impl Report {
    fn text(&mut self, text: &str) {
        if let Some(open) = &self.open {
            self.fields.entry(open.clone()).or_default().push_str(text);
        }
    }

    fn field(&self, name: &str) -> Result<&str, String> {
        let found = self.fields.get(name).map(String::as_str);
        found.ok_or_else(|| format!("<mutation> has no <{name}>, so PIT did not write this file"))
    }

    fn finish(&mut self) -> Result<(), String> {
        let row = self.row()?;
        let fate = self.fate()?;
        let outcome = fate.map(|fate| self.outcome(fate));
        self.gathered.mutant(row, outcome);
        self.open = None;
        Ok(())
    }

    fn row(&self) -> Result<MutantRow, String> {
        let (class, method, mutator) =
            (self.field("mutatedClass")?, self.field("mutatedMethod")?, self.field("mutator")?);
        let line = self.field("lineNumber")?;
        let line: u32 =
            line.parse().map_err(|_| format!("<lineNumber>{line}</lineNumber> is not a number"))?;
        let package =
            class.rsplit_once('.').map_or(String::new(), |(package, _)| package.replace('.', "/") + "/");
        let operator = mutator.rsplit('.').next().unwrap_or(mutator);
        let description = self.fields.get("methodDescription").map_or("", String::as_str);
        let index = self.fields.get("index").map_or("", String::as_str);
        Ok(MutantRow {
            id: format!("{class}.{method}{description}:{index}:{operator}"),
            file: format!("{package}{}", self.field("sourceFile")?),
            line,
            end_line: line,
            operator: operator.to_owned(),
            after: self.fields.get("description").cloned().unwrap_or_default(),
            ..MutantRow::default()
        })
    }

    fn fate(&self) -> Result<Option<Fate>, String> {
        Ok(Some(match self.status.as_str() {
            "KILLED" | "MEMORY_ERROR" | "RUN_ERROR" => Fate::Killed,
            "SURVIVED" => Fate::Survived,
            "TIMED_OUT" => Fate::TimeOut,
            "NON_VIABLE" => Fate::Unviable,
            "NO_COVERAGE" => Fate::NotCovered,
            "NOT_STARTED" | "STARTED" => return Ok(None),
            other => return Err(format!("unknown status `{other}`")),
        }))
    }

    fn outcome(&mut self, fate: Fate) -> Outcome {
        let mut outcome = Outcome::new(fate);
        let kill = if fate == Fate::TimeOut { Verdict::TimeOut } else { Verdict::Fail };
        for (field, verdict) in
            [("succeedingTests", Verdict::Pass), ("killingTests", kill), ("killingTest", kill)]
        {
            let names = self.fields.get(field).cloned().unwrap_or_default();
            for name in names.split('|').map(str::trim).filter(|name| !name.is_empty()) {
                let test = self.gathered.test(name);
                outcome.note(test, verdict);
                outcome.covered.insert(test);
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use roaring::RoaringBitmap;

    use super::*;

    const TEXT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<mutations partial="true">
<mutation detected='true' status='KILLED' numberOfTestsRun='3'><sourceFile>Cli.java</sourceFile><mutatedClass>org.foo.Cli$Inner</mutatedClass><mutatedMethod>&lt;init&gt;</mutatedMethod><methodDescription>(I)V</methodDescription><lineNumber>14</lineNumber><mutator>org.pitest.mutationtest.engine.gregor.mutators.MathMutator</mutator><indexes><index>5</index></indexes><blocks><block>0</block></blocks><killingTests>a.T.one(a.T)|a.T.two(a.T)</killingTests><succeedingTests>a.T.three(a.T)</succeedingTests><description>Replaced + with -</description></mutation>
<mutation detected='false' status='NO_COVERAGE' numberOfTestsRun='0'><sourceFile>Cli.java</sourceFile><mutatedClass>Cli</mutatedClass><mutatedMethod>m</mutatedMethod><methodDescription>()V</methodDescription><lineNumber>20</lineNumber><mutator>x.VoidMutator</mutator><index>7</index><block>1</block><killingTest/><description>gone</description></mutation>
</mutations>
"#;

    #[test]
    fn a_report_becomes_a_matrix() {
        let matrix = from_pit(TEXT, "m.xml").unwrap();
        let known = matrix.outcome(0).unwrap();
        assert_eq!(matrix.mutants[0].id, "org.foo.Cli$Inner.<init>(I)V:5:MathMutator");
        assert_eq!((matrix.mutants[0].file.as_str(), matrix.mutants[0].line), ("org/foo/Cli.java", 14));
        let names: Vec<&str> =
            known.failed.iter().map(|test| matrix.tests[test as usize].name.as_str()).collect();
        assert_eq!((names, known.ran.len()), (vec!["a.T.one(a.T)", "a.T.two(a.T)"], 3));
        assert_eq!((matrix.fate(1), matrix.mutants[1].file.as_str()), (Fate::NotCovered, "Cli.java"));
    }

    #[test]
    fn without_the_full_matrix_only_the_killer_is_known() {
        let text = TEXT.replace("<killingTests>a.T.one(a.T)|a.T.two(a.T)</killingTests><succeedingTests>a.T.three(a.T)</succeedingTests>", "<killingTest>a.T.one(a.T)</killingTest>");
        let matrix = from_pit(&text, "m.xml").unwrap();
        assert_eq!(matrix.outcome(0).unwrap().ran, RoaringBitmap::from([0]));
    }

    #[test]
    fn refusals_name_the_line() {
        let refusal = |text: &str| from_pit(text, "m.xml").unwrap_err().to_string();
        assert_eq!(refusal(&TEXT.replace("NO_COVERAGE", "GONE")), "m.xml:4: unknown status `GONE`");
        assert!(
            refusal(&TEXT.replace("<lineNumber>14", "<lineNumber>x")).starts_with("m.xml:3: <lineNumber>x")
        );
        assert!(refusal(&TEXT.replace("</mutations>", "")).starts_with("m.xml:6: the XML ends"));
    }
}
