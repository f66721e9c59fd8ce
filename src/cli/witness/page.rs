//! A ranking as a page for browsers: the failing program, a change that makes the failure disappear, and the
//! suspicious functions with their sources.

use std::collections::BTreeSet;
use std::path::Path;

use crate::report::Mark;
use crate::report::Page;
use crate::report::documents::SuspectDocument;
use crate::report::documents::WitnessDocument;
use crate::workspace::read_below;

use super::show::evidence;
use super::show::first_bad;
use super::show::ranking;
use super::show::reduced_to;
use super::show::tried;

/// Lines of a source that are shown before and after a suspicious function.
const AROUND: u32 = 2;
/// Functions longer than this are shown around their suspicious lines only.
const LONG: u32 = 400;

/// The page. `root` is where the sources are.
pub fn page(document: &WitnessDocument, root: &Path, top: usize) -> String {
    let mut page = Page::new(&format!("Suspicious code: {}", document.program));
    page.text(&format!("{}: {}.", document.program, document.failure));
    page.text(&tried(document));
    page.heading("Most suspicious");
    page.table(&ranking(document, top));
    if let Some(found) = &document.first_bad {
        page.heading("Where the bug came from");
        page.text(&first_bad(found));
    }
    page.heading("The failing program");
    page.text(&format!("{}.", reduced_to(document)));
    let lines = document.reduced.lines().map(str::to_owned).filter(|line| !line.trim().is_empty());
    page.source((1..).zip(lines).map(|(number, line)| (number, line, None)));
    if let Some(nearest) = &document.nearest {
        page.heading("This change makes the failure disappear");
        page.diff(&nearest.diff);
        page.fold("Functions with code that only the failing program executes", false, |page| {
            page.text(&nearest.only_failing.join(", "));
        });
    }
    if !document.stack.is_empty() {
        page.heading("Where it crashes");
        page.text(&document.stack.join(" ← "));
    }
    let functions: Vec<_> = document.ranking.iter().filter(|part| part.line > 0).take(top).collect();
    if functions.is_empty() {
        return page.finish();
    }
    page.heading("In the source");
    page.text("Marked lines are executed by the failing program and by few passing programs.");
    for (at, part) in functions.into_iter().enumerate() {
        let said = evidence(part);
        let said = if said.is_empty() { said } else { format!(": {said}") };
        let title = format!("{}. {} in {}:{}{said}", part.rank, part.name, part.file, part.line);
        page.fold(&title, at == 0, |page| source(page, part, root));
    }
    page.finish()
}

/// A function with its suspicious lines marked.
fn source(page: &mut Page, part: &SuspectDocument, root: &Path) {
    let text = match read_below(root, &part.file) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(why) => return page.text(&format!("Not shown: {why}.")),
    };
    let marked: BTreeSet<u32> = part.lines.iter().copied().collect();
    let last = part.last.max(part.line);
    let near = |line: u32| {
        let within = (part.line.saturating_sub(AROUND)..=last + AROUND).contains(&line);
        let short = last - part.line < LONG || line < part.line + AROUND;
        within && (short || marked.range(line.saturating_sub(10)..=line + 10).next().is_some())
    };
    let lines = (1..).zip(text.lines()).filter(|(number, _)| near(*number));
    page.source(lines.map(|(number, line)| {
        let mark =
            marked.contains(&number).then(|| Mark { strength: 0.8, label: "few others execute it".into() });
        (number, line.to_owned(), mark)
    }));
}
