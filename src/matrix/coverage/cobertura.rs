//! Cobertura's XML report, which coverage.py, gcovr and many others write, too.

use crate::text::FunctionLines;

use super::super::xml::Tag;
use super::super::xml::XmlStep;
use super::super::xml::walk;
use super::CoverageError;
use super::LineCoverage;

/// Reads a report. A method goes from the first to the last of its lines.
pub(super) fn read(text: &str, origin: &str, test: &str) -> Result<LineCoverage, CoverageError> {
    let mut report = Report { test, ..Report::default() };
    report.coverage.note_test(test);
    let step = |step: XmlStep| {
        match step {
            XmlStep::Open(tag) => report.open(&tag)?,
            XmlStep::Close("method") => report.end_method(),
            XmlStep::Close(_) | XmlStep::Text(_) => {}
        }
        Ok(())
    };
    walk(text, step).map_err(|problem| CoverageError::xml(origin, problem))?;
    Ok(report.coverage)
}

#[derive(Default)]
struct Report<'a> {
    coverage: LineCoverage,
    test: &'a str,
    file: String,
    /// The method that is being read, and its lines.
    method: Option<FunctionLines>,
}

impl Report<'_> {
    fn open(&mut self, tag: &Tag) -> Result<(), String> {
        match tag.name.as_str() {
            "class" => self.file = tag.text("filename")?.to_owned(),
            "method" => {
                let name = tag.text("name")?.to_owned();
                self.method = Some(FunctionLines { first: u32::MAX, last: 0, name });
            }
            "line" => self.line(tag.number("number")?, tag.number("hits")? > 0),
            _ => {}
        }
        Ok(())
    }

    fn line(&mut self, line: u32, executed: bool) {
        self.coverage.note(self.test, &self.file, line, executed);
        if let Some(method) = &mut self.method {
            method.first = method.first.min(line);
            method.last = method.last.max(line);
        }
    }

    fn end_method(&mut self) {
        if let Some(method) = self.method.take().filter(|method| method.first <= method.last) {
            self.coverage.note_function(&self.file, method);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"<?xml version="1.0" ?>
<coverage version="7.2"><sources><source>/home/x/src</source></sources>
<packages><package name="."><classes><class name="a.py" filename="a.py"><methods>
<method name="f" signature="()"><lines><line number="2" hits="1"/><line number="4" hits="0"/></lines></method><method name="g"><lines/></method></methods>
<lines><line number="1" hits="3"/><line number="2" hits="1"/><line number="4" hits="0"/></lines></class></classes></package></packages></coverage>"#;

    #[test]
    fn lines_and_methods_are_found() {
        let found = read(TEXT, "t.xml", "t").unwrap();
        assert_eq!(found.lines["a.py"].iter().collect::<Vec<u32>>(), [1, 2, 4]);
        assert_eq!(found.tests["t"]["a.py"].iter().collect::<Vec<u32>>(), [1, 2]);
        assert_eq!(found.functions["a.py"], [FunctionLines { first: 2, last: 4, name: "f".into() }]);
    }

    #[test]
    fn refusals_name_the_line() {
        let error = read(&TEXT.replace("hits=\"3\"", "hits=\"x\""), "t.xml", "t").unwrap_err().to_string();
        assert_eq!(error, "t.xml:5: hits=\"x\" of <line> is not a number");
    }
}
