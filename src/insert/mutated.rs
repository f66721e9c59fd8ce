//! A file's tokens as they would be after an edit, without making them.

use crate::lex::TokenKind;
use crate::operator::Term;

use super::edit::Edit;
use super::edit::Literals;
use super::edit::Origin;
use super::facts::Word;
use super::facts::word;
use super::index::View;
use super::structure::Marks;
use super::structure::NONE;

/// How far a bracket is looked for.
const FURTHEST: usize = 400;

/// The tokens after an edit, numbered as they would be.
#[derive(Clone, Copy)]
pub struct Mutated<'a> {
    pub view: View<'a>,
    pub edit: &'a Edit,
    pub literals: &'a Literals,
    /// The kinds of the literals.
    pub kinds: &'a [TokenKind],
}

impl<'a> Mutated<'a> {
    /// The first token that is new, or that stands behind what went.
    pub fn start(&self) -> usize {
        self.edit.from as usize
    }

    /// The first token behind those that are new.
    pub fn end(&self) -> usize {
        self.start() + self.edit.new.len()
    }

    /// The token at a place.
    pub fn get(&self, at: usize) -> Option<Word<'a>> {
        let (start, end) = (self.start(), self.end());
        if at < start {
            return Some(word(self.view, at));
        }
        if at < end {
            return Some(match self.edit.new[at - start].origin() {
                Origin::Old(index) => {
                    // What moved stands elsewhere now: only what it is itself goes with it.
                    let old = word(self.view, index);
                    let angle = old.marks.has(Marks::ANGLE);
                    Word { marks: if angle { Marks::ANGLE } else { Marks::default() }, ..old }
                }
                Origin::Literal(literal) => Word {
                    kind: self.kinds[literal],
                    sym: self.literals.terms[literal].1,
                    text: self.literals.text(literal),
                    marks: Marks::default(),
                },
            });
        }
        let index = self.old(at)?;
        Some(word(self.view, index))
    }

    /// Where in the file a token stands that the edit does not touch.
    pub fn old(&self, at: usize) -> Option<usize> {
        let index = if at < self.start() {
            at
        } else if at < self.end() {
            return None;
        } else {
            at - self.end() + self.edit.to as usize
        };
        (index < self.view.file.tokens.len()).then_some(index)
    }

    /// Where a token of the file stands after the edit; none if it went.
    pub fn place(&self, index: usize) -> Option<usize> {
        if index < self.edit.from as usize {
            Some(index)
        } else if index < self.edit.to as usize {
            None
        } else {
            Some(index - self.edit.to as usize + self.end())
        }
    }

    /// The bracket that closes the one at `open`.
    pub fn close(&self, open: usize) -> Option<usize> {
        if let Some(old) = self.old(open) {
            let mate = self.view.structure.mate[old];
            let outside =
                mate != NONE && (mate as usize >= self.edit.to as usize || (mate as usize) < self.start());
            if outside && mate as usize > old {
                return self.place(mate as usize);
            }
        }
        self.mate(open..open + FURTHEST)
    }

    /// The bracket that opens the one that closes at `close`.
    pub fn open(&self, close: usize) -> Option<usize> {
        if let Some(old) = self.old(close) {
            let mate = self.view.structure.mate[old];
            if mate != NONE && (mate as usize) < self.start() && old < self.start() {
                return Some(mate as usize);
            }
        }
        self.mate((close.saturating_sub(FURTHEST)..=close).rev())
    }

    /// The bracket that goes with the first of these places, in the direction in which they come.
    fn mate(&self, places: impl Iterator<Item = usize>) -> Option<usize> {
        let mut depth = 0i32;
        for at in places {
            let word = self.get(at)?;
            let step = match word.text {
                _ if word.kind != TokenKind::Operator => continue,
                b"(" | b"[" | b"{" => 1,
                b")" | b"]" | b"}" => -1,
                _ => continue,
            };
            depth += step;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// How many arguments stand between the parentheses that open at `open`.
    pub fn arguments(&self, open: usize) -> Option<u32> {
        let close = self.close(open)?;
        if close == open + 1 {
            return Some(0);
        }
        let mut count = 1;
        let mut angles = 0i32;
        let mut at = open + 1;
        while at < close {
            let word = self.get(at)?;
            if word.marks.has(Marks::ANGLE) {
                angles += if word.text == b"<" { 1 } else { -(word.text.len() as i32) };
            }
            if word.kind == TokenKind::Operator {
                match word.text {
                    b"(" | b"[" | b"{" => {
                        at = self.close(at)? + 1;
                        continue;
                    }
                    b"," if at + 1 < close && angles <= 0 => count += 1,
                    _ => {}
                }
            }
            at += 1;
        }
        Some(count)
    }
}

/// What kind of token a literal term would be.
pub fn literal_kind(def: &crate::langdef::LangDef, term: &Term) -> TokenKind {
    match term {
        Term::Operator(_) => TokenKind::Operator,
        Term::Layout(kind) => *kind,
        Term::Keyword(text) if def.is_keyword(text) => TokenKind::Keyword,
        Term::Keyword(text) => {
            let start = crate::lex::Start::Code;
            crate::lex::Lexer::new(def, text, start).next().map_or(TokenKind::Identifier, |token| token.kind)
        }
        _ => TokenKind::Identifier,
    }
}
