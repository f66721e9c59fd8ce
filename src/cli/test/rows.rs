//! Mutants as the store keeps them.

use std::path::PathBuf;

use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::matrix::MutantRow;
use crate::report::Presenter;
use crate::text::LineIndex;

use super::super::mutate::Place;

/// The rows of mutants, which are in the order of their files.
pub fn rows(inserter: &Inserter, all: &[FileMutants], places: &[Place], paths: &[PathBuf]) -> Vec<MutantRow> {
    let mut rows = Vec::with_capacity(places.len());
    let mut open: Option<(usize, Presenter, LineIndex)> = None;
    for &(file, at) in places {
        if open.as_ref().is_none_or(|(known, ..)| *known != file) {
            let lines = LineIndex::new(&inserter.target.files[file].text);
            open = Some((file, Presenter::new(inserter, file), lines));
        }
        let (_, presenter, lines) = open.as_ref().expect("it was just put there");
        let mutant = &all[file].mutants[at];
        let shown = presenter.show(mutant);
        let end = lines.place(shown.edit.end);
        let start = lines.place(shown.edit.start);
        let evidence = inserter.arsenal.entries[mutant.entries[0] as usize].evidence();
        rows.push(MutantRow {
            id: shown.id,
            file: paths[file].display().to_string(),
            line: start.line as u32,
            column: start.column as u32,
            end_line: end.line as u32,
            end_column: end.column as u32,
            start: shown.edit.start as u64,
            end: shown.edit.end as u64,
            text: shown.edit.text,
            operators: shown.operators,
            operator: shown.operator,
            before: shown.before,
            after: shown.after,
            repos: evidence.repos.len() as u32,
            fix_share: evidence.fix_share(),
            engine: String::new(),
            unit: None,
        });
    }
    rows
}
