//! Patches on the terminal.

use std::fmt::Write;
use std::path::Path;
use std::path::PathBuf;

use crate::insert::slots::FAMILIES;
use crate::pipeline::repair::RepairRequest;
use crate::pipeline::repair::SlotCount;
use crate::report::Align;
use crate::report::Table;
use crate::report::documents::PatchDocument;
use crate::report::documents::RepairDocument;
use crate::report::thousands;

/// Failing tests that are named.
const MOST_NAMES: usize = 5;

/// The families in a table.
pub fn families() -> String {
    let mut table = Table::new(&[("family", Align::Left), ("what it does", Align::Left)]);
    FAMILIES.iter().for_each(|row| table.row(vec![row.name.to_owned(), row.says.to_owned()]));
    table.to_string()
}

/// The places and edits of each file.
pub fn count_table(paths: &[PathBuf], counts: &[SlotCount]) -> Table {
    let mut table = Table::new(&[("places", Align::Right), ("edits", Align::Right), ("file", Align::Left)]);
    let mut put = |count: SlotCount, file: String| {
        table.row(vec![thousands(count.slots as u64), thousands(count.alternatives as u64), file]);
    };
    let mut all = SlotCount::default();
    for (count, path) in counts.iter().zip(paths) {
        put(*count, path.display().to_string());
        all =
            SlotCount { slots: all.slots + count.slots, alternatives: all.alternatives + count.alternatives };
    }
    put(all, "in all".into());
    table
}

/// A patch: what it does in words, and the diff.
pub fn patch_text(patch: &PatchDocument) -> String {
    let mut out = String::new();
    for edit in &patch.edits {
        let _ = writeln!(out, "  {}:{}: {} ({})", edit.file, edit.line, edit.says, edit.family);
    }
    if patch.same > 0 {
        let _ = writeln!(out, "  {} other conditions do the same in all tests", thousands(patch.same as u64));
    }
    if patch.only_deletes {
        out.push_str("  it only deletes code: check that no feature is lost\n");
    }
    match patch.held_out {
        Some(true) => out.push_str("  the held-out command passes with it\n"),
        Some(false) => out.push_str("  the held-out command FAILS with it, so it is probably wrong\n"),
        None => {}
    }
    out + &patch.diff
}

/// A result.
pub fn text(document: &RepairDocument, request: &RepairRequest, out: &Path) -> String {
    let mut text = String::new();
    for patch in &document.patches {
        let _ =
            writeln!(text, "patch {}, {} edit{}", patch.rank, patch.edits.len(), plural(patch.edits.len()));
        let _ = writeln!(text, "{}", patch_text(patch));
    }
    let named: Vec<&str> = document.failing.iter().take(MOST_NAMES).map(String::as_str).collect();
    let more = document.failing.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (failing, passing) = (document.failing.len(), document.passing);
    let _ = writeln!(
        text,
        "{failing} failing test{} ({}{more}), {passing} passing",
        plural(failing),
        named.join(", ")
    );
    let (alternatives, slots) = (thousands(document.alternatives as u64), thousands(document.slots as u64));
    let (runs, seconds) = (thousands(document.runs), document.search_seconds);
    let _ = writeln!(text, "tried {alternatives} edits at {slots} places in {runs} runs, {seconds:.1} s");
    text + &ending(document, request, out)
}

pub fn ending(document: &RepairDocument, request: &RepairRequest, out: &Path) -> String {
    if document.patches.is_empty() {
        return nothing(document, request);
    }
    let (listed, plausible) = (document.patches.len(), document.plausible);
    let more = plausible.saturating_sub(listed + document.refuted);
    let mut text = String::new();
    if more > 0 {
        let _ = writeln!(text, "{more} more; --top {} shows all", listed + more);
    }
    if document.refuted > 0 {
        let _ = writeln!(text, "{} failed when built from the original sources", document.refuted);
    }
    let _ = writeln!(
        text,
        "All tests pass with each patch, built from the original sources. Passing tests are no proof: read the patch.\n\
         `wildcaught repair --apply N` writes patch N into the sources; all patches are in {}",
        out.join("repair").display()
    );
    text
}

/// What to say if nothing was found.
fn nothing(document: &RepairDocument, request: &RepairRequest) -> String {
    let mut text = String::from("no patch was found\n");
    let _ = match document.complete_up_to {
        0 => writeln!(
            text,
            "the time ran out before all single edits were tried: raise --budget, or name the files to edit"
        ),
        1 if request.degree < 2 => writeln!(text, "all single edits were tried; --degree 2 combines two"),
        1 => writeln!(
            text,
            "all single edits were tried, but not all pairs, since the time ran out: raise --budget"
        ),
        degree => writeln!(text, "all combinations of up to {degree} edits were tried"),
    };
    if document.nearest > 0 {
        let (nearest, all) = (document.nearest, document.failing.len());
        let _ = writeln!(
            text,
            "the nearest combination repairs {nearest} of {all} failing tests and breaks none"
        );
    }
    if document.unviable > 0 {
        let _ = writeln!(text, "{} edits did not compile", thousands(document.unviable as u64));
    }
    text
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
