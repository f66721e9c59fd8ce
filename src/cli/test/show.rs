//! What a run came to: figures, tables, missed mutants as diffs; and `wildcaught show`.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use anyhow::bail;
use serde_json::json;

use crate::engine::Summary;
use crate::insert::TextEdit;
use crate::matrix::Draw;
use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::matrix::Tally;
use crate::matrix::suite_spread;
use crate::report::Align;
use crate::report::Table;
use crate::report::counted;
use crate::report::thousands;
use crate::report::unified;

use super::super::exit::Exit;
use super::super::output::print_painted;
use super::super::output::write_out;
use super::args::ShowArgs;
use super::args::TestArgs;
use super::out;

/// Rows of the tables.
const ROWS: usize = 10;

/// What the fates mean.
const MEANINGS: [(Fate, &str); 8] = [
    (Fate::Killed, "a test failed"),
    (Fate::TimeOut, "a test did not end in time"),
    (Fate::Survived, "tests ran over them and noticed nothing"),
    (Fate::NotCovered, "no test runs over them"),
    (Fate::Equivalent, "compiled to the same code as the original"),
    (Fate::Duplicate, "compiled to the same code as another mutant"),
    (Fate::Unviable, "do not compile"),
    (Fate::Untested, "not tested"),
];

/// Prints the result and says how to exit.
pub fn result(
    args: &TestArgs,
    root: &Path,
    matrix: &KillMatrix,
    summary: &Summary,
    took: Duration,
) -> Result<Exit> {
    let exit = exit(args, matrix);
    if args.run.json {
        write_out(None, &format!("{}\n", serde_json::to_string_pretty(&as_json(matrix, summary, took))?))?;
        return Ok(exit);
    }
    let mut text = figures(matrix, summary, took);
    let ranked = matrix.survivors_ranked();
    let shown: Vec<u32> = ranked.iter().copied().take(args.run.show).collect();
    if !ranked.is_empty() {
        let _ = write!(text, "\n{}", table("file", &matrix.by_file()));
    }
    for mutant in &shown {
        let _ = write!(text, "\n{}", diff(matrix, *mutant as usize, root));
    }
    if ranked.len() > shown.len() {
        let left = thousands((ranked.len() - shown.len()) as u64);
        let _ = writeln!(text, "\n{left} more: wildcaught show --survived");
    }
    if let Some(suites) = &args.run.suites {
        text.push_str(&suites_text(suites, args.choice.seed, matrix)?);
    }
    print_painted(&text)?;
    Ok(exit)
}

fn exit(args: &TestArgs, matrix: &KillMatrix) -> Exit {
    let counts = matrix.counts();
    let count = |fate| counts.get(&fate).copied().unwrap_or(0);
    let Some(score) = matrix.score() else { return Exit::Incomplete };
    if let Some(least) = args.run.min_score {
        return if score * 100.0 >= least { Exit::Fine } else { Exit::Findings };
    }
    if count(Fate::Survived) + count(Fate::NotCovered) > 0 {
        Exit::Findings
    } else if count(Fate::Untested) > 0 {
        Exit::Incomplete
    } else if count(Fate::TimeOut) > 0 {
        Exit::TimeOuts
    } else {
        Exit::Fine
    }
}

fn as_json(matrix: &KillMatrix, summary: &Summary, took: Duration) -> serde_json::Value {
    let ids = |fate: Fate| -> Vec<&str> {
        let with = (0..matrix.mutants.len()).filter(|mutant| matrix.fate(*mutant) == fate);
        with.map(|mutant| matrix.mutants[mutant].id.as_str()).collect()
    };
    let counts: serde_json::Map<String, serde_json::Value> =
        matrix.counts().iter().map(|(fate, count)| (fate.name().to_owned(), json!(count))).collect();
    json!({
        "score": matrix.score(),
        "mutants": matrix.mutants.len(),
        "tests": matrix.tests.len(),
        "counts": counts,
        "seconds": took.as_secs_f64(),
        "phases": summary.times.iter().map(|(what, took)| json!([what.name(), took.as_secs_f64()])).collect::<Vec<_>>(),
        "builds": summary.rounds,
        "switched": summary.switched,
        "built_alone": summary.built_alone,
        "survived": ids(Fate::Survived),
        "not_covered": ids(Fate::NotCovered),
        "files": matrix.by_file(),
        "operators": matrix.by_operator(),
    })
}

fn figures(matrix: &KillMatrix, summary: &Summary, took: Duration) -> String {
    let mut table = Table::new(&[("mutants", Align::Right), ("", Align::Left), ("", Align::Left)]);
    let counts = matrix.counts();
    for (fate, meaning) in MEANINGS {
        if let Some(count) = counts.get(&fate) {
            table.row(vec![thousands(*count), fate.name().to_owned(), meaning.to_owned()]);
        }
    }
    let seconds = took.as_secs_f64();
    let mut out = format!("{table}\n");
    match matrix.score() {
        Some(score) => {
            let _ = write!(out, "score {:.1} %", score * 100.0);
        }
        None => out.push_str("no score: nothing was tested"),
    }
    let _ = writeln!(
        out,
        ", {}, {seconds:.1} s, {:.1} mutants a second ({} switched in a program built {}, {} built alone)",
        counted(summary.tests as u64, "test"),
        matrix.mutants.len() as f64 / seconds.max(0.001),
        thousands(summary.switched as u64),
        counted(summary.rounds as u64, "time"),
        thousands(summary.built_alone as u64),
    );
    let times = summary.times.iter().filter(|(_, took)| took.as_secs_f64() >= 0.05);
    let times: Vec<String> =
        times.map(|(what, took)| format!("{} {:.1} s", what.name(), took.as_secs_f64())).collect();
    let _ = writeln!(out, "{}", times.join(", "));
    out
}

fn table(what: &'static str, tallies: &[Tally]) -> Table {
    let mut table = Table::new(&[
        ("score", Align::Right),
        ("killed", Align::Right),
        ("survived", Align::Right),
        ("not covered", Align::Right),
        (what, Align::Left),
    ]);
    let mut order: Vec<&Tally> = tallies.iter().collect();
    let missed = |tally: &Tally| -> u64 {
        tally.counts.iter().filter(|(fate, _)| fate.is_missed()).map(|(_, count)| count).sum()
    };
    order.sort_by(|a, b| missed(b).cmp(&missed(a)).then_with(|| a.name.cmp(&b.name)));
    for tally in order.into_iter().take(ROWS) {
        let count = |fates: &[Fate]| -> u64 { fates.iter().filter_map(|fate| tally.counts.get(fate)).sum() };
        table.row(vec![
            tally.score.map_or("–".into(), |score| format!("{:.0} %", score * 100.0)),
            thousands(count(&[Fate::Killed, Fate::TimeOut])),
            thousands(count(&[Fate::Survived])),
            thousands(count(&[Fate::NotCovered])),
            tally.name.clone(),
        ]);
    }
    table
}

/// A mutant with what became of it, as a diff.
fn diff(matrix: &KillMatrix, mutant: usize, root: &Path) -> String {
    let row = &matrix.mutants[mutant];
    let fate = matrix.fate(mutant);
    let reached = matrix.outcome(mutant).map_or(0, |outcome| outcome.covered.len());
    let by = match reached {
        0 => String::new(),
        1 => ", 1 test runs over it".into(),
        many => format!(", {} run over it", counted(many, "test")),
    };
    let mut out = format!("{} {}{by}  [{}]\n", row.id, fate.name(), row.operator);
    let edit = TextEdit { start: row.start as usize, end: row.end as usize, text: row.text.clone() };
    match fs::read(root.join(&row.file)) {
        Ok(text) if edit.end <= text.len() => {
            let diff = unified(Path::new(&row.file), &text, &[edit]);
            for line in String::from_utf8_lossy(&diff).lines() {
                let paint = match line.as_bytes().first() {
                    Some(b'-') if !line.starts_with("---") => "\u{1b}[31m",
                    Some(b'+') if !line.starts_with("+++") => "\u{1b}[32m",
                    Some(b'@') => "\u{1b}[36m",
                    _ => "",
                };
                let end = if paint.is_empty() { "" } else { "\u{1b}[0m" };
                let _ = writeln!(out, "{paint}{line}{end}");
            }
        }
        _ => {
            let _ = writeln!(out, "{}:{}  {} → {}", row.file, row.line, row.before, row.after);
        }
    }
    out
}

fn suites_text(text: &str, seed: u32, matrix: &KillMatrix) -> Result<String> {
    let numbers =
        text.split_once('x').and_then(|(suites, tests)| Some((suites.parse().ok()?, tests.parse().ok()?)));
    let Some((suites, tests)) = numbers else { bail!("--suites {text}: write NxK, as in 5000x100") };
    let spread = suite_spread(matrix, &Draw { suites, tests, seed })?;
    Ok(format!(
        "\nAm of {suites} random suites of {tests} tests: mean {:.3}, from {:.3} to {:.3}, median {:.3}\n",
        spread.mean, spread.min, spread.max, spread.median
    ))
}

/// `wildcaught show`.
pub fn run(args: &ShowArgs) -> Result<Exit> {
    let store = out::open(&args.out)?;
    let matrix = KillMatrix::load(&store)?;
    let chosen = match (&args.id, &args.fate) {
        (Some(id), _) => by_id(id, &matrix)?,
        (None, Some(fate)) => {
            let fate: Fate = fate.parse()?;
            (0..matrix.mutants.len() as u32).filter(|mutant| matrix.fate(*mutant as usize) == fate).collect()
        }
        (None, None) => matrix.survivors_ranked(),
    };
    let mut text = String::new();
    for mutant in chosen.iter().take(args.max.unwrap_or(usize::MAX)) {
        let _ = writeln!(text, "{}", diff(&matrix, *mutant as usize, &args.root));
        if args.id.is_some() {
            text.push_str(&details(&matrix, *mutant as usize));
        }
    }
    if chosen.is_empty() {
        anstream::eprintln!("there is none");
    }
    print_painted(&text)?;
    Ok(Exit::Fine)
}

fn by_id(id: &str, matrix: &KillMatrix) -> Result<Vec<u32>> {
    let (operator, site) = id.split_once('-').unwrap_or((id, ""));
    let matches = |row: &crate::matrix::MutantRow| {
        let (own, place) = row.id.split_once('-').unwrap_or((&row.id, ""));
        own.starts_with(operator) && place.starts_with(site)
    };
    let found: Vec<u32> =
        (0..).zip(&matrix.mutants).filter(|(_, row)| matches(row)).map(|(at, _)| at).collect();
    if found.is_empty() {
        bail!("no mutant {id:?} in the last run; `wildcaught show` lists those that were missed");
    }
    Ok(found)
}

/// Which tests ran and which noticed.
fn details(matrix: &KillMatrix, mutant: usize) -> String {
    let mut out = String::new();
    let Some(outcome) = matrix.outcome(mutant) else { return out };
    let kills = outcome.kills();
    let _ = writeln!(
        out,
        "reached by {}, {} ran, {} noticed",
        counted(outcome.covered.len(), "test"),
        outcome.ran.len(),
        kills.len()
    );
    for test in &kills {
        let verdict = outcome.verdict(test).map(|verdict| format!("{verdict:?}").to_lowercase());
        let _ = writeln!(out, "  {} ({})", matrix.tests[test as usize].name, verdict.unwrap_or_default());
    }
    if kills.is_empty() {
        for test in outcome.covered.iter().take(ROWS) {
            let _ = writeln!(out, "  {} runs over it", matrix.tests[test as usize].name);
        }
    }
    if !outcome.log.trim().is_empty() {
        let _ = writeln!(out, "\n{}", outcome.log.trim());
    }
    out
}
