//! The functions that mutants stand in.

use std::collections::BTreeMap;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::insert::function_lines;
use crate::langdef::language_of_file;
use crate::matrix::KillMatrix;
use crate::text::FunctionLines;

/// Per file, its text and its functions.
#[derive(Default)]
pub struct FunctionMap {
    files: BTreeMap<String, SourceText>,
}

/// A file as it is now.
#[derive(Default)]
pub struct SourceText {
    pub text: Option<Vec<u8>>,
    pub language: String,
    pub functions: Vec<FunctionLines>,
}

impl FunctionMap {
    /// Reads the files of a matrix; `sources` gives the text of one.
    pub fn new(matrix: &KillMatrix, sources: impl Fn(&str) -> Option<Vec<u8>>) -> Self {
        let mut files: BTreeMap<String, SourceText> = BTreeMap::new();
        for row in &matrix.mutants {
            files.entry(row.file.clone()).or_default();
        }
        for (path, file) in &mut files {
            file.text = sources(path);
            if let Ok(def) = language_of_file(Path::new(path)) {
                file.language = def.name().to_owned();
                file.functions =
                    file.text.as_deref().map_or_else(Vec::new, |text| function_lines(&def, text));
            }
        }
        Self { files }
    }

    /// What is known of a file.
    pub fn file(&self, path: &str) -> Option<&SourceText> {
        self.files.get(path)
    }

    /// The name of a file as it is kept, and what is known of it.
    pub fn named(&self, path: &str) -> (&str, &SourceText) {
        let (name, file) = self.files.get_key_value(path).expect("a file of the matrix");
        (name, file)
    }

    /// The function that a mutant stands in.
    pub fn function(&self, matrix: &KillMatrix, mutant: u32) -> Option<&FunctionLines> {
        let row = &matrix.mutants[mutant as usize];
        FunctionLines::around(&self.files.get(&row.file)?.functions, row.line)
    }

    /// A number that tells functions apart; what is outside of them is told apart by file.
    pub fn key(&self, matrix: &KillMatrix, mutant: u32) -> u64 {
        let row = &matrix.mutants[mutant as usize];
        let first = self.function(matrix, mutant).map_or(0, |function| function.first);
        xxh3_64(format!("{}\n{first}", row.file).as_bytes())
    }
}
