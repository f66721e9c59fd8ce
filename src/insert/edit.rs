//! What a mutant does to a file's tokens, in the one form that equal results share.

use rustc_hash::FxHashMap;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::Hasher;

use crate::lex::Token;
use crate::operator::Drawn;
use crate::operator::Operator;
use crate::operator::Term;

use super::index::Bounds;
use super::index::View;
use super::index::slots;
use super::source::SourceFile;
use super::source::Sym;
use super::source::term_sym;
use super::structure::Marks;

/// A token of a mutant: one of the file's, or a literal of the operators. In 32 bits, since there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct New(u32);

/// What a [`New`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A token of the file, by its place.
    Old(usize),
    /// A literal, by its place in [`Literals`].
    Literal(usize),
}

const LITERAL: u32 = 1 << 31;

impl New {
    /// A token of the file.
    pub fn old(index: u32) -> Self {
        Self(index)
    }

    /// A literal of the operators.
    pub fn literal(literal: u32) -> Self {
        Self(LITERAL | literal)
    }

    /// What it is.
    pub fn origin(self) -> Origin {
        match self.0 & LITERAL {
            0 => Origin::Old(self.0 as usize),
            _ => Origin::Literal((self.0 & !LITERAL) as usize),
        }
    }
}

/// The tokens of an edit; mostly few.
pub type News = SmallVec<[New; 4]>;

/// The literal texts that operators put.
#[derive(Default)]
pub struct Literals {
    pub terms: Vec<(Term, Sym)>,
    /// The place of each in the list: sets may have 100,000 operators with a word of their own each.
    known: FxHashMap<Term, u32>,
}

/// A place of a template.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Literal(u32),
    /// What the hole with this place in [`Bounds`] bound.
    Slot(u8),
    /// What is drawn.
    Drawn,
}

/// A template, ready to be filled.
pub struct Template {
    pieces: Vec<Piece>,
    /// What it wants to be drawn.
    pub draws: Option<Drawn>,
}

impl Template {
    /// The template of an operator; new literals are added to the list.
    pub fn new(operator: &Operator, literals: &mut Literals) -> Self {
        let slots = slots(operator.find());
        let pieces = operator.put().iter().map(|term| match (term, term_sym(term)) {
            (Term::Draw(..), _) => Piece::Drawn,
            (_, Some(sym)) => Piece::Literal(literals.add(term, sym)),
            (_, None) => Piece::Slot(slots.iter().position(|slot| *slot == term).unwrap_or(0) as u8),
        });
        let draws = operator.put().iter().find_map(|term| match term {
            Term::Draw(drawn, _) => Some(*drawn),
            _ => None,
        });
        Self { pieces: pieces.collect(), draws }
    }

    /// Where in the filled template what is drawn stands first.
    pub fn drawn_at(&self, bounds: &Bounds) -> usize {
        let length = |piece: &Piece| match *piece {
            Piece::Slot(slot) => (bounds[slot as usize].1 - bounds[slot as usize].0) as usize,
            _ => 1,
        };
        self.pieces.iter().take_while(|piece| !matches!(piece, Piece::Drawn)).map(length).sum()
    }

    /// The tokens it makes; what is drawn is some token.
    pub fn filled(&self, bounds: &Bounds) -> News {
        let mut out = News::new();
        self.fill(bounds, Some(New::old(0)), &mut out);
        out
    }

    fn fill(&self, bounds: &Bounds, drawn: Option<New>, out: &mut News) {
        out.clear();
        for piece in &self.pieces {
            match *piece {
                Piece::Drawn => out.extend(drawn),
                Piece::Literal(literal) => out.push(New::literal(literal)),
                Piece::Slot(slot) => {
                    let (start, end) = bounds[slot as usize];
                    out.extend((start..end).map(New::old));
                }
            }
        }
    }
}

impl Literals {
    /// The place of a literal in the list.
    pub fn add(&mut self, term: &Term, sym: Sym) -> u32 {
        if let Some(known) = self.known.get(term) {
            return *known;
        }
        let place = self.terms.len() as u32;
        self.terms.push((term.clone(), sym));
        self.known.insert(term.clone(), place);
        place
    }

    /// The text of a literal.
    pub fn text(&self, literal: usize) -> &[u8] {
        match &self.terms[literal].0 {
            Term::Keyword(text) | Term::Operator(text) => text,
            _ => b"",
        }
    }
}

/// Tokens `from..to` of a file give way to others. Canonical: nothing at either end is the same before and
/// after, and what could stand in several places (one of two equal tokens goes) stands in the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub from: u32,
    pub to: u32,
    pub new: News,
}

impl Edit {
    /// What a template makes of a match, with what was drawn for it; none if nothing changes.
    pub fn new(
        file: &SourceFile,
        literals: &Literals,
        template: &Template,
        (start, end): (usize, usize),
        bounds: &Bounds,
        drawn: Option<New>,
    ) -> Option<Self> {
        let mut new = News::new();
        template.fill(bounds, drawn, &mut new);
        let sym = |new: &New| new_sym(file, literals, *new);
        let old = &file.syms[start..end];
        let head = old.iter().zip(&new).take_while(|(old, new)| **old == sym(new)).count();
        let most = old.len().min(new.len()) - head;
        let tail = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take(most)
            .take_while(|(old, new)| **old == sym(new))
            .count();
        let (mut from, mut to) = (start + head, end - tail);
        new.truncate(new.len() - tail);
        new.drain(..head);
        if from == to && new.is_empty() {
            return None;
        }
        // Slide left: a deletion or insertion of `a b` before `a` is the same as one further left.
        while from > 0 && from == to && new.last().is_some_and(|last| sym(last) == file.syms[from - 1]) {
            new.rotate_right(1);
            from -= 1;
            to -= 1;
        }
        while from > 0 && new.is_empty() && file.syms[to - 1] == file.syms[from - 1] {
            from -= 1;
            to -= 1;
        }
        // A text on the lines behind its mark stays where it is, so its mark does, too, and all between the two.
        let owes_text = |token: &Token| token.owes_text(&file.text);
        if file.line_before(from).iter().chain(&file.tokens[from..to]).any(owes_text) {
            return None;
        }
        Some(Self { from: from as u32, to: to as u32, new })
    }

    /// A deletion that could stand in several places, where a statement begins: `; a` before `;` is the
    /// statement `a ;` to people, and to rules.
    pub fn natural(mut self, view: View) -> Self {
        let (syms, marks) = (&view.file.syms, &view.structure.marks);
        let (from, to) = (self.from, self.to);
        while self.new.is_empty() && self.from < self.to {
            if marks[self.from as usize].has(Marks::START) {
                return self;
            }
            if syms.get(self.to as usize) != Some(&syms[self.from as usize]) {
                break;
            }
            self.from += 1;
            self.to += 1;
        }
        Self { from, to, ..self }
    }

    /// An edit that changes nothing of a file with this many tokens.
    pub fn nothing(count: usize) -> Self {
        Self { from: count as u32, to: count as u32, new: News::new() }
    }

    /// One token for another.
    pub fn one(at: usize, literal: u32) -> Self {
        Self { from: at as u32, to: at as u32 + 1, new: [New::literal(literal)].into_iter().collect() }
    }

    /// A number that equal edits of one file share, and others do not.
    pub fn key(&self, file: &SourceFile, literals: &Literals) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_u64(u64::from(self.from) << 32 | u64::from(self.to));
        for new in &self.new {
            hasher.write_u64(new_sym(file, literals, *new));
        }
        hasher.finish()
    }
}

/// The number of a token of a mutant.
pub fn new_sym(file: &SourceFile, literals: &Literals, new: New) -> Sym {
    match new.origin() {
        Origin::Old(index) => file.syms[index],
        Origin::Literal(literal) => literals.terms[literal].1,
    }
}

/// The text of a token of a mutant.
pub fn new_text<'a>(file: &'a SourceFile, literals: &'a Literals, new: New) -> &'a [u8] {
    match new.origin() {
        Origin::Old(index) => file.token(index),
        Origin::Literal(literal) => literals.text(literal),
    }
}
