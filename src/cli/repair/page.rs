//! Patches as a page for browsers.

use crate::report::Align;
use crate::report::Page;
use crate::report::Table;
use crate::report::counted;
use crate::report::documents::PatchDocument;
use crate::report::documents::RepairDocument;
use crate::report::thousands;

/// The page; `ending` says what was tried, or why there is no patch.
pub fn page(document: &RepairDocument, ending: &str) -> String {
    let mut page = Page::new("Patches that make all tests pass");
    let (failing, passing) = (document.failing.len() as u64, thousands(document.passing as u64));
    page.text(&format!("Without a patch, {} fail and {passing} pass.", counted(failing, "test")));
    page.text(ending);
    page.heading("Patches");
    if document.patches.is_empty() {
        page.text("No patch was found.");
    }
    for patch in &document.patches {
        page.fold(&summary(patch), patch.rank == 1, |page| {
            page.text(&remarks(patch));
            page.diff(&patch.diff);
        });
    }
    page.heading("Failing tests");
    page.lines(&document.failing.join("\n"));
    page.heading("Search");
    page.table(&figures(document));
    page.finish()
}

/// A patch in a line.
fn summary(patch: &PatchDocument) -> String {
    let edits =
        patch.edits.iter().map(|edit| format!("{}:{}: {}", edit.file, edit.line, edit.says.replace('`', "")));
    format!("{}. {}", patch.rank, edits.collect::<Vec<_>>().join(" · "))
}

fn remarks(patch: &PatchDocument) -> String {
    let mut lines = vec![format!("Found after {:.1} s.", patch.seconds)];
    if patch.same > 0 {
        lines.push(format!(
            "{} the same in all tests.",
            match patch.same {
                1 => "1 other condition does".to_owned(),
                many => format!("{} other conditions do", thousands(many as u64)),
            }
        ));
    }
    if patch.only_deletes {
        lines.push("It only deletes code: check that no feature is lost.".to_owned());
    }
    match patch.held_out {
        Some(true) => lines.push("The held-out command passes with it.".to_owned()),
        Some(false) => lines.push("The held-out command fails with it, so it is probably wrong.".to_owned()),
        None => {}
    }
    lines.join("\n")
}

fn figures(document: &RepairDocument) -> Table {
    let mut table = Table::new(&[("count", Align::Right), ("what", Align::Left)]);
    for (count, what) in [
        (document.slots as u64, "places that can be edited"),
        (document.alternatives as u64, "edits that compile"),
        (document.unviable as u64, "edits that do not compile"),
        (document.runs, "runs of the program"),
        (document.plausible as u64, "combinations that pass all tests"),
        (document.refuted as u64, "of these, fail when built from the original sources"),
    ] {
        table.row(vec![thousands(count), what.to_owned()]);
    }
    table.row(vec![format!("{:.1}", document.search_seconds), "seconds of search".to_owned()]);
    table
}
