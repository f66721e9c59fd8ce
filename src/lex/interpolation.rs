//! Where the code inside a literal ends: a lexer of its own finds the bracket that closes it.
//!
//! Code may run over line ends even in a literal of one line (Kotlin, C# and Python allow it). Code that is
//! never closed runs to the end of the text: looking for a better end would make the work quadratic.

use crate::langdef::Interpolation;
use crate::langdef::Quote;

use super::Lexer;
use super::TokenKind;

/// Interpolations nest at most this deep; deeper ones are read as plain text of the literal.
const DEEPEST: u8 = 32;

impl Lexer<'_> {
    /// Past an interpolation that begins at `at`. In a literal with `hashes`, this many stand after the
    /// escape that begins it (`\#(` in Swift).
    pub(super) fn interpolation(&self, quote: &Quote, hashes: usize, at: usize) -> Option<usize> {
        let rule = quote.interpolations.iter().find(|rule| self.opens(rule, hashes, at))?;
        if self.depth >= DEEPEST {
            return None;
        }
        if rule.open.len() == 1 && self.byte(at + 1) == Some(rule.open[0]) {
            return Some(at + 2); // `{{` stands for itself
        }
        Some(self.code_end(quote, rule, at + rule.open.len() + hashes))
    }

    fn opens(&self, rule: &Interpolation, hashes: usize, at: usize) -> bool {
        self.byte(at) == Some(rule.open[0])
            && (hashes == 0 || self.has_hashes(at + 1, hashes))
            && self.rest_starts_with(at + 1 + hashes, &rule.open[1..])
    }

    pub(super) fn has_hashes(&self, at: usize, hashes: usize) -> bool {
        self.text.get(at..at + hashes).is_some_and(|run| run.iter().all(|&byte| byte == b'#'))
    }

    fn code_end(&self, quote: &Quote, rule: &Interpolation, body: usize) -> usize {
        let mut depth = 1usize;
        let mut others = 0usize;
        for token in self.nested(body) {
            if token.kind != TokenKind::Operator {
                continue;
            }
            let text = token.span.of(self.text);
            let at = token.span.start as usize;
            if *text == *rule.nests {
                depth += 1;
            } else if text[0] == rule.close[0] {
                if depth > 1 {
                    depth -= 1;
                } else if self.rest_starts_with(at, &rule.close) {
                    return at + rule.close.len();
                }
            } else if depth == 1 && others == 0 && starts_format(quote, text) {
                return self.format_end(quote, rule, at + 1);
            } else if self.def.is_open(text) {
                others += 1;
            } else if self.def.is_close(text) {
                others = others.saturating_sub(1);
            }
        }
        self.text.len()
    }

    /// Past a format such as `:>{width}}`: plain text, but for code in brackets of its own.
    fn format_end(&self, quote: &Quote, rule: &Interpolation, from: usize) -> usize {
        let mut at = from;
        while let Some(byte) = self.byte(at) {
            if self.rest_starts_with(at, &rule.close) {
                return at + rule.close.len();
            }
            let closes = self.rest_starts_with(at, &quote.close) || (byte == b'\n' && !quote.multiline);
            if closes {
                return at;
            }
            at = self.interpolation(quote, 0, at).unwrap_or(at + 1);
        }
        at
    }
}

fn starts_format(quote: &Quote, operator: &[u8]) -> bool {
    quote.format_mark.as_ref().is_some_and(|mark| operator.starts_with(mark))
}
