//! Calls: how many arguments, and whether there is a result to use.

use super::super::facts::Roles;
use super::super::facts::Word;
use super::super::facts::arguments;
use super::super::facts::join;
use super::super::facts::word;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::judge::Judge;
use crate::lex::TokenKind;

/// Tokens in brackets above which parts are not counted one by one, again for every mutant in them.
const LONG_LIST: usize = 200;

impl<'a> Judge<'a> {
    /// A call whose result is never used is used.
    pub(super) fn breaks_results(&self) -> bool {
        self.places().chain([self.mutated.end() + 1]).any(|at| {
            let Some(name) = self.mutated.get(at).filter(|word_| word_.kind == TokenKind::Identifier) else {
                return false;
            };
            let opens = self.mutated.get(at + 1).is_some_and(|word_| word_.text == b"(");
            if !opens || self.name(name).roles.covers(Roles::GIVES) {
                return false;
            }
            let Some(close) = self.mutated.close(at + 1) else { return true };
            let ends = self
                .mutated
                .get(close + 1)
                .is_some_and(|word_| self.mutated.view.syntax.ends.contains(&word_.sym));
            let before = at.checked_sub(1).and_then(|before| self.mutated.get(before));
            let starts = before.is_none_or(|before| {
                matches!(before.text, b";" | b"{" | b"}" | b")" | b":" | b"." | b"->" | b"::")
                    || self.mutated.view.syntax.before_statements.contains(&before.sym)
            });
            !(ends && starts)
        })
    }

    pub(super) fn breaks_arity(&self) -> bool {
        let mut opens: smallvec::SmallVec<[usize; 8]> = smallvec::SmallVec::new();
        let around = self.enclosing();
        opens.extend(around);
        for at in self.mutated.start().saturating_sub(1)..self.mutated.end() + 1 {
            if self.mutated.get(at).is_some_and(|word| word.text == b"(" && word.kind == TokenKind::Operator)
            {
                opens.push(at);
            }
        }
        opens.into_iter().any(|open| {
            let Some(name) = open.checked_sub(1).and_then(|at| self.mutated.get(at)) else { return false };
            let call = self.mutated.get(open).is_some_and(|word| word.text == b"(");
            if name.kind != TokenKind::Identifier || !call {
                return self.mutated.view.syntax.truth_type.is_some() && self.changes_count(open);
            }
            let Some(count) = self.mutated.arguments(open) else { return true };
            let arities = self.name(name).arities;
            let never = arities != 0 && arities >> count.min(31) & 1 == 0;
            never || self.breaks_own_arity(open - 1, name, count)
        })
    }

    /// Tuples, macros and values in brackets keep the number of their parts.
    pub(super) fn changes_count(&self, open: usize) -> bool {
        let view = self.mutated.view;
        let Some(old) = self
            .mutated
            .old(open)
            .filter(|old| view.file.token(*old) != b"{" || view.structure.marks[*old].has(Marks::LITERAL))
        else {
            return false;
        };
        if (view.structure.mate[old] as usize).saturating_sub(old) > LONG_LIST {
            return self.changes_commas();
        }
        let count = arguments(view, old);
        count.is_some() && count != self.mutated.arguments(open)
    }

    /// Whether more or fewer parts are separated where the edit is.
    fn changes_commas(&self) -> bool {
        let edit = self.mutated.edit;
        let old = (edit.from as usize..edit.to as usize).map(|at| word(self.mutated.view, at));
        separators(old) != separators(self.news().map(|(_, new)| new))
    }

    /// The same, by what the call is of: other things may have a member of that name.
    pub(super) fn breaks_own_arity(&self, at: usize, name: Word, count: u32) -> bool {
        let dot = at.checked_sub(1).and_then(|dot| self.mutated.get(dot));
        let syntax = self.mutated.view.syntax;
        let member =
            dot.is_some_and(|dot| syntax.members.contains(&dot.sym) || syntax.paths.contains(&dot.sym));
        let base = if member { at.checked_sub(2).and_then(|base| self.base(base)) } else { Some(0) };
        base.is_some_and(|base| !self.facts.pairs.contains(&join(&[base, name.sym, u64::from(count)])))
    }

    /// The innermost bracket that is open before the edit.
    pub(super) fn enclosing(&self) -> Option<usize> {
        let structure = &self.mutated.view.structure;
        let start = self.mutated.start();
        let mut open = *structure.open.get(start)?;
        // A closing bracket at the edit's start belongs to what it closes.
        let mate = structure.mate[start];
        if mate != NONE && (mate as usize) < start {
            open = mate;
        }
        (open != NONE && (open as usize) < start).then_some(open as usize)
    }
}

/// The commas of a row of tokens that stand in no bracket of its own.
fn separators<'a>(row: impl Iterator<Item = Word<'a>>) -> usize {
    let mut depth = 0i32;
    let mut count = 0;
    for word in row.filter(|word| word.kind == TokenKind::Operator) {
        match word.text {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            b"," if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}
