//! The tests of `make check` where Automake wrote the makefiles: it leaves a `.trs` file for each, and runs one alone when
//! it is told which log is wanted.

use std::fs;
use std::path::Path;

use crate::exec::Spec;

use super::super::each::Single;
use super::super::each::TestCall;
use super::super::oracle::Expected;
use super::super::request::RunError;
use super::super::request::Runner;
use super::command::OneCommand;
use super::files::files;
use super::setup::TestSetup;
use super::table::Framework;

/// What Automake leaves of each test.
const RESULTS: &str = "**/*.trs";

/// `make check` of Automake.
pub struct Automake;

impl Framework for Automake {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let tests = match setup.known {
            Some(known) => known.to_vec(),
            None => list(setup)?,
        };
        // Where no file says what came of a test, as in old versions, all of them are one.
        if tests.is_empty() || tests == ["all"] {
            return OneCommand.runner(setup);
        }
        let singles = tests.into_iter().map(|test| (test.clone(), single(&test, setup.tree))).collect();
        Ok(Box::new(setup.each(singles)))
    }
}

/// Runs all tests; the names of those that left a result.
fn list(setup: &TestSetup) -> Result<Vec<String>, RunError> {
    let globs = [RESULTS.to_owned()];
    for stale in files(setup.tree, &globs)? {
        // One that stays is run as a test and fails, which is seen.
        let _ = fs::remove_file(setup.tree.join(stale));
    }
    let line = setup.config.tests.style.command().unwrap_or_default();
    let spec = Spec::shell(format!("MAKEFLAGS=-k {line}"), setup.tree);
    setup.observe(spec.time(setup.config.limits.baseline))?;
    let names = files(setup.tree, &globs)?;
    Ok(names.into_iter().map(|file| file.trim_end_matches(".trs").to_owned()).collect())
}

/// The call of one test, named by its result without the ending.
fn single(test: &str, tree: &Path) -> Single {
    let (directory, name) = test.rsplit_once('/').unwrap_or((".", test));
    let words = ["make", "-s", "check-TESTS", &format!("TEST_LOGS={name}.log")].map(str::to_owned);
    Single {
        call: TestCall::Program(words.to_vec()),
        directory: tree.join(directory),
        env: vec![],
        expected: Expected::success(),
    }
}
