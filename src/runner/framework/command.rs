//! One command; its exit code is the verdict of the one test.

use super::super::each::Single;
use super::super::each::TestCall;
use super::super::oracle::Expected;
use super::super::request::RunError;
use super::super::request::Runner;
use super::npx::without_npx;
use super::setup::TestSetup;
use super::table::Framework;

/// The name of the one test.
const NAME: &str = "all";

/// One command.
pub struct OneCommand;

impl Framework for OneCommand {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let line = without_npx(setup.config.tests.style.command().unwrap_or_default(), setup.tree);
        let directory = setup.tree.to_owned();
        let expected = Expected::success();
        let single = Single { call: TestCall::Line(line), directory, env: vec![], expected };
        Ok(Box::new(setup.each(vec![(NAME.into(), single)])))
    }
}
