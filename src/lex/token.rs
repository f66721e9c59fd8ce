//! What the lexer hands out.

use crate::text::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TokenKind {
    Keyword,
    Operator,
    Identifier,
    Number,
    String,
    Char,
    /// A label or lifetime (`'a` in Rust).
    Label,
    /// The end of a line where it means something: after a directive, or in an indented language.
    LineEnd,
    /// Deeper indentation begins; empty.
    Indent,
    /// Deeper indentation ends; empty.
    Dedent,
    Space,
    Comment,
    /// A byte that begins nothing in this language.
    Unknown,
}

impl TokenKind {
    /// Whether it is neither code nor layout: white space or a comment.
    pub fn is_trivia(self) -> bool {
        matches!(self, Self::Space | Self::Comment)
    }

    /// Whether it stands for layout rather than text.
    pub fn is_layout(self) -> bool {
        matches!(self, Self::LineEnd | Self::Indent | Self::Dedent)
    }

    /// Whether a hole may stand for it: identifiers and literals.
    pub fn is_bindable(self) -> bool {
        matches!(self, Self::Identifier | Self::Number | Self::String | Self::Char | Self::Label)
    }

    /// Lower-case name, as files and listings have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Operator => "operator",
            Self::Identifier => "identifier",
            Self::Number => "number",
            Self::String => "string",
            Self::Char => "char",
            Self::Label => "label",
            Self::LineEnd => "newline",
            Self::Indent => "indent",
            Self::Dedent => "dedent",
            Self::Space => "space",
            Self::Comment => "comment",
            Self::Unknown => "unknown",
        }
    }
}

/// One token: where it is and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub span: Span,
    pub kind: TokenKind,
    /// In a line that the preprocessor reads.
    pub directive: bool,
    /// A literal or comment that the text ends before its close; or a close without an open.
    pub broken: bool,
}

impl Token {
    /// Whether it is the mark of a text on the next lines (`<<~WORD`).
    pub fn owes_text(&self, text: &[u8]) -> bool {
        self.kind == TokenKind::Label && self.span.of(text).starts_with(b"<<")
    }
}
