//! Tests that a build system lists as programs with their arguments: what CMake's and Meson's have in common.

use std::path::PathBuf;

use crate::harness::Style;

use super::super::each::Single;
use super::super::each::TestCall;
use super::super::oracle::Expected;
use super::super::request::RunError;
use super::super::request::Runner;
use super::listing::tests_in;
use super::setup::TestSetup;

/// A test as a build system says it is run.
#[derive(Clone, Debug)]
pub struct ListedTest {
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The directory of the build if none is named.
    pub directory: Option<String>,
    pub env: Vec<(String, String)>,
    pub expected: Expected,
}

/// The directory in which the project was built, as the settings say.
pub fn build_directory<'a>(setup: &'a TestSetup) -> Result<&'a str, RunError> {
    match &setup.config.tests.style {
        Style::Listed { directory, .. } => Ok(directory),
        _ => Err(RunError::Broken("the build directory of the tests is not set; set it in [tests]".into())),
    }
}

/// A process per test; a program that can say which tests it holds stands for these. Whatever names the tree of the
/// build names that of the tests.
pub fn runner_of(tests: Vec<ListedTest>, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
    let inside = setup.tree.join(build_directory(setup)?);
    let (from, to) = (setup.built.display().to_string(), setup.tree.display().to_string());
    let moved = |text: &str| text.replace(&from, &to);
    let mut singles = Vec::new();
    for test in tests {
        let single = Single {
            call: TestCall::Program(test.command.iter().map(|word| moved(word)).collect()),
            directory: test
                .directory
                .map_or_else(|| inside.clone(), |directory| PathBuf::from(moved(&directory))),
            env: test.env.into_iter().map(|(name, value)| (name, moved(&value))).collect(),
            expected: test.expected,
        };
        singles.extend(expanded(test.name, single, setup)?);
    }
    Ok(Box::new(setup.each(singles)))
}

/// The tests that a program holds, where it can say which; else it is one test.
fn expanded(name: String, single: Single, setup: &TestSetup) -> Result<Vec<(String, Single)>, RunError> {
    let (TestCall::Program(words), Expected::Exit { fails: false, .. }) = (&single.call, &single.expected)
    else {
        return Ok(vec![(name, single)]);
    };
    // With arguments, it is a choice already.
    let [program] = &words[..] else { return Ok(vec![(name, single)]) };
    let tests = tests_in(program, &single.directory, setup)?;
    if tests.len() < 2 {
        return Ok(vec![(name, single)]);
    }
    let one = |(test, argument): (String, String)| {
        let call = TestCall::Program(vec![program.clone(), argument]);
        (format!("{name}::{test}"), Single { call, ..single.clone() })
    };
    Ok(tests.into_iter().map(one).collect())
}
