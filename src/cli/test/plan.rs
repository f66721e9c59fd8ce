//! `wildcaught plan`: writes what all machines need to know to share a run.

use anyhow::Result;
use anyhow::bail;

use crate::matrix::RunDir;
use crate::pipeline::test::PlanResult;
use crate::report::counted;
use crate::report::thousands;

use super::super::exit::Exit;
use super::super::settings::results;
use super::super::watch::ended;
use super::super::watch::watch;
use super::args::PlanArgs;
use super::job::Job;
use super::job::PLAN;
use super::job::Wanted;
use super::job::announce;
use super::job::choice;

/// Runs the command; `typed` are its options as they were typed.
pub fn run(args: &PlanArgs, typed: &[String]) -> Result<Exit> {
    if args.target.files.diff() == Some("-") || args.target.ops.iter().any(|set| set == "-") {
        bail!("-o -: a plan cannot go to standard output, since other machines read it; name a file");
    }
    let Some(job) = Job::prepare(&args.target, &args.how)? else { return Ok(Exit::Interrupted) };
    let choice = choice(&args.choice, &args.how);
    let mutants = choice.mutants(&job.prepared.inserter(), &job.all)?;
    if mutants.is_empty() {
        tell!("no mutant to test; `wildcaught mutate` shows where mutants were lost");
        return Ok(Exit::Incomplete);
    }
    if !args.how.quiet {
        announce(&choice, &job, None, mutants.len());
    }
    let home = results(&args.how.out);
    let file = args.output.clone().unwrap_or_else(|| home.join(PLAN));
    let out = RunDir::lock(&home)?;
    let wanted = Wanted { mutants, part: None };
    let made = job.with_request(&args.how, &out, wanted, |request, events| {
        watch(events, args.how.quiet, || request.plan(&file, typed, events))
    })?;
    let made = match ended(made)? {
        Ok(made) => made,
        Err(exit) => return Ok(exit),
    };
    if !args.how.quiet {
        tell!("{}", summary(&made));
        let next = "; next: wildcaught test --plan --shard 1/N, and so on, then wildcaught merge";
        let next = if args.output.is_none() { next } else { "" };
        tell!("wrote {}{next}", file.display());
    }
    Ok(Exit::Fine)
}

fn summary(made: &PlanResult) -> String {
    let PlanResult { mutants, settled, alone, unreached, summary } = made;
    let open = mutants - settled - unreached;
    format!(
        "{} of {} need tests ({} one by one), {} test runs in all; {} decided without tests, {} reached by no test",
        thousands(open as u64),
        counted(*mutants as u64, "mutant"),
        thousands(*alone as u64),
        counted(summary.tests as u64, "test"),
        thousands(*settled as u64),
        thousands(*unreached as u64),
    )
}
