//! Rules about control flow: returns, and unreachable code.

use super::super::facts::Word;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::super::syntax::word;
use super::judge::Judge;
use crate::lex::TokenKind;

impl<'a> Judge<'a> {
    /// Whether the function returns nothing; none if that cannot be told.
    pub(super) fn returns_nothing(&self) -> Option<bool> {
        let view = self.mutated.view;
        let function = view.structure.function_of(self.mutated.start())?;
        if function.name == NONE {
            return None;
        }
        let (from, to) = function.returns;
        if from == to {
            // Without a type it returns nothing where types are written behind, and is a constructor elsewhere.
            return view
                .syntax
                .returns
                .is_some()
                .then_some(true)
                .or(Some(true).filter(|_| view.syntax.functions.is_empty()));
        }
        Some(to - from == 1 && view.file.syms[from as usize] == word("void"))
    }

    pub(super) fn breaks_returns(&self) -> bool {
        let Some(nothing) = self.returns_nothing() else { return false };
        let start = self.mutated.start().saturating_sub(1);
        (start..self.mutated.end()).any(|at| {
            let Some(word_) = self.mutated.get(at) else { return false };
            if !self.mutated.view.syntax.returning.contains(&word_.sym) || word_.kind != TokenKind::Keyword {
                return false;
            }
            let Some(after) = self.mutated.get(at + 1) else { return true };
            let bare = self.mutated.view.syntax.ends.contains(&after.sym) || after.text == b"}";
            bare != nothing
        })
    }

    pub(super) fn breaks_flow(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        if syntax.truth_type.is_none() {
            return false;
        }
        if self.drops_return() || self.drops_tail() {
            return true;
        }
        let jump = |word_: Word| word_.kind == TokenKind::Keyword && syntax.jumps.contains(&word_.sym);
        // A new jump before another statement of the same block.
        let cuts = syntax.unreachable && self.news().any(|(at, word_)| jump(word_) && self.code_follows(at));
        // The jump at a block's end is gone.
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let had = (edit.from..edit.to).any(|at| jump(super::super::facts::word(view, at as usize)));
        let has = self.news().any(|(_, word_)| jump(word_));
        let after = (self.mutated.end()..).find_map(|at| match self.mutated.get(at) {
            Some(word_) if syntax.ends.contains(&word_.sym) => None,
            word_ => Some(word_),
        });
        let ends = after.flatten().is_some_and(|word_| word_.text == b"}");
        cuts || (had && !has && ends && self.returns_nothing() != Some(true))
    }

    /// `return f(x);` becomes `f(x);`
    pub(super) fn drops_return(&self) -> bool {
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let returning = &view.syntax.returning;
        let had = (edit.from..edit.to).any(|at| returning.contains(&view.file.syms[at as usize]));
        let has = self.news().any(|(_, word_)| returning.contains(&word_.sym));
        had && !has && !(edit.new.is_empty() && self.is_whole()) && self.returns_nothing() != Some(true)
    }

    /// The value at the end of a block is gone, where blocks have values.
    pub(super) fn drops_tail(&self) -> bool {
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        view.syntax.returns.is_some()
            && view.syntax.functions.len() == 1
            && edit.new.is_empty()
            && edit.from < edit.to
            && view.structure.marks[edit.from as usize].has(Marks::START)
            && !matches!(view.file.token(edit.to as usize - 1), b";" | b"}")
    }

    /// Whether a statement follows the one that begins at `at`, in the same block.
    pub(super) fn code_follows(&self, at: usize) -> bool {
        let syntax = self.mutated.view.syntax;
        let mut place = at;
        for _ in 0..100 {
            let Some(word_) = self.mutated.get(place) else { return false };
            if word_.kind == TokenKind::Operator && matches!(word_.text, b"(" | b"[" | b"{") {
                match self.mutated.close(place) {
                    Some(close) => place = close + 1,
                    None => return true,
                }
                continue;
            }
            if syntax.ends.contains(&word_.sym) {
                let after = self.mutated.get(place + 1);
                let led =
                    at.checked_sub(1).and_then(|before| self.mutated.get(before)).is_some_and(|before| {
                        before.text == b")" || syntax.before_statements.contains(&before.sym)
                    });
                return !led
                    && !after.is_none_or(|after| after.text == b"}" || syntax.cases.contains(&after.sym));
            }
            place += 1;
        }
        true
    }
}
