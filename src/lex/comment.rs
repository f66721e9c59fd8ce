//! Where a comment ends.

use memchr::memchr;
use memchr::memmem;

use crate::langdef::Comment;

use super::Lexer;

/// The end of a comment, and whether the text ended first.
pub(super) struct CommentEnd {
    pub end: usize,
    pub broken: bool,
}

impl Lexer<'_> {
    /// The comment of rule `index` that begins here; none if a long bracket turns out not to be one.
    pub(super) fn comment(&self, index: u8) -> Option<CommentEnd> {
        let rule = &self.tables().comments[index as usize];
        let body = self.position + rule.open.len();
        if rule.leveled {
            return self.leveled_comment(body);
        }
        Some(match &rule.close {
            None => CommentEnd { end: self.line_comment_end(rule, body), broken: false },
            Some(close) if rule.nested => self.nested_end(&rule.open, close, body),
            Some(close) => match memmem::find(&self.text[body..], close) {
                Some(at) => CommentEnd { end: body + at + close.len(), broken: false },
                None => CommentEnd { end: self.text.len(), broken: true },
            },
        })
    }

    fn line_comment_end(&self, rule: &Comment, body: usize) -> usize {
        let Some(stop) = &rule.stops_before else { return self.line_end_after(body) };
        // Not the line's end first: a long line of many such comments would be read as many times.
        let mut at = body;
        while let Some(found) = memchr::memchr2(b'\n', stop[0], &self.text[at..]) {
            at += found;
            if self.text[at] == b'\n' {
                return self.line_end_after(at.saturating_sub(1).max(body));
            } else if self.rest_starts_with(at, stop) {
                return at;
            }
            at += 1;
        }
        self.text.len()
    }

    /// The line's end, its `\r` left out; a backslash before it goes on where the language joins lines.
    pub(super) fn line_end_after(&self, body: usize) -> usize {
        let mut from = body;
        loop {
            let Some(newline) = memchr(b'\n', &self.text[from..]).map(|at| from + at) else {
                return self.text.len();
            };
            let last = if newline > body && self.text[newline - 1] == b'\r' { newline - 1 } else { newline };
            if !(self.joins_lines() && last > body && self.text[last - 1] == b'\\') {
                return last;
            }
            from = newline + 1;
        }
    }

    /// In C a backslash joins lines before comments are looked for; in Python it does not.
    fn joins_lines(&self) -> bool {
        self.def.file.line_splice && self.def.file.preprocessor.is_some()
    }

    fn nested_end(&self, open: &[u8], close: &[u8], body: usize) -> CommentEnd {
        let mut depth = 1usize;
        let mut at = body;
        while let Some(found) = memchr::memchr2(open[0], close[0], &self.text[at..]) {
            at += found;
            if self.rest_starts_with(at, close) {
                at += close.len();
                depth -= 1;
                if depth == 0 {
                    return CommentEnd { end: at, broken: false };
                }
            } else if self.rest_starts_with(at, open) {
                at += open.len();
                depth += 1;
            } else {
                at += 1;
            }
        }
        CommentEnd { end: self.text.len(), broken: true }
    }

    fn leveled_comment(&self, body: usize) -> Option<CommentEnd> {
        let (open, close) = self.long_bracket(body)?;
        Some(match memmem::find(&self.text[open..], &close) {
            Some(at) => CommentEnd { end: open + at + close.len(), broken: false },
            None => CommentEnd { end: self.text.len(), broken: true },
        })
    }

    /// `[==[` at `at`: where its content begins, and the text that closes it.
    pub(super) fn long_bracket(&self, at: usize) -> Option<(usize, Vec<u8>)> {
        if self.byte(at) != Some(b'[') {
            return None;
        }
        let level = self.text[at + 1..].iter().take_while(|&&byte| byte == b'=').count();
        if self.byte(at + 1 + level) != Some(b'[') {
            return None;
        }
        let mut close = vec![b'='; level + 2];
        close[0] = b']';
        close[level + 1] = b']';
        Some((at + level + 2, close))
    }
}
