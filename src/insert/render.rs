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
use super::gaps::Extra;
use super::gaps::Gap;
use super::gaps::has_line;
use super::index::View;
use super::mutated::Mutated;
use super::units::Piece;

/// How many tokens before an edit, a number as the first of them, may be read differently with it behind them.
const BEFORE: u32 = 2;
/// How many tokens behind an edit, a number as the first of them, may be read differently with it before them.
const BEHIND: u32 = 3;

/// Replaces bytes `start..end` of a file.
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

impl<'a> Setter<'a> {
    /// The text that an edit makes.
    pub fn set(&self, edit: &Edit) -> TextEdit {
        let text = &self.view.file.text;
        let edit = &self.widened(edit, Piece { start: 0, end: self.view.file.tokens.len() as u32 });
        let start = self.left_end(edit);
        let end = self.right_start(edit);
        let out = self.laid(edit);
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
        let edit = &self.widened(edit, piece);
        let laid = self.laid(edit);
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

    /// The edit with the tokens around it that are read differently beside it. Numbers are: in `pair.0.1` there
    /// are two, but without `pair.` one; in `1.max(2)` there is a dot behind one, but in `1.0(2)` it is part of
    /// it. The edit stays inside of `bounds`.
    fn widened(&self, edit: &Edit, bounds: Piece) -> Edit {
        let mut wide = edit.clone();
        let before = edit.from.saturating_sub(BEFORE).max(bounds.start)..edit.from;
        if self.is_touched_number(&before) {
            wide.from = before.start;
            wide.new.insert_many(0, before.map(New::old));
        }
        let behind = edit.to..bounds.end.min(edit.to + BEHIND);
        if self.is_touched_number(&behind) {
            wide.to = behind.end;
            wide.new.extend(behind.map(New::old));
        }
        let text = &self.view.file.text;
        let (left, right) =
            (self.left_end(&wide)..self.left_end(edit), self.right_start(edit)..self.right_start(&wide));
        let unchanged = wide.from == edit.from && wide.to == edit.to;
        let reads = || self.reads_back(&wide, &[&text[left], &self.laid(edit), &text[right]].concat());
        if unchanged || reads() { edit.clone() } else { wide }
    }

    /// Whether tokens of the file begin with a number that the second touches.
    fn is_touched_number(&self, tokens: &std::ops::Range<u32>) -> bool {
        let first = tokens.start as usize;
        let number = || self.view.file.tokens[first].kind == TokenKind::Number;
        tokens.len() > 1 && number() && self.old_gap(first + 1).is_empty()
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

    /// The text from the token before the edit to the one behind it, with as few extra spaces as needed to read
    /// as it was meant.
    fn laid(&self, edit: &Edit) -> Vec<u8> {
        let few = [Extra::Nowhere, Extra::Needed].map(|extra| move || self.lay(edit, extra));
        let read_back = few.into_iter().map(|lay| lay()).find(|out| self.reads_back(edit, out));
        read_back.unwrap_or_else(|| self.lay(edit, Extra::Everywhere))
    }

    fn lay(&self, edit: &Edit, extra: Extra) -> Vec<u8> {
        let (from, to) = (edit.from as usize, edit.to as usize);
        let before = self.old_gap(from);
        let after = self.old_gap(to);
        if edit.new.is_empty() {
            return self.closed_gap(edit, before, after, extra);
        }
        let mutated = self.mutated(edit);
        let mut out = Vec::new();
        let inserted = from == to;
        let left_is_line = has_line(before) && !(inserted && self.learned(mutated, from) != Gap::Line);
        if left_is_line || (!inserted && !before.trim_ascii().is_empty()) {
            out.extend_from_slice(before);
        } else {
            self.put_gap(&mut out, mutated, from, before, inserted, extra);
        }
        for (place, new) in edit.new.iter().enumerate() {
            if place > 0 {
                match (edit.new[place - 1].origin(), new.origin()) {
                    (Origin::Old(left), Origin::Old(right))
                        if left + 1 == right
                            && (extra != Extra::Everywhere || !self.old_gap(right).is_empty()) =>
                    {
                        out.extend_from_slice(self.old_gap(right));
                    }
                    _ => self.put_gap(&mut out, mutated, from + place, b"", true, extra),
                }
            }
            self.put_token(&mut out, *new);
        }
        let keeps = (has_line(after) || !after.trim_ascii().is_empty()) && !(inserted && left_is_line);
        if keeps {
            out.extend_from_slice(after);
        } else {
            self.put_gap(&mut out, mutated, mutated.end(), after, inserted, extra);
        }
        out
    }

    pub(super) fn mutated<'e>(&'e self, edit: &'e Edit) -> Mutated<'e> {
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

    pub(super) fn line_end(&self) -> &'static [u8] {
        let text = &self.view.file.text;
        match memchr::memchr(b'\n', text) {
            Some(at) if at > 0 && text[at - 1] == b'\r' => b"\r\n",
            _ => b"\n",
        }
    }

    /// Whether the text lexes to the tokens that were meant.
    fn reads_back(&self, edit: &Edit, out: &[u8]) -> bool {
        let file = self.view.file;
        let left = edit.from.checked_sub(1).map_or(&b""[..], |left| file.token(left as usize));
        // Ends of indentation have no text: what stands behind them is what the edit may touch.
        let behind =
            (edit.to as usize..file.tokens.len()).find(|at| !file.token(*at).trim_ascii().is_empty());
        let right = behind.map_or(&b""[..], |at| file.token(at));
        let end = behind.map_or(file.text.len(), |at| file.tokens[at].span.end as usize);
        let whole = [left, out, &file.text[self.right_start(edit)..end]].concat();
        let new = edit.new.iter().map(|new| new_text(file, self.literals, *new));
        self.reads_as(&whole, std::iter::once(left).chain(new).chain([right]))
    }

    /// Whether a text lexes to these tokens; layout does not count.
    pub(super) fn reads_as<'t>(&self, text: &[u8], meant: impl Iterator<Item = &'t [u8]>) -> bool {
        let meant = meant.filter(|text| !text.trim_ascii().is_empty());
        let read = Lexer::new(self.def, text, Start::Code)
            .filter(|token| !token.kind.is_trivia() && !token.kind.is_layout())
            .map(|token| token.span.of(text))
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
