//! Whether a run passes: accepted mutants, mutants that another run also missed, and the exit code.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;

use crate::matrix::AcceptedReview;
use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::matrix::RunDir;
use crate::report::Documented;
use crate::report::counted;

use super::super::exit::Exit;
use super::super::report::Kept;
use super::super::report::today;
use super::args::FailOnArg;
use super::args::GateArgs;

/// What makes a run fail.
pub struct Gate<'a> {
    pub documented: Documented<'a>,
    review: AcceptedReview,
    fail_on: FailOnArg,
    min_score: Option<f64>,
    /// Mutants that the other run missed.
    before: Option<BTreeSet<String>>,
}

impl<'a> Gate<'a> {
    /// Reads the run to compare with, if there is one. `everything` says that there are no other mutants.
    pub fn new(args: &GateArgs, matrix: &'a KillMatrix, kept: &'a Kept, everything: bool) -> Result<Self> {
        let before = match &args.against {
            None => None,
            Some(path) => {
                let other = KillMatrix::load(&RunDir::open_store(path)?)?;
                let ids =
                    other.survivors_ranked().into_iter().map(|at| other.mutants[at as usize].id.clone());
                Some(ids.collect())
            }
        };
        let review = kept.accepted.review(matrix, everything, today());
        let (documented, fail_on, min_score) = (kept.documented(matrix), args.fail_on, args.min_score);
        Ok(Self { documented, review, fail_on, min_score, before })
    }

    /// Missed mutants that count, the most worthwhile first.
    pub fn open(&self) -> Vec<u32> {
        let known = |id: &String| {
            self.documented.accepted.contains(id)
                || (self.fail_on == FailOnArg::NewSurvivors
                    && self.before.as_ref().is_some_and(|before| before.contains(id)))
        };
        let id = |at: &u32| &self.documented.matrix.mutants[*at as usize].id;
        self.documented.ranked().into_iter().filter(|at| !known(id(at))).collect()
    }

    /// How the command ends.
    pub fn exit(&self) -> Exit {
        let matrix = self.documented.matrix;
        let counts = matrix.counts();
        let count = |fate| counts.get(&fate).copied().unwrap_or(0);
        let Some(score) = matrix.score() else { return Exit::Incomplete };
        if let Some(least) = self.min_score {
            return if score * 100.0 >= least { Exit::Fine } else { Exit::Findings };
        }
        if self.fail_on != FailOnArg::Nothing && !self.open().is_empty() {
            Exit::Findings
        } else if count(Fate::Untested) > 0 {
            Exit::Incomplete
        } else if count(Fate::TimeOut) > 0 && self.fail_on == FailOnArg::Missed {
            Exit::TimeOuts
        } else {
            Exit::Fine
        }
    }

    /// What was left out of account, and what of the list no longer holds.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let (_, accepted) = self.documented.counts();
        if accepted > 0 {
            let _ = writeln!(
                text,
                "\n{} accepted in wildcaught.accepted.toml",
                counted(accepted as u64, "missed mutant")
            );
        }
        if self.fail_on == FailOnArg::NewSurvivors {
            let compared = if self.before.is_some() {
                ""
            } else {
                " (all count as new; to compare, give --against DIR)"
            };
            let new = counted(self.open().len() as u64, "new missed mutant");
            let _ = writeln!(text, "\n{new}{compared}");
        }
        for (ids, what) in [
            (&self.review.killed, "accepted, but a test kills it now; remove the entry"),
            (&self.review.unknown, "accepted, but this mutant no longer exists; remove the entry"),
            (&self.review.expired, "accepted, but the entry has expired; remove or renew it"),
        ] {
            for id in ids {
                let _ = writeln!(text, "{id}: {what}");
            }
        }
        text
    }
}
