//! Where a preprocessor makes statements look like something else: macros that need no end mark, directives between a
//! condition and what it leads.

use crate::lex::TokenKind;

use super::walk::Walk;

impl Walk<'_> {
    /// Whether `else` begins what looks like a statement.
    pub(super) fn is_stray_branch(&self, at: usize) -> bool {
        !self.switch.close.is_empty() && self.view.syntax.is_otherwise(self.sym(at))
    }

    pub(super) fn has_directive(&self, from: usize, to: usize) -> bool {
        self.view.file.tokens[from..to.min(self.view.file.tokens.len())].iter().any(|token| token.directive)
    }

    pub(super) fn behind_directives(&self, at: usize, end: usize) -> usize {
        let code = (at..end).find(|&at| !self.view.file.tokens[at].directive);
        code.unwrap_or(end)
    }

    /// Whether a word ends the macro that stands before it as a statement without an end mark: `if (x) M(y) else …`,
    /// `do M(y) while (x);`.
    pub(super) fn ends_macro(&self, start: usize, at: usize) -> bool {
        let (word, syntax) = (self.sym(at), self.view.syntax);
        let last = syntax.tested_last.map(|[_, last]| last);
        let tested = self.tested_last == Some(start) && Some(word) == last;
        !self.switch.close.is_empty()
            && !self.switch.bare_heads
            && !syntax.soft
            && (tested || syntax.is_otherwise(word))
    }

    /// Whether `M(x)` is led without braces and whole without an end mark: what follows on another line stands no further
    /// right. What stands further right is led by it, as by a loop.
    pub(super) fn is_whole_call(&self, start: usize, at: usize) -> bool {
        let is_word = |kind| matches!(kind, Some(TokenKind::Identifier | TokenKind::Keyword));
        let leads = self.view.syntax.shares_names && start > 0 && self.is_led(start);
        leads
            && self.kind(start) == Some(TokenKind::Identifier)
            && self.mate(start + 1) == Some(at - 1)
            && is_word(self.kind(at))
            && self.column(at).is_some_and(|column| column <= self.margin(start))
    }

    /// Whether what begins there is led without braces.
    fn is_led(&self, start: usize) -> bool {
        let before = start - 1;
        let closes = self.is(before, ")").then(|| self.view.structure.mate[before] as usize);
        let leads = |at: usize| self.view.syntax.leads.contains(&self.sym(at));
        leads(before) || closes.is_some_and(|open| open > 0 && leads(open - 1))
    }

    /// How far right a token begins, if it is the first of its line.
    fn column(&self, at: usize) -> Option<usize> {
        let start = self.view.file.tokens[at].span.start as usize;
        let margin = self.margin(at);
        let line = memchr::memrchr(b'\n', &self.view.file.text[..start]).map_or(0, |end| end + 1);
        (start == line + margin).then_some(margin)
    }

    /// How far right the line of a token begins.
    fn margin(&self, at: usize) -> usize {
        let text = &self.view.file.text;
        let start = self.view.file.tokens[at].span.start as usize;
        let line = memchr::memrchr(b'\n', &text[..start]).map_or(0, |end| end + 1);
        text[line..start].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }
}
