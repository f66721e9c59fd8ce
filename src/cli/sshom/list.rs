//! What was found in a program, as text and as JSON.

use std::fmt::Write;

use anyhow::Result;
use roaring::RoaringBitmap;
use serde_json::Value;
use serde_json::json;

use crate::analysis::sshom::Which;
use crate::pipeline::points::Bound;
use crate::pipeline::points::PointProgram;
use crate::pipeline::points::run_alone;
use crate::report::Align;
use crate::report::Table;
use crate::report::apart;
use crate::report::counted;
use crate::report::thousands;

use super::args::SourceArgs;
use super::found::One;
use super::found::SearchFound;

/// Combinations that are run by themselves at a time.
const BATCH: usize = 256;
/// Tests that are named.
const MOST_NAMES: usize = 5;

/// What was found, ready to be shown.
pub struct Listing<'a> {
    pub args: &'a SourceArgs,
    pub program: &'a PointProgram,
    pub found: &'a SearchFound,
    pub millis: u64,
    /// How many do not do what was found, if that was asked.
    pub differing: Option<usize>,
}

impl Listing<'_> {
    fn which(&self) -> Which {
        if self.args.strict { Which::Strict } else { Which::All }
    }

    fn listed(&self) -> impl Iterator<Item = One> {
        let most = if self.args.list == 0 { usize::MAX } else { self.args.list };
        self.found.ones(self.which()).take(most)
    }

    /// Runs all of them, and all their mutants, by themselves.
    pub fn verify(&mut self, bound: Bound) -> Result<()> {
        let mut differing = 0;
        let first = &self.found.first;
        let singles: Vec<Vec<u32>> = (0..first.points.mutants() as u32).map(|mutant| vec![mutant]).collect();
        let alone = run_alone(self.program, &singles, bound)?;
        differing +=
            alone.iter().zip(&first.kills).filter(|(ran, known)| ran.as_ref() != Some(*known)).count();
        let mut ones = self.found.ones(self.which());
        loop {
            let batch: Vec<One> = ones.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            let combinations: Vec<Vec<u32>> = batch.iter().map(|one| one.mutants.clone()).collect();
            let ran = run_alone(self.program, &combinations, bound)?;
            differing += ran.iter().zip(&batch).filter(|(ran, one)| ran.as_ref() != Some(&one.kills)).count();
        }
        drop(ones);
        self.differing = Some(differing);
        Ok(())
    }

    pub fn text(&self) -> String {
        let mut out = self.head();
        let _ = write!(out, "\n{}", self.orders());
        let mut listed = 0_usize;
        for one in self.listed() {
            listed += 1;
            self.one(&mut out, &one);
        }
        let all = self.found.count(self.which(), None);
        if all > listed.into() {
            let left = all - listed;
            let _ = writeln!(
                out,
                "\n{} more: --list N lists the first N, --list 0 all",
                apart(&left.to_string())
            );
        }
        if let Some(differing) = self.differing {
            let _ = match differing {
                0 => writeln!(out, "\nverified: run by themselves, all do what was found"),
                _ => writeln!(out, "\n{differing} do something else when they are run by themselves"),
            };
        }
        out
    }

    fn head(&self) -> String {
        let count = |which| apart(&self.found.count(which, None).to_string());
        let what = match self.args.strict {
            true => format!("{} strict SSHOMs", count(Which::Strict)),
            false => format!("{} SSHOMs, {} of them strict", count(Which::All), count(Which::Strict)),
        };
        let points = &self.program.points;
        format!(
            "{what}: {} at {}, {}\nsearch {}: {}\n{}, {} of them for mutants one by one; {} looked at; {}.{} s\n",
            counted(points.mutants() as u64, "mutant"),
            counted(points.len() as u64, "point"),
            counted(self.program.tests.len() as u64, "test"),
            self.found.search.name(),
            self.found.complete,
            counted(self.found.runs, "run"),
            thousands(self.found.first_runs),
            thousands(self.found.looked),
            self.millis / 1000,
            self.millis % 1000 / 100,
        )
    }

    fn orders(&self) -> Table {
        let mut table =
            Table::new(&[("order", Align::Right), ("SSHOMs", Align::Right), ("strict", Align::Right)]);
        for order in self.found.orders() {
            let count = |which| apart(&self.found.count(which, Some(order)).to_string());
            table.row(vec![order.to_string(), count(Which::All), count(Which::Strict)]);
        }
        table
    }

    fn one(&self, out: &mut String, one: &One) {
        let strict = if one.strict { ", strict" } else { "" };
        let _ = writeln!(out, "\norder {}{strict}", one.mutants.len());
        for mutant in &one.mutants {
            let _ = writeln!(out, "  {}", self.program.points.name(*mutant));
        }
        let _ = writeln!(out, "  killed by {}", self.names(&one.kills));
        let escaped = self.escaped(one);
        if !escaped.is_empty() {
            let _ = writeln!(out, "  escapes {}", self.names(&escaped));
        }
    }

    /// Tests that kill one of its mutants, but not it.
    fn escaped(&self, one: &One) -> RoaringBitmap {
        self.found.first.united(&one.mutants) - &one.kills
    }

    fn names(&self, tests: &RoaringBitmap) -> String {
        let names: Vec<&str> =
            tests.iter().take(MOST_NAMES).map(|test| self.program.test_name(test as usize)).collect();
        let more = tests.len().saturating_sub(MOST_NAMES as u64);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", names.join(", "))
    }

    pub fn json(&self) -> Result<String> {
        let (found, points) = (self.found, &self.program.points);
        let orders = |which| {
            let count = |order| (format!("{order}"), json!(found.count(which, Some(order)).to_string()));
            found.orders().into_iter().map(count).collect::<serde_json::Map<String, Value>>()
        };
        let document = json!({
            "search": found.search.name(),
            "complete": found.complete,
            "mutants": points.mutants(),
            "points": points.len(),
            "tests": self.program.tests.len(),
            "dropped_points": self.program.dropped,
            "all": { "count": found.count(Which::All, None).to_string(), "orders": orders(Which::All) },
            "strict": { "count": found.count(Which::Strict, None).to_string(), "orders": orders(Which::Strict) },
            "runs": found.runs,
            "runs_one_by_one": found.first_runs,
            "looked_at": found.looked,
            "millis": self.millis,
            "differing": self.differing,
            "list": self.listed().map(|one| self.one_json(&one)).collect::<Vec<Value>>(),
        });
        Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
    }

    fn one_json(&self, one: &One) -> Value {
        let names = |tests: &RoaringBitmap| {
            tests.iter().map(|test| json!(self.program.test_name(test as usize))).collect::<Vec<Value>>()
        };
        let mutant = |mutant: &u32| {
            let point = self.program.points.point_of(*mutant) as usize;
            let place = &self.program.places[point];
            let alternative = mutant - self.program.points.at(point).start + 1;
            json!({
                "file": place.file,
                "line": place.line,
                "column": place.column,
                "function": place.function,
                "kind": place.kind,
                "before": place.operator(0),
                "after": place.operator(alternative),
            })
        };
        json!({
            "order": one.mutants.len(),
            "strict": one.strict,
            "mutants": one.mutants.iter().map(mutant).collect::<Vec<Value>>(),
            "killed_by": names(&one.kills),
            "escapes": names(&self.escaped(one)),
        })
    }
}
