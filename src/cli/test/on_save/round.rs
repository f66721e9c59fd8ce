//! One round: the mutants of some functions, or some mutants by their ids, run as `wildcaught test` runs them.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use crate::insert::FileMutants;
use crate::insert::Mutant;
use crate::insert::mutant_ids;
use crate::matrix::Earlier;
use crate::matrix::KillMatrix;
use crate::matrix::RunDir;
use crate::text::LineIndex;

use super::super::super::exit::Exit;
use super::super::super::settings::results;
use super::super::super::watch::ended;
use super::super::super::watch::watch;
use super::super::args::TestArgs;
use super::super::job::Job;
use super::super::job::Wanted;
use super::super::job::choice;
use super::saved::SavedFunction;

/// What is run.
pub enum Choice {
    Functions(BTreeSet<SavedFunction>),
    Ids(BTreeSet<String>),
}

/// The result of a round.
pub enum Round {
    Tested {
        matrix: KillMatrix,
        seconds: f64,
    },
    /// There is no such mutant.
    Nothing,
    /// It is said why; whether Ctrl-C was the reason.
    Ended {
        interrupted: bool,
    },
}

/// Runs the mutants. Results are kept as those of single mutants are.
pub fn round(args: &TestArgs, wanted: &Choice) -> Result<Round> {
    let Some(job) = Job::prepare(&args.target, &args.run.how)? else {
        return Ok(Round::Ended { interrupted: true });
    };
    let inserter = job.prepared.inserter();
    let found: Vec<FileMutants> = match wanted {
        Choice::Functions(functions) => {
            job.all.iter().enumerate().map(|(file, all)| in_functions(&job, file, all, functions)).collect()
        }
        Choice::Ids(ids) => {
            let named = mutant_ids(&inserter, &job.all).into_iter().filter(|(id, _)| ids.contains(id));
            vec![of(named.map(|(_, mutant)| mutant.clone()).collect())]
        }
    };
    let mutants = choice(&args.choice, &args.run.how).mutants(&inserter, &found)?;
    if mutants.is_empty() {
        return Ok(Round::Nothing);
    }
    let out = RunDir::lock(&results(&args.run.how.out))?;
    let wanted = Wanted { mutants, part: None };
    let tested = job.with_request(&args.run.how, &out, wanted, |mut request, events| {
        request.earlier = Earlier::Updated;
        ended(watch(events, args.run.how.quiet, || request.run(events)))
    })??;
    Ok(match tested {
        Ok(tested) => Round::Tested { seconds: tested.took.as_secs_f64(), matrix: tested.matrix },
        Err(exit) => Round::Ended { interrupted: exit == Exit::Interrupted },
    })
}

/// The mutants of a file that begin on the lines of these functions.
fn in_functions(
    job: &Job,
    file: usize,
    all: &FileMutants,
    functions: &BTreeSet<SavedFunction>,
) -> FileMutants {
    let source = &job.prepared.target.files[file];
    let path: &Path = job.path(file);
    let own: Vec<&SavedFunction> = functions.iter().filter(|function| function.file == path).collect();
    if own.is_empty() {
        return FileMutants::default();
    }
    let lines = LineIndex::new(&source.text);
    let is_wanted = |mutant: &&Mutant| {
        let start = source.tokens.get(mutant.edit.from as usize).map_or(0, |token| token.span.start);
        let line = lines.place(start as usize).line as u32;
        own.iter().any(|function| function.first <= line && line <= function.last)
    };
    of(all.mutants.iter().filter(is_wanted).cloned().collect())
}

fn of(mutants: Vec<Mutant>) -> FileMutants {
    FileMutants { mutants, ..FileMutants::default() }
}
