//! From an edit of tokens to an edit of text that reads as if a person had made it.
//!
//! What was there keeps the white space it had. What is new is set as the target sets it: how often no
//! space, a space or a line end stands between two such tokens was counted while learning.

use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;

use super::edit::Edit;
use super::edit::Literals;
use super::edit::New;
use super::edit::Origin;
use super::edit::new_text;
use super::facts::Facts;
use super::facts::Word;
use super::facts::class;
use super::facts::gap_keys;
use super::facts::is_type;
use super::index::View;
use super::mutated::Mutated;
use super::structure::Marks;
use super::units::Piece;

/// Bytes `start..end` of a file give way to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    pub start: usize,
    pub end: usize,
    pub text: Vec<u8>,
}

impl TextEdit {
    /// The text with the edit made.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        apply_all(text, std::slice::from_ref(self))
    }
}

/// The text with edits made, which are in order and do not touch each other.
pub fn apply_all(text: &[u8], edits: &[TextEdit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&text[at..edit.start]);
        out.extend_from_slice(&edit.text);
        at = edit.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// Everything that setting needs.
#[derive(Clone, Copy)]
pub struct Setter<'a> {
    pub def: &'a LangDef,
    pub facts: &'a Facts,
    pub view: View<'a>,
    pub literals: &'a Literals,
    pub kinds: &'a [TokenKind],
}

/// What stands between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    None,
    Space,
    Line,
}

impl<'a> Setter<'a> {
    /// The text that an edit makes.
    pub fn set(&self, edit: &Edit) -> TextEdit {
        let text = &self.view.file.text;
        let start = self.left_end(edit);
        let end = self.right_start(edit);
        let mut out = self.lay(edit, false);
        if !self.reads_back(edit, &out) {
            out = self.lay(edit, true);
        }
        // Shrink to what differs, so that the edit touches no white space it does not change. A token that
        // changes is replaced as a whole.
        let old = &text[start..end];
        let (leading, trailing) = self.gaps(edit, &out);
        let head = old.iter().zip(&out).take(leading).take_while(|(a, b)| a == b).count();
        let most = (old.len().min(out.len()) - head).min(trailing);
        let tail = old.iter().rev().zip(out.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        TextEdit { start: start + head, end: end - tail, text: out[head..out.len() - tail].to_vec() }
    }

    /// How many bytes stand before the first token, and behind the last, both in the file and in what the edit
    /// makes.
    fn gaps(&self, edit: &Edit, out: &[u8]) -> (usize, usize) {
        let (mut leading, mut trailing) = (usize::MAX, usize::MAX);
        if edit.from < edit.to {
            leading = self.old_gap(edit.from as usize).len();
            trailing = self.old_gap(edit.to as usize).len();
        }
        let code = code_of(self.def, out);
        if !code.is_empty() {
            (leading, trailing) = (leading.min(code.start), trailing.min(out.len() - code.end));
        }
        (leading, trailing)
    }

    /// The tokens of a piece that the edit is in, as the edit makes them: no white space around them.
    pub fn within(&self, edit: &Edit, piece: Piece) -> Vec<u8> {
        let file = self.view.file;
        let mut laid = self.lay(edit, false);
        if !self.reads_back(edit, &laid) {
            laid = self.lay(edit, true);
        }
        let code = code_of(self.def, &laid);
        let mut out = Vec::new();
        if edit.from > piece.start {
            out.extend_from_slice(
                &file.text[file.tokens[piece.start as usize].span.start as usize..self.left_end(edit)],
            );
        }
        let from = if edit.from > piece.start { 0 } else { code.start };
        let to = if edit.to < piece.end { laid.len() } else { code.end };
        out.extend_from_slice(&laid[from..to.max(from)]);
        if edit.to < piece.end {
            out.extend_from_slice(
                &file.text[self.right_start(edit)..file.tokens[piece.end as usize - 1].span.end as usize],
            );
        }
        out
    }

    fn left_end(&self, edit: &Edit) -> usize {
        edit.from.checked_sub(1).map_or(0, |left| self.view.file.tokens[left as usize].span.end as usize)
    }

    fn right_start(&self, edit: &Edit) -> usize {
        let file = self.view.file;
        file.tokens.get(edit.to as usize).map_or(file.text.len(), |right| right.span.start as usize)
    }

    /// The white space and comments between two neighbouring tokens of the file, by the right one's place.
    fn old_gap(&self, right: usize) -> &'a [u8] {
        let file = self.view.file;
        let start = right.checked_sub(1).map_or(0, |left| file.tokens[left].span.end as usize);
        let end = file.tokens.get(right).map_or(file.text.len(), |token| token.span.start as usize);
        &file.text[start..end]
    }

    fn lay(&self, edit: &Edit, wide: bool) -> Vec<u8> {
        let (from, to) = (edit.from as usize, edit.to as usize);
        let before = self.old_gap(from);
        let after = self.old_gap(to);
        if edit.new.is_empty() {
            return self.closed_gap(edit, before, after, wide);
        }
        let mutated = self.mutated(edit);
        let mut out = Vec::new();
        let inserted = from == to;
        let left_is_line = has_line(before) && !(inserted && self.learned(mutated, from) != Gap::Line);
        if left_is_line || (!inserted && !before.trim_ascii().is_empty()) {
            out.extend_from_slice(before);
        } else {
            self.put_gap(&mut out, mutated, from, before, inserted, wide);
        }
        for (place, new) in edit.new.iter().enumerate() {
            if place > 0 {
                match (edit.new[place - 1].origin(), new.origin()) {
                    (Origin::Old(left), Origin::Old(right)) if left + 1 == right => {
                        out.extend_from_slice(self.old_gap(right));
                    }
                    _ => self.put_gap(&mut out, mutated, from + place, b"", true, wide),
                }
            }
            self.put_token(&mut out, *new);
        }
        let keeps = (has_line(after) || !after.trim_ascii().is_empty()) && !(inserted && left_is_line);
        if keeps {
            out.extend_from_slice(after);
        } else {
            self.put_gap(&mut out, mutated, mutated.end(), after, inserted, wide);
        }
        out
    }

    fn mutated<'e>(&'e self, edit: &'e Edit) -> Mutated<'e> {
        Mutated { view: self.view, edit, literals: self.literals, kinds: self.kinds }
    }

    fn put_token(&self, out: &mut Vec<u8>, new: New) {
        match new.origin() {
            Origin::Literal(literal) if self.kinds[literal] == TokenKind::LineEnd => {
                out.extend_from_slice(self.line_end());
            }
            _ => out.extend_from_slice(new_text(self.view.file, self.literals, new)),
        }
    }

    fn line_end(&self) -> &'static [u8] {
        let text = &self.view.file.text;
        match memchr::memchr(b'\n', text) {
            Some(at) if at > 0 && text[at - 1] == b'\r' => b"\r\n",
            _ => b"\n",
        }
    }

    /// Writes the gap before the token at `place`. `old` is what stood there; it stays where nothing was
    /// learned.
    fn put_gap(
        &self,
        out: &mut Vec<u8>,
        mutated: Mutated,
        place: usize,
        old: &[u8],
        fresh: bool,
        wide: bool,
    ) {
        let gap = match self.counted(mutated, place) {
            Some(gap) => gap,
            None if fresh => self.usual(mutated, place),
            None => return out.extend_from_slice(old),
        };
        match gap {
            Gap::None if wide => out.push(b' '),
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

    /// The white space that the line of a token begins with.
    fn indentation(&self, index: usize) -> &'a [u8] {
        let file = self.view.file;
        let at = file.tokens.get(index).map_or(file.text.len(), |token| token.span.start as usize);
        let line = memchr::memrchr(b'\n', &file.text[..at]).map_or(0, |newline| newline + 1);
        let rest = &file.text[line..];
        let width = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        &rest[..width]
    }

    fn learned(&self, mutated: Mutated, place: usize) -> Gap {
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
    fn closed_gap(&self, edit: &Edit, before: &[u8], after: &[u8], wide: bool) -> Vec<u8> {
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
                self.put_gap(&mut out, self.mutated(edit), edit.from as usize, old, false, wide);
                out
            }
        }
    }

    /// Whether the text lexes to the tokens that were meant.
    fn reads_back(&self, edit: &Edit, out: &[u8]) -> bool {
        let file = self.view.file;
        let left = edit.from.checked_sub(1).map_or(&b""[..], |left| file.token(left as usize));
        let right = if (edit.to as usize) < file.tokens.len() { file.token(edit.to as usize) } else { b"" };
        let whole = [left, out, right].concat();
        let meant = std::iter::once(left)
            .chain(edit.new.iter().map(|new| new_text(file, self.literals, *new)))
            .chain([right])
            .filter(|text| !text.trim_ascii().is_empty());
        let read = Lexer::new(self.def, &whole, Start::Code)
            .filter(|token| !token.kind.is_trivia() && !token.kind.is_layout())
            .map(|token| token.span.of(&whole))
            .filter(|text| !text.trim_ascii().is_empty());
        meant.eq(read)
    }
}

/// Where the code of a text begins and ends: what is around it is white space and comments.
fn code_of(def: &LangDef, text: &[u8]) -> std::ops::Range<usize> {
    let code = Lexer::new(def, text, Start::Code)
        .filter(|token| !token.kind.is_trivia() && !token.kind.is_layout())
        .map(|token| token.span.range());
    code.reduce(|first, last| first.start..last.end).unwrap_or(0..0)
}

fn has_line(gap: &[u8]) -> bool {
    memchr::memchr(b'\n', gap).is_some()
}
