//! Token texts, each stored once and named by a number.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::lex::TokenKind;
use crate::text::Span;

/// The number of a symbol.
pub type Symbol = u32;

/// All symbols of a tally, their texts end to end in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    index: HashTable<Symbol>,
    list: Vec<(TokenKind, Span)>,
    texts: Vec<u8>,
}

impl Symbols {
    /// The number of a token's text, new or known.
    pub fn intern(&mut self, kind: TokenKind, text: &[u8]) -> Symbol {
        let Self { index, list, texts } = self;
        let hash = hash_of(kind, text);
        let same = |&symbol: &Symbol| {
            let (known, span) = list[symbol as usize];
            known == kind && span.of(texts) == text
        };
        if let Some(&known) = index.find(hash, same) {
            return known;
        }
        let symbol = list.len() as Symbol;
        let start = texts.len();
        texts.extend_from_slice(text);
        list.push((kind, Span::new(start, texts.len())));
        index.insert_unique(hash, symbol, |&symbol| {
            let (kind, span) = list[symbol as usize];
            hash_of(kind, span.of(texts))
        });
        symbol
    }

    pub fn kind(&self, symbol: Symbol) -> TokenKind {
        self.list[symbol as usize].0
    }

    pub fn text(&self, symbol: Symbol) -> &[u8] {
        self.list[symbol as usize].1.of(&self.texts)
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        self.texts.len() + self.list.len() * (size_of::<(TokenKind, Span)>() + 2 * size_of::<Symbol>())
    }

    pub fn iter(&self) -> impl Iterator<Item = (TokenKind, &[u8])> {
        self.list.iter().map(|(kind, span)| (*kind, span.of(&self.texts)))
    }
}

fn hash_of(kind: TokenKind, text: &[u8]) -> u64 {
    xxh3_64_with_seed(text, kind as u64)
}
