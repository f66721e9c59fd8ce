//! JaCoCo's XML report: packages, in them methods by class and lines by source file.

use std::collections::BTreeMap;

use super::super::xml::Tag;
use super::super::xml::XmlStep;
use super::super::xml::walk;
use super::CoverageError;
use super::LineCoverage;
use super::lines::OpenFunction;

/// Reads a report. A line is executed if at least one of its instructions is. A method is known by its first
/// line; it goes up to the line before the next one.
pub(super) fn read(text: &str, origin: &str, test: &str) -> Result<LineCoverage, CoverageError> {
    let mut report = Report { test, ..Report::default() };
    report.coverage.note_test(test);
    let step = |step: XmlStep| match step {
        XmlStep::Open(tag) => report.open(&tag),
        XmlStep::Close(_) | XmlStep::Text(_) => Ok(()),
    };
    walk(text, step).map_err(|problem| CoverageError::xml(origin, problem))?;
    report.finish();
    Ok(report.coverage)
}

#[derive(Default)]
struct Report<'a> {
    coverage: LineCoverage,
    test: &'a str,
    package: String,
    /// The file that is spoken of.
    file: String,
    methods: BTreeMap<String, Vec<OpenFunction>>,
}

impl Report<'_> {
    fn open(&mut self, tag: &Tag) -> Result<(), String> {
        match tag.name.as_str() {
            "package" => self.package = tag.text("name")?.to_owned(),
            "class" => {
                let simple = tag.get("sourcefilename").unwrap_or_default();
                self.file = self.path(simple);
            }
            "method" if tag.get("line").is_some() => {
                let method = (tag.number("line")?, None, tag.text("name")?.to_owned());
                self.methods.entry(self.file.clone()).or_default().push(method);
            }
            "sourcefile" => self.file = self.path(tag.text("name")?),
            "line" => {
                let (line, executed) = (tag.number("nr")?, tag.number("ci")? > 0);
                self.coverage.note(self.test, &self.file, line, executed);
            }
            _ => {}
        }
        Ok(())
    }

    fn path(&self, simple: &str) -> String {
        if self.package.is_empty() { simple.to_owned() } else { format!("{}/{simple}", self.package) }
    }

    fn finish(&mut self) {
        for (file, methods) in std::mem::take(&mut self.methods) {
            self.coverage.note_functions(&file, methods);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="x"><sessioninfo id="a" start="1" dump="2"/><package name="org/foo">
<class name="org/foo/Bar" sourcefilename="Bar.java"><method name="b" desc="()V" line="9"><counter type="LINE" missed="0" covered="1"/></method><method name="a" desc="()V" line="3"/></class>
<sourcefile name="Bar.java"><line nr="3" mi="0" ci="2" mb="0" cb="0"/><line nr="9" mi="4" ci="0" mb="0" cb="0"/></sourcefile>
</package></report>"#;

    #[test]
    fn lines_and_methods_are_found() {
        let found = read(TEXT, "t.xml", "t").unwrap();
        assert_eq!(found.lines["org/foo/Bar.java"].len(), 2);
        assert_eq!(found.tests["t"]["org/foo/Bar.java"].iter().collect::<Vec<u32>>(), [3]);
        let methods: Vec<_> =
            found.functions["org/foo/Bar.java"].iter().map(|known| (known.first, known.last)).collect();
        assert_eq!(methods, [(3, 8), (9, 9)]);
    }

    #[test]
    fn refusals_name_the_line() {
        let error = read(&TEXT.replace("ci=\"0\"", ""), "t.xml", "t").unwrap_err().to_string();
        assert_eq!(error, "t.xml:5: <line> has no ci");
        let error = read(&TEXT.replace("</package>", ""), "t.xml", "t").unwrap_err().to_string();
        assert!(error.starts_with("t.xml:6: "), "{error}");
    }
}
