//! From a row of symbols to an operator: holes for identifiers and literals, idioms and the rest kept.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::lex::TokenKind;
use crate::operator::Drawn;
use crate::operator::Term;

use super::symbols::Symbol;
use super::symbols::Symbols;

/// A candidate in one direction: what is matched and what replaces it.
#[derive(Clone, Copy)]
pub(super) struct Directed<'a> {
    pub pattern: &'a [Symbol],
    pub template: &'a [Symbol],
}

/// The symbols that are holes; rarely more than fit without allocating.
pub(super) type Holes = SmallVec<[Symbol; 12]>;

/// Marks a code as a hole; the lowest bits are its number, 0 for `$_`.
const HOLE: u32 = 1 << 31;

/// What a hole stands for, in the bits below the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HoleKind {
    Word,
    Expression,
    Statement,
    Rest,
    DrawnName,
    DrawnNumber,
}

const KINDS: [HoleKind; 6] = [
    HoleKind::Word,
    HoleKind::Expression,
    HoleKind::Statement,
    HoleKind::Rest,
    HoleKind::DrawnName,
    HoleKind::DrawnNumber,
];
const KIND_SHIFT: u32 = 24;

/// The code of a hole.
pub(super) fn hole(kind: HoleKind, number: u32) -> u32 {
    HOLE | (kind as u32) << KIND_SHIFT | number
}

/// What a code is, if it is a hole, and its number.
pub(super) fn hole_of(code: u32) -> Option<(HoleKind, u32)> {
    let kind = KINDS[((code & !HOLE) >> KIND_SHIFT) as usize % KINDS.len()];
    (code & HOLE != 0).then_some((kind, code & ((1 << KIND_SHIFT) - 1)))
}

/// An operator as numbers: symbols and holes, in canonical numbering. Millions of candidates make a few
/// thousand operators, so they are compared as numbers and become terms only in the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Coded {
    codes: Box<[u32]>,
    find: u8,
}

impl Coded {
    /// An operator from the codes of its sides.
    pub fn new(find: &[u32], put: &[u32]) -> Self {
        Self { codes: [find, put].concat().into(), find: find.len() as u8 }
    }

    pub fn find(&self) -> &[u32] {
        &self.codes[..self.find as usize]
    }

    pub fn put(&self) -> &[u32] {
        &self.codes[self.find as usize..]
    }
}

/// Knows which symbols are idioms.
pub(super) struct Generalizer<'a> {
    pub symbols: &'a Symbols,
    pub idioms: &'a FxHashSet<Symbol>,
}

impl Generalizer<'_> {
    /// Whether the symbol becomes a hole.
    pub fn is_free(&self, symbol: Symbol) -> bool {
        self.symbols.kind(symbol).is_bindable() && !self.idioms.contains(&symbol)
    }

    /// An identifier or literal of the template that the pattern does not bind.
    pub fn needs_synthesis(&self, directed: Directed) -> bool {
        directed.template.iter().any(|symbol| !directed.pattern.contains(symbol) && self.is_free(*symbol))
    }

    /// The distinct identifiers and literals of the pattern, in order; each is a hole.
    pub fn holes(&self, pattern: &[Symbol]) -> Holes {
        let mut seen = Holes::new();
        for &symbol in pattern {
            if self.is_free(symbol) && !seen.contains(&symbol) {
                seen.push(symbol);
            }
        }
        seen
    }

    /// The longest row of identifiers with nothing between them.
    pub fn longest_row(&self, side: &[Symbol]) -> usize {
        let name =
            |symbol: &Symbol| self.symbols.kind(*symbol) == TokenKind::Identifier && self.is_free(*symbol);
        side.split(|symbol| !name(symbol)).map(<[Symbol]>::len).max().unwrap_or(0)
    }

    /// The operator as numbers, given the pattern's holes.
    pub fn code(&self, directed: Directed, holes: &[Symbol]) -> Coded {
        let sides = || directed.pattern.iter().chain(directed.template);
        let bound: Holes = holes
            .iter()
            .copied()
            .filter(|hole| sides().filter(|symbol| *symbol == hole).count() > 1)
            .collect();
        let code = |&symbol: &Symbol| match bound.iter().position(|&hole| hole == symbol) {
            Some(number) => HOLE | (number as u32 + 1),
            None if holes.contains(&symbol) => HOLE,
            None => symbol,
        };
        Coded { codes: sides().map(code).collect(), find: directed.pattern.len() as u8 }
    }

    /// The terms that numbers stand for.
    pub fn terms(&self, codes: &[u32]) -> Vec<Term> {
        codes.iter().map(|&code| self.term(code)).collect()
    }

    fn term(&self, code: u32) -> Term {
        if let Some((kind, number)) = hole_of(code) {
            let number = number as u16;
            return match kind {
                HoleKind::Word if number == 0 => Term::Any,
                HoleKind::Word => Term::Hole(number),
                HoleKind::Expression => Term::Expression(number),
                HoleKind::Statement => Term::Statement(number),
                HoleKind::Rest => Term::Rest(number),
                HoleKind::DrawnName => Term::Draw(Drawn::Name, number),
                HoleKind::DrawnNumber => Term::Draw(Drawn::Number, number),
            };
        }
        let text = self.symbols.text(code);
        match self.symbols.kind(code) {
            kind if kind.is_layout() => Term::Layout(kind),
            TokenKind::Operator | TokenKind::Unknown => Term::Operator(text.into()),
            _ => Term::Keyword(text.into()),
        }
    }
}
