//! The letters of the notation: what one place of a pattern or template says.

use crate::lex::TokenKind;

/// One place of a pattern or a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A keyword or idiom, literally: `:if`, `:NULL`.
    Keyword(Box<[u8]>),
    /// An operator, literally: `.&&`.
    Operator(Box<[u8]>),
    /// Line end, indent or dedent, where they are tokens: `~newline`.
    Layout(TokenKind),
    /// An identifier or literal that is the same wherever the number is: `$1`.
    Hole(u16),
    /// Any identifier or literal: `$_`.
    Any,
}

impl Term {
    /// Whether an identifier or literal stands here.
    pub fn is_hole(&self) -> bool {
        matches!(self, Self::Hole(_) | Self::Any)
    }
}

/// Renumbers the holes by first appearance in `find`; a hole that appears once there and not at all in
/// `put` becomes `$_`. Two operators that mean the same then read the same.
pub(crate) fn canonical(find: &mut [Term], put: &mut [Term]) {
    let mut numbers: Vec<u16> = Vec::new();
    for place in 0..find.len() {
        let Term::Hole(old) = find[place] else { continue };
        if numbers.contains(&old) {
            continue;
        }
        let again = find[place + 1..].iter().chain(put.iter()).any(|term| *term == Term::Hole(old));
        if again {
            numbers.push(old);
        } else {
            find[place] = Term::Any;
        }
    }
    for term in find.iter_mut().chain(put.iter_mut()) {
        if let Term::Hole(old) = term
            && let Some(at) = numbers.iter().position(|number| number == old)
        {
            *term = Term::Hole(at as u16 + 1);
        }
    }
}
