//! Fills a structure: what all passes share, attributes, and the angle brackets of types.

use super::super::source::SourceFile;
use super::super::source::Sym;
use super::super::syntax::Syntax;
use super::whole::Marks;
use super::whole::NONE;
use super::whole::Structure;
use crate::lex::TokenKind;

/// Fills a structure, one pass per question.
pub(super) struct Scan<'a> {
    pub(super) syntax: &'a Syntax,
    pub(super) file: &'a SourceFile,
    pub(super) out: &'a mut Structure,
}

impl Scan<'_> {
    pub(super) fn is(&self, index: usize, text: &str) -> bool {
        self.file.tokens.get(index).is_some_and(|token| {
            token.kind == TokenKind::Operator && token.span.of(&self.file.text) == text.as_bytes()
        })
    }

    pub(super) fn kind(&self, index: usize) -> Option<TokenKind> {
        self.file.tokens.get(index).map(|token| token.kind)
    }

    pub(super) fn sym(&self, index: usize) -> Sym {
        self.file.syms.get(index).copied().unwrap_or(0)
    }

    pub(super) fn mate(&self, index: usize) -> Option<usize> {
        self.out.mate.get(index).filter(|mate| **mate != NONE).map(|mate| *mate as usize)
    }

    pub(super) fn mark(&mut self, range: std::ops::Range<usize>, marks: Marks) {
        self.out.marks[range].iter_mut().for_each(|mark| mark.set(marks));
    }

    /// `#[…]`, `#![…]`, `@Name`, `@Name(…)`.
    pub(super) fn mark_attributes(&mut self) {
        let Some(attribute) = self.syntax.attribute else { return };
        let mut index = 0;
        while index < self.file.tokens.len() {
            if self.sym(index) != attribute {
                index += 1;
                continue;
            }
            let mut end = index + 1;
            end += usize::from(self.is(end, "!"));
            if self.is(end, "[") {
                end = self.mate(end).map_or(end, |mate| mate + 1);
            } else if self.kind(end) == Some(TokenKind::Identifier) {
                end += 1;
                while self.is(end, ".") && self.kind(end + 1) == Some(TokenKind::Identifier) {
                    end += 2;
                }
                if self.is(end, "(") {
                    end = self.mate(end).map_or(end, |mate| mate + 1);
                }
            }
            let end = end.min(self.file.tokens.len());
            self.mark(index..end, Marks::ATTRIBUTE);
            index = end;
        }
    }

    pub(super) fn mark_angles(&mut self) {
        if !self.syntax.angles {
            return;
        }
        for index in 0..self.file.tokens.len() {
            if self.is(index, "<")
                && !self.out.marks[index].has(Marks::ANGLE)
                && self.may_open_angle(index)
                && let Some(marks) = self.close_angle(index)
            {
                let last = marks.last().copied().unwrap_or(index);
                self.mark(index + 1..last, Marks::ARGUMENT);
                marks.into_iter().for_each(|index| self.out.marks[index].set(Marks::ANGLE));
            }
        }
    }

    /// Nobody puts a space before the `<` of a type, and everybody before that of a comparison; only where
    /// parameters are introduced (`public <T> T f`) it stands apart.
    pub(super) fn may_open_angle(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return true };
        let apart = self.file.tokens[before].span.end != self.file.tokens[index].span.start;
        match self.file.tokens[before].kind {
            TokenKind::Identifier => !apart,
            TokenKind::Keyword => !self.syntax.values.contains(&self.sym(before)) || !apart,
            TokenKind::Operator => !self.is(before, ")") && !self.is(before, "]"),
            _ => false,
        }
    }

    pub(super) fn close_angle(&self, open: usize) -> Option<Vec<usize>> {
        const FURTHEST: usize = 120;
        let mut marks = vec![open];
        let mut depth = 1i32;
        let mut index = open + 1;
        while index < self.file.tokens.len() && index < open + FURTHEST {
            let text = self.file.token(index);
            match text {
                b"<" => {
                    depth += 1;
                    marks.push(index);
                }
                b">" | b">>" | b">>>" => {
                    depth -= text.len() as i32;
                    marks.push(index);
                    if depth <= 0 {
                        return (depth == 0).then_some(marks);
                    }
                }
                b"(" | b"[" => index = self.mate(index)?,
                b"{" if self.syntax.functions.is_empty() => return None,
                b"{" => index = self.mate(index)?,
                b"," | b"." | b"::" | b"?" | b"&" | b"*" | b"->" | b":" | b"+" | b"=" | b"@" | b"'" => {}
                _ if self.kind(index) == Some(TokenKind::Operator) => return None,
                _ => {}
            }
            index += 1;
        }
        None
    }

    pub(super) fn in_parentheses(&self, index: usize) -> bool {
        let open = self.out.open[index];
        open != NONE && (self.is(open as usize, "(") || self.is(open as usize, "["))
    }
}
