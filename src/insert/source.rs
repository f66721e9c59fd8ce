//! A file of the target as insertion sees it: its text, the tokens that are code, and a number for each.

use std::path::PathBuf;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::Token;
use crate::lex::TokenKind;
use crate::operator::Term;

/// A token's text as a number: equal texts of one class have equal numbers, on every machine.
pub type Sym = u64;

/// Words and literals are one class, since an idiom may be any of them; operators and layout are others.
const WORD: u64 = 1;
const MARK: u64 = 2;

/// The number of a token.
pub fn sym(kind: TokenKind, text: &[u8]) -> Sym {
    match kind {
        kind if kind.is_layout() => kind as u64,
        TokenKind::Operator | TokenKind::Unknown => xxh3_64_with_seed(text, MARK),
        _ => xxh3_64_with_seed(text, WORD),
    }
}

/// The number that a literal term stands for; none for holes.
pub fn term_sym(term: &Term) -> Option<Sym> {
    match term {
        Term::Keyword(text) => Some(xxh3_64_with_seed(text, WORD)),
        Term::Operator(text) => Some(xxh3_64_with_seed(text, MARK)),
        Term::Layout(kind) => Some(*kind as u64),
        _ => None,
    }
}

/// The number of a neighbour as habitats name it: `.(`, `:return`, `identifier`, `edge`, `~newline`.
pub fn neighbour_sym(name: &str) -> Sym {
    const LAYOUT: [TokenKind; 3] = [TokenKind::LineEnd, TokenKind::Indent, TokenKind::Dedent];
    match name.split_at_checked(1) {
        Some((".", text)) if !text.is_empty() => sym(TokenKind::Operator, text.as_bytes()),
        Some((":", text)) if !text.is_empty() => sym(TokenKind::Keyword, text.as_bytes()),
        Some(("~", text)) => {
            LAYOUT.into_iter().find(|kind| kind.name() == text).map_or(0, |kind| sym(kind, b""))
        }
        _ => xxh3_64_with_seed(name.as_bytes(), 0),
    }
}

/// A file that may be mutated.
pub struct SourceFile {
    /// As the user would name it.
    pub path: PathBuf,
    pub text: Vec<u8>,
    /// Tokens that are code or layout, in order.
    pub tokens: Vec<Token>,
    pub syms: Vec<Sym>,
    /// Comments, in order.
    pub comments: Vec<Token>,
    /// Bytes that begin nothing in this language.
    pub unknown: usize,
}

impl SourceFile {
    /// The tokens right before a token that share a line with each other.
    pub fn line_before(&self, token: usize) -> &[Token] {
        let follows = |pair: &[Token]| {
            let gap = &self.text[pair[0].span.end as usize..pair[1].span.start as usize];
            memchr::memchr(b'\n', gap).is_none()
        };
        let before = &self.tokens[..token];
        let same = before.windows(2).rev().take_while(|pair| follows(pair)).count();
        &before[before.len().saturating_sub(same + 1)..]
    }

    /// Whether nothing but white space stands before a token in its line.
    pub fn starts_its_line(&self, token: u32) -> bool {
        let start = self.tokens[token as usize].span.start as usize;
        let line = memchr::memrchr(b'\n', &self.text[..start]).map_or(0, |newline| newline + 1);
        self.text[line..start].iter().all(u8::is_ascii_whitespace)
    }

    /// Lexes a file.
    pub fn new(def: &LangDef, path: PathBuf, text: Vec<u8>) -> Self {
        let mut file = Self { path, text, tokens: vec![], syms: vec![], comments: vec![], unknown: 0 };
        for token in Lexer::new(def, &file.text, Start::File) {
            match token.kind {
                TokenKind::Space => {}
                TokenKind::Comment => file.comments.push(token),
                kind => {
                    file.unknown += usize::from(kind == TokenKind::Unknown);
                    file.syms.push(sym(kind, token.span.of(&file.text)));
                    file.tokens.push(token);
                }
            }
        }
        file
    }

    /// The text of a token.
    pub fn token(&self, index: usize) -> &[u8] {
        self.tokens[index].span.of(&self.text)
    }

    /// The neighbour number of a token: operators, keywords and layout by text, the rest by kind.
    pub fn neighbour(&self, index: Option<usize>) -> Sym {
        let Some(token) = index.and_then(|index| self.tokens.get(index)) else {
            return neighbour_sym("edge");
        };
        match token.kind {
            TokenKind::Keyword | TokenKind::Operator => self.syms[index.unwrap_or(0)],
            kind if kind.is_layout() => sym(kind, b""),
            kind => neighbour_sym(kind.name()),
        }
    }
}
