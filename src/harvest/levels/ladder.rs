//! The levels of one change, the most specific first.

use smallvec::SmallVec;

use crate::langdef::LangDef;
use crate::operator::Filter;
use crate::operator::Thresholds;
use crate::operator::residue;

use super::super::generalize::Directed;
use super::super::generalize::Generalizer;
use super::super::generalize::HoleKind;
use super::super::symbols::Symbol;
use super::super::tally::TallyRow;
use super::classes::Classes;
use super::encode::Atom;
use super::encode::Atoms;
use super::encode::Encoded;
use super::encode::encode;
use super::fold::atoms;
use super::fold::fold_brackets;
use super::fold::fold_operands;
use super::fold::share;
use super::statements::fold_statements;

/// What levels are made with.
pub struct Ladder<'a> {
    pub def: &'a LangDef,
    pub general: Generalizer<'a>,
    /// The same without idioms: the more general half of the levels.
    pub plain: Generalizer<'a>,
    pub classes: &'a Classes,
    pub limits: &'a Thresholds,
}

/// The operators that a change shows.
pub type Levels = SmallVec<[Encoded; 6]>;

/// The part that differs, and what stands around it, nearest last on the left and first on the right.
pub struct Core<'a> {
    pub find: &'a [Symbol],
    pub put: &'a [Symbol],
    left: SmallVec<[Symbol; 3]>,
    right: SmallVec<[Symbol; 3]>,
}

impl<'a> Core<'a> {
    /// Cuts off what both sides have in common at their ends.
    pub fn new(directed: Directed<'a>, row: &TallyRow, classes: &Classes) -> Self {
        let (find, put) = (directed.pattern, directed.template);
        let head = find.iter().zip(put).take_while(|(a, b)| a == b).count();
        let most = find.len().min(put.len()) - head;
        let tail = find.iter().rev().zip(put.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        // Neighbours outside of the changed lines are known by text if they are operators or keywords.
        let names = |symbol| classes.is_literal(symbol) && !classes.is_nameless(symbol);
        let mut left: SmallVec<[Symbol; 3]> = SmallVec::new();
        if head < 2 && names(row.left) {
            left.push(row.left);
        }
        left.extend_from_slice(&find[head.saturating_sub(2)..head]);
        let mut right: SmallVec<[Symbol; 3]> = SmallVec::new();
        right.extend_from_slice(&find[find.len() - tail..(find.len() - tail + 2).min(find.len())]);
        if tail < 2 && names(row.right) {
            right.push(row.right);
        }
        Self { find: &find[head..find.len() - tail], put: &put[head..put.len() - tail], left, right }
    }

    /// Both sides with this much context.
    fn within(&self, find: &[Atom], put: &[Atom], left: usize, right: usize) -> (Atoms, Atoms) {
        let before = atoms(&self.left[self.left.len().saturating_sub(left)..]);
        let after = atoms(&self.right[..right.min(self.right.len())]);
        let wrap = |core: &[Atom]| before.iter().chain(core).chain(&after).copied().collect();
        (wrap(find), wrap(put))
    }
}

impl Ladder<'_> {
    /// The levels of a change; the filter that rejects it if there are none.
    pub fn levels(&self, core: &Core) -> Result<Levels, Filter> {
        let mut levels = Levels::new();
        let mut why: Option<Filter> = None;
        let mut offer = |(find, put): (Atoms, Atoms)| {
            for general in [&self.general, &self.plain] {
                match self.judge(general, &find, &put) {
                    Ok(level) if levels.iter().any(|(known, _)| *known == level.0) => {}
                    Ok(level) => levels.push(level),
                    Err(filter) => why = why.max(Some(filter)),
                }
            }
        };
        let (find, put) = (atoms(core.find), atoms(core.put));
        for context in [2, 1, 0] {
            offer(core.within(&find, &put, context, context));
        }
        self.folded(core, &mut offer);
        if levels.is_empty() { Err(why.unwrap_or(Filter::NothingToMatch)) } else { Ok(levels) }
    }

    fn folded(&self, core: &Core, offer: &mut impl FnMut((Atoms, Atoms))) {
        let (mut find, mut put) = (atoms(core.find), atoms(core.put));
        let right = core.right.first().is_some_and(|symbol| self.classes.is_literal(*symbol));
        if put.is_empty() {
            if let Some(statements) = fold_statements(self.classes, &find) {
                offer(core.within(&statements, &put, 1, 0));
                offer(core.within(&statements, &put, 0, 0));
            }
        } else {
            share(self.classes, &mut find, &mut put);
        }
        let brackets = fold_brackets(self.classes, &find, if put.is_empty() { 1 } else { 2 });
        let operands = fold_operands(self.classes, &brackets, right);
        for folded in [&brackets, &operands] {
            let begins = usize::from(matches!(folded.first(), Some(Atom::Dropped(_) | Atom::Shared(..))));
            let ends = usize::from(matches!(folded.last(), Some(Atom::Dropped(_) | Atom::Shared(..))));
            offer(core.within(folded, &put, 1, 1));
            offer(core.within(folded, &put, begins, ends));
        }
    }

    /// Whether the sides can be an operator.
    fn judge(&self, general: &Generalizer, find: &Atoms, put: &Atoms) -> Result<Encoded, Filter> {
        let (find, put) = (self.without_lines(find), self.without_lines(put));
        let holes_only = !find.iter().any(|atom| matches!(atom, Atom::Token(_)));
        let wide = |atom: Option<&Atom>| {
            matches!(atom, Some(Atom::Dropped(HoleKind::Expression) | Atom::Shared(..)))
        };
        if wide(find.first()) || wide(find.last()) {
            return Err(Filter::TooManyTokens); // where it begins or ends, nothing says
        }
        if holes_only && put.is_empty() && !find.iter().copied().any(is_statement) {
            return Err(Filter::TooFewTokens);
        }
        if put.is_empty()
            && find.len() == 1
            && matches!(find[0], Atom::Token(symbol) if general.is_free(symbol))
        {
            return Err(Filter::TooFewTokens);
        }
        if self.residue(&find) != self.residue(&put) {
            return Err(Filter::Unbalanced);
        }
        encode(general, self.limits, &find, &put)
    }

    /// Marks of lines are no tokens where lines end statements softly.
    fn without_lines(&self, side: &Atoms) -> Atoms {
        if !self.classes.soft {
            return side.clone();
        }
        let line = |atom: &Atom| matches!(atom, Atom::Token(symbol) if self.classes.is_line(*symbol));
        side.iter().copied().filter(|atom| !line(atom)).collect()
    }

    fn residue(&self, side: &[Atom]) -> crate::operator::Residue {
        let symbols = self.general.symbols;
        let tokens = side.iter().filter_map(|atom| match *atom {
            Atom::Token(symbol) => Some((symbols.kind(symbol), symbols.text(symbol))),
            _ => None,
        });
        residue(tokens, self.def)
    }
}

fn is_statement(atom: Atom) -> bool {
    matches!(atom, Atom::Dropped(HoleKind::Statement))
}
