//! Values: of a type that stands there elsewhere.

use super::super::facts::Roles;
use super::super::facts::scope;
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
            (marks && (slot.context == 0 || typist.is_vague(slot)))
                || (slot.context != 0 && !known(&typist.filling(slot)))
                || (!self.written && !typist.pairs(slot.left + 1, slot.right).iter().all(known))
        })
    }

    /// Pointers are added to, subtracted and compared; nothing else. Only where they are not types apart.
    pub(super) fn breaks_pointers(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        if !syntax.shares_names {
            return false;
        }
        let is_pointer = |at: Option<usize>| {
            let Some(word_) =
                at.and_then(|at| self.mutated.get(at)).filter(|word_| word_.kind == TokenKind::Identifier)
            else {
                return false;
            };
            let here = scope(self.file, self.function());
            let roles = self.facts.scoped.get(&(here, word_.sym)).copied().unwrap_or_default();
            let declared = self.facts.types.pointers.contains(&(here, word_.sym));
            declared || roles.0 & (Roles::POINTER.0 | Roles::INDEXED.0 | Roles::HAS_POINTED.0) != 0
        };
        let alone = |at: usize| {
            // A member, an element or a call is another thing than the name before it.
            !self.mutated.get(at + 1).is_some_and(|word_| matches!(word_.text, b"[" | b"(" | b"." | b"->"))
        };
        self.news().any(|(at, word_)| {
            let joins = matches!(word_.text, b"*" | b"/" | b"%" | b"&" | b"|" | b"^" | b"<<" | b">>");
            let both = word_.text == b"+";
            let before = at.checked_sub(1);
            let operand = before.and_then(|before| self.mutated.get(before)).is_some_and(|word_| {
                word_.kind == TokenKind::Identifier || matches!(word_.text, b")" | b"]")
            });
            let left = is_pointer(before);
            let right = is_pointer(Some(at + 1)) && alone(at + 1);
            operand && ((joins && (left || right)) || (both && left && right))
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
