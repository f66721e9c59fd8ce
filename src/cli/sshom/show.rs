//! What follows from failing conditions, as text and as JSON.

use std::fmt::Write;

use anyhow::Result;
use num_bigint::BigUint;

use crate::analysis::sshom::Problem;
use crate::pipeline::sshom::SolvedConditions;
use crate::report::Align;
use crate::report::Table;
use crate::report::apart;
use crate::report::counted;
use crate::report::documents::SolveDocument;
use crate::report::documents::SolvedEntry;

use super::super::output::as_json;
use super::args::SolveArgs;
use super::figures::characteristics_table;
use super::figures::count_text;
use super::figures::order_table;
use super::which;

/// A solution, ready to be shown.
pub struct SolutionView<'a> {
    pub args: &'a SolveArgs,
    pub problem: &'a Problem,
    pub solved: &'a SolvedConditions,
}

impl SolutionView<'_> {
    /// The requested number of first ones.
    fn listed(&self) -> Vec<SolvedEntry> {
        let all = self.solved.solution.combinations(which(self.args.strict)).take(self.args.list);
        all.map(|mutants| SolvedEntry::new(&mutants, self.problem, &self.solved.solution)).collect()
    }

    pub fn text(&self) -> String {
        let mut out = self.head();
        let _ = write!(
            out,
            "\n{}\n{}",
            order_table(&self.solved.figures),
            characteristics_table(&self.solved.figures)
        );
        if self.args.list > 0 {
            let mut table = Table::new(&[
                ("order", Align::Right),
                ("killed by", Align::Right),
                ("of", Align::Right),
                ("mutants", Align::Left),
            ]);
            for one in self.listed() {
                table.row(vec![
                    one.mutants.len().to_string(),
                    one.killed_by.to_string(),
                    one.of.to_string(),
                    one.mutants.join(" "),
                ]);
            }
            let _ = write!(out, "\n{table}");
            let count = self.solved.figures.count();
            let left = &count - BigUint::from(self.args.list).min(count.clone());
            if left != BigUint::ZERO {
                let _ = writeln!(out, "{} more; --list N lists the first N", apart(&left.to_string()));
            }
        }
        out
    }

    fn head(&self) -> String {
        let limit = self.args.max_order.map(|order| format!(", up to order {order}")).unwrap_or_default();
        let points = &self.problem.points;
        format!(
            "{}{limit}: {} at {}, {}\n",
            count_text(&self.solved.figures),
            counted(points.mutants() as u64, "mutant"),
            counted(points.len() as u64, "point"),
            counted(self.problem.tests.len() as u64, "test"),
        )
    }

    pub fn json(&self) -> Result<String> {
        let document =
            SolveDocument::new(self.problem, self.args.max_order, &self.solved.figures, self.listed());
        as_json(&document)
    }
}
