//! Words: identifiers, keywords, and the prefixes of literals.

use super::Lexer;
use super::Token;
use super::TokenKind;

impl Lexer<'_> {
    pub(super) fn word(&mut self) -> Token {
        let end = self.word_end(self.position);
        let next = self.byte(end).unwrap_or(0);
        if self.tables().after_prefix[next as usize]
            && let Some(token) = self.prefixed(end)
        {
            return token;
        }
        let end = self.past_ending(end);
        let kind = self.word_kind(end);
        self.take(end, kind)
    }

    /// Past `?` or `!` where it belongs to the word before it: `empty?`, but not `a!=b`.
    fn past_ending(&self, end: usize) -> usize {
        let ends = self.byte(end).is_some_and(|byte| self.tables().endings.contains(&byte));
        let assigns =
            || self.byte(end + 1) == Some(b'=') && !matches!(self.byte(end + 2), Some(b'=' | b'~' | b'>'));
        if ends && !assigns() { end + 1 } else { end }
    }

    pub(super) fn word_end(&self, from: usize) -> usize {
        let words = &self.tables().word_bytes;
        let rest = &self.text[from.min(self.text.len())..];
        from + rest.iter().take_while(|&&byte| words[byte as usize]).count()
    }

    fn word_kind(&mut self, end: usize) -> TokenKind {
        let word = &self.text[self.position..end];
        let keyword =
            self.names_directive(word) || (self.tables().keywords.contains(word) && !self.member_next);
        if keyword { TokenKind::Keyword } else { TokenKind::Identifier }
    }

    /// A literal with a prefix (`L"…"`), or a raw identifier (`r#type`).
    fn prefixed(&mut self, word_end: usize) -> Option<Token> {
        let tables = self.tables();
        let word = &self.text[self.position..word_end];
        let listed = tables.prefixes.get(word).into_iter().flatten();
        let any = tables.any_prefix.iter().filter(|_| !tables.keywords.contains(word));
        for &index in listed.chain(any) {
            if let Some(token) = self.take_literal(index, word_end) {
                return Some(token);
            }
        }
        let raw = &tables.raw_prefix;
        if raw.is_empty() || !self.rest_starts_with(self.position, raw) || raw.len() != word.len() + 1 {
            return None;
        }
        let name = self.position + raw.len();
        let end = self.word_end(name);
        (end > name).then(|| self.take(end, TokenKind::Identifier))
    }

    /// `@name`: one word, the sigil included.
    pub(super) fn sigil(&mut self, name: usize) -> Option<Token> {
        let end = self.word_end(name);
        if end == name || self.text[name].is_ascii_digit() {
            return None;
        }
        let kind = self.word_kind(end);
        Some(self.take(end, kind))
    }
}
