//! Whether a mutant declares names by `:=` where they may be declared already.
//!
//! In Go, `:=` must declare something new in its block. A version of a statement or of a body stands in a block of its own,
//! in which everything is new. Names of the body are declared again in another version of it, so that the compiler
//! tells; parameters and named results are not.

use crate::insert::Piece;
use crate::insert::SourceFile;
use crate::lex::TokenKind;

/// The operator that declares the names before it.
const DECLARES: &[u8] = b":=";

/// What is declared again, if it is declared already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redeclared {
    Nothing,
    /// Names of the function's body at most.
    InBody,
    /// A name of the function's head.
    Parameter,
}

/// What `new` declares in the place of tokens `from..to` of a function's body. `functions` are the words that begin
/// a function's head.
pub fn redeclares(
    file: &SourceFile,
    (from, to): (u32, u32),
    new: &[&[u8]],
    body: Piece,
    functions: &[String],
) -> Redeclared {
    let (from, to) = (from as usize, to as usize);
    let count = |tokens: &mut dyn Iterator<Item = &[u8]>| tokens.filter(|token| *token == DECLARES).count();
    if count(&mut new.iter().copied()) <= count(&mut (from..to).map(|at| file.token(at))) {
        return Redeclared::Nothing;
    }
    let begins = |at: &usize| functions.iter().any(|word| word.as_bytes() == file.token(*at));
    let head = (0..body.start as usize).rev().find(begins).unwrap_or(0)..body.start as usize;
    let is_parameter = |name: &[u8]| {
        let mut named = head.clone().filter(|at| file.tokens[*at].kind == TokenKind::Identifier);
        named.any(|at| file.token(at) == name)
    };
    let before: Vec<&[u8]> = (body.start as usize..from).map(|at| file.token(at)).collect();
    let tokens = [&before[..], new].concat();
    let operators = (before.len()..tokens.len()).filter(|at| tokens[*at] == DECLARES);
    let mut names = operators.flat_map(|at| declared(&tokens[..at]));
    if names.any(is_parameter) { Redeclared::Parameter } else { Redeclared::InBody }
}

/// The names at the end of these tokens, with commas between them.
fn declared<'t>(tokens: &[&'t [u8]]) -> Vec<&'t [u8]> {
    let mut names = Vec::new();
    for pair in tokens.rchunks(2) {
        names.extend(pair.last());
        if pair.len() < 2 || pair[0] != b"," {
            break;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::langdef::builtin;

    #[test]
    fn parameters_and_names_of_the_body_are_told_apart() {
        let text = "package a\nfunc f(p int) (err error) {\n x := p\n x = 1\n y, err = g()\n return\n}\n";
        let file = SourceFile::new(&builtin("go").unwrap(), PathBuf::from("a.go"), text.into());
        let all = |name: &str| -> Vec<u32> {
            (0u32..)
                .zip(&file.tokens)
                .map(|(at, _)| at)
                .filter(|at| file.token(*at as usize) == name.as_bytes())
                .collect()
        };
        let body = Piece { start: all("{")[0] + 1, end: file.tokens.len() as u32 - 1 };
        let assigned = all("=");
        let becomes =
            |from: u32, new: &[&[u8]]| redeclares(&file, (from, from + 1), new, body, &["func".to_owned()]);
        assert_eq!(becomes(assigned[0], &[b":="]), Redeclared::InBody);
        assert_eq!(becomes(assigned[1], &[b":="]), Redeclared::Parameter);
        assert_eq!(becomes(assigned[1], &[b"+="]), Redeclared::Nothing);
        assert_eq!(becomes(all(":=")[0], &[b":="]), Redeclared::Nothing);
    }
}
