//! What was found in a program, as a page for browsers.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::insert::function_lines;
use crate::pipeline::sshom::Sshom;
use crate::report::Page;
use crate::text::FunctionLines;

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
            0 => "Verified: all listed SSHOMs behave the same when built from the sources.".into(),
            many => format!("{many} behave differently when built from the sources: {}", texts.join("; ")),
        });
    }
    if result.searches.len() > 1 {
        page.heading("Comparison of searches");
        page.table(&view.compared());
    }
    page.heading("Found over time");
    page.picture(&view.curves());
    page.heading("By order");
    page.table(&order_table(&result.figures));
    page.heading("Properties");
    page.table(&characteristics_table(&result.figures));
    page.heading("By function, strict ones first");
    let mut is_first = true;
    for (function, sshoms) in by_function(view) {
        page.subheading(&function);
        for sshom in sshoms {
            page.fold(&summary(view, &sshom), is_first, |page| {
                page.diff(&String::from_utf8_lossy(&view.diff(&sshom)));
                page.text(&view.tests(&sshom));
            });
            is_first = false;
        }
    }
    page.finish()
}

/// Combinations by the functions that they change, in the order in which they are listed, the strict ones of each
/// first.
fn by_function(view: &ResultView) -> Vec<(String, Vec<Sshom>)> {
    let inserter = view.subject.inserter;
    let functions: BTreeMap<String, Vec<FunctionLines>> = view
        .subject
        .paths
        .iter()
        .zip(&inserter.target.files)
        .map(|(path, file)| (path.display().to_string(), function_lines(inserter.def, &file.text)))
        .collect();
    let name = |sshom: &Sshom| {
        let places = sshom.mutants.iter().map(|mutant| view.program.mutant(*mutant).0);
        let named: BTreeSet<String> = places
            .map(|place| {
                let file = place.file.clone();
                let around = functions.get(&file).and_then(|all| FunctionLines::around(all, place.line));
                around.map_or_else(|| file.clone(), |function| format!("{} in {file}", function.name))
            })
            .collect();
        named.into_iter().collect::<Vec<_>>().join(" and ")
    };
    let mut groups: Vec<(String, Vec<Sshom>)> = Vec::new();
    for sshom in view.result.listed().take(MOST) {
        let name = name(&sshom);
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.push(sshom),
            None => groups.push((name, vec![sshom])),
        }
    }
    groups.iter_mut().for_each(|(_, all)| all.sort_by_key(|sshom| !sshom.strict));
    groups.sort_by_key(|(_, all)| !all[0].strict);
    groups
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
