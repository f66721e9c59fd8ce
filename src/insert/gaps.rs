//! White space of new code: as the target writes it between such tokens, and never so little that two tokens become
//! one.

use crate::lex::TokenKind;

use super::edit::Edit;
use super::facts::Word;
use super::facts::class;
use super::facts::gap_keys;
use super::facts::is_type;
use super::mutated::Mutated;
use super::render::Setter;
use super::structure::Marks;

/// What stands between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    Space,
    Line,
}

/// Where a space is put though the target has none there: the first that reads as it was meant is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    Nowhere,
    /// Between two tokens that would be read as something else if nothing stood between them.
    Needed,
    Everywhere,
}

impl<'a> Setter<'a> {
    /// Writes the gap before the token at `place`. `old` is what stood there; it stays where nothing was
    /// learned.
    pub(super) fn put_gap(
        &self,
        out: &mut Vec<u8>,
        mutated: Mutated,
        place: usize,
        old: &[u8],
        fresh: bool,
        extra: Extra,
    ) {
        let gap = match self.counted(mutated, place) {
            Some(gap) => gap,
            None if fresh => self.usual(mutated, place),
            None if old.is_empty() => Gap::None,
            None => return out.extend_from_slice(old),
        };
        match gap {
            Gap::None if self.is_spaced(mutated, place, extra) => out.push(b' '),
            Gap::None => {}
            Gap::Space if old.trim_ascii().is_empty() && !old.is_empty() && !has_line(old) => {
                out.extend_from_slice(old);
            }
            Gap::Space => out.push(b' '),
            Gap::Line => {
                out.extend_from_slice(self.line_end());
                out.extend_from_slice(self.indentation(mutated.start()));
            }
        }
    }

    /// Whether a space is put before a token where the target has none.
    fn is_spaced(&self, mutated: Mutated, place: usize, extra: Extra) -> bool {
        match extra {
            Extra::Nowhere => false,
            Extra::Everywhere => true,
            Extra::Needed => {
                let text =
                    |at: Option<usize>| at.and_then(|at| mutated.get(at)).map_or(&b""[..], |word| word.text);
                let pair = [text(place.checked_sub(1)), text(Some(place))];
                !self.reads_as(&pair.concat(), pair.into_iter())
            }
        }
    }

    /// The white space that the line of a token begins with.
    fn indentation(&self, index: usize) -> &'a [u8] {
        let file = self.view.file;
        let at = file.tokens.get(index).map_or(file.text.len(), |token| token.span.start as usize);
        let line = memchr::memrchr(b'\n', &file.text[..at]).map_or(0, |newline| newline + 1);
        let rest = &file.text[line..];
        let width = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        &rest[..width]
    }

    pub(super) fn learned(&self, mutated: Mutated, place: usize) -> Gap {
        self.counted(mutated, place).unwrap_or_else(|| self.usual(mutated, place))
    }

    /// What the target mostly has there.
    fn counted(&self, mutated: Mutated, place: usize) -> Option<Gap> {
        let class = |at: Option<usize>| at.and_then(|at| mutated.get(at)).map_or(0, |word| self.class(word));
        let before = class(place.checked_sub(2));
        let (left, right) = (class(place.checked_sub(1)), class(Some(place)));
        let operator = |at: Option<usize>| {
            at.and_then(|at| mutated.get(at)).is_some_and(|word| word.kind == TokenKind::Operator)
        };
        let [three, two, after_left, before_right] = gap_keys(before, left, right);
        let exact = [three, two].into_iter();
        // An operator has its own habits; a word's gap depends on what it stands next to.
        let one = operator(place.checked_sub(1)).then_some(after_left);
        let other = operator(Some(place)).then_some(before_right);
        let counts = exact.chain(one).chain(other).find_map(|key| self.facts.gaps.get(&key))?;
        let [none, space, line] = *counts;
        let ends = mutated.get(place.checked_sub(1)?).is_some_and(|word| {
            matches!(word.text, b";" | b"{" | b"}" | b":") || word.kind == TokenKind::LineEnd
        });
        Some(if line > none + space && ends {
            Gap::Line
        } else if space + line > none {
            Gap::Space
        } else {
            Gap::None
        })
    }

    fn class(&self, word: Word) -> u64 {
        let name = self.facts.names.get(&word.sym).copied().unwrap_or_default();
        class(word, word.kind == TokenKind::Identifier && is_type(name))
    }

    /// What most people would write, where the target does not say.
    fn usual(&self, mutated: Mutated, place: usize) -> Gap {
        let (Some(left), Some(right)) =
            (place.checked_sub(1).and_then(|at| mutated.get(at)), mutated.get(place))
        else {
            return Gap::None;
        };
        if right.kind.is_layout() || left.kind.is_layout() {
            return Gap::None;
        }
        let syntax = self.view.syntax;
        let tight = |word: &Word| {
            matches!(word.text, b"." | b"->" | b"::" | b"!" | b"~") || word.marks.has(Marks::ANGLE)
        };
        let closes = matches!(right.text, b")" | b"]" | b";" | b"," | b"++" | b"--" | b"?");
        let opens = matches!(left.text, b"(" | b"[");
        let binary = |word: &Word| {
            word.kind == TokenKind::Operator && syntax.binary.contains(&word.sym) && !tight(word)
        };
        if closes || opens || tight(&left) || (tight(&right) && right.text != b"!") {
            return Gap::None;
        }
        let word_like = |word: &Word| word.kind != TokenKind::Operator;
        if left.text == b"," || left.text == b";" || right.text == b"{" || binary(&right) {
            return Gap::Space;
        }
        let operand_before = place.checked_sub(2).and_then(|at| mutated.get(at)).is_some_and(|word| {
            word_like(&word) && word.kind != TokenKind::Keyword || matches!(word.text, b")" | b"]")
        });
        if binary(&left) {
            return if operand_before || !syntax.prefix.contains(&left.sym) { Gap::Space } else { Gap::None };
        }
        let after_keyword = left.kind == TokenKind::Keyword && !syntax.values.contains(&left.sym);
        if (word_like(&left) && word_like(&right)) || (after_keyword && right.text != b"(") {
            Gap::Space
        } else {
            Gap::None
        }
    }

    /// What stays between the tokens on either side of what went.
    pub(super) fn closed_gap(&self, edit: &Edit, before: &[u8], after: &[u8], extra: Extra) -> Vec<u8> {
        match (has_line(before), has_line(after)) {
            (true, true) => {
                let kept = memchr::memrchr(b'\n', before).unwrap_or(0);
                let kept = kept - usize::from(kept > 0 && before[kept - 1] == b'\r');
                [&before[..kept], after].concat()
            }
            (false, true) => {
                // A comment behind what went stays; blanks before it are enough.
                if before.trim_ascii().is_empty() { after.to_vec() } else { [before, after].concat() }
            }
            (true, false) => [before, after.trim_ascii()].concat(),
            (false, false) => {
                if !before.trim_ascii().is_empty() || !after.trim_ascii().is_empty() {
                    return [before, after].concat();
                }
                let mut out = Vec::new();
                let old = if before.len() < after.len() { before } else { after };
                self.put_gap(&mut out, self.mutated(edit), edit.from as usize, old, false, extra);
                out
            }
        }
    }
}

/// Whether a line ends in a gap.
pub(super) fn has_line(gap: &[u8]) -> bool {
    memchr::memchr(b'\n', gap).is_some()
}
