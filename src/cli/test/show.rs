//! The result of a run as figures, tables and diffs of missed mutants; and `wildcaught show`.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use anyhow::bail;

use crate::control::Shard;
use crate::insert::TextEdit;
use crate::matrix::Draw;
use crate::matrix::Fate;
use crate::matrix::FateTally;
use crate::matrix::KillMatrix;
use crate::matrix::RunDir;
use crate::matrix::suite_spread;
use crate::pipeline::test::TestResult;
use crate::report::Align;
use crate::report::AuditFigures;
use crate::report::SuitesFigures;
use crate::report::SurvivorText;
use crate::report::Table;
use crate::report::TestDocument;
use crate::report::counted;
use crate::report::thousands;
use crate::report::unified;
use crate::text::CYAN;
use crate::text::GREEN;
use crate::text::PLAIN;
use crate::text::RED;
use crate::text::file_link;
use crate::text::one_line;
use crate::workspace::read_below;

use super::super::exit::Exit;
use super::super::output::as_json;
use super::super::output::print_text;
use super::super::output::write_result;
use super::super::settings::OUT;
use super::super::settings::results;
use super::args::ShowArgs;
use super::args::TestArgs;
use super::audit::audit_text;
use super::gate::Gate;

/// Rows of the tables.
const ROWS: usize = 10;

/// What the fates mean.
pub const MEANINGS: [(Fate, &str); 8] = [
    (Fate::Killed, "a test failed"),
    (Fate::TimeOut, "a test ran out of time"),
    (Fate::Survived, "tests execute them, but none fails"),
    (Fate::NotCovered, "no test executes them"),
    (Fate::Equivalent, "compiled to the same code as the original"),
    (Fate::Duplicate, "compiled to the same code as another mutant"),
    (Fate::Unviable, "do not compile"),
    (Fate::Untested, "not tested"),
];

/// Where a result is from, and how much of it is shown.
pub struct View<'a> {
    pub root: &'a Path,
    pub out: &'a Path,
    /// The part of a run that it is, if it is one.
    pub shard: Option<Shard>,
    /// Missed mutants that are shown as diffs.
    pub most: usize,
}

/// Prints the result and says how to exit.
pub fn result(args: &TestArgs, result: &TestResult, gate: &Gate, view: &View) -> Result<Exit> {
    let matrix = &result.matrix;
    let exit = match (&result.audit, view.shard) {
        (Some(audit), _) if audit.disagreements().next().is_some() => Exit::Disagreement,
        (_, None) => gate.exit(),
        // Whether the whole is good enough, who puts it together says.
        (_, Some(_)) if matrix.counts().contains_key(&Fate::Untested) => Exit::Incomplete,
        (_, Some(_)) => Exit::Fine,
    };
    let suites = args.run.suites.as_deref().map(|text| suites(text, args.choice.seed, matrix)).transpose()?;
    if args.run.json {
        let document = TestDocument::new(result, SurvivorText::all(&gate.documented), suites);
        write_result(view.out, None, &as_json(&document)?)?;
        return Ok(exit);
    }
    let mut text = figures(result) + &recalled(result) + &missed(matrix, gate, view);
    if let Some(suites) = suites {
        text.push_str(&suites_text(&suites));
    }
    if let Some(audit) = &result.audit {
        text.push_str(&audit_text(&AuditFigures::new(audit), matrix));
    }
    if let Some(apart) = &result.apart {
        let _ = writeln!(
            text,
            "\nThe last full run was on different code, so its results were not changed. These results are in {}.",
            apart.display()
        );
    }
    if let Some(shard) = view.shard {
        let _ = writeln!(text, "\nThis is part {shard}; `wildcaught merge` merges all parts.");
    }
    print_text(&text)?;
    Ok(exit)
}

/// What was missed: by file, the most worthwhile as diffs, and what was accepted.
pub fn missed(matrix: &KillMatrix, gate: &Gate, view: &View) -> String {
    let mut text = String::new();
    let ranked = gate.open();
    let shown: Vec<u32> = ranked.iter().copied().take(view.most).collect();
    if !ranked.is_empty() {
        let _ = write!(text, "\n{}", table("file", &matrix.by_file()));
    }
    for mutant in &shown {
        let _ = write!(text, "\n{}", diff(matrix, *mutant as usize, view.root));
    }
    if ranked.len() > shown.len() {
        let left = thousands((ranked.len() - shown.len()) as u64);
        let _ = writeln!(text, "\n{left} more: wildcaught show{}", out_flag(view.out));
    }
    text + &gate.text()
}

/// The fates and what they mean, and the score.
pub fn fates(matrix: &KillMatrix) -> String {
    let mut table = Table::new(&[("mutants", Align::Right), ("", Align::Left), ("", Align::Left)]);
    let counts = matrix.counts();
    for (fate, meaning) in MEANINGS {
        if let Some(count) = counts.get(&fate) {
            table.row(vec![thousands(*count), fate.name().to_owned(), meaning.to_owned()]);
        }
    }
    let score = match matrix.score() {
        Some(score) => format!("score {:.1} %", score * 100.0),
        None => "no score: nothing was tested".to_owned(),
    };
    format!("{table}\n{score}")
}

fn figures(result: &TestResult) -> String {
    let TestResult { matrix, summary, took, .. } = result;
    let seconds = took.as_secs_f64();
    let mut out = fates(matrix);
    let _ = writeln!(
        out,
        ", {}, {seconds:.1} s, {:.1} mutants a second ({} switched in one program, built {}; {} built one by one)",
        counted(summary.tests as u64, "test"),
        matrix.mutants.len() as f64 / seconds.max(0.001),
        thousands(summary.switched as u64),
        counted(summary.rounds as u64, "time"),
        thousands(summary.built_alone as u64),
    );
    if !summary.alone_because.is_empty() {
        let reasons = summary.alone_because.iter();
        let reasons: Vec<String> =
            reasons.map(|(why, count)| format!("{} ({why})", thousands(*count as u64))).collect();
        let _ = writeln!(out, "built one by one: {}", reasons.join(", "));
    }
    let times = summary.times.iter().filter(|(_, took)| took.as_secs_f64() >= 0.05);
    let times: Vec<String> =
        times.map(|(what, took)| format!("{} {:.1} s", what.name(), took.as_secs_f64())).collect();
    let _ = writeln!(out, "{}", times.join(", "));
    out
}

fn table(what: &'static str, tallies: &[FateTally]) -> Table {
    let mut table = Table::new(&[
        ("score", Align::Right),
        ("killed", Align::Right),
        ("survived", Align::Right),
        ("not covered", Align::Right),
        (what, Align::Left),
    ]);
    let mut order: Vec<&FateTally> = tallies.iter().collect();
    let missed = |tally: &FateTally| -> u64 {
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

/// What was taken over from the run before.
fn recalled(result: &TestResult) -> String {
    let Some(recall) = &result.recall else { return String::new() };
    if let Some(why) = &recall.why_all {
        return format!("every mutant was tested again: {}\n", one_line(why));
    }
    let names: Vec<&str> = recall.changed.iter().take(ROWS).map(String::as_str).collect();
    let changed = if names.is_empty() { String::new() } else { format!("; changed: {}", names.join(", ")) };
    let kept = counted(recall.kept.len() as u64, "verdict");
    format!("{kept} of the last run are still valid and were kept{}\n", one_line(&changed))
}

/// A mutant with its fate, as a diff.
pub fn diff(matrix: &KillMatrix, mutant: usize, root: &Path) -> String {
    let row = &matrix.mutants[mutant];
    let fate = matrix.fate(mutant);
    let reached = matrix.outcome(mutant).map_or(0, |outcome| outcome.covered.len());
    let by = match reached {
        0 => String::new(),
        1 => ", 1 test executes it".into(),
        many => format!(", {} execute it", counted(many, "test")),
    };
    let place = linked_place(root, &row.file, row.line, &format!("{}:{}:{}", row.file, row.line, row.column));
    let mut out = format!("{place}  {}\n", one_line(&format!("{} {}{by}", row.id, fate.name())));
    let notation = if row.operator.is_empty() { String::new() } else { format!("  [{}]", row.operator) };
    let _ = writeln!(out, "  {}", one_line(&(row.words() + &notation)));
    let edit = TextEdit { start: row.start as usize, end: row.end as usize, text: row.text.clone() };
    match read_below(root, &row.file) {
        Ok(text) if edit.start <= edit.end && edit.end <= text.len() => {
            let diff = unified(Path::new(&row.file), &text, &[edit]);
            for line in String::from_utf8_lossy(&diff).lines() {
                let paint = match line.as_bytes().first() {
                    Some(b'-') if !line.starts_with("---") => RED,
                    Some(b'+') if !line.starts_with("+++") => GREEN,
                    Some(b'@') => CYAN,
                    _ => "",
                };
                let end = if paint.is_empty() { "" } else { PLAIN };
                let _ = writeln!(out, "{paint}{}{end}", one_line(line.trim_end_matches('\r')));
            }
        }
        _ => {
            let line = format!("{}:{}  {} → {}", row.file, row.line, row.before, row.after);
            let _ = writeln!(out, "{}", one_line(&line));
        }
    }
    out
}

/// A place that opens its file when it is clicked; as it is where the file is not there.
fn linked_place(root: &Path, file: &str, line: u32, text: &str) -> String {
    let text = one_line(text);
    match root.join(file).canonicalize() {
        Ok(path) => file_link(&path.to_string_lossy(), line, &text),
        Err(_) => text.into_owned(),
    }
}

fn suites(text: &str, seed: u32, matrix: &KillMatrix) -> Result<SuitesFigures> {
    let numbers =
        text.split_once('x').and_then(|(suites, tests)| Some((suites.parse().ok()?, tests.parse().ok()?)));
    let Some((suites, tests)) = numbers else { bail!("--suites {text}: write NxK, as in 5000x100") };
    let draw = Draw { suites, tests, seed };
    Ok(SuitesFigures::new(&draw, &suite_spread(matrix, &draw)?))
}

fn suites_text(figures: &SuitesFigures) -> String {
    let SuitesFigures { suites, tests, mean, min, max, median, .. } = figures;
    format!(
        "\nAm of {suites} random suites of {tests} tests: mean {mean:.3}, from {min:.3} to {max:.3}, median {median:.3}\n"
    )
}

/// The option that names where results are kept, if that is not where they usually are.
fn out_flag(out: &Path) -> String {
    if out == Path::new(OUT) { String::new() } else { format!(" --out {}", out.display()) }
}

/// `wildcaught show`.
pub fn run(args: &ShowArgs) -> Result<Exit> {
    let store = RunDir::open_store(&results(&args.out))?;
    let matrix = KillMatrix::load(&store)?;
    let chosen = match (&args.id, &args.fate) {
        (Some(id), _) => by_id(id, &matrix)?,
        (None, Some(fate)) => {
            let fate: Fate = fate.parse()?;
            (0..matrix.mutants.len() as u32).filter(|mutant| matrix.fate(*mutant as usize) == fate).collect()
        }
        (None, None) => {
            let shown = |mutant: &u32| !args.survived || matrix.fate(*mutant as usize) == Fate::Survived;
            matrix.survivors_ranked().into_iter().filter(shown).collect()
        }
    };
    let mut text = String::new();
    for mutant in chosen.iter().take(args.max.unwrap_or(usize::MAX)) {
        let _ = writeln!(text, "{}", diff(&matrix, *mutant as usize, &args.root));
        if args.id.is_some() {
            text.push_str(&details(&matrix, *mutant as usize));
        }
    }
    if chosen.is_empty() {
        tell!("there is none");
    }
    print_text(&text)?;
    Ok(Exit::Fine)
}

/// The mutants whose ids begin so.
pub fn by_id(id: &str, matrix: &KillMatrix) -> Result<Vec<u32>> {
    let (operator, site) = id.split_once('-').unwrap_or((id, ""));
    let matches = |row: &crate::matrix::MutantRow| {
        let (own, place) = row.id.split_once('-').unwrap_or((&row.id, ""));
        own.starts_with(operator) && place.starts_with(site)
    };
    let found: Vec<u32> =
        (0..).zip(&matrix.mutants).filter(|(_, row)| matches(row)).map(|(at, _)| at).collect();
    if found.is_empty() {
        bail!("the last run has no mutant {id:?}; `wildcaught show` lists the missed mutants");
    }
    Ok(found)
}

/// Which tests ran and which noticed.
fn details(matrix: &KillMatrix, mutant: usize) -> String {
    let mut out = String::new();
    let Some(outcome) = matrix.outcome(mutant) else { return out };
    if matches!(outcome.fate, Fate::Equivalent | Fate::Duplicate) && outcome.ran.is_empty() {
        let _ = writeln!(out, "not run: {}", outcome.log.trim());
        return out;
    }
    let kills = outcome.kills();
    let _ = writeln!(
        out,
        "reached by {}, {} ran, {} killed it",
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
            let _ = writeln!(out, "  {} executes it", matrix.tests[test as usize].name);
        }
    }
    if !outcome.log.trim().is_empty() {
        let _ = writeln!(out, "\n{}", outcome.log.trim());
    }
    out
}
