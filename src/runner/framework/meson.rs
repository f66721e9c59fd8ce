//! The tests of a Meson build: it leaves a list of them, and each is a command.

use std::fs;

use crate::harness::read::MesonTest;
use crate::harness::read::meson_tests;

use super::super::oracle::Expected;
use super::super::request::RunError;
use super::super::request::Runner;
use super::files::files;
use super::listed::ListedTest;
use super::listed::build_directory;
use super::listed::runner_of;
use super::setup::TestSetup;
use super::table::Framework;

/// Where the list is, in a build directory.
const LIST: &str = "meson-info/intro-tests.json";
/// The code by which a test says that it was skipped.
const SKIPPED: i32 = 77;

/// Meson.
pub struct Meson;

impl Framework for Meson {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let directory = build_directory(setup)?;
        let list = setup.tree.join(directory).join(LIST);
        let tests = meson_tests(&fs::read(&list).unwrap_or_default());
        if tests.is_empty() {
            return Err(RunError::Broken(format!("meson lists no tests in {directory}/{LIST}")));
        }
        let turned = turns_around(setup)?;
        runner_of(tests.into_iter().map(|test| listed(test, turned)).collect(), setup)
    }
}

/// Whether a test may pass by failing: the list does not say which.
fn turns_around(setup: &TestSetup) -> Result<bool, RunError> {
    let builds = files(setup.tree, &["**/meson.build".to_owned()])?;
    let says = |path: &String| {
        fs::read(setup.tree.join(path))
            .is_ok_and(|text| memchr::memmem::find(&text, b"should_fail").is_some())
    };
    Ok(builds.iter().any(says))
}

/// How a test is run: by itself where its exit code says all, else by `meson`.
fn listed(test: MesonTest, turned: bool) -> ListedTest {
    let alone = test.by_exit_code() && !turned;
    let MesonTest { name, command, env, directory, .. } = test;
    if !alone {
        let words = ["meson", "test", "--no-rebuild", "--print-errorlogs"].map(str::to_owned);
        let command = words.into_iter().chain([name.clone()]).collect();
        return ListedTest { name, command, directory: None, env: vec![], expected: Expected::success() };
    }
    let expected = Expected::Exit { fails: false, skip: Some(SKIPPED) };
    ListedTest { name, command, directory, env: env.into_iter().collect(), expected }
}
