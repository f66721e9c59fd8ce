//! Options with which `localize` and `tame` run a project's mutants, and the run itself.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use crate::control::Events;
use crate::control::Shard;
use crate::insert::Inserter;
use crate::matrix::RunDir;
use crate::pipeline::localize::GatherRequest;
use crate::pipeline::localize::Gathered;
use crate::pipeline::test::AuditChoice;

use super::exit::Exit;
use super::progress::catch_interrupt;
use super::sandbox::SandboxArgs;
use super::sandbox::contain;
use super::settings::Settings;
use super::settings::part_results;
use super::settings::with_settings;
use super::target::TargetArgs;
use super::target::find_mutants;
use super::target::prepare;
use super::watch::ended;
use super::watch::watch;
use crate::pipeline::Prepared;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Running mutants")]
pub struct GatherArgs {
    /// Read the project's settings from FILE. If it is missing, settings are detected as by `wildcaught init`.
    #[arg(long, value_name = "FILE", default_value = "wildcaught.toml")]
    pub config: PathBuf,
    /// Write results to this directory. Results of the last run move to its subdirectory `previous`.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Sample at most N mutants per statement; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub per_statement: usize,
    /// Use this random seed for the sample.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// Continue the last run: keep its results, and run only what is missing.
    #[arg(long)]
    pub resume: bool,
    /// Print only the result, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Use N workers. Default: all cores.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

/// What is run.
pub struct Gather<'a> {
    pub args: &'a GatherArgs,
    pub target: &'a TargetArgs,
    pub settings: &'a Settings,
    /// Only operators of these names; all if there are none.
    pub operators: &'a [&'a str],
    /// Whether mutants are run at all, or only the tests.
    pub mutants: bool,
    /// Whether passing tests run on mutants that repair nothing.
    pub thorough: bool,
    /// How many mutants of each kind are tried again in the original project, if any.
    pub audit: Option<u32>,
    /// The part of the mutants that is run here, if others share them.
    pub shard: Option<Shard>,
    /// At most this many mutants in all.
    pub max: Option<usize>,
    pub budget: Option<Duration>,
    /// Whether a run that was stopped has a result.
    pub partial: bool,
}

impl Gather<'_> {
    /// Runs it; or prints why not, and gives the code to exit with.
    pub fn run(&self) -> Result<Result<Gathered, Exit>> {
        catch_interrupt()?;
        let prepared = prepare(&with_settings(self.target, self.settings))?;
        let Prepared { def, arsenal, target, fit, .. } = &prepared;
        let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
        let Some(all) = find_mutants(&inserter, self.args.quiet)? else { return Ok(Err(Exit::Interrupted)) };
        let paths = self.settings.paths(target)?;
        let events = Events::default();
        let out = RunDir::lock(&part_results(&self.args.out, self.shard))?;
        let policy = self.args.sandbox.over(&self.settings.config.sandbox);
        let containment = contain(&policy, self.args.quiet)?;
        let request = GatherRequest {
            project: &self.settings.project(&out, containment, &events.progress)?,
            out: &out,
            inserter: &inserter,
            all: &all,
            paths: &paths,
            resume: self.args.resume,
            operators: self.operators,
            per_statement: self.args.per_statement,
            seed: self.args.seed,
            mutants: self.mutants,
            thorough: self.thorough,
            jobs: self.settings.jobs(self.args.jobs),
            shard: self.shard,
            max: self.max,
            budget: self.budget,
            partial: self.partial,
            audit: self.audit.map(|count| AuditChoice { count: count as usize, seed: self.args.seed }),
        };
        ended(watch(&events, self.args.quiet, || request.run(&events)))
    }
}
