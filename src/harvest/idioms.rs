//! Identifiers and literals so common that they count as keywords.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;

use super::symbols::Symbol;
use super::tally::Tally;

/// How idioms are chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum IdiomRule {
    /// None.
    None,
    /// The `k` most frequent.
    Top(usize),
    /// Those that occur at least so often.
    Incidence(u64),
    /// Those that make up at least this share of all identifiers and literals.
    Frequency(f64),
    /// These.
    Given(Vec<Vec<u8>>),
}

impl IdiomRule {
    /// The rule in words, as the header of a set has it.
    pub fn describe(&self) -> String {
        match self {
            Self::None => "none".into(),
            Self::Top(k) => format!("the {k} most frequent"),
            Self::Incidence(count) => format!("at least {count} times"),
            Self::Frequency(share) => format!("at least {share} of all"),
            Self::Given(_) => "given".into(),
        }
    }

    /// Chooses among words with their counts.
    pub fn choose(&self, counts: &BTreeMap<(TokenKind, Vec<u8>), u64>) -> Vec<(TokenKind, Vec<u8>)> {
        self.choose_of(counts.values().sum(), counts)
    }

    /// Chooses among words with their counts, if all words occur this often together. What is chosen of some of the
    /// words holds all that is chosen of more words.
    pub(super) fn choose_of(
        &self,
        total: u64,
        counts: &BTreeMap<(TokenKind, Vec<u8>), u64>,
    ) -> Vec<(TokenKind, Vec<u8>)> {
        let mut ranked: Vec<_> = counts.iter().map(|(word, &count)| (Reverse(count), word)).collect();
        ranked.sort_unstable();
        let enough = |count: u64| match self {
            Self::None => false,
            Self::Top(_) | Self::Given(_) => true,
            Self::Incidence(least) => count >= *least,
            Self::Frequency(share) => count as f64 >= *share * total as f64,
        };
        let most = if let Self::Top(k) = self { *k } else { usize::MAX };
        ranked
            .into_iter()
            .filter(|(Reverse(count), _)| enough(*count))
            .take(most)
            .map(|(_, word)| word.clone())
            .collect()
    }
}

/// The words of a tally. With several sources, a word that only one of them uses is that project's own
/// vocabulary, not an idiom of the language.
pub(super) fn tally_words(tally: &Tally) -> BTreeMap<(TokenKind, Vec<u8>), u64> {
    let mut counts: BTreeMap<Symbol, (u64, usize)> = BTreeMap::new();
    for (&(symbol, _), &count) in &tally.words {
        let entry = counts.entry(symbol).or_default();
        entry.0 += count;
        entry.1 += 1;
    }
    let least = tally.repositories().min(2);
    counts
        .into_iter()
        .filter(|(_, (_, repos))| *repos >= least)
        .map(|(symbol, (count, _))| {
            ((tally.symbols.kind(symbol), tally.symbols.text(symbol).to_vec()), count)
        })
        .collect()
}

/// Which symbols of a tally are among the idioms.
pub(super) fn idiom_symbols(tally: &Tally, idioms: &[Vec<u8>]) -> FxHashSet<Symbol> {
    let wanted: FxHashSet<&[u8]> = idioms.iter().map(Vec::as_slice).collect();
    let symbols = tally.symbols.iter().enumerate();
    symbols
        .filter(|(_, (kind, text))| kind.is_bindable() && wanted.contains(text))
        .map(|(symbol, _)| symbol as Symbol)
        .collect()
}

/// Adds the identifiers and literals of a whole file, for idioms from the system under test.
pub fn count_words(def: &LangDef, text: &[u8], counts: &mut BTreeMap<(TokenKind, Vec<u8>), u64>) {
    for token in Lexer::new(def, text, Start::File).filter(|token| token.kind.is_bindable()) {
        *counts.entry((token.kind, token.span.of(text).to_vec())).or_default() += 1;
    }
}
