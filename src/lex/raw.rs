//! Where a literal ends whose delimiter the author chose.

use memchr::memchr;
use memchr::memmem;

use crate::langdef::Quote;
use crate::langdef::RawShape;

use super::Lexer;
use super::Token;
use super::TokenKind;
use super::literal::Opened;

/// C++ allows this many characters in the word of `R"word(`.
const LONGEST_DELIMITER: usize = 16;

impl Lexer<'_> {
    /// Past the raw literal whose quote (or first `#`) stands at `at`, and whether it was closed.
    pub(super) fn raw(&self, quote: &Quote, shape: RawShape, at: usize) -> Option<(usize, bool)> {
        match shape {
            RawShape::Hashes => self.hashes(quote, at),
            RawShape::Parenthesis => self.parenthesis(quote, at),
            RawShape::Level => {
                let (body, close) = self.long_bracket(at)?;
                Some(self.until(body, &close))
            }
            RawShape::Heredoc => self.heredoc(quote, at),
            RawShape::NextLines => None,
            RawShape::Run => {
                let first = at + quote.open.len() - 1;
                let mark = quote.open[quote.open.len() - 1];
                let run = self.count(first, mark);
                let close = vec![mark; run];
                (run >= 3).then(|| self.chosen(&Opened { quote, close: &close, hashes: 0 }, first + run))
            }
        }
    }

    /// `#"…"#`. A prefix (`r"`) allows no hash at all; without one (Swift) the hashes make it raw.
    fn hashes(&self, quote: &Quote, at: usize) -> Option<(usize, bool)> {
        let bare = at == self.position;
        // Inside a run of hashes that was no literal at its start; counting again would be quadratic.
        if bare && at > 0 && self.text[at - 1] == b'#' {
            return None;
        }
        let hashes = self.count(at, b'#');
        if (hashes == 0 && bare) || !self.rest_starts_with(at + hashes, &quote.open) {
            return None;
        }
        let body = at + hashes + quote.open.len();
        let mut close = quote.close.to_vec();
        close.resize(quote.close.len() + hashes, b'#');
        Some(self.chosen(&Opened { quote, close: &close, hashes }, body))
    }

    /// Up to a chosen close; where nothing inside has a meaning, a search finds it faster.
    fn chosen(&self, opened: &Opened, body: usize) -> (usize, bool) {
        let quote = opened.quote;
        let verbatim = quote.escape.is_none() && quote.interpolations.is_empty();
        if !(verbatim && quote.multiline) {
            return self.plain(opened, body);
        }
        let (end, closed) = self.until(body, opened.close);
        (self.after_close(opened, end), closed)
    }

    pub(super) fn count(&self, at: usize, byte: u8) -> usize {
        self.text[at..].iter().take_while(|&&found| found == byte).count()
    }

    fn until(&self, body: usize, close: &[u8]) -> (usize, bool) {
        match memmem::find(&self.text[body..], close) {
            Some(found) => (body + found + close.len(), true),
            None => (self.text.len(), false),
        }
    }

    /// `R"word( … )word"`.
    fn parenthesis(&self, quote: &Quote, at: usize) -> Option<(usize, bool)> {
        if !self.rest_starts_with(at, &quote.open) {
            return None;
        }
        let word = at + quote.open.len();
        let reach = self.text.len().min(word + LONGEST_DELIMITER + 1);
        let length = memchr(b'(', &self.text[word..reach])?;
        let delimiter = &self.text[word..word + length];
        if delimiter.iter().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b')' | b'\\' | b'"')) {
            return None;
        }
        let mut close = vec![b')'];
        close.extend_from_slice(delimiter);
        close.extend_from_slice(&quote.close);
        let (end, closed) = self.until(word + length + 1, &close);
        Some((self.after_close(&Opened { quote, close: &close, hashes: 0 }, end), closed))
    }

    /// The mark of a text on the next lines: `<<~WORD`, `<<-'WORD'`, `<<WORD`; `word` is where the word or its quote begins.
    pub(super) fn text_mark(&mut self, word: usize) -> Option<Token> {
        let bare = self.text[word - 1] == b'<';
        let mark = self.byte(word).filter(|byte| matches!(byte, b'\'' | b'"' | b'`'));
        let name = word + usize::from(mark.is_some());
        let end = self.word_end(name);
        let first = self.byte(name).filter(|_| end > name)?;
        let quoted = mark.is_none() || self.byte(end) == mark;
        // `list <<Item` may also be an operator; people write such words in capitals.
        if !quoted || first.is_ascii_digit() || (bare && mark.is_none() && !first.is_ascii_uppercase()) {
            return None;
        }
        let word = &self.text[name..end];
        self.texts_due.push(word);
        Some(self.take(end + usize::from(mark.is_some()), TokenKind::Label))
    }

    /// The texts that begin on this line, up to the word that ends the last one.
    pub(super) fn due_texts(&mut self) -> Token {
        let mut at = self.position;
        for word in std::mem::take(&mut self.texts_due) {
            for line in self.text[at..].split_inclusive(|&byte| byte == b'\n') {
                at += line.len();
                if line.trim_ascii() == word {
                    break;
                }
            }
        }
        let text = &self.text[self.position..at];
        let end = at - (text.len() - text.trim_ascii_end().len());
        self.take(end.max(self.position + 1), TokenKind::Comment)
    }

    /// `<<<WORD`, `<<<'WORD'`, `<<<"WORD"` up to the first line that begins, after blanks, with WORD.
    fn heredoc(&self, quote: &Quote, at: usize) -> Option<(usize, bool)> {
        let blank = |from: usize| {
            from + self.text[from..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
        };
        let mut name = blank(at + quote.open.len());
        let mark = self.byte(name).filter(|byte| matches!(byte, b'\'' | b'"'));
        name += usize::from(mark.is_some());
        let end = self.word_end(name);
        let line_end = end + usize::from(mark.is_some());
        let quoted = mark.is_none() || self.byte(end) == mark;
        let opens = quoted && end > name && !self.text[name].is_ascii_digit();
        if !opens || !matches!(self.byte(line_end), Some(b'\r' | b'\n')) {
            return None;
        }
        let word = &self.text[name..end];
        let mut line = line_end;
        while let Some(newline) = memchr(b'\n', &self.text[line..]) {
            line += newline + 1;
            let begin = blank(line);
            if self.rest_starts_with(begin, word) && self.word_end(begin) == begin + word.len() {
                return Some((begin + word.len(), true));
            }
        }
        Some((self.text.len(), false))
    }
}
