//! Mutants that make a value of a function: `f(a)` becomes `f`.
//!
//! C allows that with a warning. GCC's own warnings then stumble where the value is used as a pointer to something else:
//! `-Warray-bounds` ends with "arrays of functions are not meaningful", an error, but only where warnings are wanted
//! and code is optimised. So these mutants are compiled as the project compiles them, also where warnings are no errors.

use std::collections::BTreeSet;

use crate::insert::SourceFile;
use crate::lex::TokenKind;

/// The names that a file calls or declares as functions.
pub fn called(file: &SourceFile) -> BTreeSet<&[u8]> {
    let is_called = |at: &usize| {
        file.tokens[*at].kind == TokenKind::Identifier
            && at + 1 < file.tokens.len()
            && file.token(at + 1) == b"("
    };
    (0..file.tokens.len()).filter(is_called).map(|at| file.token(at)).collect()
}

/// Whether one of these names stands without an argument list, where `new` replaces tokens `from..to`, or just
/// before it.
pub fn makes_function_value(
    file: &SourceFile,
    called: &BTreeSet<&[u8]>,
    (from, to): (u32, u32),
    new: &[&[u8]],
) -> bool {
    let before = from.checked_sub(1).map(|at| file.token(at as usize));
    let after = ((to as usize) < file.tokens.len()).then(|| file.token(to as usize));
    let tokens: Vec<&[u8]> = before.into_iter().chain(new.iter().copied()).chain(after).collect();
    tokens.windows(2).any(|pair| called.contains(pair[0]) && pair[1] != b"(")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::langdef::builtin;

    #[test]
    fn a_call_that_loses_its_arguments_is_a_value() {
        let text = "char *f(char *a) { return g(a, 1); }";
        let file = SourceFile::new(&builtin("c").unwrap(), PathBuf::from("a.c"), text.into());
        let at = |name: &[u8]| (0..file.tokens.len()).find(|at| file.token(*at) == name).unwrap() as u32;
        let called = called(&file);
        assert_eq!(called, BTreeSet::from([&b"f"[..], b"g"]));
        let makes = |from: u32, to: u32, new: &[&[u8]]| makes_function_value(&file, &called, (from, to), new);
        let (call, end) = (at(b"g"), at(b";"));
        assert!(makes(call, end, &[b"g"]));
        assert!(makes(call + 1, end, &[]));
        assert!(!makes(call, end, &[b"a"]));
        assert!(!makes(call, end, &[b"f", b"(", b"a", b")"]));
    }
}
