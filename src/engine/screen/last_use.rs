//! Whether a mutant takes away the last use of a name, where a name that nothing uses is an error.
//!
//! A switched mutant stands beside the original, which still uses the name. What is declared in a function is
//! declared again in another version of its body, so that the compiler tells; an import is not.

use std::ops::Range;

use crate::insert::Piece;
use crate::insert::SourceFile;
use crate::lex::TokenKind;

/// As many times a name may be left in a function and still be used by nothing: it is declared and assigned to.
const UNUSED: usize = 2;

/// Where the last use of a name may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LastUse {
    Kept,
    /// Of what a function declares.
    InFunction,
    /// Of what a file imports.
    InFile,
}

/// What tokens `from..to` of a function's body and the new text in their place do to the names in them. What stands
/// behind a dot is declared elsewhere; what stands before one and nowhere else is taken for an import.
pub fn last_use(file: &SourceFile, (from, to): (u32, u32), new: &[&[u8]], body: Piece) -> LastUse {
    let is = |at: usize, text: &[u8]| at < file.tokens.len() && file.token(at) == text;
    let is_name = |at: &usize| {
        file.tokens[*at].kind == TokenKind::Identifier
            && !at.checked_sub(1).is_some_and(|before| is(before, b"."))
    };
    let left = |name: &[u8], range: Range<usize>| {
        let others = range.filter(|at| *at < from as usize || *at >= to as usize);
        others.filter(|at| file.token(*at) == name).count()
    };
    let of = |at: usize| {
        let name = file.token(at);
        match left(name, body.start as usize..body.end as usize) {
            0 if is(at + 1, b".") && left(name, 0..file.tokens.len()) == 0 => LastUse::InFile,
            1..=UNUSED => LastUse::InFunction,
            _ => LastUse::Kept,
        }
    };
    let lost = |at: &usize| !new.contains(&file.token(*at));
    (from as usize..to as usize).filter(is_name).filter(lost).map(of).max().unwrap_or(LastUse::Kept)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::langdef::builtin;

    #[test]
    fn the_last_use_of_a_variable_and_of_an_import_are_told_apart() {
        let text = "package a\nimport \"fmt\"\nfunc f(p int) {\n line := p\n fmt.Println(line, p)\n}\n";
        let file = SourceFile::new(&builtin("go").unwrap(), PathBuf::from("a.go"), text.into());
        let at = |name: &str, last: bool| {
            let mut all = (0..file.tokens.len()).filter(|at| file.token(*at) == name.as_bytes());
            if last { all.next_back() } else { all.next() }.unwrap() as u32
        };
        let body = Piece { start: at("line", false), end: file.tokens.len() as u32 - 1 };
        let taken = |from: u32, to: u32| last_use(&file, (from, to), &[], body);
        let (line, fmt, p) = (at("line", true), at("fmt", true), at("p", true));
        assert_eq!(taken(line, line + 1), LastUse::InFunction);
        assert_eq!(taken(fmt, p + 2), LastUse::InFile);
        assert_eq!(taken(fmt + 2, fmt + 3), LastUse::Kept);
    }
}
