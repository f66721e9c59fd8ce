//! The files of a target, lexed, with their structure and what they teach.

use std::path::PathBuf;

use rayon::prelude::*;

use crate::langdef::LangDef;

use super::facts::Facts;
use super::index::View;
use super::source::SourceFile;
use super::structure::Structure;
use super::structure::Syntax;

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
        let syntax = Syntax::new(def);
        let files: Vec<SourceFile> =
            files.into_par_iter().map(|(path, text)| SourceFile::new(def, path, text)).collect();
        let structures: Vec<Structure> =
            files.par_iter().map(|file| Structure::new(def, &syntax, file)).collect();
        let allowed = files.iter().map(|file| vec![true; file.tokens.len()]).collect();
        let mut target = Self { syntax, files, structures, facts: Facts::default(), allowed };
        target.facts = target.learn();
        target
    }

    /// A file and its structure.
    pub fn view(&self, file: usize) -> View<'_> {
        View { syntax: &self.syntax, file: &self.files[file], structure: &self.structures[file] }
    }

    fn learn(&self) -> Facts {
        let both = |mut mine: Facts, theirs| {
            mine.absorb(theirs);
            mine
        };
        let count = self.files.len();
        let names = (0..count)
            .into_par_iter()
            .fold(Facts::default, |mut facts, file| {
                facts.learn_names(self.view(file), file);
                facts
            })
            .reduce(Facts::default, both);
        let rows = (0..count)
            .into_par_iter()
            .fold(Facts::default, |mut facts, file| {
                facts.learn_rows(self.view(file), &names.names);
                facts
            })
            .reduce(Facts::default, both);
        both(names, rows)
    }
}
