//! The files of a target, lexed, with their structure and the facts learned from them.

use std::path::PathBuf;

use rayon::prelude::*;

use crate::langdef::LangDef;

use super::edit::Edit;
use super::edit::Literals;
use super::facts::Facts;
use super::index::View;
use super::mutated::Mutated;
use super::source::SourceFile;
use super::structure::Structure;
use super::syntax::Syntax;
use super::types;
use super::types::Typist;

/// A target.
pub struct Target {
    pub syntax: Syntax,
    pub files: Vec<SourceFile>,
    pub structures: Vec<Structure>,
    pub facts: Facts,
    /// Per file and token, whether it may be touched.
    pub allowed: Vec<Vec<bool>>,
}

impl Target {
    /// Lexes files and learns from them; the order of files is the caller's.
    pub fn new(def: &LangDef, files: Vec<(PathBuf, Vec<u8>)>) -> Self {
        let mut target = Self::unlearned(def, files);
        target.facts = target.learn();
        target
    }

    /// Lexes files and finds their structure, no more: enough to match patterns, not to judge mutants.
    pub fn unlearned(def: &LangDef, files: Vec<(PathBuf, Vec<u8>)>) -> Self {
        let syntax = Syntax::new(def);
        let files: Vec<SourceFile> =
            files.into_par_iter().map(|(path, text)| SourceFile::new(def, path, text)).collect();
        let structures: Vec<Structure> =
            files.par_iter().map(|file| Structure::new(def, &syntax, file)).collect();
        let allowed = files.iter().map(|file| vec![true; file.tokens.len()]).collect();
        Self { syntax, files, structures, facts: Facts::default(), allowed }
    }

    /// A file and its structure.
    pub fn view(&self, file: usize) -> View<'_> {
        View { syntax: &self.syntax, file: &self.files[file], structure: &self.structures[file] }
    }

    fn learn(&self) -> Facts {
        let mut facts = self.each(|facts, file| facts.learn_names(self.view(file), file));
        let rows = self.each(|found, file| found.learn_rows(self.view(file), &facts.names));
        facts.absorb(rows);
        // Each step builds on what the ones before it found.
        for step in
            [types::learn_truths, types::learn_declarations, types::learn_inferred, types::learn_slots]
        {
            let found = self.each(|found, file| {
                let nothing = Edit::nothing(self.files[file].tokens.len());
                let row = Mutated {
                    view: self.view(file),
                    edit: &nothing,
                    literals: &Literals::default(),
                    kinds: &[],
                };
                step(&mut found.types, &Typist { row, types: &facts.types, file, here: 0 });
            });
            facts.absorb(found);
        }
        facts
    }

    /// What the files teach, put together.
    fn each(&self, learn: impl Fn(&mut Facts, usize) + Sync) -> Facts {
        let both = |mut mine: Facts, theirs| {
            mine.absorb(theirs);
            mine
        };
        let fill = |mut facts, file| {
            learn(&mut facts, file);
            facts
        };
        (0..self.files.len()).into_par_iter().fold(Facts::default, fill).reduce(Facts::default, both)
    }
}
