//! The tests of a CMake build: `ctest` lists them, and each is a command.

use std::path::PathBuf;

use crate::exec::Spec;
use crate::harness::Style;
use crate::harness::read::CtestTest;
use crate::harness::read::ctest_list;

use super::super::each::Single;
use super::super::each::TestCall;
use super::super::oracle::Expected;
use super::super::request::RunError;
use super::super::request::Runner;
use super::listing::tests_in;
use super::setup::TestSetup;
use super::table::Framework;

/// CTest.
pub struct Ctest;

impl Framework for Ctest {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let Style::Ctest { directory } = &setup.config.tests.style else {
            return Err(RunError::Broken("tests are not run by ctest".into()));
        };
        let inside = setup.tree.join(directory);
        let listed = setup.ask(Spec::program("ctest", &inside).arg("--show-only=json-v1"))?;
        let start = memchr::memchr(b'{', &listed).unwrap_or(0);
        let tests = ctest_list(&listed[start..]);
        if tests.is_empty() {
            let said = String::from_utf8_lossy(&listed).into_owned();
            return Err(RunError::Broken(format!("ctest finds no tests in {directory}: {}", said.trim())));
        }
        let tests = tests.into_iter().filter(|test| !test.disabled);
        let mut singles = Vec::new();
        for test in tests {
            let name = test.name.clone();
            singles.extend(expanded(name, single(test, setup, &inside), setup)?);
        }
        Ok(Box::new(setup.each(singles)))
    }
}

/// The tests that a program holds, where it can say which; else it is one test.
fn expanded(name: String, single: Single, setup: &TestSetup) -> Result<Vec<(String, Single)>, RunError> {
    let (TestCall::Program(words), Expected::Exit { fails: false }) = (&single.call, &single.expected) else {
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

/// How a test is started; one with special properties by `ctest` itself.
fn single(test: CtestTest, setup: &TestSetup, inside: &std::path::Path) -> Single {
    let (from, to) = (setup.built.display().to_string(), setup.tree.display().to_string());
    let moved = |text: &str| text.replace(&from, &to);
    if !test.special.is_empty() || test.command.is_empty() {
        let name = format!("^{}$", regex::escape(&test.name));
        let words = vec!["ctest".into(), "--output-on-failure".into(), "-R".into(), name];
        let expected = Expected::Exit { fails: false };
        return Single {
            call: TestCall::Program(words),
            directory: inside.to_owned(),
            env: test.env,
            expected,
        };
    }
    let directory = test.directory.map(|directory| PathBuf::from(moved(&directory.display().to_string())));
    Single {
        call: TestCall::Program(test.command.iter().map(|word| moved(word)).collect()),
        directory: directory.unwrap_or_else(|| inside.to_owned()),
        env: test.env,
        expected: Expected::Exit { fails: test.will_fail },
    }
}
