//! From a row of symbols to an operator: holes for identifiers and literals, idioms and the rest kept.

use rustc_hash::FxHashSet;

use crate::lex::TokenKind;
use crate::operator::Term;

use super::symbols::Symbol;
use super::symbols::Symbols;

/// A candidate in one direction: what is matched and what replaces it.
#[derive(Clone, Copy)]
pub(super) struct Directed<'a> {
    pub pattern: &'a [Symbol],
    pub template: &'a [Symbol],
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
        directed.template.iter().any(|symbol| self.is_free(*symbol) && !directed.pattern.contains(symbol))
    }

    /// Distinct identifiers and literals on both sides.
    pub fn identifiers(&self, directed: Directed) -> usize {
        let mut seen: Vec<Symbol> = Vec::new();
        for &symbol in directed.pattern.iter().chain(directed.template) {
            if self.is_free(symbol) && !seen.contains(&symbol) {
                seen.push(symbol);
            }
        }
        seen.len()
    }

    /// The longest row of identifiers with nothing between them.
    pub fn longest_row(&self, side: &[Symbol]) -> usize {
        let name =
            |symbol: &Symbol| self.is_free(*symbol) && self.symbols.kind(*symbol) == TokenKind::Identifier;
        side.split(|symbol| !name(symbol)).map(<[Symbol]>::len).max().unwrap_or(0)
    }

    /// The terms of a side; holes are numbered by first appearance in the pattern.
    pub fn terms(&self, side: &[Symbol], pattern: &[Symbol]) -> Vec<Term> {
        side.iter().map(|&symbol| self.term(symbol, pattern)).collect()
    }

    fn term(&self, symbol: Symbol, pattern: &[Symbol]) -> Term {
        let text = self.symbols.text(symbol);
        match self.symbols.kind(symbol) {
            kind if kind.is_layout() => Term::Layout(kind),
            TokenKind::Operator | TokenKind::Unknown => Term::Operator(text.into()),
            _ if self.is_free(symbol) => {
                let place = pattern.iter().position(|&other| other == symbol).unwrap_or(usize::MAX - 1);
                Term::Hole((place + 1) as u16)
            }
            _ => Term::Keyword(text.into()),
        }
    }

    /// The kinds that the pattern's holes bound, one per hole in order of first appearance. A hole that
    /// binds nothing else again is a `$_` of its own.
    pub fn binds(&self, pattern: &[Symbol]) -> Vec<TokenKind> {
        let mut seen: Vec<Symbol> = Vec::new();
        for &symbol in pattern {
            if self.is_free(symbol) && !seen.contains(&symbol) {
                seen.push(symbol);
            }
        }
        seen.into_iter().map(|symbol| self.symbols.kind(symbol)).collect()
    }
}
