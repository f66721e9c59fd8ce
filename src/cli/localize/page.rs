//! Rankings as a page for browsers: the most suspicious places with their evidence, and the sources with every
//! statement marked.

use std::collections::BTreeMap;

use crate::analysis::localize::CodePlace;
use crate::pipeline::localize::Localized;
use crate::report::Mark;
use crate::report::Page;

use super::args::ViewArgs;
use super::show::Shown;
use super::show::evaluations;
use super::show::heading;
use super::show::plain;
use super::show::scored;
use super::source::source_lines;

/// Places that are shown with their evidence by default.
const TOP: usize = 20;

/// The page: the answer of the first method, and what the others say.
pub fn page(found: &[Localized], view: &ViewArgs) -> String {
    let mut page = Page::new("Where the fault is likely to be");
    let Some(first) = found.first() else { return page.finish() };
    page.text(&plain(&heading(first, view.by)));
    if let Some((faults, table)) = evaluations(found) {
        page.heading("Evaluation of the rankings");
        page.text(&faults);
        page.table(&table);
    }
    page.heading("Most suspicious");
    for (at, place) in first.ranking.places.iter().take(view.limit().unwrap_or(TOP)).enumerate() {
        let shown = Shown { first, found, place, root: view.root() };
        let title = plain(&format!("{} {}", shown.title(), place.place));
        page.fold(&title, at == 0, |page| {
            page.diff(&plain(&shown.code(4)));
            shown.notes().iter().for_each(|note| {
                let note = plain(note);
                let (line, diff) = note.split_once('\n').unwrap_or((&note, ""));
                page.text(line);
                if !diff.is_empty() {
                    page.diff(diff);
                }
            });
        });
    }
    page.heading("In the source");
    page.text("Darker means more suspicious. Statements that no failing test executes are not marked.");
    sources(&mut page, first, view);
    page.finish()
}

/// The files that failing tests execute, the one with the most suspicious statement open.
fn sources(page: &mut Page, first: &Localized, view: &ViewArgs) {
    let spectrum = &first.subject.spectrum;
    let executed = |at: &usize| !spectrum.statements[*at].covered.is_disjoint(&first.subject.failing);
    let mut order: Vec<usize> = (0..spectrum.statements.len()).filter(executed).collect();
    let values = &first.scores.values;
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let mut marks: BTreeMap<&str, Vec<(&CodePlace, Mark)>> = BTreeMap::new();
    // Those that score the same are marked the same.
    let (mut rank, mut last) = (0, f64::INFINITY);
    for (at, statement) in order.iter().enumerate() {
        let score = values[*statement];
        if score < last {
            (rank, last) = (at, score);
        }
        let place = &spectrum.statements[*statement].place;
        let strength = (1.0 - rank as f64 / order.len() as f64).powi(4);
        marks.entry(&place.file).or_default().push((place, Mark { strength, label: scored(first, score) }));
    }
    let open = order.first().map(|statement| &spectrum.statements[*statement].place.file);
    for (file, marks) in &marks {
        page.fold(file, open.is_some_and(|open| open == file), |page| {
            match source_lines(view.root(), file) {
                Ok(lines) => page.source(marked(lines, marks)),
                Err(why) => page.text(&format!("Not shown: {why}.")),
            };
        });
    }
}

/// Lines with their numbers and marks. A matrix may say that a place has more lines than its file.
fn marked(lines: Vec<String>, marks: &[(&CodePlace, Mark)]) -> Vec<(u32, String, Option<Mark>)> {
    let last = lines.len() as u32;
    let mut marked: BTreeMap<u32, &Mark> = BTreeMap::new();
    for (place, mark) in marks {
        for line in place.line..=place.end_line.min(last) {
            // Of several statements on a line, the most suspicious comes first and stays.
            marked.entry(line).or_insert(mark);
        }
    }
    let numbered = (1..).zip(lines);
    numbered.map(|(number, line)| (number, line, marked.get(&number).copied().cloned())).collect()
}
