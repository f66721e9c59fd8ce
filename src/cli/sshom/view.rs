//! What was found in a program, as text and as diffs.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use num_bigint::BigUint;

use crate::analysis::sshom::Which;
use crate::pipeline::Subject;
use crate::pipeline::sshom::SearchResult;
use crate::pipeline::sshom::Sshom;
use crate::pipeline::sshom::SshomResult;
use crate::pipeline::sshom::points::PointProgram;
use crate::report::Align;
use crate::report::Axes;
use crate::report::CurveLine;
use crate::report::Table;
use crate::report::apart;
use crate::report::counted;
use crate::report::curves_svg;
use crate::report::thousands;
use crate::report::unified;

use super::super::output::write_bytes;
use super::figures::characteristics_table;
use super::figures::count_text;
use super::figures::order_table;

/// A result with the program that was searched, ready to be shown.
pub struct ResultView<'a> {
    pub subject: &'a Subject<'a>,
    pub program: &'a PointProgram,
    pub result: &'a SshomResult,
}

impl ResultView<'_> {
    pub fn text(&self) -> String {
        let mut out = self.head();
        if self.result.searches.len() > 1 {
            let _ = write!(out, "\n{}", self.compared());
        }
        let figures = &self.result.figures;
        let _ = write!(out, "\n{}\n{}", order_table(figures), characteristics_table(figures));
        let mut listed = 0_usize;
        for sshom in self.result.listed() {
            listed += 1;
            let _ = writeln!(out, "\n{}", title(&sshom));
            for mutant in &sshom.mutants {
                let _ = writeln!(out, "  {}", self.program.points.name(*mutant));
            }
            let _ = write!(out, "{}", self.tests(&sshom));
        }
        let all = figures.count();
        if all > listed.into() {
            let left = apart(&(all - listed).to_string());
            let _ = writeln!(out, "\n{left} more; --list N lists the first N, --list 0 all");
        }
        out.push_str(&self.verified());
        out
    }

    /// What verification came to; nothing without it.
    fn verified(&self) -> String {
        let Some(differing) = &self.result.differing else { return String::new() };
        if differing.is_empty() {
            return "\nverified: all listed SSHOMs behave the same when built from the sources\n".into();
        }
        let mut out = format!("\n{} behave differently when built from the sources:\n", differing.len());
        for difference in differing {
            let _ = writeln!(out, "  {}", difference.text(self.program));
        }
        out
    }

    /// How many, of what, and how they were found.
    pub fn head(&self) -> String {
        let (points, search) = (&self.program.points, &self.result.searches[0]);
        let mut runs = counted(search.runs, "run");
        if search.forks > 0 {
            runs.push_str(&format!(", {} of them forks", thousands(search.forks)));
        }
        format!(
            "{}: {} at {}, {}\nsearch {}: {}\n{} tried in {}, after {} for single mutants; {:.1} s\n",
            count_text(&self.result.figures),
            counted(points.mutants() as u64, "mutant"),
            counted(points.len() as u64, "point"),
            counted(self.program.tests.len() as u64, "test"),
            search.kind.name(),
            search.findings.completeness,
            thousands(search.findings.looked),
            runs,
            thousands(self.result.first_order.runs),
            search.took.as_secs_f64(),
        )
    }

    /// The searches side by side. Those that var has, too, are counted where it is complete.
    pub fn compared(&self) -> Table {
        let mut table = Table::new(&[
            ("search", Align::Left),
            ("SSHOMs", Align::Right),
            ("strict", Align::Right),
            ("a minute", Align::Right),
            ("tried", Align::Right),
            ("runs", Align::Right),
            ("seconds", Align::Right),
            ("in var", Align::Right),
            ("", Align::Left),
        ]);
        for search in &self.result.searches {
            let (count, strict) = (search.findings.count(Which::All), search.findings.count(Which::Strict));
            let a_minute = float(&count) * 60.0 / search.took.as_secs_f64();
            let shared = self.result.shared_with_var(search);
            table.row(vec![
                search.kind.name().into(),
                apart(&count.to_string()),
                apart(&strict.to_string()),
                if a_minute < 1e15 { thousands(a_minute.round() as u64) } else { format!("{a_minute:.1e}") },
                thousands(search.findings.looked),
                thousands(search.runs),
                format!("{:.1}", search.took.as_secs_f64()),
                shared.map_or("–".into(), |shared| format!("{} of {}", shared.found, shared.of)),
                search.findings.completeness.to_string(),
            ]);
        }
        table
    }

    /// What was found over time, as a picture.
    pub fn curves(&self) -> String {
        let lines: Vec<CurveLine> = self.result.searches.iter().map(|search| self.curve(search)).collect();
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

    fn curve(&self, search: &SearchResult) -> CurveLine {
        let mut points = vec![(self.result.first_order.took.as_secs_f64(), 0.0)];
        for (after, count) in &search.findings.curve {
            // It was not there a moment before.
            points.push((after.as_secs_f64(), points[points.len() - 1].1));
            points.push((after.as_secs_f64(), float(count)));
        }
        points.push((search.took.as_secs_f64(), float(&search.findings.count(Which::All))));
        CurveLine { label: search.kind.name().into(), points }
    }

    /// The tests that kill it, and those that it escapes.
    pub fn tests(&self, sshom: &Sshom) -> String {
        let mut out = format!("  killed by {}\n", self.program.some_names(&sshom.kills));
        let escaped = self.result.escaped(sshom);
        if !escaped.is_empty() {
            let _ = writeln!(out, "  escapes {}", self.program.some_names(&escaped));
        }
        out
    }

    /// A combination as a diff.
    pub fn diff(&self, sshom: &Sshom) -> Vec<u8> {
        let Subject { paths, inserter, .. } = self.subject;
        let diff = |(source, edits): (usize, Vec<_>)| {
            unified(&paths[source], &inserter.target.files[source].text, &edits)
        };
        self.program.edits(&sshom.mutants).into_iter().flat_map(diff).collect()
    }

    /// Writes those that are listed into a directory.
    pub fn write_patches(&self, directory: &Path) -> Result<()> {
        fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
        for (number, sshom) in (1..).zip(self.result.listed()) {
            let path = directory.join(format!("{number:05}-order-{}.diff", sshom.mutants.len()));
            write_bytes(Some(&path), &self.diff(&sshom))?;
        }
        Ok(())
    }
}

/// `order 3, strict`
pub fn title(sshom: &Sshom) -> String {
    format!("order {}{}", sshom.mutants.len(), if sshom.strict { ", strict" } else { "" })
}

/// A count as a number that may be rounded.
fn float(count: &BigUint) -> f64 {
    count.to_string().parse().unwrap_or(f64::INFINITY)
}
