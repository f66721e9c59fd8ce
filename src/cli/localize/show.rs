//! Rankings for people: places with their code, and why they are suspected.

use std::fmt::Write;
use std::path::Path;

use roaring::RoaringBitmap;

use crate::analysis::localize::Effect;
use crate::analysis::localize::Evaluation;
use crate::analysis::localize::Rank;
use crate::analysis::localize::Ranked;
use crate::analysis::localize::Subject;
use crate::analysis::localize::evidence;
use crate::matrix::KillMatrix;
use crate::pipeline::localize::Localized;
use crate::report::Align;
use crate::report::Table;
use crate::report::counted;
use crate::report::first_names;
use crate::report::thousands;
use crate::text::BLUE;
use crate::text::BOLD;
use crate::text::GREEN;
use crate::text::PAINTS;
use crate::text::PLAIN;
use crate::text::RED;
use crate::text::one_line;
use crate::workspace::NotBelow;

use super::args::ByArg;
use super::args::ViewArgs;
use super::source::changed_lines;
use super::source::source_lines;

/// Lines of a place that are shown, and mutants that are.
const LINES: usize = 4;
const MUTANTS: usize = 2;
/// Places that are shown by default.
const TOP: usize = 5;

/// The answer of the first method in full, and what the others say.
pub fn text(found: &[Localized], view: &ViewArgs) -> String {
    let Some(first) = found.first() else { return String::new() };
    let mut out = heading(first, view.by);
    let top = view.limit().unwrap_or(TOP);
    for place in first.ranking.places.iter().take(top) {
        let _ = write!(out, "\n{}", Shown { first, found, place, root: view.root() }.text());
    }
    if first.ranking.places.len() > top {
        let left = thousands((first.ranking.places.len() - top) as u64);
        let _ = writeln!(out, "\n{left} more; --top 0 shows all");
    }
    if let Some((faults, table)) = evaluations(found) {
        let _ = write!(out, "\n{faults}\n{table}");
    }
    out
}

pub fn heading(first: &Localized, by: ByArg) -> String {
    let (subject, matrix) = (&first.subject, first.subject.matrix);
    let what = match by {
        ByArg::Statement => "statement",
        ByArg::Function => "function",
        ByArg::File => "file",
    };
    let changing = subject.changes.iter().filter(|changes| changes.flips()).count() as u64;
    let facts: Vec<String> =
        first.scores.facts.iter().map(|(name, value)| format!("{name} {}", number(*value))).collect();
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
    let about = first.scores.test.map(|test| format!(" of {}", one_line(&matrix.tests[test as usize].name)));
    format!(
        "{} of {} fail; {}, {} of them change a result; failing tests execute {} of {}\n{BOLD}{}{PLAIN}{}: {} ranked{facts}\n",
        thousands(subject.failing.len()),
        counted(subject.failing.len() + subject.passing.len(), "test"),
        counted(matrix.mutants.len() as u64, "mutant"),
        thousands(changing),
        thousands(subject.targets() as u64),
        counted(subject.spectrum.statements.len() as u64, "statement"),
        first.method.name(),
        about.unwrap_or_default(),
        counted(first.ranking.places.len() as u64, what),
    )
}

/// Up to four digits after the point, no more than are needed.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A score of a method, as it is shown wherever it is shown.
pub fn scored(found: &Localized, score: f64) -> String {
    format!("{} {}", found.method.name(), number(score))
}

fn ranks(rank: Rank) -> String {
    if rank.best == rank.worst { format!("#{}", rank.best) } else { format!("#{}-{}", rank.best, rank.worst) }
}

/// Text without colours.
pub fn plain(text: &str) -> String {
    PAINTS.iter().fold(text.to_owned(), |text, paint| text.replace(paint, ""))
}

/// A place in the list.
pub struct Shown<'a> {
    pub first: &'a Localized<'a>,
    pub found: &'a [Localized<'a>],
    pub place: &'a Ranked,
    pub root: &'a Path,
}

impl Shown<'_> {
    fn text(&self) -> String {
        let place = self.place;
        let mut out = format!("{BOLD}{}{PLAIN}\n", self.title());
        let width = (place.place.line as usize + LINES).to_string().len();
        let gap = " ".repeat(width);
        let _ = writeln!(out, "{gap}{BLUE}-->{PLAIN} {}", one_line(&place.place.to_string()));
        out.push_str(&self.code(width));
        for note in self.notes() {
            let mut lines = note.lines();
            let _ = writeln!(out, "{gap} {BLUE}={PLAIN} {}", lines.next().unwrap_or_default());
            for line in lines {
                let _ = writeln!(out, "{gap}   {line}");
            }
        }
        out
    }

    /// Its rank, its score, and the function that it is in.
    pub fn title(&self) -> String {
        let place = self.place;
        let function = place.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
        let title = format!("{}: {}{function}", ranks(place.rank), scored(self.first, place.score));
        one_line(&title).into_owned()
    }

    /// The lines of the place: the beginning of a long one, and of a function or file its suspicious statements.
    pub fn code(&self, width: usize) -> String {
        let source = match source_lines(self.root, &self.place.place.file) {
            Ok(source) => source,
            Err(NotBelow::Io { .. }) => return String::new(),
            Err(why) => {
                let why = why.to_string();
                return format!("{} {BLUE}={PLAIN} not shown: {}\n", " ".repeat(width), one_line(&why));
            }
        };
        let statements = &self.first.subject.spectrum.statements;
        let values = &self.first.scores.values;
        let worst = self.place.statements.iter().filter(|at| values[**at] >= self.place.score);
        let lines = worst.flat_map(|at| statements[*at].place.line..=statements[*at].place.end_line);
        let lines: Vec<u32> = lines.take(LINES).collect();
        let gap = " ".repeat(width);
        let mut out = format!("{gap} {BLUE}|{PLAIN}\n");
        for line in lines {
            // A matrix that knows no lines has everything on line 0.
            let text =
                (line as usize).checked_sub(1).and_then(|at| source.get(at)).map_or("", String::as_str);
            let _ = writeln!(out, "{BLUE}{line:>width$} |{PLAIN} {}", one_line(text.trim_end()));
        }
        let _ = writeln!(out, "{gap} {BLUE}|{PLAIN}");
        out
    }

    /// Why it is suspected; lines of a mutant follow the line about it.
    pub fn notes(&self) -> Vec<String> {
        let subject = &*self.first.subject;
        let evidence = evidence(subject, self.place);
        let mut notes: Vec<String> =
            evidence.repairs.iter().take(MUTANTS).map(|effect| repair(subject, effect, self.root)).collect();
        if evidence.repairs.len() > MUTANTS {
            let left = counted((evidence.repairs.len() - MUTANTS) as u64, "more mutant");
            notes.push(format!("{left} that make failing tests pass"));
        }
        if let Some(worst) = evidence.breaks.first() {
            notes.push(breaks(subject, &evidence.breaks, worst));
        }
        if evidence.repairs.is_empty() && evidence.breaks.is_empty() {
            notes.extend(match evidence.silent {
                0 if evidence.unrun > 0 => None,
                0 => Some("it has no mutants".to_owned()),
                count => {
                    Some(format!("{} of it ran, and no test result changes", counted(count as u64, "mutant")))
                }
            });
        }
        if evidence.unrun > 0 {
            let unrun = counted(evidence.unrun as u64, "mutant");
            notes.push(format!("{unrun} of it did not run, so their effect is unknown"));
        }
        notes.push(format!(
            "executed by {} of {} failing and {} of {} passing tests",
            evidence.failing.len(),
            subject.failing.len(),
            evidence.passing.len(),
            subject.passing.len()
        ));
        notes.extend(self.others());
        notes
    }

    /// Where other methods have the place.
    fn others(&self) -> Option<String> {
        let rank = |other: &Localized| {
            let place = other.ranking.places.iter().find(|known| known.place == self.place.place)?;
            Some(format!("{} {}", other.method.name(), ranks(place.rank)))
        };
        let others: Vec<String> = self.found[1..].iter().filter_map(rank).collect();
        (!others.is_empty()).then(|| others.join(", "))
    }
}

fn names(matrix: &KillMatrix, tests: &RoaringBitmap) -> String {
    let names: Vec<&str> = tests.iter().map(|test| matrix.tests[test as usize].name.as_str()).collect();
    first_names(names.into_iter())
}

/// What a mutant repaired and broke, with the lines that it changes.
fn repair(subject: &Subject, effect: &Effect, root: &Path) -> String {
    let row = &subject.matrix.mutants[effect.mutant];
    let broken = match effect.broken.len() {
        0 => "breaks none".to_owned(),
        count => {
            let names = names(subject.matrix, &effect.broken);
            format!("breaks {count} of {} passing ({names})", subject.passing.len())
        }
    };
    let operator =
        if row.operator.is_empty() { String::new() } else { format!(" [{}]", one_line(&row.operator)) };
    let mut note = format!(
        "mutant {}{operator} makes {} of {} failing tests pass ({}), {broken}",
        one_line(&row.id),
        effect.repaired.len(),
        subject.failing.len(),
        names(subject.matrix, &effect.repaired),
    );
    for line in changed_lines(row, root) {
        let paint = if line.starts_with('-') { RED } else { GREEN };
        let _ = write!(note, "\n{paint}{}{PLAIN}", one_line(&line));
    }
    note
}

fn breaks(subject: &Subject, breaks: &[Effect], worst: &Effect) -> String {
    let (id, tests) = (one_line(&subject.matrix.mutants[worst.mutant].id), worst.broken.len());
    let names = names(subject.matrix, &worst.broken);
    let of = subject.passing.len();
    match breaks.len() {
        1 => format!("mutant {id} breaks {tests} of {of} passing tests ({names})"),
        count => {
            format!("{count} mutants only break passing tests, {id} the most: {tests} of {of} ({names})")
        }
    }
}

/// Where the fault is, and one row per method: how far down that is, and what it costs to get there. None if it is
/// not known.
pub fn evaluations(found: &[Localized]) -> Option<(String, Table)> {
    found.iter().find(|localized| localized.evaluation.is_some())?;
    let mut table = Table::new(&[
        ("method", Align::Left),
        ("rank of the fault", Align::Left),
        ("expense", Align::Right),
        ("LIL", Align::Right),
    ]);
    let optional = |value: Option<f64>, show: fn(f64) -> String| value.map_or("–".to_owned(), show);
    let mut faults = String::new();
    for localized in found {
        let Some(evaluation) = &localized.evaluation else { continue };
        if faults.is_empty() {
            faults = places(evaluation);
        }
        let ranks: Vec<String> = evaluation.faults.iter().map(|fault| ranks(fault.rank)).collect();
        table.row(vec![
            localized.method.name().to_owned(),
            if ranks.is_empty() { "–".to_owned() } else { first_names(ranks.iter().map(String::as_str)) },
            optional(evaluation.expense, |value| format!("{value:.2} %")),
            optional(evaluation.lil, |value| format!("{value:.2}")),
        ]);
    }
    Some((format!("fault: {faults}"), table))
}

fn places(evaluation: &Evaluation) -> String {
    let places: Vec<String> = evaluation.faults.iter().map(|fault| fault.place.to_string()).collect();
    if places.is_empty() {
        "not in the ranking".to_owned()
    } else {
        first_names(places.iter().map(String::as_str))
    }
}
