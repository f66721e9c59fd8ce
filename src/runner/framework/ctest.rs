//! The tests of a CMake build: `ctest` lists them, and each is a command.

use crate::exec::Spec;
use crate::harness::read::CtestTest;
use crate::harness::read::ctest_list;

use super::super::oracle::Expected;
use super::super::request::RunError;
use super::super::request::Runner;
use super::listed::ListedTest;
use super::listed::build_directory;
use super::listed::runner_of;
use super::setup::TestSetup;
use super::table::Framework;

/// CTest.
pub struct Ctest;

impl Framework for Ctest {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let directory = build_directory(setup)?;
        let inside = setup.tree.join(directory);
        let said = setup.ask(Spec::program("ctest", &inside).arg("--show-only=json-v1"))?;
        let start = memchr::memchr(b'{', &said).unwrap_or(0);
        let tests = ctest_list(&said[start..]);
        if tests.is_empty() {
            let said = String::from_utf8_lossy(&said).into_owned();
            return Err(RunError::Broken(format!("ctest finds no tests in {directory}: {}", said.trim())));
        }
        runner_of(tests.into_iter().filter(|test| !test.disabled).map(listed).collect(), setup)
    }
}

/// How a test is run; one with special properties by `ctest` itself.
fn listed(test: CtestTest) -> ListedTest {
    let CtestTest { name, command, env, .. } = test;
    if !test.special.is_empty() || command.is_empty() {
        let chosen = format!("^{}$", regex::escape(&name));
        let command = vec!["ctest".into(), "--output-on-failure".into(), "-R".into(), chosen];
        return ListedTest { name, command, directory: None, env, expected: Expected::success() };
    }
    let skip = test.skip_code.and_then(|code| i32::try_from(code).ok());
    let directory = test.directory.map(|directory| directory.display().to_string());
    ListedTest { name, command, directory, env, expected: Expected::Exit { fails: test.will_fail, skip } }
}
