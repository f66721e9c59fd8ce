//! Token texts, each stored once and named by a number.

use rustc_hash::FxHashMap;

use crate::lex::TokenKind;

/// The number of a symbol.
pub type Symbol = u32;

/// All symbols of a tally.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Kind byte, then the text.
    index: FxHashMap<Box<[u8]>, Symbol>,
    list: Vec<(TokenKind, Box<[u8]>)>,
    scratch: Vec<u8>,
}

impl Symbols {
    /// The number of a token's text, new or known.
    pub fn intern(&mut self, kind: TokenKind, text: &[u8]) -> Symbol {
        self.scratch.clear();
        self.scratch.push(kind as u8);
        self.scratch.extend_from_slice(text);
        if let Some(&known) = self.index.get(self.scratch.as_slice()) {
            return known;
        }
        let symbol = self.list.len() as Symbol;
        self.list.push((kind, text.into()));
        self.index.insert(self.scratch.as_slice().into(), symbol);
        symbol
    }

    pub fn kind(&self, symbol: Symbol) -> TokenKind {
        self.list[symbol as usize].0
    }

    pub fn text(&self, symbol: Symbol) -> &[u8] {
        &self.list[symbol as usize].1
    }

    pub fn iter(&self) -> impl Iterator<Item = (TokenKind, &[u8])> {
        self.list.iter().map(|(kind, text)| (*kind, &**text))
    }
}
