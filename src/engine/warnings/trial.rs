//! A plain file with one mutant in each of several functions.

use std::path::Path;

use crate::insert::SourceFile;
use crate::insert::TextEdit;
use crate::insert::apply_all;
use crate::text::LineIndex;

use super::super::screen::Complaint;
use super::super::screen::Ladder;

/// Mutants that are never compiled together: those of a function and of what is inside of it.
pub struct FunctionGroup {
    /// Where the function ends, and on which line.
    pub end: usize,
    pub end_line: usize,
    pub mutants: Vec<u32>,
}

/// A mutant and its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub group: usize,
    pub mutant: u32,
}

/// The groups of a file's mutants that `wanted` says, in the order of their places.
pub fn groups(
    ladder: &Ladder,
    file: usize,
    source: &SourceFile,
    wanted: impl Fn(u32) -> bool,
) -> Vec<FunctionGroup> {
    let units = ladder.units(file);
    let byte =
        |token: u32| source.tokens.get(token as usize).map_or(source.text.len(), |at| at.span.start as usize);
    let mut placed: Vec<(usize, usize, u32)> = Vec::new();
    for mutant in ladder.by_file[file].iter().copied().filter(|mutant| wanted(*mutant)) {
        let Some(function) = ladder.functions[mutant as usize] else { continue };
        let whole = units.whole(function);
        placed.push((byte(whole.start), byte(whole.end), mutant));
    }
    placed.sort_by_key(|(start, end, mutant)| (*start, std::cmp::Reverse(*end), *mutant));
    let index = LineIndex::new(&source.text);
    let mut groups: Vec<FunctionGroup> = Vec::new();
    for (start, end, mutant) in placed {
        match groups.last_mut().filter(|last| start < last.end) {
            Some(last) => last.mutants.push(mutant),
            None => {
                let end_line = index.place(end).line;
                groups.push(FunctionGroup { end, end_line, mutants: vec![mutant] });
            }
        }
    }
    groups
}

/// As many trials as the largest group has mutants: the first of each group, the second of each, and so on.
pub fn trials(groups: &[FunctionGroup]) -> Vec<Vec<Turn>> {
    let most = groups.iter().map(|group| group.mutants.len()).max().unwrap_or(0);
    let turn = |group: usize, at: usize| Some(Turn { group, mutant: *groups[group].mutants.get(at)? });
    (0..most).map(|at| (0..groups.len()).filter_map(|group| turn(group, at)).collect()).collect()
}

/// A trial for each mutant.
pub fn singles(groups: &[FunctionGroup]) -> Vec<Vec<Turn>> {
    let turns = |(group, of): (usize, &FunctionGroup)| {
        of.mutants.iter().map(|mutant| vec![Turn { group, mutant: *mutant }]).collect::<Vec<_>>()
    };
    groups.iter().enumerate().flat_map(turns).collect()
}

/// The text of a file with several mutants in it, and whose line a line is.
pub struct Trial<'b> {
    pub text: Vec<u8>,
    turns: &'b [Turn],
    /// Per group, the line of the text in which it ends.
    ends: Vec<usize>,
}

impl<'b> Trial<'b> {
    /// Puts mutants into a file.
    pub fn new(ladder: &Ladder, source: &SourceFile, groups: &[FunctionGroup], turns: &'b [Turn]) -> Self {
        let mut edits: Vec<TextEdit> = turns.iter().map(|turn| ladder.text_edit(turn.mutant)).collect();
        edits.sort_by_key(|edit| (edit.start, edit.end));
        let (mut before, mut new, mut old) = (edits.iter().peekable(), 0, 0);
        let mut ends = Vec::with_capacity(groups.len());
        for group in groups {
            while let Some(edit) = before.next_if(|edit| edit.end <= group.end) {
                new += lines(&edit.text);
                old += lines(&source.text[edit.start..edit.end]);
            }
            ends.push(group.end_line + new - old);
        }
        Self { text: apply_all(&source.text, &edits), turns, ends }
    }

    /// The mutants that errors mention. What stands between two functions is the head of the second.
    pub fn blamed(&self, complaints: &[Complaint], name: &Path) -> Vec<u32> {
        let name = name.display().to_string();
        let owner = |(file, line): &(String, u32)| {
            let line = Some(*line as usize).filter(|_| *file == name)?;
            let group = self.ends.iter().position(|end| line <= *end)?;
            Some(self.turns.iter().find(|turn| turn.group == group)?.mutant)
        };
        let mut blamed: Vec<u32> =
            complaints.iter().filter_map(|complaint| complaint.places.iter().find_map(owner)).collect();
        blamed.sort_unstable();
        blamed.dedup();
        blamed
    }
}

fn lines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_batch_has_one_mutant_of_every_function_that_has_one_left() {
        let groups =
            [vec![4, 5, 6], vec![9], vec![]].map(|mutants| FunctionGroup { end: 0, end_line: 1, mutants });
        let trials: Vec<Vec<u32>> =
            trials(&groups).iter().map(|turns| turns.iter().map(|turn| turn.mutant).collect()).collect();
        assert_eq!(trials, [vec![4, 9], vec![5], vec![6]]);
    }
}
