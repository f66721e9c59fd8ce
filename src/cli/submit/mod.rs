//! `wildcaught submit`: splits work into parts, which Slurm, Kubernetes or GNU parallel run.
//!
//! In: a command. Out: what is run once before, for each part, and when all are done. Nothing here schedules anything.

mod args;
mod bar;
mod kubernetes;
mod parallel;
mod retype;
mod scripts;
mod slurm;
mod work;

use std::path::PathBuf;

use anyhow::Result;
use anyhow::bail;

use args::SlurmArgs;
pub use args::SubmitCommand;
use args::WorkArgs;
use work::Work;

use super::exit::Exit;
use super::run_line;
use super::settings::OUT;
use super::settings::results;

/// Runs the command.
pub fn run(command: &SubmitCommand) -> Result<Exit> {
    match command {
        SubmitCommand::Slurm(args) => {
            let args = with_last(args)?;
            let work = Work::new(&args.work)?;
            slurm::run(&args, &work, || prepare(&work))
        }
        SubmitCommand::Kubernetes(args) => kubernetes::run(args, &Work::new(&needed(&args.work)?)?),
        SubmitCommand::Parallel(args) => {
            let work = Work::new(&needed(&args.work)?)?;
            parallel::run(args, &work, || prepare(&work))
        }
    }
}

/// Does what comes before the parts.
fn prepare(work: &Work) -> Result<Exit> {
    work.before.as_ref().map_or(Ok(Exit::Fine), |before| run_line(before))
}

/// What was typed; with --status and --resubmit, the command and the number of parts of the last submission.
fn with_last(args: &SlurmArgs) -> Result<SlurmArgs> {
    let mut args = args.clone();
    if !(args.status || args.resubmit) {
        args.work = needed(&args.work)?;
        return Ok(args);
    }
    let usual = || results(&PathBuf::from(OUT)).join("submit");
    let dir = args.work.dir.clone().unwrap_or_else(usual);
    (args.work.command, args.work.array) = slurm::last_submission(&dir)?;
    args.work.dir = Some(dir);
    Ok(args)
}

fn needed(work: &WorkArgs) -> Result<WorkArgs> {
    if work.command.is_empty() {
        bail!("name a command after --, as in: wildcaught submit … -- test --all");
    }
    Ok(work.clone())
}
