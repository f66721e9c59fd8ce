//! Rules about token sequences and about code that is never changed.

use super::super::facts::GRAM;
use super::super::facts::Word;
use super::super::facts::bracket;
use super::super::facts::class;
use super::super::facts::is_type;
use super::super::facts::join;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::judge::Judge;
use crate::lex::TokenKind;

impl<'a> Judge<'a> {
    pub(super) fn touches(&self, marks: Marks) -> bool {
        let edit = self.mutated.edit;
        let all = &self.mutated.view.structure.marks;
        let (from, to) = (edit.from as usize, edit.to as usize);
        if from == to {
            // An insertion is inside of what stands on both sides of it.
            let left = from.checked_sub(1).is_some_and(|left| all[left].has(marks));
            let right = all.get(from).is_some_and(|mark| mark.has(marks));
            let ends = self.mutated.end().checked_sub(1).and_then(|last| self.mutated.get(last));
            let apart = ends.is_some_and(|word_| {
                self.mutated.view.syntax.ends.contains(&word_.sym) || matches!(word_.text, b"{" | b"}")
            });
            return right && (left || !apart);
        }
        all[from..to].iter().any(|mark| mark.has(marks))
    }

    pub(super) fn is_outside(&self) -> bool {
        let edit = self.mutated.edit;
        let marks = &self.mutated.view.structure.marks;
        let last = (edit.to as usize).max(edit.from as usize + 1).min(marks.len());
        let all = &marks[(edit.from as usize).min(last)..last];
        self.function() == 0 && !all.iter().all(|mark| mark.has(Marks::INITIALISER))
    }

    /// Whether a declaration goes, whole or in part: what uses it does not compile, or nothing uses it.
    pub(super) fn takes_declaration(&self) -> bool {
        let edit = self.mutated.edit;
        if !edit.new.is_empty() {
            return false;
        }
        let structure = &self.mutated.view.structure;
        let last = (edit.to as usize).saturating_sub(1);
        let goes = structure.function_of(last).is_some_and(|function| {
            let close = structure.mate[function.body as usize];
            function.name != NONE && function.head >= edit.from && close as usize == last
        });
        goes || self.is_outside()
    }

    pub(super) fn class(&self, word: Word) -> u64 {
        let known = word.kind == TokenKind::Identifier && is_type(self.name(word));
        class(word, known)
    }

    /// Whether an operator gives way to another of its kind: where one stands, the others may, too.
    fn swaps_operators(&self) -> bool {
        const KINDS: [&[&[u8]]; 5] = [
            &[b"<", b"<=", b">", b">=", b"==", b"!="],
            &[b"&&", b"||"],
            &[b"+", b"-", b"*", b"/", b"%"],
            &[b"+=", b"-=", b"*=", b"/=", b"%="],
            &[b"++", b"--"],
        ];
        let edit = self.mutated.edit;
        if edit.to != edit.from + 1 || edit.new.len() != 1 {
            return false;
        }
        let view = self.mutated.view;
        let old = view.file.token(edit.from as usize);
        let plain = !view.structure.marks[edit.from as usize].has(Marks::ANGLE);
        let new = self.mutated.get(self.mutated.start()).map_or(&b""[..], |word| word.text);
        plain && KINDS.iter().any(|kind| kind.contains(&old) && kind.contains(&new))
    }

    pub(super) fn breaks_rows(&self) -> bool {
        if self.swaps_operators() {
            return false;
        }
        let (start, end) = (self.mutated.start(), self.mutated.end());
        let first = start.saturating_sub(GRAM - 1);
        let last = end.max(start + 1) - 1;
        let mut classes: smallvec::SmallVec<[u64; 24]> = smallvec::SmallVec::new();
        for at in first..last + GRAM {
            match self.mutated.get(at) {
                Some(word) => classes.push(self.class(word)),
                None => break,
            }
        }
        let inside = bracket(self.mutated.view, start);
        let view = self.mutated.view;
        classes.windows(GRAM).enumerate().any(|(place, row)| {
            // A token that stays is in the bracket that it was in; what is new, in the one around the edit.
            let here = self.mutated.old(first + place).map_or(inside, |old| bracket(view, old));
            !self.facts.grams.contains(&(join(row) ^ here))
        })
    }
}
