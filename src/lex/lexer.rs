//! The lexer's loop: looks at one byte, finds the rule, hands out one token.

use crate::langdef::Class;
use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::langdef::Rule;
use crate::langdef::RuleKind;
use crate::text::Span;

use super::Token;
use super::TokenKind;

/// Where in a file the text begins, for languages whose files do not begin with code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the beginning of a file.
    File,
    /// At a line of code, as in a patch.
    Code,
}

/// An iterator over the tokens of a text.
pub struct Lexer<'a> {
    pub(super) def: &'a LangDef,
    pub(super) text: &'a [u8],
    pub(super) position: usize,
    /// Nothing but white space and comments stands before this on its line.
    line_begins: bool,
    directive: Directive,
    /// The last token that was not trivia leaves a value behind, so that `/` divides it.
    operand_before: bool,
    layout: Option<Indentation>,
    outside: bool,
    /// How many interpolations deep this lexer reads; each costs a stack frame.
    pub(super) depth: u8,
}

/// How far into a preprocessor line the lexer is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Directive {
    No,
    /// After the marker: the next word is looked up among the directives.
    Named,
    /// After `include`: `<…>` is a name.
    Header,
    Rest,
}

/// Indentation of an indented language: the open levels, and what is still to be handed out.
struct Indentation {
    levels: Vec<u32>,
    brackets: u32,
    /// Empty tokens due before the next one: positive are indents, negative dedents.
    due: i32,
    /// The line has code; its end is a token.
    line_has_code: bool,
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of `text`.
    pub fn new(def: &'a LangDef, text: &'a [u8], start: Start) -> Self {
        Self::resume(def, text, 0, start)
    }

    /// A lexer at a line start of `text` where no token of several lines is open.
    pub fn resume(def: &'a LangDef, text: &'a [u8], position: usize, start: Start) -> Self {
        debug_assert!(text.len() <= u32::MAX as usize, "readers refuse files of 4 GiB and more");
        let layout = (def.layout() == Layout::Indented).then(|| Indentation {
            levels: Vec::new(),
            brackets: 0,
            due: 0,
            line_has_code: false,
        });
        Self {
            def,
            text,
            position,
            line_begins: true,
            directive: Directive::No,
            operand_before: false,
            layout,
            outside: start == Start::File && position == 0 && def.island.is_some(),
            depth: 0,
        }
    }

    /// The byte offset of the next token.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Whether a lexer resumed here would go on just as this one: true at line starts with nothing open.
    pub fn is_ground(&self) -> bool {
        self.line_begins
            && self.directive == Directive::No
            && self.layout.is_none()
            && !self.outside
            && !(self.operand_before && self.def.looks_back)
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    pub(super) fn rest_starts_with(&self, at: usize, mark: &[u8]) -> bool {
        self.text.get(at..at + mark.len()) == Some(mark)
    }

    fn take(&mut self, end: usize, kind: TokenKind) -> Token {
        self.take_marked(end, kind, false)
    }

    fn take_marked(&mut self, end: usize, kind: TokenKind, broken: bool) -> Token {
        let token = Token {
            span: Span::new(self.position, end),
            kind,
            directive: self.directive != Directive::No,
            broken,
        };
        self.position = end;
        if !kind.is_trivia() {
            self.line_begins = false;
            self.note_operand(token);
            if let Some(layout) = &mut self.layout {
                layout.line_has_code = kind != TokenKind::LineEnd;
            }
        }
        token
    }

    fn note_operand(&mut self, token: Token) {
        if !self.def.looks_back {
            return;
        }
        self.operand_before = match token.kind {
            TokenKind::Operator => matches!(token.span.of(self.text), b")" | b"]" | b"}" | b"++" | b"--"),
            TokenKind::Keyword => {
                matches!(token.span.of(self.text), b"this" | b"super" | b"null" | b"true" | b"false")
            }
            TokenKind::Unknown => false,
            _ => true,
        };
    }

    fn space(&mut self) -> Token {
        let mut end = self.position;
        while let Some(byte) = self.byte(end).filter(|&b| self.def.classes[b as usize] == Class::Space) {
            if byte == b'\n' {
                if self.line_end_counts() {
                    return self.line_end(end);
                }
                self.line_begins = true;
            }
            end += 1;
        }
        self.take(end, TokenKind::Space)
    }

    fn line_end_counts(&self) -> bool {
        self.directive != Directive::No
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
        self.directive = Directive::No;
        self.line_begins = true;
        token
    }

    /// In an indented language, compares the indentation of the line that begins with the open levels.
    fn measure_indentation(&mut self) {
        let Some(layout) = &mut self.layout else { return };
        if !self.line_begins || layout.brackets > 0 || layout.line_has_code {
            return;
        }
        let line = memchr::memrchr(b'\n', &self.text[..self.position]).map_or(0, |newline| newline + 1);
        let columns = self.text[line..self.position].iter().fold(0u32, |column, byte| match byte {
            b'\t' => (column / 8 + 1) * 8,
            0x0c => 0,
            _ => column + 1,
        });
        if layout.levels.is_empty() {
            // The first line sets the level: 0 in a file, anything in a fragment.
            layout.levels.push(columns);
        } else if columns > *layout.levels.last().expect("just checked") {
            layout.levels.push(columns);
            layout.due = 1;
        } else {
            while layout.levels.len() > 1 && *layout.levels.last().expect("just checked") > columns {
                layout.levels.pop();
                layout.due -= 1;
            }
        }
        layout.line_has_code = true;
    }

    fn due_layout(&mut self) -> Option<Token> {
        let layout = self.layout.as_mut()?;
        let kind = match layout.due {
            0 => return None,
            due if due > 0 => TokenKind::Indent,
            _ => TokenKind::Dedent,
        };
        layout.due -= layout.due.signum();
        Some(Token { span: Span::new(self.position, self.position), kind, directive: false, broken: false })
    }

    fn word(&mut self) -> Token {
        let end = self.word_end(self.position);
        let next = self.byte(end).unwrap_or(0);
        if self.def.after_prefix[next as usize] {
            if let Some(token) = self.prefixed(end) {
                return token;
            }
        }
        let kind = self.word_kind(end);
        self.take(end, kind)
    }

    pub(super) fn word_end(&self, from: usize) -> usize {
        let mut end = from;
        while end < self.text.len() && self.def.word_bytes[self.text[end] as usize] {
            end += 1;
        }
        end
    }

    fn word_kind(&mut self, end: usize) -> TokenKind {
        let word = &self.text[self.position..end];
        match self.directive {
            Directive::No => {}
            Directive::Named => {
                let header = self.def.headers.contains(word);
                self.directive = if header { Directive::Header } else { Directive::Rest };
                if self.def.directives.contains(word) {
                    return TokenKind::Keyword;
                }
            }
            Directive::Header | Directive::Rest => self.directive = Directive::Rest,
        }
        if self.def.keywords.contains(word) { TokenKind::Keyword } else { TokenKind::Identifier }
    }

    /// A literal with a prefix (`L"…"`), or a raw identifier (`r#type`).
    fn prefixed(&mut self, word_end: usize) -> Option<Token> {
        let word = &self.text[self.position..word_end];
        if let Some(indexes) = self.def.prefixes.get(word) {
            for &index in indexes {
                if let Some(literal) = self.literal(index, word_end) {
                    return Some(self.take_marked(literal.end, literal.kind, literal.broken));
                }
            }
        }
        let raw = &self.def.raw_prefix;
        if raw.is_empty() || !self.rest_starts_with(self.position, raw) || raw.len() != word.len() + 1 {
            return None;
        }
        let name = self.position + raw.len();
        let end = self.word_end(name);
        (end > name).then(|| self.take(end, TokenKind::Identifier))
    }

    fn mark(&mut self, first: u8) -> Token {
        let def = self.def;
        for rule in &def.rules[first as usize] {
            if rule.text.len() > 1 && !self.rest_starts_with(self.position, &rule.text) {
                continue;
            }
            if let Some(token) = self.apply(rule) {
                return token;
            }
        }
        self.unknown()
    }

    fn apply(&mut self, rule: &Rule) -> Option<Token> {
        let end = self.position + rule.text.len();
        match rule.kind {
            RuleKind::Operator => Some(self.operator(end)),
            RuleKind::Comment(index) => {
                let comment = self.comment(index)?;
                Some(self.take_marked(comment.end, TokenKind::Comment, comment.broken))
            }
            RuleKind::StrayClose => self.stray_close(end),
            RuleKind::Quote(index) => {
                if self.def.quotes[index as usize].operand_only && self.operand_before {
                    return None;
                }
                let literal = self.literal(index, self.position)?;
                Some(self.take_marked(literal.end, literal.kind, literal.broken))
            }
            RuleKind::Marker => Some(self.marker(end)),
            RuleKind::Splice => self.splice(end),
            RuleKind::Sigil => {
                let word = self.word_end(end);
                let named = word > end && !self.text[end].is_ascii_digit();
                named.then(|| {
                    let kind = self.word_kind(word);
                    self.take(word, kind)
                })
            }
            RuleKind::Dot => Some(match self.byte(end) {
                Some(b'0'..=b'9') if !self.is_field() => self.number(),
                _ => self.take(end, TokenKind::Operator),
            }),
            RuleKind::IslandClose => {
                self.outside = true;
                Some(self.take(end, TokenKind::Operator))
            }
        }
    }

    /// `x.0`: the dot belongs to a value before it.
    fn is_field(&self) -> bool {
        let before = self.position.checked_sub(1).map(|at| self.text[at]);
        self.def.numbers.fields
            && before.is_some_and(|b| self.def.word_bytes[b as usize] || matches!(b, b')' | b']'))
    }

    fn number(&mut self) -> Token {
        let end = super::number::end(&self.def.numbers, &self.def.word_bytes, self.text, self.position);
        self.take(end, TokenKind::Number)
    }

    fn operator(&mut self, end: usize) -> Token {
        let text = &self.text[self.position..end];
        if let Some(layout) = &mut self.layout {
            if self.def.is_open(text) {
                layout.brackets += 1;
            } else if self.def.is_close(text) {
                layout.brackets = layout.brackets.saturating_sub(1);
            }
        }
        if self.directive == Directive::Header && text == b"<" {
            if let Some(close) = memchr::memchr2(b'>', b'\n', &self.text[end..]) {
                if self.text[end + close] == b'>' {
                    self.directive = Directive::Rest;
                    return self.take(end + close + 1, TokenKind::String);
                }
            }
        }
        self.take(end, TokenKind::Operator)
    }

    fn marker(&mut self, end: usize) -> Token {
        if self.line_begins && self.directive == Directive::No {
            self.directive = Directive::Named;
        }
        self.take(end, TokenKind::Operator)
    }

    /// A backslash before a line end is white space; the line goes on.
    fn splice(&mut self, after: usize) -> Option<Token> {
        let end = match (self.byte(after), self.byte(after + 1)) {
            (Some(b'\n'), _) => after + 1,
            (Some(b'\r'), Some(b'\n')) => after + 2,
            _ => return None,
        };
        Some(self.take(end, TokenKind::Space))
    }

    /// `*/` without a comment: what a fragment of one looks like. `a*/**/b` is code, though.
    fn stray_close(&mut self, end: usize) -> Option<Token> {
        let opens = self.def.comments.iter().any(|comment| {
            comment.close.is_some() && self.rest_starts_with(self.position + 1, &comment.open)
        });
        (!opens).then(|| self.take_marked(end, TokenKind::Comment, true))
    }

    fn unknown(&mut self) -> Token {
        let mut end = self.position + 1;
        while self.byte(end).is_some_and(|byte| self.def.classes[byte as usize] == Class::Unknown) {
            end += 1;
        }
        self.take(end, TokenKind::Unknown)
    }

    /// Everything up to the next mark that opens an island of code.
    fn outside_text(&mut self) -> Token {
        let (opens, _) = self.def.island.as_ref().expect("only islands have an outside");
        let found = opens
            .iter()
            .filter_map(|open| {
                memchr::memmem::find(&self.text[self.position..], open).map(|at| (at, open.len()))
            })
            .min();
        let end = found.map_or(self.text.len(), |(at, length)| self.position + at + length);
        self.outside = false;
        self.line_begins = false;
        self.take(end, TokenKind::Comment)
    }

    fn byte_order_mark(&mut self) -> Option<Token> {
        let at_start = self.position == 0 && self.text.starts_with(b"\xef\xbb\xbf");
        at_start.then(|| self.take(3, TokenKind::Space))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let Some(first) = self.byte(self.position) else { return self.close_layout() };
        if self.outside {
            return Some(self.outside_text());
        }
        let class = self.def.classes[first as usize];
        if self.layout.is_some() && class != Class::Space {
            if let Some(token) = self.layout_before(first) {
                return Some(token);
            }
        }
        Some(match class {
            Class::Space => self.space(),
            Class::Word => match self.byte_order_mark() {
                Some(token) => token,
                None => self.word(),
            },
            Class::Digit => self.number(),
            Class::Mark => self.mark(first),
            Class::Unknown => self.unknown(),
        })
    }
}

impl Lexer<'_> {
    /// Indents and dedents due before a token of code; comments and joined lines do not count.
    fn layout_before(&mut self, first: u8) -> Option<Token> {
        let begins_comment = self.def.rules[first as usize].iter().any(|rule| {
            matches!(rule.kind, RuleKind::Comment(_)) && self.rest_starts_with(self.position, &rule.text)
        });
        if !begins_comment {
            self.measure_indentation();
        }
        self.due_layout()
    }

    /// At the end of the text: a last line end without a newline is empty, and open levels close.
    fn close_layout(&mut self) -> Option<Token> {
        let layout = self.layout.as_mut()?;
        let here = Span::new(self.position, self.position);
        let kind = if layout.line_has_code && layout.due == 0 {
            layout.line_has_code = false;
            TokenKind::LineEnd
        } else if layout.levels.len() > 1 {
            layout.levels.pop();
            TokenKind::Dedent
        } else {
            return None;
        };
        Some(Token { span: here, kind, directive: false, broken: false })
    }
}
