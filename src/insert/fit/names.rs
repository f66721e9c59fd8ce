//! Names: in scope, and used as they are used elsewhere.

use super::super::facts::Roles;
use super::super::facts::WHOLE_FILE;
use super::super::facts::Word;
use super::super::facts::join;
use super::super::facts::roles_between;
use super::super::facts::scope;
use super::super::structure::Marks;
use super::super::syntax::operator;
use super::judge::Judge;
use crate::lex::TokenKind;

impl<'a> Judge<'a> {
    pub(super) fn breaks_names(&self) -> bool {
        let values = &self.mutated.view.syntax.values;
        let truths = &self.mutated.view.syntax.truths;
        let here = scope(self.file, self.function());
        let stranger = self.news().any(|(_, word_)| {
            // `this` where there is none; `null` and `true` are everywhere.
            let named = matches!(word_.text, b"this" | b"self" | b"super");
            named
                && word_.kind == TokenKind::Keyword
                && values.contains(&word_.sym)
                && !truths.contains(&word_.sym)
                && !self.facts.scoped.contains_key(&(here, word_.sym))
        });
        stranger
            || self.places().any(|at| {
                let Some(word) = self.mutated.get(at).filter(|word| word.kind == TokenKind::Identifier)
                else {
                    return false;
                };
                let (before, after) = self.around(at);
                let mut needed = roles_between(self.mutated.view, before, after);
                if needed.covers(Roles::PLAIN) && self.is_pointed_to(at) {
                    needed = needed.with(Roles::POINTER);
                }
                !self.may_play(word, needed) || self.names_itself(at, word)
            })
    }

    /// `*x` where `*` joins nothing.
    pub(super) fn is_pointed_to(&self, at: usize) -> bool {
        let syntax = self.mutated.view.syntax;
        at > 0
            && self.mutated.get(at - 1).is_some_and(|word_| word_.text == b"*")
            && at.checked_sub(2).and_then(|before| self.mutated.get(before)).is_none_or(|before| match before
                .kind
            {
                TokenKind::Operator => !matches!(before.text, b")" | b"]"),
                TokenKind::Keyword => !syntax.values.contains(&before.sym),
                _ => false,
            })
    }

    /// `int x = x;`
    pub(super) fn names_itself(&self, at: usize, word_: Word) -> bool {
        let view = self.mutated.view;
        (at.saturating_sub(30)..at)
            .rev()
            .map_while(|place| self.mutated.old(place))
            .find(|&old| {
                view.syntax.ends.contains(&view.file.syms[old]) || view.file.syms[old] == operator("=")
            })
            .is_some_and(|old| {
                old > 0
                    && view.file.syms[old] == operator("=")
                    && view.structure.marks[old].has(Marks::DECLARATION)
                    && view.file.syms[old - 1] == word_.sym
                    && old < self.mutated.start()
            })
    }

    pub(super) fn may_play(&self, word: Word, needed: Roles) -> bool {
        let known = self.name(word).roles;
        if needed.covers(Roles::CALLED) && !self.mutated.view.syntax.shares_names {
            // What is called by itself must be so in this file: elsewhere it is another thing.
            let here = self.facts.scoped.get(&(scope(self.file, WHOLE_FILE), word.sym));
            return here.is_some_and(|roles| roles.covers(needed));
        }
        if !needed.covers(Roles::PLAIN) {
            return known.covers(needed);
        }
        let here = scope(self.file, self.function());
        let scoped = self.facts.scoped.get(&(here, word.sym)).copied().unwrap_or_default();
        let top = self.facts.scoped.get(&(scope(self.file, 0), word.sym)).copied().unwrap_or_default();
        let outside = if known.covers(Roles::OUTSIDE) { known } else { top };
        let uses = Roles(needed.0 & !Roles::PLAIN.0);
        let mut played = scoped.with(outside);
        if played.0 & (Roles::INDEXED.0 | Roles::HAS_POINTED.0) != 0 && self.mutated.view.syntax.shares_names
        {
            played = played.with(Roles::POINTER);
        }
        (scoped.covers(Roles::PLAIN) || outside.covers(Roles::PLAIN)) && played.covers(uses)
    }

    pub(super) fn breaks_members(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        let joins = |dot: Word| syntax.members.contains(&dot.sym) || syntax.paths.contains(&dot.sym);
        self.places().chain([self.mutated.end() + 1]).any(|at| {
            let Some(word) = self.mutated.get(at).filter(|word| word.kind == TokenKind::Identifier) else {
                return false;
            };
            let joined = at > 1 && self.mutated.get(at - 1).is_some_and(joins);
            joined
                && self.base(at - 2).is_some_and(|base| !self.facts.pairs.contains(&join(&[base, word.sym])))
        })
    }

    pub(super) fn base(&self, at: usize) -> Option<u64> {
        let word = self.mutated.get(at)?;
        if word.kind == TokenKind::Operator {
            let open = self.mutated.open(at)?;
            let before = self.mutated.get(open.checked_sub(1)?)?;
            return Some(join(&[before.sym, word.sym]));
        }
        if word.kind == TokenKind::Keyword {
            return Some(join(&[word.sym, self.file as u64]));
        }
        Some(word.sym)
    }
}
