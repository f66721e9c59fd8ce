//! An order of failing inputs as a page for browsers.

use crate::analysis::tame::rings;
use crate::pipeline::tame::Taming;
use crate::report::Align;
use crate::report::Page;
use crate::report::RingRow;
use crate::report::Table;
use crate::report::counted;
use crate::report::left_out_text;
use crate::report::note_text;
use crate::report::rings_svg;

/// Inputs in the table, and points in the picture.
const MOST: usize = 2000;

/// The page; `picture` is the curve of bugs seen, where the bugs are known.
pub fn page(taming: &Taming, picture: Option<&str>) -> String {
    let inputs = &taming.inputs;
    let mut page = Page::new("Failing inputs, different ones first");
    page.text(&format!(
        "{} compared by {}; read the first {}; {} can be told apart.",
        counted(inputs.names.len() as u64, "input"),
        inputs.distance.name(),
        taming.worth_reading,
        taming.groups.len(),
    ));
    inputs.notes.iter().for_each(|note| page.text(&note_text(note)));
    inputs.left_out.iter().for_each(|what| page.text(&format!("Left out: {}", left_out_text(what))));
    if let Some(picture) = picture {
        page.heading("Bugs seen");
        page.picture(picture);
    }
    page.heading("Order");
    page.table(&order(taming));
    if let Some(first) = taming.order.first() {
        page.heading("Rings");
        let name = |input: usize| inputs.names[input].as_str();
        page.text(&format!(
            "Distances from the first input, {}: inputs far from it probably fail for another reason.",
            name(first.input)
        ));
        let all = rings(&inputs.space, first.input);
        let row = |ring: &crate::analysis::tame::Ring| RingRow {
            distance: ring.distance,
            names: ring.inputs.iter().map(|input| name(*input)).collect(),
        };
        let mut left = MOST;
        let shown = all.iter().take_while(|ring| {
            left = left.saturating_sub(ring.inputs.len());
            left > 0
        });
        page.picture(&rings_svg(name(first.input), &shown.map(row).collect::<Vec<_>>()));
    }
    let several: Vec<&Vec<usize>> = taming.groups.iter().filter(|group| group.len() > 1).collect();
    if !several.is_empty() {
        page.heading("Cannot be told apart");
        page.text("Each group is probably one bug: check before you close duplicates.");
        for group in several {
            let names: Vec<&str> = group.iter().map(|input| inputs.names[*input].as_str()).collect();
            page.fold(&format!("{}: {}", counted(names.len() as u64, "input"), names[0]), false, |page| {
                page.lines(&names.join("\n"));
            });
        }
    }
    page.finish()
}

fn order(taming: &Taming) -> Table {
    let mut table = Table::new(&[
        ("", Align::Right),
        ("input", Align::Left),
        ("distance", Align::Right),
        ("nearest earlier", Align::Left),
        (if taming.evaluation.is_some() { "bugs" } else { "" }, Align::Left),
    ]);
    let name = |input: usize| taming.inputs.names[input].clone();
    for (at, ranked) in taming.order.iter().enumerate().take(MOST) {
        table.row(vec![
            (at + 1).to_string(),
            name(ranked.input),
            ranked.nearest.map_or(String::new(), |(_, distance)| format!("{distance:.2}")),
            ranked.nearest.map_or(String::new(), |(nearest, _)| name(nearest)),
            super::show::bugs(taming, ranked.input, at),
        ]);
    }
    table
}
