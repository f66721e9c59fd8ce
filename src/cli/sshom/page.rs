//! What was found in a program, as a page for browsers.

use crate::pipeline::sshom::Sshom;
use crate::report::Page;

use super::figures::characteristics_table;
use super::figures::order_table;
use super::view::ResultView;
use super::view::title;

/// Most that are shown, each with its diff.
const MOST: usize = 1000;

/// The page.
pub fn page(view: &ResultView) -> String {
    let result = view.result;
    let mut page = Page::new("Strongly subsuming higher-order mutants");
    page.text(&view.head());
    if let Some(differing) = &result.differing {
        let texts: Vec<String> = differing.iter().map(|difference| difference.text(view.program)).collect();
        page.text(&match texts.len() {
            0 => "Built from the sources, all that are listed do what was found.".into(),
            many => format!("{many} do something else when built from the sources: {}", texts.join("; ")),
        });
    }
    if result.searches.len() > 1 {
        page.heading("Searches side by side");
        page.table(&view.compared());
    }
    page.heading("Found over time");
    page.picture(&view.curves());
    page.heading("By order");
    page.table(&order_table(&result.figures));
    page.heading("What they look like");
    page.table(&characteristics_table(&result.figures));
    page.heading("One by one");
    for (at, sshom) in result.listed().take(MOST).enumerate() {
        page.fold(&summary(view, &sshom), at == 0, |page| {
            page.diff(&String::from_utf8_lossy(&view.diff(&sshom)));
            page.text(&view.tests(&sshom));
        });
    }
    page.finish()
}

/// A combination in a line.
fn summary(view: &ResultView, sshom: &Sshom) -> String {
    let mutant = |mutant: &u32| {
        let (place, alternative) = view.program.mutant(*mutant);
        format!("{}:{} {} → {}", place.file, place.line, place.operator(0), place.operator(alternative))
    };
    let mutants: Vec<String> = sshom.mutants.iter().map(mutant).collect();
    format!("{}: {}", title(sshom), mutants.join(" · "))
}
