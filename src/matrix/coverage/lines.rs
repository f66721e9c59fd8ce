//! Lines that tests execute.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::text::FunctionLines;

/// Per file, lines counted from 1.
pub type FileLines = BTreeMap<String, RoaringBitmap>;

/// A function's first line, its last one if it is known, and its name.
pub(super) type OpenFunction = (u32, Option<u32>, String);

/// What coverage tools know of tests and lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineCoverage {
    /// Lines that can be executed.
    pub lines: FileLines,
    /// Per test, the lines that it executes. A test that executes nothing is here with no files.
    pub tests: BTreeMap<String, FileLines>,
    /// Per file its functions in the order in which they begin; empty where the format does not tell.
    pub functions: BTreeMap<String, Vec<FunctionLines>>,
}

impl LineCoverage {
    /// Notes that there is a test, whatever it executes.
    pub(super) fn note_test(&mut self, test: &str) {
        if !self.tests.contains_key(test) {
            self.tests.insert(test.to_owned(), FileLines::new());
        }
    }

    /// Notes a line that can be executed, and whether the test does.
    pub(super) fn note(&mut self, test: &str, file: &str, line: u32, executed: bool) {
        insert(&mut self.lines, file, line);
        self.note_test(test);
        if executed && let Some(files) = self.tests.get_mut(test) {
            insert(files, file, line);
        }
    }

    /// Notes the functions of a file. One whose end is not known goes up to the line before the next one, or
    /// to the last line that can be executed.
    pub(super) fn note_functions(&mut self, file: &str, mut functions: Vec<OpenFunction>) {
        functions.sort();
        let last_line = self.lines.get(file).and_then(|lines| lines.max()).unwrap_or(0);
        for at in 0..functions.len() {
            let (first, last, name) = functions[at].clone();
            let next = functions.iter().map(|(next, ..)| *next).find(|next| *next > first);
            let last = last.unwrap_or(next.map_or(last_line, |next| next - 1)).max(first);
            self.note_function(file, FunctionLines { first, last, name });
        }
    }

    pub(super) fn note_function(&mut self, file: &str, function: FunctionLines) {
        let functions = self.functions.entry(file.to_owned()).or_default();
        if let Err(place) = functions.binary_search(&function) {
            functions.insert(place, function);
        }
    }

    /// Puts what another file says to it.
    pub fn absorb(&mut self, other: Self) {
        merge(&mut self.lines, other.lines);
        for (test, files) in other.tests {
            merge(self.tests.entry(test).or_default(), files);
        }
        for (file, functions) in other.functions {
            functions.into_iter().for_each(|function| self.note_function(&file, function));
        }
    }
}

fn insert(files: &mut FileLines, file: &str, line: u32) {
    match files.get_mut(file) {
        Some(lines) => drop(lines.insert(line)),
        None => drop(files.insert(file.to_owned(), RoaringBitmap::from([line]))),
    }
}

fn merge(files: &mut FileLines, other: FileLines) {
    for (file, lines) in other {
        *files.entry(file).or_default() |= lines;
    }
}
