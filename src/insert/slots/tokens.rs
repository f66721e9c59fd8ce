//! The tokens of a file, as the families ask for them.

use std::ops::Range;

use crate::lex::TokenKind;

use super::super::index::View;
use super::super::render::TextEdit;
use super::super::source::Sym;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::super::units::Piece;

/// A file's tokens.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    pub view: View<'a>,
}

impl<'a> Tokens<'a> {
    /// The text of a token; nothing behind the last.
    pub fn text(&self, at: usize) -> &'a [u8] {
        if at < self.view.file.tokens.len() { self.view.file.token(at) } else { b"" }
    }

    /// Whether a token is this operator or word.
    pub fn is(&self, at: usize, text: &str) -> bool {
        self.text(at) == text.as_bytes()
    }

    pub fn kind(&self, at: usize) -> Option<TokenKind> {
        self.view.file.tokens.get(at).map(|token| token.kind)
    }

    pub fn sym(&self, at: usize) -> Sym {
        self.view.file.syms.get(at).copied().unwrap_or(0)
    }

    pub fn has(&self, at: usize, marks: Marks) -> bool {
        self.view.structure.marks.get(at).is_some_and(|found| found.has(marks))
    }

    /// The bracket that closes the one at `at`.
    pub fn close(&self, at: usize) -> Option<usize> {
        let mate = *self.view.structure.mate.get(at)?;
        (mate != NONE && mate as usize > at).then_some(mate as usize)
    }

    /// The innermost bracket that is open at a token.
    pub fn open(&self, at: usize) -> u32 {
        self.view.structure.open.get(at).copied().unwrap_or(NONE)
    }

    /// The bracket of the innermost block that a token is in.
    pub fn block(&self, at: usize) -> u32 {
        let mut open = self.open(at);
        while open != NONE
            && !self.is(open as usize, "{")
            && self.kind(open as usize) != Some(TokenKind::Indent)
        {
            open = self.open(open as usize);
        }
        open
    }

    /// Whether a block is the one that a token is in, or one around it.
    pub fn is_inside(&self, at: usize, block: u32) -> bool {
        let mut here = self.block(at);
        while here != block && here != NONE {
            here = self.block(here as usize);
        }
        here == block
    }

    /// The bytes of some tokens.
    pub fn bytes(&self, piece: Piece) -> Range<usize> {
        let tokens = &self.view.file.tokens;
        tokens[piece.start as usize].span.start as usize..tokens[piece.end as usize - 1].span.end as usize
    }

    /// The text of some tokens, as it stands in the file.
    pub fn written(&self, piece: Piece) -> &'a [u8] {
        &self.view.file.text[self.bytes(piece)]
    }

    /// Whether an operator stands between two values.
    pub fn is_binary(&self, at: usize) -> bool {
        if at == 0 || self.has(at, Marks::ANGLE.with(Marks::ARGUMENT)) {
            return false;
        }
        match self.kind(at - 1) {
            Some(TokenKind::Identifier | TokenKind::Number | TokenKind::String | TokenKind::Char) => true,
            Some(TokenKind::Keyword) => self.view.syntax.values.contains(&self.sym(at - 1)),
            Some(TokenKind::Operator) => matches!(self.text(at - 1), b")" | b"]" | b"++" | b"--"),
            _ => false,
        }
    }

    /// An edit that puts a text in the place of some tokens.
    pub fn put(&self, piece: Piece, text: impl Into<Vec<u8>>) -> TextEdit {
        let bytes = self.bytes(piece);
        TextEdit { start: bytes.start, end: bytes.end, text: text.into() }
    }

    /// Some tokens as an edit inside of them makes them.
    pub fn edited(&self, whole: Piece, edits: &[TextEdit]) -> Vec<u8> {
        let bytes = self.bytes(whole);
        let (mut out, mut at) = (Vec::new(), bytes.start);
        for edit in edits {
            out.extend_from_slice(&self.view.file.text[at..edit.start]);
            out.extend_from_slice(&edit.text);
            at = edit.end;
        }
        out.extend_from_slice(&self.view.file.text[at..bytes.end]);
        out
    }

    /// The white space before the first token of the line of a token.
    pub fn indent(&self, at: usize) -> String {
        let text = &self.view.file.text;
        let start = self.view.file.tokens[at].span.start as usize;
        let line = memchr::memrchr(b'\n', &text[..start]).map_or(0, |newline| newline + 1);
        let white = text[line..start].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        String::from_utf8_lossy(&text[line..line + white]).into_owned()
    }
}
