//! White space: where a line end means something, and what indentation says.

use crate::langdef::LexClass;
use crate::langdef::RuleKind;
use crate::text::Span;

use super::Lexer;
use super::Token;
use super::TokenKind;

/// What a file of UTF-8 may begin with.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Indentation of an indented language: the open levels, and what is still to be handed out.
#[derive(Default)]
pub(super) struct Indentation {
    levels: Vec<u32>,
    brackets: u32,
    /// Empty tokens due before the next one: positive are indents, negative dedents.
    due: i32,
    /// The line has code; its end is a token.
    line_has_code: bool,
}

impl Indentation {
    /// A token of code or a line end was handed out.
    pub fn note(&mut self, kind: TokenKind) {
        self.line_has_code = kind != TokenKind::LineEnd;
    }

    pub fn open(&mut self) {
        self.brackets += 1;
    }

    pub fn close(&mut self) {
        self.brackets = self.brackets.saturating_sub(1);
    }

    /// Compares the columns of the line that begins with the open levels.
    fn measure(&mut self, columns: u32) {
        self.line_has_code = true;
        match self.levels.last() {
            // The first line sets the level: 0 in a file, anything in a fragment.
            None => self.levels.push(columns),
            Some(&level) if columns > level => {
                self.levels.push(columns);
                self.due = 1;
            }
            Some(_) => {
                while self.levels.len() > 1 && self.levels.last().is_some_and(|&level| level > columns) {
                    self.levels.pop();
                    self.due -= 1;
                }
            }
        }
    }
}

impl Lexer<'_> {
    /// White space up to the next token or to a line end that counts, or that line end itself.
    pub(super) fn space(&mut self) -> Token {
        let mut end = self.position;
        while let Some(byte) =
            self.byte(end).filter(|&b| self.tables().classes[b as usize] == LexClass::Space)
        {
            if byte == b'\n' {
                if self.line_end_counts() {
                    return self.line_end(end);
                }
                self.line_begins = true;
                self.end_operand();
                if !self.texts_due.is_empty() {
                    end += 1;
                    break;
                }
            }
            end += 1;
        }
        self.take(end, TokenKind::Space)
    }

    fn line_end_counts(&self) -> bool {
        self.in_directive()
            || self.layout.as_ref().is_some_and(|layout| layout.line_has_code && layout.brackets == 0)
    }

    /// The white space before a line end that counts, or that line end itself.
    fn line_end(&mut self, newline: usize) -> Token {
        let begin =
            if newline > self.position && self.text[newline - 1] == b'\r' { newline - 1 } else { newline };
        if begin > self.position {
            return self.take(begin, TokenKind::Space);
        }
        let token = self.take(newline + 1, TokenKind::LineEnd);
        self.end_directive();
        self.line_begins = true;
        token
    }

    /// Indents and dedents due before a token of code; comments and joined lines do not count.
    pub(super) fn layout_before(&mut self, first: u8) -> Option<Token> {
        self.layout.as_ref()?;
        let begins_comment = self.tables().rules[first as usize].iter().any(|rule| {
            matches!(rule.kind, RuleKind::Comment(_)) && self.rest_starts_with(self.position, &rule.text)
        });
        if !begins_comment {
            self.measure_indentation();
        }
        self.due_layout()
    }

    fn measure_indentation(&mut self) {
        let Some(layout) = &mut self.layout else { return };
        if !self.line_begins || layout.brackets > 0 || layout.line_has_code {
            return;
        }
        let line = memchr::memrchr(b'\n', &self.text[..self.position]).map_or(0, |newline| newline + 1);
        let blank = &self.text[line..self.position];
        let blank = blank.strip_prefix(BYTE_ORDER_MARK).unwrap_or(blank);
        layout.measure(blank.iter().fold(0u32, |column, byte| match byte {
            b'\t' => (column / 8 + 1) * 8,
            0x0c => 0,
            _ => column + 1,
        }));
    }

    fn due_layout(&mut self) -> Option<Token> {
        let layout = self.layout.as_mut()?;
        let kind = match layout.due {
            0 => return None,
            due if due > 0 => TokenKind::Indent,
            _ => TokenKind::Dedent,
        };
        layout.due -= layout.due.signum();
        Some(self.empty(kind))
    }

    /// At the end of the text: a last line end without a newline is empty, and open levels close.
    pub(super) fn close_layout(&mut self) -> Option<Token> {
        if self.in_directive() {
            let end = self.empty(TokenKind::LineEnd);
            self.end_directive();
            return Some(Token { directive: true, ..end });
        }
        let layout = self.layout.as_mut()?;
        let kind = if layout.line_has_code {
            layout.line_has_code = false;
            TokenKind::LineEnd
        } else if layout.levels.len() > 1 {
            layout.levels.pop();
            TokenKind::Dedent
        } else {
            return None;
        };
        Some(self.empty(kind))
    }

    fn empty(&self, kind: TokenKind) -> Token {
        Token { span: Span::new(self.position, self.position), kind, directive: false, broken: false }
    }

    pub(super) fn byte_order_mark(&mut self) -> Option<Token> {
        let at_start = self.position == 0 && self.text.starts_with(BYTE_ORDER_MARK);
        at_start.then(|| self.take(BYTE_ORDER_MARK.len(), TokenKind::Space))
    }
}
