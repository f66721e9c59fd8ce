//! What was found in a program, as a page for browsers.

use crate::report::Page;

use super::list::Listing;

/// Most that are shown, each with its diff.
const MOST: usize = 1000;

/// The page.
pub fn page(listing: &Listing) -> String {
    let mut page = Page::new("Strongly subsuming higher-order mutants");
    page.text(&listing.head());
    if let Some(differing) = &listing.differing {
        page.text(&match differing.len() {
            0 => "Built from the sources, all that are listed do what was found.".into(),
            many => format!("{many} do something else when built from the sources: {}", differing.join("; ")),
        });
    }
    if listing.found.len() > 1 {
        page.heading("Searches side by side");
        page.table(&listing.compared());
    }
    page.heading("Found over time");
    page.picture(&listing.curves());
    page.heading("By order");
    page.table(&listing.figures.orders());
    page.heading("What they look like");
    page.table(&listing.figures.looks());
    page.heading("One by one");
    for (at, one) in listing.listed().take(MOST).enumerate() {
        let places: Vec<String> = one
            .mutants
            .iter()
            .map(|mutant| {
                let (place, alternative) = listing.program.mutant(*mutant);
                format!(
                    "{}:{} {} → {}",
                    place.file,
                    place.line,
                    place.operator(0),
                    place.operator(alternative)
                )
            })
            .collect();
        let line = format!("{}: {}", listing.title(&one), places.join(" · "));
        page.fold(&line, at == 0, |page| {
            page.diff(&String::from_utf8_lossy(&listing.diff(&one)));
            page.text(&listing.tests(&one));
        });
    }
    page.finish()
}
