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
    /// An expression: a run of tokens with balanced brackets, no statement end, no comma: `$(1)`; 0 is `$(_)`.
    Expression(u16),
    /// A whole simple statement: `${1}`; 0 is `${_}`.
    Statement(u16),
    /// Everything up to the closing bracket, possibly nothing: `$*1`; 0 is `$*_`.
    Rest(u16),
    /// Something that the pattern does not bind and the target offers: `$?1` a name, `$#1` a number. Only in templates.
    Draw(Drawn, u16),
}

/// What a drawn hole stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Drawn {
    Name,
    Number,
}

impl Term {
    /// Whether an identifier or literal stands here.
    pub fn is_hole(&self) -> bool {
        matches!(self, Self::Hole(_) | Self::Any)
    }

    /// The number that ties it to its equals, if it has one.
    pub fn number(&self) -> Option<u16> {
        match *self {
            Self::Hole(number) | Self::Expression(number) | Self::Statement(number) | Self::Rest(number)
                if number > 0 =>
            {
                Some(number)
            }
            _ => None,
        }
    }

    /// The same with another number; 0 for none.
    fn numbered(&self, number: u16) -> Self {
        match self {
            Self::Hole(_) if number == 0 => Self::Any,
            Self::Hole(_) => Self::Hole(number),
            Self::Expression(_) => Self::Expression(number),
            Self::Statement(_) => Self::Statement(number),
            Self::Rest(_) => Self::Rest(number),
            other => other.clone(),
        }
    }
}

/// Renumbers the holes by first appearance in `find`; a hole that appears once there and not at all in
/// `put` becomes `$_`. Two operators that mean the same then read the same.
pub(crate) fn canonical(find: &mut [Term], put: &mut [Term]) {
    let mut numbers: Vec<u16> = Vec::new();
    for place in 0..find.len() {
        let Some(old) = find[place].number() else { continue };
        if numbers.contains(&old) {
            continue;
        }
        let again = find[place + 1..].iter().chain(put.iter()).any(|term| term.number() == Some(old));
        if again {
            numbers.push(old);
        } else {
            find[place] = find[place].numbered(0);
        }
    }
    for term in find.iter_mut().chain(put.iter_mut()) {
        if let Some(old) = term.number()
            && let Some(at) = numbers.iter().position(|&number| number == old)
        {
            *term = term.numbered(at as u16 + 1);
        }
    }
    number_draws(put);
}

/// Renumbers drawn holes by first appearance.
fn number_draws(put: &mut [Term]) {
    let mut numbers: Vec<(Drawn, u16)> = Vec::new();
    for term in put {
        let Term::Draw(drawn, number) = *term else { continue };
        let at = numbers.iter().position(|known| *known == (drawn, number)).unwrap_or_else(|| {
            numbers.push((drawn, number));
            numbers.len() - 1
        });
        let of_kind = numbers[..=at].iter().filter(|(kind, _)| *kind == drawn).count();
        *term = Term::Draw(drawn, of_kind as u16);
    }
}
