//! A project that was built, with all that a framework needs to run its tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::control::Progress;
use crate::exec::Observation;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::harness::Config;

use super::super::each::Each;
use super::super::each::Single;
use super::super::imports::StrayImport;
use super::super::request::Request;
use super::super::request::RunError;
use super::super::request::Runner;
use super::super::request::Thrift;
use super::super::resident::ServerKind;
use super::super::resident::TestServer;
use super::sanitizers;
use super::table::framework;

/// How long it may take to list tests.
const LISTING: Duration = Duration::from_secs(300);
/// How many bytes of a list of tests are read.
const MOST_LISTED: u64 = 64 << 20;

/// A project that was built and is to be tested.
pub struct TestSetup<'a> {
    pub config: &'a Config,
    /// The tree in which tests run.
    pub tree: &'a Path,
    /// The tree in which the project was built; programs and classes are there.
    pub built: &'a Path,
    /// What the build printed.
    pub said: &'a [u8],
    /// Variables that the build was run with.
    pub env: &'a [(String, String)],
    /// The environment that we were started in.
    pub outer: &'a BTreeMap<String, String>,
    /// A directory for the runner's own files.
    pub scratch: &'a Path,
    /// A directory for what is kept from run to run.
    pub cache: &'a Path,
    pub units: u32,
    /// The tests, if they were listed before.
    pub known: Option<&'a [String]>,
    /// Packages that must be found in the tree first.
    pub strays: &'a [StrayImport],
    /// What tests may do.
    pub sandbox: &'a Sandbox,
    /// What builds, and commands that list tests, may do.
    pub build_sandbox: &'a Sandbox,
    pub progress: &'a Progress,
}

impl TestSetup<'_> {
    /// The runner for the project's tests.
    pub fn runner(&self) -> Result<Box<dyn Runner>, RunError> {
        fs::create_dir_all(self.scratch).map_err(RunError::io(self.scratch.display().to_string()))?;
        framework(self.config.tests.style.name()).runner(self)
    }

    /// A resident server that runs the tests; they are listed unless they are known.
    pub fn server(
        &self,
        kind: ServerKind,
        command: Vec<String>,
        env: Vec<(String, String)>,
    ) -> Result<Box<dyn Runner>, RunError> {
        let known = self.known.unwrap_or_default().to_vec();
        let mut server =
            TestServer::new(kind, command, self.tree.to_owned(), env, known).sandboxed(self.sandbox);
        if self.known.is_none() {
            server.list(self.progress)?;
            server.keep(|name| self.wants(name));
        }
        Ok(Box::new(server))
    }

    /// Whether a test of this name is to be run.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.config.tests.wants(name)
    }

    /// The variables that tests are run with.
    pub(super) fn env(&self) -> Vec<(String, String)> {
        let own = self.config.tests.env.iter().map(|(key, value)| (key.clone(), value.clone()));
        let mut env = self.env.iter().cloned().chain(own).collect();
        StrayImport::put_first(self.strays, self.tree, &mut env, self.outer.get("PYTHONPATH"));
        sanitizers::add_options(&mut env, self.outer);
        env
    }

    /// Runs a command that lists tests.
    pub(super) fn ask(&self, spec: Spec) -> Result<Vec<u8>, RunError> {
        self.observe(spec.time(LISTING)).map(|seen| seen.stdout)
    }

    /// Runs a command in the environment of tests.
    pub(super) fn observe(&self, spec: Spec) -> Result<Observation, RunError> {
        let spec = spec.envs(&self.env()).keep(MOST_LISTED).stopped_by(self.progress);
        let spec = spec.sandboxed(self.build_sandbox);
        let seen = spec.run().map_err(RunError::io(spec.line()))?;
        self.progress.check()?;
        Ok(seen)
    }

    /// A request of nothing, in the unchanged program.
    pub(super) fn plain_request(&self) -> Request<'_> {
        Request {
            on: "",
            tests: &[],
            limits: &|_| Duration::ZERO,
            floor: LISTING,
            work: LISTING,
            first_kill: false,
            reach: false,
            thrift: Thrift::None,
            progress: self.progress,
        }
    }

    /// A runner of one process per test.
    pub(super) fn each(&self, tests: Vec<(String, Single)>) -> Each {
        let tests = tests.into_iter().filter(|(name, _)| self.wants(name)).collect();
        Each::new(tests, self.env(), self.scratch, self.units).sandboxed(self.sandbox)
    }
}
