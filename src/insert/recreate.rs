//! Whether a mutant is a given version of its file, token for token.

use std::ops::Range;
use std::path::PathBuf;

use crate::langdef::LangDef;

use super::edit::Edit;
use super::edit::Literals;
use super::edit::new_sym;
use super::index::View;
use super::source::SourceFile;
use super::source::Sym;
use super::structure::NONE;

/// Another version of a file, as a mutant would have to make it. Comments and white space do not count.
pub struct OtherVersion {
    syms: Vec<Sym>,
    /// How many tokens both have in common at the beginning, and at the end.
    head: usize,
    tail: usize,
    /// How many tokens the file itself has.
    count: usize,
}

impl OtherVersion {
    /// Compares a file with another version of it; none if their tokens are the same.
    pub fn new(def: &LangDef, file: &SourceFile, text: Vec<u8>) -> Option<Self> {
        let syms = SourceFile::new(def, PathBuf::new(), text).syms;
        if syms == file.syms {
            return None;
        }
        let head = file.syms.iter().zip(&syms).take_while(|(mine, theirs)| mine == theirs).count();
        let tail =
            file.syms.iter().rev().zip(syms.iter().rev()).take_while(|(mine, theirs)| mine == theirs).count();
        Some(Self { syms, head, tail, count: file.syms.len() })
    }

    /// The tokens of the file that the other version has not, or where it has more of them.
    pub fn tokens(&self) -> Range<usize> {
        let from = self.head.min(self.count - self.tail);
        from..(self.count - self.tail).max(self.head)
    }

    /// Whether an edit of the file makes the other version.
    pub fn is_made_by(&self, file: &SourceFile, literals: &Literals, edit: &Edit) -> bool {
        let (from, rest) = (edit.from as usize, self.count - edit.to as usize);
        from <= self.head
            && rest <= self.tail
            && from + edit.new.len() + rest == self.syms.len()
            && edit.new.iter().zip(&self.syms[from..]).all(|(new, sym)| new_sym(file, literals, *new) == *sym)
    }
}

/// The tokens of the function that a token is in, head included; none outside of functions.
pub fn function_tokens(view: View, token: usize) -> Option<Range<usize>> {
    let function = view.structure.function_of(token)?;
    let close = view.structure.mate[function.body as usize];
    let end = if close == NONE { view.file.tokens.len() } else { close as usize + 1 };
    Some(function.head as usize..end)
}

#[cfg(test)]
mod tests {
    use super::super::arsenal::Arsenal;
    use super::super::fit::Rules;
    use super::super::mutants::Fit;
    use super::super::mutants::Inserter;
    use super::super::target::Target;
    use super::*;
    use crate::langdef::builtin;
    use crate::operator::read_set;
    use crate::operator::shipped_text;

    fn recreated(fixed: &str, faulty: &str) -> Option<bool> {
        let def = builtin("c").unwrap();
        let sets = [read_set(shipped_text("classic-c").unwrap(), "classic-c").unwrap()];
        let arsenal = Arsenal::new(&sets, &def).unwrap();
        let target = Target::new(&def, vec![(PathBuf::from("a.c"), fixed.as_bytes().to_vec())]);
        let fit = Fit { keep_unfit: true, ..Fit::of(Rules::NONE, 0.0) };
        let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
        let wanted = OtherVersion::new(&def, &target.files[0], faulty.as_bytes().to_vec())?;
        let made = |edit: &Edit| wanted.is_made_by(&target.files[0], &inserter.arsenal.literals, edit);
        Some(inserter.file(0).mutants.iter().any(|mutant| made(&mutant.edit)))
    }

    #[test]
    fn a_mutant_that_is_the_faulty_version_is_found() {
        let fixed = "int f(int a, int b) { if (a <= b) return a; return b; }\n";
        assert_eq!(
            recreated(fixed, "int f(int a, int b) { /* x */ if (a < b) return a;\nreturn b; }"),
            Some(true)
        );
        assert_eq!(recreated(fixed, "int f(int a, int b) { if (a < b) return b; return b; }"), Some(false));
        assert_eq!(recreated(fixed, "int f(int a, int b) { if (a<=b) return a; return b; } // same"), None);
    }

    #[test]
    fn a_deletion_among_equal_tokens_is_found_wherever_it_is_put() {
        let fixed = "int f(void) { g(); g(); h(); return 1; }\n";
        assert_eq!(recreated(fixed, "int f(void) { g(); h(); return 1; }\n"), Some(true));
    }
}
