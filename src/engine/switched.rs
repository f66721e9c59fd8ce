//! The engine that switches: all mutants are in one program, and a run turns some of them on.

use crate::control::Progress;
use crate::matrix::Switch;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::runner::Thrift;

use super::line_map::LineMap;
use super::scenario::Engine;
use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::Until;
use super::scenario::Variant;

/// One worker's runner of the meta-program.
pub struct Switched<'a> {
    pub runner: Box<dyn Runner>,
    /// Per mutant, where it is, if it is in the program.
    pub switches: &'a [Option<Switch>],
    /// Where lines of the original are in it, if tests may mention them.
    pub lines: Option<&'a LineMap>,
    pub progress: &'a Progress,
}

impl Switched<'_> {
    /// The switches of a variant, as the runtime reads them: `unit:version` with commas between.
    fn on(&self, variant: &Variant) -> Result<String, RunError> {
        let mutants = match variant {
            Variant::Nothing => &[],
            Variant::Mutants(mutants) => *mutants,
            Variant::Edits(_) => return Err(RunError::Broken("edits cannot be switched on".into())),
        };
        let on = |mutant: &u32| match self.switches.get(*mutant as usize) {
            Some(Some(Switch { unit, version })) => Ok(format!("{unit}:{version}")),
            _ => Err(RunError::Broken(format!("mutant {mutant} is not in the meta-program"))),
        };
        Ok(mutants.iter().map(on).collect::<Result<Vec<_>, _>>()?.join(","))
    }
}

impl Engine for Switched<'_> {
    fn run(&mut self, scenario: &Scenario) -> Result<Run, RunError> {
        let on = self.on(&scenario.variant)?;
        let mut run = ask(&mut *self.runner, scenario, &on, self.progress)?;
        if let (Run::Tested(ran), Some(lines)) = (&mut run, self.lines) {
            for said in ran.said.iter_mut().filter(|said| !said.message.is_empty()) {
                said.message = lines.restore(&said.message);
            }
        }
        Ok(run)
    }

    fn chooses(&self) -> bool {
        self.runner.chooses()
    }

    fn renew(&mut self) -> Result<(), RunError> {
        self.runner.renew()
    }

    fn shares_processes(&self) -> bool {
        self.runner.shares_processes()
    }
}

/// Asks a runner for a scenario, with this switched on.
pub(super) fn ask(
    runner: &mut dyn Runner,
    scenario: &Scenario,
    on: &str,
    progress: &Progress,
) -> Result<Run, RunError> {
    let limits = |test| scenario.limits.test(test);
    let ran = runner.run(&Request {
        on,
        tests: scenario.tests,
        limits: &limits,
        floor: scenario.limits.floor,
        work: scenario.limits.work,
        first_kill: scenario.until == Until::FirstKill,
        reach: scenario.reach,
        thrift: Thrift::None,
        progress,
    })?;
    Ok(Run::Tested(ran))
}
