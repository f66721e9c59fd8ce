//! What was found in a program, as text, as JSON and as diffs.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use num_bigint::BigUint;
use roaring::RoaringBitmap;
use serde_json::Value;
use serde_json::json;

use crate::analysis::sshom::Which;
use crate::engine::Project;
use crate::insert::Target;
use crate::pipeline::sshom::points::PointProgram;
use crate::pipeline::sshom::points::build_alone;
use crate::report::Align;
use crate::report::Axes;
use crate::report::Line;
use crate::report::Table;
use crate::report::apart;
use crate::report::counted;
use crate::report::curves_svg;
use crate::report::thousands;
use crate::report::unified;

use super::super::output::write_bytes;
use super::args::SearchArg;
use super::args::SourceArgs;
use super::figures::Figures;
use super::found::Alone;
use super::found::One;
use super::found::SearchFound;

/// Tests that are named.
const MOST_NAMES: usize = 5;

/// What was found, ready to be shown.
pub struct Listing<'a> {
    pub args: &'a SourceArgs,
    pub program: &'a PointProgram,
    pub target: &'a Target,
    /// Per file of the target, its path inside of the project.
    pub paths: &'a [PathBuf],
    pub alone: &'a Alone,
    /// By search; the first is listed.
    pub found: &'a [SearchFound],
    /// Of the first.
    pub figures: Figures,
    /// What does not do what was found, if that was asked.
    pub differing: Option<Vec<String>>,
}

impl Listing<'_> {
    fn which(&self) -> Which {
        if self.args.strict { Which::Strict } else { Which::All }
    }

    /// Those that are listed.
    pub fn listed(&self) -> impl Iterator<Item = One> {
        let most = if self.args.list == 0 { usize::MAX } else { self.args.list };
        self.found[0].ones(self.which(), &self.alone.first).take(most)
    }

    /// Puts those that are listed, and their mutants, into the sources, builds and tests them.
    pub fn verify(&mut self, project: &Project, jobs: usize) -> Result<()> {
        let listed: Vec<One> = self.listed().collect();
        let mut mutants: Vec<u32> = listed.iter().flat_map(|one| one.mutants.iter().copied()).collect();
        mutants.sort_unstable();
        mutants.dedup();
        let singles = mutants.iter().map(|mutant| (vec![*mutant], &self.alone.first.kills[*mutant as usize]));
        let all: Vec<(Vec<u32>, &RoaringBitmap)> =
            singles.chain(listed.iter().map(|one| (one.mutants.clone(), &one.kills))).collect();
        let combinations: Vec<Vec<u32>> = all.iter().map(|(mutants, _)| mutants.clone()).collect();
        let built = build_alone(project, self.target, self.paths, self.program, &combinations, jobs)?;
        let differs = |((mutants, known), ran): (&(Vec<u32>, &RoaringBitmap), Option<RoaringBitmap>)| {
            let names: Vec<&str> = mutants.iter().map(|mutant| self.program.points.name(*mutant)).collect();
            let names = names.join(" and ");
            match ran {
                None => Some(format!("{names}: does not build")),
                Some(ran) if ran == **known => None,
                Some(ran) => Some(format!("{names}: {}", self.difference(known, &ran))),
            }
        };
        self.differing = Some(all.iter().zip(built).filter_map(differs).collect());
        Ok(())
    }

    fn difference(&self, known: &RoaringBitmap, ran: &RoaringBitmap) -> String {
        let more = (!(ran - known).is_empty()).then(|| format!("{} fail, too", self.names(&(ran - known))));
        let less = (!(known - ran).is_empty()).then(|| format!("{} pass", self.names(&(known - ran))));
        more.into_iter().chain(less).collect::<Vec<String>>().join("; ")
    }

    pub fn text(&self) -> String {
        let mut out = self.head();
        if self.found.len() > 1 {
            let _ = write!(out, "\n{}", self.compared());
        }
        let _ = write!(out, "\n{}\n{}", self.figures.orders(), self.figures.looks());
        let mut listed = 0_usize;
        for one in self.listed() {
            listed += 1;
            let _ = writeln!(out, "\n{}", self.title(&one));
            for mutant in &one.mutants {
                let _ = writeln!(out, "  {}", self.program.points.name(*mutant));
            }
            let _ = write!(out, "{}", self.tests(&one));
        }
        let all = self.figures.count();
        if all > listed.into() {
            let left = all - listed;
            let _ = writeln!(
                out,
                "\n{} more: --list N lists the first N, --list 0 all",
                apart(&left.to_string())
            );
        }
        if let Some(differing) = &self.differing {
            let _ = match differing.is_empty() {
                true => {
                    writeln!(out, "\nverified: built from the sources, all that are listed do what was found")
                }
                false => {
                    writeln!(out, "\n{} not what was found when built from the sources:", differing.len())
                }
            };
            differing.iter().for_each(|differing| {
                let _ = writeln!(out, "  {differing}");
            });
        }
        out
    }

    /// How many, of what, and how they were found.
    pub fn head(&self) -> String {
        let (points, found) = (&self.program.points, &self.found[0]);
        let mut runs = counted(found.runs, "run");
        if found.forks > 0 {
            runs.push_str(&format!(", {} of them forks", thousands(found.forks)));
        }
        format!(
            "{}: {} at {}, {}\nsearch {}: {}\n{} looked at in {}, after {} for mutants one by one; {:.1} s\n",
            self.figures.head(),
            counted(points.mutants() as u64, "mutant"),
            counted(points.len() as u64, "point"),
            counted(self.program.tests.len() as u64, "test"),
            found.search.name(),
            found.complete,
            thousands(found.looked),
            runs,
            thousands(self.alone.runs),
            found.took.as_secs_f64(),
        )
    }

    /// The searches side by side. Those that var has too are counted where it is complete.
    pub fn compared(&self) -> Table {
        let mut table = Table::new(&[
            ("search", Align::Left),
            ("SSHOMs", Align::Right),
            ("strict", Align::Right),
            ("a minute", Align::Right),
            ("looked at", Align::Right),
            ("runs", Align::Right),
            ("seconds", Align::Right),
            ("in var", Align::Right),
            ("", Align::Left),
        ]);
        for found in self.found {
            let count = found.count(Which::All);
            let a_minute = float(&count) * 60.0 / found.took.as_secs_f64();
            table.row(vec![
                found.search.name().into(),
                apart(&count.to_string()),
                apart(&found.count(Which::Strict).to_string()),
                if a_minute < 1e15 { thousands(a_minute.round() as u64) } else { format!("{a_minute:.1e}") },
                thousands(found.looked),
                thousands(found.runs),
                format!("{:.1}", found.took.as_secs_f64()),
                self.in_var(found).map_or("–".into(), |(among, all)| format!("{among} of {all}")),
                found.complete.clone(),
            ]);
        }
        table
    }

    fn in_var(&self, found: &SearchFound) -> Option<(usize, usize)> {
        let var = self.found.iter().find(|found| found.search == SearchArg::Var)?;
        if found.search == SearchArg::Var { None } else { var.among(found) }
    }

    /// What was found over time.
    pub fn curves(&self) -> String {
        let line = |found: &SearchFound| {
            let mut points = vec![(self.alone.took.as_secs_f64(), 0.0)];
            for (after, count) in &found.curve {
                // It was not there a moment before.
                points.push((after.as_secs_f64(), points[points.len() - 1].1));
                points.push((after.as_secs_f64(), float(count)));
            }
            points.push((found.took.as_secs_f64(), float(&found.count(Which::All))));
            Line { label: found.search.name().into(), points }
        };
        let lines: Vec<Line> = self.found.iter().map(line).collect();
        let all = || lines.iter().flat_map(|line| &line.points);
        let axes = Axes {
            title: "SSHOMs found over time",
            across: "seconds",
            upward: "SSHOMs",
            end: all().map(|point| point.0).fold(0.0, f64::max),
            most: all().map(|point| point.1).fold(0.0, f64::max),
        };
        curves_svg(&lines, &axes)
    }

    /// `order 3, strict`
    pub fn title(&self, one: &One) -> String {
        format!("order {}{}", one.mutants.len(), if one.strict { ", strict" } else { "" })
    }

    /// The tests that kill it, and those that it escapes.
    pub fn tests(&self, one: &One) -> String {
        let mut out = format!("  killed by {}\n", self.names(&one.kills));
        let escaped = self.escaped(one);
        if !escaped.is_empty() {
            let _ = writeln!(out, "  escapes {}", self.names(&escaped));
        }
        out
    }

    /// Tests that kill one of its mutants, but not it.
    fn escaped(&self, one: &One) -> RoaringBitmap {
        self.alone.first.united(&one.mutants) - &one.kills
    }

    fn names(&self, tests: &RoaringBitmap) -> String {
        let names: Vec<&str> =
            tests.iter().take(MOST_NAMES).map(|test| self.program.test_name(test as usize)).collect();
        let more = tests.len().saturating_sub(MOST_NAMES as u64);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", names.join(", "))
    }

    /// One as a diff.
    pub fn diff(&self, one: &One) -> Vec<u8> {
        let edits = self.program.edits(&one.mutants);
        let diff = |(source, edits): (usize, Vec<_>)| {
            unified(&self.paths[source], &self.target.files[source].text, &edits)
        };
        edits.into_iter().flat_map(diff).collect()
    }

    /// Writes those that are listed into a directory.
    pub fn write_patches(&self, directory: &Path) -> Result<()> {
        fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
        for (number, one) in (1..).zip(self.listed()) {
            let path = directory.join(format!("{number:05}-order-{}.diff", one.mutants.len()));
            write_bytes(Some(&path), &self.diff(&one))?;
        }
        Ok(())
    }

    pub fn json(&self) -> Result<String> {
        let (found, points) = (&self.found[0], &self.program.points);
        let mut document = json!({
            "search": found.search.name(),
            "complete": found.complete,
            "mutants": points.mutants(),
            "points": points.len(),
            "tests": self.program.tests.len(),
            "dropped_points": self.program.dropped,
            "runs_one_by_one": self.alone.runs,
            "runs": found.runs,
            "forks": found.forks,
            "looked_at": found.looked,
            "millis": found.took.as_millis() as u64,
            "differing": self.differing,
            "searches": self.found.iter().map(|found| self.search_json(found)).collect::<Vec<Value>>(),
            "list": self.listed().map(|one| self.one_json(&one)).collect::<Vec<Value>>(),
        });
        self.figures.put(&mut document);
        Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
    }

    fn search_json(&self, found: &SearchFound) -> Value {
        json!({
            "search": found.search.name(),
            "complete": found.complete,
            "count": found.count(Which::All).to_string(),
            "strict": found.count(Which::Strict).to_string(),
            "looked_at": found.looked,
            "runs": found.runs,
            "forks": found.forks,
            "millis": found.took.as_millis() as u64,
            "in_var": self.in_var(found).map(|(among, all)| json!({ "found": among, "of": all })),
        })
    }

    fn one_json(&self, one: &One) -> Value {
        let names = |tests: &RoaringBitmap| {
            tests.iter().map(|test| json!(self.program.test_name(test as usize))).collect::<Vec<Value>>()
        };
        let mutant = |mutant: &u32| {
            let (place, alternative) = self.program.mutant(*mutant);
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

/// A count as a number that may be rounded.
fn float(count: &BigUint) -> f64 {
    count.to_string().parse().unwrap_or(f64::INFINITY)
}
