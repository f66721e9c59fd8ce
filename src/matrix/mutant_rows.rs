//! Mutants of a target as rows of a kill matrix.

use std::path::PathBuf;

use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::describe;
use crate::text::LineIndex;

use super::row::MutantRow;

/// The rows of mutants, in their order. `paths` are the target's files inside of the project.
pub fn mutant_rows(inserter: &Inserter, mutants: &[&Mutant], paths: &[PathBuf]) -> Vec<MutantRow> {
    let mut lines: Vec<Option<LineIndex>> = vec![];
    lines.resize_with(paths.len(), || None);
    let mut rows = Vec::with_capacity(mutants.len());
    for (mutant, described) in mutants.iter().zip(describe(inserter, mutants)) {
        let text = &inserter.target.files[mutant.file].text;
        let lines = lines[mutant.file].get_or_insert_with(|| LineIndex::new(text));
        let (start, end) = (lines.place(described.edit.start), lines.place(described.edit.end));
        let evidence = inserter.arsenal.entries[mutant.entries[0] as usize].evidence();
        rows.push(MutantRow {
            id: described.id,
            file: paths[mutant.file].display().to_string(),
            line: start.line as u32,
            column: start.column as u32,
            end_line: end.line as u32,
            end_column: end.column as u32,
            start: described.edit.start as u64,
            end: described.edit.end as u64,
            text: described.edit.text,
            operators: described.operators,
            operator: described.operator,
            before: described.before,
            after: described.after,
            repos: evidence.repos.len() as u32,
            fix_share: evidence.fix_share(),
            engine: String::new(),
            unit: None,
        });
    }
    rows
}
