//! What each symbol is to folding.

use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::lex::TokenKind;

use super::super::symbols::Symbol;
use super::super::symbols::Symbols;

/// What a symbol is to folding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An identifier or literal.
    Word,
    /// A bracket that opens or closes this pair.
    Open(u8),
    Close(u8),
    /// The end of a statement.
    End,
    /// A keyword that leads a condition, loop or choice.
    Lead,
    /// What holds an expression together: most operators, some keywords.
    Joint,
    /// What stands between expressions: other keywords, assignments, `&&`, `,`, `?`.
    Structure,
    Layout,
}

/// The pair of indentation.
const INDENTATION: u8 = u8::MAX;

/// The classes of all symbols of a tally.
pub struct Classes {
    classes: Vec<Class>,
    modifiers: Vec<bool>,
    /// Neighbours that are known by their kind only.
    nameless: Vec<bool>,
    lines: Vec<bool>,
    /// Line ends are no tokens, but end statements.
    pub soft: bool,
    /// Line ends are tokens that end statements.
    pub indented: bool,
}

impl Classes {
    /// Classes of symbols that mean something in this language.
    pub fn new(def: &LangDef, symbols: &Symbols) -> Self {
        let modifier = |text: &[u8]| def.file.syntax.modifiers.iter().any(|word| word.as_bytes() == text);
        Self {
            classes: symbols.iter().map(|(kind, text)| class(def, kind, text)).collect(),
            modifiers: symbols
                .iter()
                .map(|(kind, text)| kind == TokenKind::Keyword && modifier(text))
                .collect(),
            nameless: symbols.iter().map(|(kind, text)| text.is_empty() && !kind.is_layout()).collect(),
            lines: symbols.iter().map(|(kind, _)| kind == TokenKind::LineEnd).collect(),
            soft: def.layout() == Layout::Soft,
            indented: def.layout() == Layout::Indented,
        }
    }

    pub fn of(&self, symbol: Symbol) -> Class {
        self.classes[symbol as usize]
    }

    /// Whether it says who may see or change something, not what happens.
    pub fn is_modifier(&self, symbol: Symbol) -> bool {
        self.modifiers[symbol as usize]
    }

    /// Whether only its kind is known.
    pub fn is_nameless(&self, symbol: Symbol) -> bool {
        self.nameless[symbol as usize]
    }

    pub fn is_line(&self, symbol: Symbol) -> bool {
        self.lines[symbol as usize]
    }

    /// Whether it is a token that patterns name, and not a word of the project.
    pub fn is_literal(&self, symbol: Symbol) -> bool {
        !matches!(self.of(symbol), Class::Word | Class::Layout)
    }
}

fn class(def: &LangDef, kind: TokenKind, text: &[u8]) -> Class {
    let syntax = &def.file.syntax;
    let among = |words: &[String]| words.iter().any(|word| word.as_bytes() == text);
    let joins = || {
        [
            &syntax.binary,
            &syntax.prefix,
            &syntax.postfix,
            &syntax.members,
            &syntax.paths,
            &syntax.values,
            &syntax.creates,
        ]
        .iter()
        .any(|words| among(words))
    };
    let parts =
        || among(&syntax.logic) || among(&syntax.assignments) || matches!(text, b"?" | b":" | b"," | b"=>");
    match kind {
        TokenKind::Indent => Class::Open(INDENTATION),
        TokenKind::Dedent => Class::Close(INDENTATION),
        TokenKind::LineEnd => Class::Layout,
        kind if kind.is_bindable() => Class::Word,
        TokenKind::Operator => match def.bracket(text) {
            Some((pair, true)) => Class::Open(pair as u8),
            Some((pair, false)) => Class::Close(pair as u8),
            None if def.ends_statement(text) => Class::End,
            None if parts() => Class::Structure,
            None => Class::Joint,
        },
        TokenKind::Keyword => {
            if [&syntax.conditions, &syntax.loops, &syntax.switches].iter().any(|words| among(words)) {
                Class::Lead
            } else if !parts() && joins() {
                Class::Joint
            } else {
                Class::Structure
            }
        }
        _ => Class::Structure,
    }
}
