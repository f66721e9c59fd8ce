//! Rust's tests with the documentation tests behind them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::exec::Sandbox;
use crate::harness::read::DocName;

use super::super::batch::Batch;
use super::super::each::Each;
use super::super::request::Ran;
use super::super::request::Request;
use super::super::request::RunError;
use super::super::request::Runner;
use super::super::request::Said;
use super::doc_tests::BuiltDocTest;
use super::doc_tests::DocTests;
use super::setup::TestSetup;

/// Runs the tests of programs first; documentation tests follow, and are built only if one is run.
pub struct WithDocs {
    batch: Batch,
    docs: DocTests,
    /// The tests of the programs, then the documentation tests.
    names: Vec<String>,
    built: Option<Built>,
    env: Vec<(String, String)>,
    scratch: PathBuf,
    units: u32,
    sandbox: Sandbox,
}

/// Documentation tests that can be run, and their numbers by name.
struct Built {
    each: Each,
    numbers: BTreeMap<String, u32>,
    /// Why there are none, if they could not be built.
    why: Option<String>,
}

impl WithDocs {
    /// The documentation tests are those that are known; if nothing is known, they are built now.
    pub fn new(batch: Batch, docs: DocTests, setup: &TestSetup) -> Result<Self, RunError> {
        let scratch = setup.scratch.join("docs");
        std::fs::create_dir_all(&scratch).map_err(RunError::io(scratch.display().to_string()))?;
        let found = match setup.known {
            Some(known) => known.iter().filter(|name| DocName::parse(name).is_some()).cloned().collect(),
            None => docs.build(None, setup.progress)?.into_iter().map(|test| test.name).collect::<Vec<_>>(),
        };
        let found = found.into_iter().filter(|name| setup.wants(name));
        let names = batch.tests().iter().cloned().chain(found).collect();
        Ok(Self {
            batch,
            docs,
            names,
            built: None,
            env: setup.env(),
            scratch,
            units: setup.units,
            sandbox: setup.sandbox.clone(),
        })
    }

    /// Builds the documentation tests if they are not; a failure is theirs, not ours.
    fn build(&mut self, request: &Request) -> Result<&mut Built, RunError> {
        if self.built.is_none() {
            let (tests, why) = match self.docs.build(Some(&self.names), request.progress) {
                Ok(tests) => (tests, None),
                Err(RunError::Broken(why)) => (vec![], Some(why)),
                Err(error) => return Err(error),
            };
            let runnable = |test: BuiltDocTest| Some((test.name, test.single?));
            let singles: Vec<_> = tests.into_iter().filter_map(runnable).collect();
            let numbers = singles.iter().zip(0..).map(|((name, _), number)| (name.clone(), number)).collect();
            let each =
                Each::new(singles, self.env.clone(), &self.scratch, self.units).sandboxed(&self.sandbox);
            self.built = Some(Built { each, numbers, why });
        }
        Ok(self.built.as_mut().expect("it was just put there"))
    }

    fn run_docs(&mut self, docs: &[u32], request: &Request) -> Result<Ran, RunError> {
        let names: Vec<String> = docs.iter().map(|test| self.names[*test as usize].clone()).collect();
        let built = self.build(request)?;
        let mut ran = Ran::default();
        let (mut tests, mut ours) = (Vec::new(), BTreeMap::new());
        for (test, name) in docs.iter().zip(&names) {
            match built.numbers.get(name) {
                Some(number) => {
                    tests.push(*number);
                    ours.insert(*number, *test);
                }
                None => ran.said.push(unbuilt(*test, built.why.as_deref())),
            }
        }
        if request.first_kill && ran.is_killed() {
            return Ok(ran);
        }
        let limits = |test: u32| (request.limits)(ours[&test]);
        let inner = built.each.run(&Request { tests: &tests, limits: &limits, ..*request })?;
        ran.said.extend(inner.said.into_iter().map(|said| Said { test: ours[&said.test], ..said }));
        ran.reached.extend(inner.reached.into_iter().map(|(test, units)| (ours[&test], units)));
        Ok(ran)
    }
}

fn unbuilt(test: u32, why: Option<&str>) -> Said {
    let (verdict, message) = BuiltDocTest::UNBUILT;
    Said { test, verdict, millis: 0.0, message: why.unwrap_or(message).to_owned(), busy: false }
}

impl Runner for WithDocs {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn shares_processes(&self) -> bool {
        self.batch.shares_processes()
    }

    fn programs(&self) -> Vec<PathBuf> {
        self.batch.programs()
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        let own = self.batch.tests().len() as u32;
        let (tests, docs): (Vec<u32>, Vec<u32>) = request.tests.iter().partition(|test| **test < own);
        let mut ran = match tests.is_empty() {
            true => Ran::default(),
            false => self.batch.run(&Request { tests: &tests, ..*request })?,
        };
        if docs.is_empty() || (request.first_kill && ran.is_killed()) {
            return Ok(ran);
        }
        let more = self.run_docs(&docs, request)?;
        ran.said.extend(more.said);
        ran.reached.extend(more.reached);
        Ok(ran)
    }
}
