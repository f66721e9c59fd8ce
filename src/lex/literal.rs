//! Where a literal ends: escapes, doubled quotes, suffixes, labels.

use crate::langdef::Quote;
use crate::langdef::QuoteKind;

use super::Lexer;
use super::TokenKind;

/// A literal's end and kind, and whether the text ended before its close.
pub(super) struct LiteralEnd {
    pub end: usize,
    pub kind: TokenKind,
    pub broken: bool,
}

/// A literal as it was opened: the rule, what closes this one, and how many `#` make an escape.
pub(super) struct Opened<'q> {
    pub quote: &'q Quote,
    pub close: &'q [u8],
    pub hashes: usize,
}

impl Lexer<'_> {
    /// The literal of rule `index` whose opening quote stands at `quote_at`, if it is one after all.
    pub(super) fn literal(&self, index: u8, quote_at: usize) -> Option<LiteralEnd> {
        let quote = &self.tables().quotes[index as usize];
        let mut kind = match quote.kind {
            QuoteKind::String => TokenKind::String,
            QuoteKind::Char => TokenKind::Char,
            QuoteKind::Identifier => TokenKind::Identifier,
        };
        let body = quote_at + quote.open.len();
        let (end, closed) = match quote.raw {
            Some(shape) => self.raw(quote, shape, quote_at)?,
            None if !self.rest_starts_with(quote_at, &quote.open) => return None,
            None if quote.or_label && !self.is_char(quote, body) => {
                kind = TokenKind::Label;
                (self.label(quote_at, body)?, true)
            }
            None => self.plain(&Opened { quote, close: &quote.close, hashes: 0 }, body),
        };
        Some(LiteralEnd { end, kind, broken: !closed })
    }

    /// One character, or an escape, between quotes.
    fn is_char(&self, quote: &Quote, body: usize) -> bool {
        let Some(first) = self.byte(body) else { return false };
        let width = match first {
            0xf0.. => 4,
            0xe0.. => 3,
            0xc0.. => 2,
            b'\n' => return false,
            _ => 1,
        };
        Some(first) == quote.escape || self.rest_starts_with(body + width, &quote.close)
    }

    /// `'name`, or `'r#name`, without a prefix and without a closing quote.
    fn label(&self, quote_at: usize, body: usize) -> Option<usize> {
        let first = self.byte(body)?;
        let raw = &self.tables().raw_prefix;
        let body = if self.rest_starts_with(body, raw) { body + raw.len() } else { body };
        let named =
            quote_at == self.position && self.tables().word_bytes[first as usize] && !first.is_ascii_digit();
        named.then(|| self.word_end(body))
    }

    /// Past a literal's close, and whether it was found before the line or the text ended.
    pub(super) fn plain(&self, opened: &Opened, body: usize) -> (usize, bool) {
        let Opened { quote, close, hashes } = *opened;
        let mut at = body;
        let mut in_class = false;
        let opens = quote.open.last().copied().filter(|_| quote.nested);
        let mut deep = 0;
        while let Some(byte) = self.byte(at) {
            if Some(byte) == quote.escape && self.has_hashes(at + 1, hashes) {
                at = self.after_escape(opened, at);
            } else if byte == b'\n' && !quote.multiline {
                let end = if at > body && self.text[at - 1] == b'\r' { at - 1 } else { at };
                return (end, false);
            } else if deep > 0 && byte == close[0] {
                deep -= 1;
                at += 1;
            } else if byte == close[0] && !in_class && self.rest_starts_with(at, close) {
                at += close.len();
                if !(quote.doubled && self.rest_starts_with(at, close)) {
                    return (self.after_close(opened, at), true);
                }
                at += close.len();
            } else if let Some(end) = self.interpolation(quote, hashes, at) {
                at = end;
            } else if Some(byte) == opens {
                deep += 1;
                at += 1;
            } else {
                in_class = quote.regex && if in_class { byte != b']' } else { byte == b'[' };
                at += 1;
            }
        }
        (self.text.len(), false)
    }

    /// Past an escape and what it escapes; an interpolation may itself begin with the escape (`\(` in Swift).
    fn after_escape(&self, opened: &Opened, at: usize) -> usize {
        let quote = opened.quote;
        if let Some(end) = self.interpolation(quote, opened.hashes, at) {
            return end;
        }
        let escaped = at + 1 + opened.hashes;
        match (self.byte(escaped), self.byte(escaped + 1)) {
            (None, _) => escaped,
            (Some(b'\n'), _) | (Some(b'\r'), Some(b'\n')) if !quote.joins_lines => escaped,
            (Some(b'\r'), Some(b'\n')) => escaped + 2,
            (first, _) if first == quote.gap => self.after_space(escaped + 1),
            // Where a bracket is written by doubling it, an escape before it is one of its own.
            (Some(byte), _) if quote.interpolations.iter().any(|rule| *rule.open == [byte]) => escaped,
            _ => escaped + 1,
        }
    }

    fn after_space(&self, from: usize) -> usize {
        from + self.text[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// Past what belongs to a literal behind its close: a suffix, or more quotes.
    pub(super) fn after_close(&self, opened: &Opened, end: usize) -> usize {
        if opened.quote.suffix {
            return self.word_end(end);
        }
        let run = if opened.quote.greedy_close { self.count(end, opened.close[0]) } else { 0 };
        end + run
    }
}
