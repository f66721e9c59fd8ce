//! What was found, as text and as JSON.

use std::fmt::Write;

use anyhow::Result;
use num_bigint::BigUint;
use serde_json::Value;
use serde_json::json;

use crate::analysis::sshom::Places;
use crate::analysis::sshom::Problem;
use crate::analysis::sshom::Solution;
use crate::analysis::sshom::Which;
use crate::report::Align;
use crate::report::Table;
use crate::report::apart;
use crate::report::counted;

use super::args::SolveArgs;
use super::figures::Figures;

/// A solution, ready to be shown.
pub struct Answer<'a> {
    args: &'a SolveArgs,
    problem: &'a Problem,
    solution: &'a Solution,
    figures: Figures,
}

impl<'a> Answer<'a> {
    pub fn new(
        args: &'a SolveArgs,
        problem: &'a Problem,
        solution: &'a Solution,
        places: Option<&Places>,
    ) -> Result<Self> {
        Ok(Self { args, problem, solution, figures: Figures::new(solution, places, args.strict)? })
    }

    /// How many there are of those that are wanted.
    pub fn count(&self) -> BigUint {
        self.figures.count()
    }

    /// The first so many, each with its mutants, how many tests kill it, and how many kill all its mutants.
    fn listed(&self) -> impl Iterator<Item = Listed<'a>> {
        let which = if self.args.strict { Which::Strict } else { Which::All };
        let (problem, solution) = (self.problem, self.solution);
        solution.combinations(which).take(self.args.list).map(move |mutants| {
            let killers = mutants.iter().map(|mutant| solution.killers_of(*mutant));
            Listed {
                names: mutants.iter().map(|mutant| problem.points.name(*mutant)).collect(),
                kills: problem.killers(&mutants).len(),
                shared: killers.reduce(|first, second| first & second).map_or(0, |shared| shared.len()),
            }
        })
    }

    pub fn text(&self) -> String {
        let mut out = self.head();
        let _ = write!(out, "\n{}\n{}", self.figures.orders(), self.figures.looks());
        if self.args.list > 0 {
            let mut table = Table::new(&[
                ("order", Align::Right),
                ("killed by", Align::Right),
                ("of", Align::Right),
                ("mutants", Align::Left),
            ]);
            for one in self.listed() {
                table.row(vec![
                    one.names.len().to_string(),
                    one.kills.to_string(),
                    one.shared.to_string(),
                    one.names.join(" "),
                ]);
            }
            let _ = write!(out, "\n{table}");
            let left = self.count() - BigUint::from(self.args.list).min(self.count());
            if left != BigUint::ZERO {
                let _ = writeln!(out, "{} more: --list N lists the first N", apart(&left.to_string()));
            }
        }
        out
    }

    fn head(&self) -> String {
        let what = self.figures.head();
        let limit = self.args.max_order.map(|order| format!(", up to order {order}")).unwrap_or_default();
        let points = &self.problem.points;
        format!(
            "{what}{limit}: {} at {}, {}\n",
            counted(points.mutants() as u64, "mutant"),
            counted(points.len() as u64, "point"),
            counted(self.problem.tests.len() as u64, "test"),
        )
    }

    pub fn json(&self) -> Result<String> {
        let points = &self.problem.points;
        let list: Vec<Value> = self.listed().map(|one| one.json()).collect();
        let mut document = json!({
            "mutants": points.mutants(),
            "points": points.len(),
            "tests": self.problem.tests.len(),
            "max_order": self.args.max_order,
            "list": list,
        });
        self.figures.put(&mut document);
        Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
    }
}

/// One that is listed.
struct Listed<'a> {
    names: Vec<&'a str>,
    kills: u64,
    shared: u64,
}

impl Listed<'_> {
    fn json(&self) -> Value {
        json!({
            "mutants": self.names,
            "killed_by": self.kills,
            "of": self.shared,
            "strict": self.kills < self.shared,
        })
    }
}
