//! Lines that a preprocessor reads: from the marker to the line's end.

use super::Lexer;
use super::Token;
use super::TokenKind;

/// How far into a preprocessor line the lexer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    No,
    /// After the marker: the next word is looked up among the directives.
    Named,
    /// After `include`: `<…>` is a name.
    Header,
    /// After `error`: the rest is prose.
    Text,
    Rest,
}

impl Lexer<'_> {
    pub(super) fn in_directive(&self) -> bool {
        self.directive != Directive::No
    }

    pub(super) fn end_directive(&mut self) {
        self.directive = Directive::No;
    }

    pub(super) fn marker(&mut self, end: usize) -> Token {
        if self.line_begins && self.directive == Directive::No {
            self.directive = Directive::Named;
        }
        self.take(end, TokenKind::Operator)
    }

    /// The first word after the marker says what the rest of the line is; whether it is a directive.
    pub(super) fn names_directive(&mut self, word: &[u8]) -> bool {
        if self.directive != Directive::Named {
            return false;
        }
        let rules = &self.def.tables.preprocessor;
        self.directive = if rules.headers.contains(word) {
            Directive::Header
        } else if rules.texts.contains(word) {
            Directive::Text
        } else {
            Directive::Rest
        };
        rules.directives.contains(word)
    }

    /// A directive's name or header is its first token or none: what else came makes it a plain line.
    pub(super) fn pass_directive(&mut self, before: Directive) {
        if self.directive == before && matches!(before, Directive::Named | Directive::Header) {
            self.directive = Directive::Rest;
        }
    }

    /// `<stdio.h>` after `include`.
    pub(super) fn header(&mut self, after_open: usize) -> Option<Token> {
        if self.directive != Directive::Header || self.byte(self.position) != Some(b'<') {
            return None;
        }
        let close = memchr::memchr2(b'>', b'\n', &self.text[after_open..])? + after_open;
        (self.text[close] == b'>').then(|| self.take(close + 1, TokenKind::String))
    }
}
