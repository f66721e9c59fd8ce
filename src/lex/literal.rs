//! Where a literal ends: escapes, doubled quotes, raw delimiters, interpolation, labels.

use memchr::memchr;
use memchr::memmem;

use crate::langdef::Quote;
use crate::langdef::QuoteKind;
use crate::langdef::RawShape;

use super::Lexer;
use super::Start;
use super::TokenKind;

/// Interpolations nest at most this deep; deeper ones are read as plain text of the literal.
const DEEPEST: u8 = 32;

/// A literal's end and kind, and whether the text ended before its close.
pub(super) struct LiteralEnd {
    pub end: usize,
    pub kind: TokenKind,
    pub broken: bool,
}

impl Lexer<'_> {
    /// The literal of rule `index` whose opening quote stands at `quote_at`, if it is one after all.
    pub(super) fn literal(&self, index: u8, quote_at: usize) -> Option<LiteralEnd> {
        let quote = &self.def.quotes[index as usize];
        let kind = match quote.kind {
            QuoteKind::String => TokenKind::String,
            QuoteKind::Char => TokenKind::Char,
            QuoteKind::Identifier => TokenKind::Identifier,
        };
        let found = match quote.raw {
            Some(shape) => self.raw(quote, shape, quote_at)?,
            None if !self.rest_starts_with(quote_at, &quote.open) => return None,
            None => {
                let body = quote_at + quote.open.len();
                if let Some(end) = self.label(quote, body) {
                    return Some(LiteralEnd { end, kind: TokenKind::Label, broken: false });
                }
                self.plain(quote, body)
            }
        };
        Some(LiteralEnd { end: found.0, kind, broken: !found.1 })
    }

    /// `'name` without a closing quote.
    fn label(&self, quote: &Quote, body: usize) -> Option<usize> {
        let first = self.byte(body).filter(|_| quote.or_label)?;
        if !self.def.word_bytes[first as usize] || first.is_ascii_digit() {
            return None;
        }
        let width = match first {
            0xf0.. => 4,
            0xe0.. => 3,
            0xc0.. => 2,
            _ => 1,
        };
        let closed = self.rest_starts_with(body + width, &quote.close);
        (!closed).then(|| self.word_end(body))
    }

    /// A literal with fixed quotes: its end, and whether the close was found.
    fn plain(&self, quote: &Quote, body: usize) -> (usize, bool) {
        let mut at = body;
        let mut in_class = false;
        while let Some(byte) = self.byte(at) {
            if Some(byte) == quote.escape {
                at = self.after_escape(quote, at);
            } else if byte == b'\n' && !quote.multiline {
                let end = if self.text[at - 1] == b'\r' && at > body { at - 1 } else { at };
                return (end, false);
            } else if byte == quote.close[0] && !in_class && self.rest_starts_with(at, &quote.close) {
                at += quote.close.len();
                if !(quote.doubled && self.rest_starts_with(at, &quote.close)) {
                    return (self.after_close(quote, at), true);
                }
                at += quote.close.len();
            } else if let Some(end) = self.interpolation(quote, at) {
                at = end;
            } else {
                if quote.regex {
                    in_class = if in_class { byte != b']' } else { byte == b'[' };
                }
                at += 1;
            }
        }
        (self.text.len(), false)
    }

    /// Past an escape and what it escapes; an interpolation may itself begin with the escape (`\(` in Swift).
    fn after_escape(&self, quote: &Quote, at: usize) -> usize {
        if let Some(end) = self.interpolation(quote, at) {
            return end;
        }
        let escaped = match (self.byte(at + 1), self.byte(at + 2)) {
            // An escape does not carry a literal of one line over the end of the text's line unless the
            // language joins lines there; C, Python and JavaScript all do.
            (Some(b'\r'), Some(b'\n')) => 3,
            (Some(_), _) => 2,
            (None, _) => 1,
        };
        at + escaped
    }

    /// A triple quote may be preceded by quotes of the content (`""""`); a regular expression has flags.
    fn after_close(&self, quote: &Quote, end: usize) -> usize {
        if quote.regex {
            return self.word_end(end);
        }
        let mut end = end;
        if quote.close.len() == 3 && quote.close.iter().all(|byte| *byte == quote.close[0]) {
            while self.byte(end) == Some(quote.close[0]) {
                end += 1;
            }
        }
        end
    }

    /// Past an interpolation that begins at `at`: a lexer of its own finds the bracket that closes it.
    fn interpolation(&self, quote: &Quote, at: usize) -> Option<usize> {
        let (open, close) = quote.interpolation.as_ref()?;
        if self.depth >= DEEPEST || !self.rest_starts_with(at, open) {
            return None;
        }
        if open.len() == 1 && self.byte(at + 1) == Some(open[0]) {
            return Some(at + 2); // `{{` stands for itself
        }
        let stop = if quote.multiline {
            self.text.len()
        } else {
            memchr(b'\n', &self.text[at..]).map_or(self.text.len(), |newline| at + newline)
        };
        let mut inner = Lexer::resume(self.def, &self.text[..stop], at + open.len(), Start::Code);
        inner.depth = self.depth + 1;
        let last_open = open[open.len() - 1];
        let mut depth = 1usize;
        while let Some(token) = inner.next() {
            let text = token.span.of(self.text);
            if token.kind != TokenKind::Operator {
                continue;
            } else if text.ends_with(&[last_open]) {
                depth += 1;
            } else if text.starts_with(close) {
                depth -= 1;
                if depth == 0 {
                    return Some(token.span.start as usize + close.len());
                }
            }
        }
        Some(stop) // never closed: the literal is broken; reading on from here would be quadratic
    }

    fn raw(&self, quote: &Quote, shape: RawShape, at: usize) -> Option<(usize, bool)> {
        match shape {
            RawShape::Hashes => {
                let hashes = self.count(at, b'#');
                // A prefix (`r"`) allows none; without one (`#"` in Swift) the hashes make it raw.
                if (hashes == 0 && at == self.position) || !self.rest_starts_with(at + hashes, &quote.open) {
                    return None;
                }
                let mut close = quote.close.to_vec();
                close.resize(quote.close.len() + hashes, b'#');
                Some(self.until(at + hashes + quote.open.len(), &close))
            }
            RawShape::Parenthesis => self.parenthesis(quote, at),
            RawShape::Level => {
                let (body, close) = self.long_bracket(at)?;
                Some(self.until(body, &close))
            }
            RawShape::Heredoc => self.heredoc(quote, at),
            RawShape::Run => {
                let run = self.count(at, quote.open[0]);
                (run >= 3).then(|| self.until(at + run, &vec![quote.open[0]; run]))
            }
        }
    }

    fn count(&self, at: usize, byte: u8) -> usize {
        self.text[at..].iter().take_while(|&&found| found == byte).count()
    }

    fn until(&self, body: usize, close: &[u8]) -> (usize, bool) {
        match memmem::find(&self.text[body..], close) {
            Some(found) => (body + found + close.len(), true),
            None => (self.text.len(), false),
        }
    }

    /// `R"word( … )word"`; the word has at most 16 characters.
    fn parenthesis(&self, quote: &Quote, at: usize) -> Option<(usize, bool)> {
        if !self.rest_starts_with(at, &quote.open) {
            return None;
        }
        let word = at + quote.open.len();
        let length = memchr(b'(', &self.text[word..self.text.len().min(word + 17)])?;
        let mut close = vec![b')'];
        close.extend_from_slice(&self.text[word..word + length]);
        close.extend_from_slice(&quote.close);
        Some(self.until(word + length + 1, &close))
    }

    /// `<<<WORD`, `<<<'WORD'`, `<<<"WORD"` up to the first line that begins, after blanks, with WORD.
    fn heredoc(&self, quote: &Quote, at: usize) -> Option<(usize, bool)> {
        let mut name = at + quote.open.len();
        name += self.text[name..].iter().take_while(|&&b| b == b' ' || b == b'\t').count();
        let quoted = self.byte(name).is_some_and(|b| b == b'\'' || b == b'"');
        name += usize::from(quoted);
        let end = self.word_end(name);
        if end == name || self.text[name].is_ascii_digit() {
            return None;
        }
        let word = &self.text[name..end];
        let mut line = end;
        while let Some(newline) = memchr(b'\n', &self.text[line..]) {
            line += newline + 1;
            let blanks = self.text[line..].iter().take_while(|&&b| b == b' ' || b == b'\t').count();
            let begin = line + blanks;
            let closes = self.rest_starts_with(begin, word)
                && !self.byte(begin + word.len()).is_some_and(|b| self.def.word_bytes[b as usize]);
            if closes {
                return Some((begin + word.len(), true));
            }
        }
        Some((self.text.len(), false))
    }
}
