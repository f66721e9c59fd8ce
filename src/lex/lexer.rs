//! The lexer's loop: looks at one byte, finds the rule, hands out one token.

use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::langdef::LexClass;
use crate::langdef::LexRule;
use crate::langdef::RawShape;
use crate::langdef::RuleKind;
use crate::langdef::Tables;
use crate::text::Span;

use super::Token;
use super::TokenKind;
use super::directive::Directive;
use super::layout::Indentation;

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
    pub(super) line_begins: bool,
    pub(super) directive: Directive,
    /// The last token that was not trivia leaves a value behind, so that `/` divides it.
    operand_before: bool,
    /// That token is a name, which may be a call.
    after_name: bool,
    /// The last token that was not trivia makes a keyword a name.
    pub(super) member_next: bool,
    pub(super) layout: Option<Indentation>,
    outside: bool,
    /// The words that end texts which begin on the next line, first one first.
    pub(super) texts_due: Vec<&'a [u8]>,
    /// How many interpolations deep this lexer reads; each costs a stack frame.
    pub(super) depth: u8,
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of `text`.
    pub fn new(def: &'a LangDef, text: &'a [u8], start: Start) -> Self {
        Self::resume(def, text, 0, start)
    }

    /// A lexer at a line start of `text` where no token of several lines is open.
    pub fn resume(def: &'a LangDef, text: &'a [u8], position: usize, start: Start) -> Self {
        debug_assert!(text.len() <= u32::MAX as usize, "readers refuse files of 4 GiB and more");
        Self {
            def,
            text,
            position,
            line_begins: true,
            directive: Directive::No,
            operand_before: false,
            after_name: false,
            member_next: false,
            layout: (def.layout() == Layout::Indented).then(Indentation::default),
            outside: start == Start::File && position == 0 && def.tables.island.is_some(),
            texts_due: Vec::new(),
            depth: 0,
        }
    }

    /// A lexer for the code that an interpolation of this one's text begins at `position`: no line
    /// begins there, and line ends mean nothing.
    pub(super) fn nested(&self, position: usize) -> Self {
        let mut inner = Self::resume(self.def, self.text, position, Start::Code);
        inner.line_begins = false;
        inner.layout = None;
        inner.depth = self.depth + 1;
        inner
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
            && !self.operand_before
            && !self.member_next
            && self.texts_due.is_empty()
    }

    pub(super) fn tables(&self) -> &'a Tables {
        &self.def.tables
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    pub(super) fn rest_starts_with(&self, at: usize, mark: &[u8]) -> bool {
        self.text.get(at..at + mark.len()) == Some(mark)
    }

    pub(super) fn take(&mut self, end: usize, kind: TokenKind) -> Token {
        self.take_marked(end, kind, false)
    }

    fn take_marked(&mut self, end: usize, kind: TokenKind, broken: bool) -> Token {
        let span = Span::new(self.position, end);
        let token = Token { span, kind, directive: self.in_directive(), broken };
        self.position = end;
        if !kind.is_trivia() {
            self.line_begins = false;
            self.note_operand(token);
            if let Some(layout) = &mut self.layout {
                layout.note(kind);
            }
        }
        token
    }

    /// Remembers what the next token may need to know of this one, in languages where it does.
    fn note_operand(&mut self, token: Token) {
        let tables = self.tables();
        if tables.members.is_none() && tables.operands.is_none() {
            return;
        }
        let text = token.span.of(self.text);
        if let Some(members) = &self.tables().members {
            self.member_next = token.kind == TokenKind::Operator && members.contains(text);
        }
        if let Some(operands) = &self.tables().operands {
            self.after_name = token.kind == TokenKind::Identifier;
            self.operand_before = match token.kind {
                TokenKind::Operator | TokenKind::Keyword => {
                    operands.ends.contains(text) || (self.operand_before && operands.postfix.contains(text))
                }
                TokenKind::Unknown | TokenKind::LineEnd => false,
                _ => true,
            };
        }
    }

    pub(super) fn take_literal(&mut self, index: u8, quote_at: usize) -> Option<Token> {
        let literal = self.literal(index, quote_at)?;
        Some(self.take_marked(literal.end, literal.kind, literal.broken))
    }

    fn mark(&mut self, first: u8) -> Token {
        let second = self.byte(self.position + 1);
        for rule in &self.tables().rules[first as usize] {
            // The second byte rules out almost all that do not fit, without a call to compare slices.
            let longer = rule.text.len() > 1;
            if longer && (Some(rule.text[1]) != second || !self.rest_starts_with(self.position, &rule.text)) {
                continue;
            }
            if let Some(token) = self.apply(rule) {
                return token;
            }
        }
        self.unknown()
    }

    fn apply(&mut self, rule: &LexRule) -> Option<Token> {
        let end = self.position + rule.text.len();
        match rule.kind {
            RuleKind::Operator => Some(self.operator(end)),
            RuleKind::Comment(index) => {
                let comment = self.comment(index)?;
                Some(self.take_marked(comment.end, TokenKind::Comment, comment.broken))
            }
            RuleKind::StrayClose => self.stray_close(end),
            RuleKind::Quote(index) => {
                let quote = &self.tables().quotes[index as usize];
                if quote.operand_only && self.operand_before && !(quote.after_names && self.is_argument(end))
                {
                    return None;
                }
                if quote.raw == Some(RawShape::NextLines) {
                    return self.text_mark(end);
                }
                self.take_literal(index, self.position)
            }
            RuleKind::Marker => Some(self.marker(end)),
            RuleKind::Splice => self.splice(end),
            RuleKind::Sigil => self.sigil(end),
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

    /// Forgets the operand before the end of a line, where lines end them.
    pub(super) fn end_operand(&mut self) {
        if self.tables().operands.as_ref().is_some_and(|operands| operands.lines_end) {
            self.operand_before = false;
            self.after_name = false;
        }
    }

    /// Whether what stands here is an argument without parentheses, by its white space: `puts /x/`, not `a / b`.
    fn is_argument(&self, end: usize) -> bool {
        let blank = |byte: u8| matches!(byte, b' ' | b'\t');
        self.after_name
            && self.position.checked_sub(1).is_some_and(|at| blank(self.text[at]))
            && self.byte(end).is_some_and(|byte| !blank(byte) && byte != b'=' && byte != b'\n')
    }

    /// `x.0`: the dot belongs to a value before it.
    fn is_field(&self) -> bool {
        let before = self.position.checked_sub(1).map(|at| self.text[at]);
        self.tables().numbers.fields
            && before.is_some_and(|b| self.tables().word_bytes[b as usize] || matches!(b, b')' | b']'))
    }

    fn number(&mut self) -> Token {
        let tables = self.tables();
        let end = super::number::end(&tables.numbers, &tables.word_bytes, self.text, self.position);
        self.take(end, TokenKind::Number)
    }

    fn operator(&mut self, end: usize) -> Token {
        let text = &self.text[self.position..end];
        if let Some(layout) = &mut self.layout {
            if self.def.is_open(text) {
                layout.open();
            } else if self.def.is_close(text) {
                layout.close();
            }
        }
        match self.header(end) {
            Some(token) => token,
            None => self.take(end, TokenKind::Operator),
        }
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
        let opens = self.tables().comments.iter().any(|comment| {
            comment.close.is_some() && self.rest_starts_with(self.position + 1, &comment.open)
        });
        (!opens).then(|| self.take_marked(end, TokenKind::Comment, true))
    }

    fn unknown(&mut self) -> Token {
        let mut end = self.position + 1;
        while self.byte(end).is_some_and(|byte| self.tables().classes[byte as usize] == LexClass::Unknown) {
            end += 1;
        }
        self.take(end, TokenKind::Unknown)
    }

    /// Everything up to the next mark that opens an island of code, the mark included.
    fn outside_text(&mut self, opens: &[Box<[u8]>]) -> Token {
        let mut at = self.position;
        let end = loop {
            let Some(found) = memchr::memchr(opens[0][0], &self.text[at..]) else { break self.text.len() };
            at += found;
            match opens.iter().find(|open| self.rest_starts_with(at, open)) {
                Some(open) => break at + open.len(),
                None => at += 1,
            }
        };
        self.outside = false;
        self.line_begins = false;
        self.take(end, TokenKind::Comment)
    }

    /// The token that begins here with this byte.
    fn token(&mut self, first: u8) -> Token {
        let class = self.tables().classes[first as usize];
        if class != LexClass::Space {
            if let Some(token) = self.byte_order_mark().or_else(|| self.layout_before(first)) {
                return token;
            }
            if self.directive == Directive::Text {
                return self.take(self.line_end_after(self.position), TokenKind::Comment);
            }
        }
        match class {
            LexClass::Space => self.space(),
            LexClass::Word => self.word(),
            LexClass::Digit => self.number(),
            LexClass::Single => self.operator(self.position + 1),
            LexClass::Mark => self.mark(first),
            LexClass::Unknown => self.unknown(),
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let Some(first) = self.byte(self.position) else { return self.close_layout() };
        if let Some(island) = self.tables().island.as_ref().filter(|_| self.outside) {
            return Some(self.outside_text(&island.open));
        }
        if self.line_begins && !self.texts_due.is_empty() {
            return Some(self.due_texts());
        }
        let before = self.directive;
        let token = self.token(first);
        if !token.kind.is_trivia() {
            self.pass_directive(before);
        }
        Some(token)
    }
}
