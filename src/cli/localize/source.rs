//! Lines of the project's files: of a place, and those that a mutant changes.

use std::path::Path;

use crate::insert::TextEdit;
use crate::matrix::MutantRow;
use crate::report::unified;
use crate::workspace::NotBelow;
use crate::workspace::read_below;

/// The lines that a mutant takes out and puts in, with `-` and `+` before them: from the source if it is there
/// and the mutant says which bytes it replaces, otherwise what the matrix keeps of it; empty if that is nothing.
pub fn changed_lines(row: &MutantRow, root: &Path) -> Vec<String> {
    let edit = TextEdit { start: row.start as usize, end: row.end as usize, text: row.text.clone() };
    let known = edit.start < edit.end || !edit.text.is_empty();
    let text = known.then(|| read_below(root, &row.file).ok()).flatten();
    if let Some(text) = text.filter(|text| edit.start <= edit.end && edit.end <= text.len()) {
        let diff = unified(Path::new(&row.file), &text, &[edit]);
        let diff = String::from_utf8_lossy(&diff).into_owned();
        let is_changed = |line: &&str| line.starts_with(['-', '+']);
        // The first two lines name the file.
        return diff.lines().skip(2).filter(is_changed).map(str::to_owned).collect();
    }
    let sides = [('-', &row.before), ('+', &row.after)];
    sides.iter().filter(|(_, side)| !side.is_empty()).map(|(mark, side)| format!("{mark}{side}")).collect()
}

/// The lines of a file below the root.
pub fn source_lines(root: &Path, file: &str) -> Result<Vec<String>, NotBelow> {
    let text = read_below(root, file)?;
    Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
}
