//! One command that runs all tests, and a report that has a verdict on each.

use std::fs;
use std::path::Path;

use crate::harness::Format;
use crate::harness::Reading;
use crate::harness::read::junit_xml;

use super::super::request::RunError;
use super::super::request::Runner;
use super::super::whole::Whole;
use super::files::files;
use super::setup::TestSetup;
use super::table::Framework;

/// A command with a report: Maven, Gradle, node, TAP, XML in JUnit's manner.
pub struct ReportFramework;

impl Framework for ReportFramework {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let style = &setup.config.tests.style;
        let (format, report) = (style.format(), style.report().map(str::to_owned));
        let mut whole = Whole {
            names: vec![],
            line: style.command().unwrap_or_default().to_owned(),
            directory: setup.tree.to_owned(),
            env: setup.env(),
            reader: Box::new(move |said, tree| read(format, report.as_deref(), said, tree)),
            scratch: setup.scratch.to_owned(),
            units: setup.units,
            sandbox: setup.sandbox.clone(),
        };
        // To list them is to run them, and a mutant may hang.
        whole.names = match setup.known {
            Some(known) => known.to_vec(),
            None => whole.list(&setup.plain_request(), setup.config.limits.baseline)?,
        };
        whole.names.retain(|name| setup.wants(name));
        Ok(Box::new(whole))
    }
}

fn read(format: Format, report: Option<&str>, said: &[u8], tree: &Path) -> Reading {
    let Some(glob) = report else { return format.read(said) };
    let mut all = Reading::default();
    for path in files(tree, &[glob.to_owned()]).unwrap_or_default() {
        let path = tree.join(path);
        let reading = fs::read(&path).map(|bytes| junit_xml(&bytes)).unwrap_or_default();
        // What an earlier run left must not speak for a later one.
        let _ = fs::remove_file(&path);
        all.seen.extend(reading.seen);
        all.skipped += reading.skipped;
    }
    all
}
