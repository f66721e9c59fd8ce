//! One command that runs all tests, and a report that has a verdict on each.

use std::fs;
use std::path::Path;

use crate::harness::Format;
use crate::harness::Reading;
use crate::harness::Style;
use crate::harness::read::junit_xml;

use super::super::request::RunError;
use super::super::request::Runner;
use super::super::whole::Whole;
use super::files::files;
use super::npx::without_npx;
use super::setup::TestSetup;
use super::table::Framework;

/// A command line and its environment.
pub(super) struct Command {
    pub line: String,
    pub env: Vec<(String, String)>,
}

/// A command with a report: Maven, Gradle, node, TAP, JUnit XML.
pub struct ReportFramework;

impl Framework for ReportFramework {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        ReportFramework::runner_in(setup, setup.env())
    }
}

impl ReportFramework {
    /// A runner of the command in this environment.
    pub(super) fn runner_in(
        setup: &TestSetup,
        env: Vec<(String, String)>,
    ) -> Result<Box<dyn Runner>, RunError> {
        let line = without_npx(setup.config.tests.style.command().unwrap_or_default(), setup.tree);
        Self::part(setup, Command { line, env }, setup.known.map(<[String]>::to_vec), "")
    }

    /// A runner of a command that runs some of the tests; `prefix` stands before their names in the project's.
    pub(super) fn part(
        setup: &TestSetup,
        command: Command,
        known: Option<Vec<String>>,
        prefix: &str,
    ) -> Result<Box<dyn Runner>, RunError> {
        let style = &setup.config.tests.style;
        let (format, report) = (style.format(), style.report().map(str::to_owned));
        let stale = report.clone();
        let mut whole = Whole {
            names: vec![],
            line: command.line,
            directory: setup.tree.to_owned(),
            env: command.env,
            reader: Box::new(move |said, tree| read(format, report.as_deref(), said, tree)),
            clean: Box::new(move |tree| drop(reports(stale.as_deref(), tree))),
            scratch: setup.scratch.to_owned(),
            units: setup.units,
            usual: None,
            sandbox: setup.sandbox.clone(),
        };
        // To list them is to run them, and a mutant may hang.
        whole.names = match known {
            Some(known) => known,
            None => whole.list(&setup.plain_request(), setup.config.limits.baseline)?,
        };
        whole.names.retain(|name| setup.wants(&format!("{prefix}{name}")));
        Ok(Box::new(whole))
    }
}

/// Reads what all tests said: from what was printed, or from the files of the report.
pub fn read_report(style: &Style, said: &[u8], tree: &Path) -> Reading {
    read(style.format(), style.report(), said, tree)
}

fn read(format: Format, report: Option<&str>, said: &[u8], tree: &Path) -> Reading {
    if report.is_none() {
        return format.read(said);
    }
    let mut all = Reading::default();
    for bytes in reports(report, tree) {
        let reading = junit_xml(&bytes);
        all.seen.extend(reading.seen);
        all.skipped += reading.skipped;
    }
    all
}

/// Takes the reports out of a tree: what an earlier run left must not speak for a later one.
fn reports(glob: Option<&str>, tree: &Path) -> Vec<Vec<u8>> {
    let globs: Vec<String> = glob.into_iter().map(str::to_owned).collect();
    let take = |path: String| {
        let path = tree.join(path);
        let bytes = fs::read(&path).unwrap_or_default();
        // One that cannot be removed is written over.
        let _ = fs::remove_file(&path);
        bytes
    };
    files(tree, &globs).unwrap_or_default().into_iter().map(take).collect()
}
