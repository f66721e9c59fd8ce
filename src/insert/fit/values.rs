//! Values: of a type that stands there elsewhere.

use super::super::syntax::operator;
use super::super::types::Typist;
use super::judge::Judge;
use crate::lex::TokenKind;

impl<'a> Judge<'a> {
    /// A choice that must name all its cases keeps its arms.
    pub(super) fn breaks_arms(&self) -> bool {
        let view = self.mutated.view;
        if !view.syntax.cases.is_empty() || view.syntax.switches.is_empty() {
            return false;
        }
        let arrow = operator("=>");
        let edit = self.mutated.edit;
        let old = (edit.from..edit.to).filter(|at| view.file.syms[*at as usize] == arrow).count();
        let new = self.news().filter(|(_, word_)| word_.sym == arrow).count();
        old != new
    }

    /// Only where types are checked: elsewhere any value may stand anywhere.
    pub(super) fn breaks_slots(&self) -> bool {
        let view = self.mutated.view;
        if view.syntax.truth_type.is_none() {
            return false;
        }
        let typist = Typist {
            row: self.mutated,
            types: &self.facts.types,
            file: self.file,
            here: self.mutated.start().min(view.file.tokens.len().saturating_sub(1)),
        };
        let mut slots = typist.slots_around(self.mutated.start(), self.mutated.end());
        // Another name is called: what it is given must be what it takes.
        for at in self.mutated.start()..self.mutated.end() + 2 {
            let opens = self
                .mutated
                .get(at)
                .is_some_and(|word_| word_.text == b"(" && word_.kind == TokenKind::Operator);
            if opens && at > 0 {
                slots.extend(typist.arguments(at));
            }
        }
        let marks = self.changes_marks();
        let known = |filling: &u64| self.facts.types.slots.contains(filling);
        slots.into_iter().any(|slot| {
            (marks && typist.is_vague(slot))
                || (slot.context != 0 && !known(&typist.filling(slot)))
                || (!self.written && !typist.pairs(slot.left + 1, slot.right).iter().all(known))
        })
    }

    /// Whether the edit is about references: those marks come or go.
    pub(super) fn changes_marks(&self) -> bool {
        let is_mark = |text: &[u8]| matches!(text, b"&" | b"*" | b"mut" | b"?");
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let old = (edit.from..edit.to).filter(|at| is_mark(view.file.token(*at as usize))).count();
        let new = self.news().filter(|(_, word_)| is_mark(word_.text)).count();
        old != new
    }
}
