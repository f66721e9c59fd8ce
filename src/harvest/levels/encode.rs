//! From atoms to an operator's codes: words become holes, bound ones numbered, unknown ones drawn.

use smallvec::SmallVec;

use crate::lex::TokenKind;
use crate::operator::Filter;
use crate::operator::Thresholds;

use super::super::generalize::Coded;
use super::super::generalize::Generalizer;
use super::super::generalize::HoleKind;
use super::super::generalize::hole;
use super::super::symbols::Symbol;

/// A place of a side on its way to a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    Token(Symbol),
    /// What only the pattern has: it matches and is dropped.
    Dropped(HoleKind),
    /// What both sides share, by number.
    Shared(HoleKind, u8),
}

/// A row of atoms.
pub type Atoms = SmallVec<[Atom; 24]>;

/// What a hole of the pattern binds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Word(Symbol),
    Shared(u8),
}

/// An operator, and what kind of word each of its word holes bound, in the order of its pattern.
pub type Encoded = (Coded, SmallVec<[TokenKind; 4]>);

/// Turns both sides into codes.
pub fn encode(
    general: &Generalizer,
    limits: &Thresholds,
    find: &[Atom],
    put: &[Atom],
) -> Result<Encoded, Filter> {
    if find.is_empty() {
        return Err(Filter::NothingToMatch);
    }
    if find.len().max(put.len()) > limits.max_tokens {
        return Err(Filter::TooManyTokens);
    }
    let bound = |atom: &Atom| match *atom {
        Atom::Token(symbol) if general.is_free(symbol) => Some(Bound::Word(symbol)),
        Atom::Shared(_, number) => Some(Bound::Shared(number)),
        _ => None,
    };
    let mut holes: SmallVec<[Bound; 8]> = SmallVec::new();
    find.iter().filter_map(bound).for_each(|hole| {
        if !holes.contains(&hole) {
            holes.push(hole);
        }
    });
    if holes.len() > limits.max_identifiers || longest_row(general, find) > limits.max_adjacent {
        return Err(if holes.len() > limits.max_identifiers {
            Filter::TooManyIdentifiers
        } else {
            Filter::TooManyAdjacent
        });
    }
    let times = |hole: &Bound| find.iter().chain(put).filter_map(bound).filter(|other| other == hole).count();
    let numbered: SmallVec<[Bound; 8]> = holes.iter().copied().filter(|hole| times(hole) > 1).collect();
    let number = |hole: &Bound| numbered.iter().position(|known| known == hole).map_or(0, |at| at as u32 + 1);
    let mut drawn: Option<Symbol> = None;
    let mut code = |atom: &Atom| -> Result<u32, Filter> {
        Ok(match *atom {
            Atom::Dropped(kind) => hole(kind, 0),
            Atom::Shared(kind, at) => hole(kind, number(&Bound::Shared(at))),
            Atom::Token(symbol) if !general.is_free(symbol) => symbol,
            Atom::Token(symbol) if holes.contains(&Bound::Word(symbol)) => {
                hole(HoleKind::Word, number(&Bound::Word(symbol)))
            }
            Atom::Token(symbol) => {
                if drawn.is_some_and(|other| other != symbol) {
                    return Err(Filter::NeedsSynthesis);
                }
                drawn = Some(symbol);
                match general.symbols.kind(symbol) {
                    TokenKind::Identifier => hole(HoleKind::DrawnName, 1),
                    TokenKind::Number => hole(HoleKind::DrawnNumber, 1),
                    _ => return Err(Filter::NeedsSynthesis),
                }
            }
        })
    };
    let find: SmallVec<[u32; 24]> = find.iter().map(&mut code).collect::<Result<_, _>>()?;
    let put: SmallVec<[u32; 24]> = put.iter().map(&mut code).collect::<Result<_, _>>()?;
    if find == put {
        return Err(Filter::Identical);
    }
    let kinds = holes.iter().filter_map(|hole| match *hole {
        Bound::Word(symbol) => Some(general.symbols.kind(symbol)),
        Bound::Shared(_) => None,
    });
    Ok((Coded::new(&find, &put), kinds.collect()))
}

/// The longest row of identifiers with nothing between them.
fn longest_row(general: &Generalizer, side: &[Atom]) -> usize {
    let name = |atom: &Atom| match *atom {
        Atom::Token(symbol) => {
            general.symbols.kind(symbol) == TokenKind::Identifier && general.is_free(symbol)
        }
        _ => false,
    };
    side.split(|atom| !name(atom)).map(<[Atom]>::len).max().unwrap_or(0)
}
